/** fact: shows a fact of any model with everything that it says and everything that is nested in it. */
import type { ComponentChildren, JSX } from 'preact';
import type { Model } from '../../../core/facts/model/model';
import { dateField, factAnchor, factDate, factLine, factTitle, fieldLabel, type Fact } from '../words/facts';
import type { Visit } from '../http/page';
import { factPairs, nameFirst } from '../words/whole-fact';
import { checkWords } from '../unlikely';
import { wrongWords } from '../words/said-once';
import { joinedBy, type Words } from '../words/words';
import { Check, Line, Pairs, Tag } from './layout';

type Of = { readonly visit: Visit; readonly model: Model; readonly fact: Fact };

const MOST_NESTED = 20;

function nestedFacts(fact: Fact, field: string): readonly Fact[] {
  const value = fact[field];
  return (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'object' && one !== null) as Fact[];
}

/** What a nested fact says, field by field, and what is nested in it. The words are those of the outer model. */
function nestedPairs(outer: Model, path: string, { visit, model, fact }: Of): readonly NestedPair[] {
  return [
    ...factPairs({ ...model, words: undefined }, fact, { root: outer, path, words: visit.words }).map(
      ({ field, label, value }) => ({ name: field.name, label, value }),
    ),
    ...model.relations.flatMap(({ field, model: name }): readonly NestedPair[] => {
      const inner = visit.models.find(name);
      const facts = inner ? nestedFacts(fact, field) : [];
      return facts.map((one) => ({
        name: field,
        label: fieldLabel(outer, `${path}${field}`, visit.words),
        value: inOneLine(outer, `${path}${field}.`, { visit, model: inner!, fact: one }),
      }));
    }),
  ];
}

type NestedPair = { readonly name: string; readonly label: string; readonly value: string };

/** One of several nested facts in a line: the day first, then each thing by its name. */
function inOneLine(outer: Model, path: string, of: Of): string {
  const day = dateField(of.model);
  const pairs = nestedPairs(outer, path, of);
  const said = [
    ...pairs.filter(({ name }) => name === day).map(({ value }) => value),
    ...pairs
      .filter(({ name }) => name !== day)
      .map(({ label, value }) => of.visit.words.say('document.named', { label, value })),
  ];
  return joinedBy('; ', said, of.visit.words);
}

function Several({ visit, outer, field, model, facts }: Omit<Of, 'fact'> & Nesting): JSX.Element {
  return (
    <ul>
      {facts.slice(0, MOST_NESTED).map((fact) => (
        <li>
          <bdi>{inOneLine(outer, `${field}.`, { visit, model, fact })}</bdi>
        </li>
      ))}
      {facts.length > MOST_NESTED && (
        <li>{visit.words.say('document.more-nested', { count: facts.length - MOST_NESTED })}</li>
      )}
    </ul>
  );
}

type Nesting = { readonly outer: Model; readonly field: string; readonly facts: readonly Fact[] };

/** Label and value of what is nested in a fact. */
function nestedRows({ visit, model, fact }: Of): readonly (readonly [string, ComponentChildren])[] {
  return model.relations.flatMap(({ field, model: name, many }): readonly (readonly [string, ComponentChildren])[] => {
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
      : nestedPairs(model, `${field}.`, { visit, model: nested, fact: facts[0]! }).map(
          ({ label, value }) => [label, <bdi class="as-written">{value}</bdi>] as const,
        );
  });
}

/** Label and value of everything that a fact says, what names it first. */
export function WholeFact({ visit, model, fact }: Of): JSX.Element {
  const { named, others } = nameFirst(model, fact, visit.words);
  const said = (value: string): JSX.Element => <bdi class="as-written">{value}</bdi>;
  return (
    <Pairs
      pairs={[
        ...(named ? [[named.label, <b>{said(named.value)}</b>] as const] : []),
        ...others.map(({ label, value }) => [label, said(value)] as const),
        ...nestedRows({ visit, model, fact }),
      ]}
    />
  );
}

/** Several facts of one kind, each with its details in a part that can be opened. */
export function Facts({
  visit,
  model,
  facts,
}: {
  readonly visit: Visit;
  readonly model: Model;
  readonly facts: readonly Fact[];
}): JSX.Element {
  const { words } = visit;
  return (
    <ul class="rows two">
      {facts.map((fact) => {
        const line = factLine(model, fact, words);
        return (
          <li id={fact.__id__ && factAnchor(fact)}>
            <div>
              <span class="name">
                <bdi>{factTitle(model, fact, words)}</bdi>
              </span>
              <Line text={line} />
              <Check text={checkWords(model, fact, words)} />
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
}

/** A line that says that the person calls the fact wrong; nothing for any other fact. */
export function CalledWrong({ fact, words }: { readonly fact: Fact; readonly words: Words }): JSX.Element | null {
  const said = wrongWords(fact, words);
  return said === '' ? null : (
    <p>
      <Tag tone="off">{said}</Tag>
    </p>
  );
}
