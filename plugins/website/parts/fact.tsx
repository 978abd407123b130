/** fact: a fact with all that it says and all that is nested in it, whatever its model. */
import type { ComponentChildren, JSX } from 'preact';
import type { Model } from '../../../core/datamodel/model';
import {
  dateField,
  factDate,
  factLine,
  factPairs,
  factTitle,
  fieldLabel,
  fieldWords,
  isUnit,
  type Fact,
} from '../facts';
import type { Visit } from '../page';
import { Pairs } from './layout';

type Of = { readonly visit: Visit; readonly model: Model; readonly fact: Fact };

const MOST_NESTED = 20;

const nestedFacts = (fact: Fact, field: string): readonly Fact[] => {
  const value = fact[field];
  return (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'object' && one !== null) as Fact[];
};

/** What each field of a nested fact is called by the model around it, which has the words. */
const nestedPairs = (outer: Model, field: string, { visit, model, fact }: Of) => {
  const named = { ...model, words: undefined };
  const path = (name: string): string => fieldLabel(outer, `${field}.${name}`, visit.words);
  return model.fields
    .filter(({ name }) => !isUnit(model, name))
    .map(({ name }) => ({ name, label: path(name), value: fieldWords(named, fact, name, visit.words) }))
    .filter(({ value }) => value !== '');
};

/** One of several nested facts in a line: the day first, then each thing by its name. */
const inOneLine = (outer: Model, field: string, of: Of): string => {
  const day = dateField(of.model);
  const pairs = nestedPairs(outer, field, of);
  return [
    ...pairs.filter(({ name }) => name === day).map(({ value }) => value),
    ...pairs
      .filter(({ name }) => name !== day)
      .map(({ label, value }) => of.visit.words.say('document.named', { label, value })),
  ].join('; ');
};

const Several = ({ visit, outer, field, model, facts }: Omit<Of, 'fact'> & Nesting): JSX.Element => (
  <ul>
    {facts.slice(0, MOST_NESTED).map((fact) => (
      <li>
        <bdi>{inOneLine(outer, field, { visit, model, fact })}</bdi>
      </li>
    ))}
    {facts.length > MOST_NESTED && (
      <li>{visit.words.say('document.more-nested', { count: facts.length - MOST_NESTED })}</li>
    )}
  </ul>
);

type Nesting = { readonly outer: Model; readonly field: string; readonly facts: readonly Fact[] };

/** Label and value of what is nested in a fact. */
const nestedRows = ({ visit, model, fact }: Of): readonly (readonly [string, ComponentChildren])[] =>
  model.relations.flatMap(({ field, model: name, many }): readonly (readonly [string, ComponentChildren])[] => {
    const nested = visit.models.find(name);
    const facts = nestedFacts(fact, field);
    if (!nested || facts.length === 0) {
      return [];
    }
    return many
      ? [
          [
            fieldLabel(model, field, visit.words),
            <Several visit={visit} outer={model} field={field} model={nested} facts={facts} />,
          ],
        ]
      : nestedPairs(model, field, { visit, model: nested, fact: facts[0]! }).map(
          ({ label, value }) => [label, <bdi class="as-written">{value}</bdi>] as const,
        );
  });

/** Label and value of everything that a fact says, what names it first; what is said twice stands once. */
export const WholeFact = ({ visit, model, fact }: Of): JSX.Element => {
  const title = factTitle(model, fact, visit.words);
  const pairs = factPairs(model, fact, visit.words);
  const once = pairs.filter(([, value], index) => pairs.findIndex((other) => other[1] === value) === index);
  const naming = once.filter(([, value]) => value === title);
  const others = once.filter(([, value]) => value !== title);
  return (
    <Pairs
      pairs={[
        ...naming.map(
          ([label, value]) =>
            [
              label,
              <b class="as-written">
                <bdi>{value}</bdi>
              </b>,
            ] as const,
        ),
        ...others.map(([label, value]) => [label, <bdi class="as-written">{value}</bdi>] as const),
        ...nestedRows({ visit, model, fact }),
      ]}
    />
  );
};

/** Several facts of one kind, each with the rest of what it says behind it. */
export const Facts = ({
  visit,
  model,
  facts,
}: {
  readonly visit: Visit;
  readonly model: Model;
  readonly facts: readonly Fact[];
}): JSX.Element => {
  const { words } = visit;
  return (
    <ul class="rows two">
      {facts.map((fact) => {
        const line = factLine(model, fact, words);
        return (
          <li>
            <div>
              <span class="name">
                <bdi>{factTitle(model, fact, words)}</bdi>
              </span>
              {line !== '' && (
                <p>
                  <bdi>{line}</bdi>
                </p>
              )}
              <details class="rest">
                <summary>
                  {words.say('document.everything')}
                  <span class="unseen">: {factTitle(model, fact, words)}</span>
                </summary>
                <WholeFact visit={visit} model={model} fact={fact} />
              </details>
            </div>
            <span class="by">{factDate(model, fact, words)}</span>
          </li>
        );
      })}
    </ul>
  );
};
