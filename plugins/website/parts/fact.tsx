/** fact: a fact with all that it says and all that is nested in it, whatever its model. */
import type { JSX } from 'preact';
import type { Model } from '../../../core/datamodel/model';
import { factDate, factLine, factPairs, factTitle, fieldLabel, modelName, type Fact } from '../facts';
import type { Visit } from '../page';
import { Pairs } from './layout';

type Of = { readonly visit: Visit; readonly model: Model; readonly fact: Fact };

const MOST_NESTED = 20;

const nestedFacts = (fact: Fact, field: string): readonly Fact[] => {
  const value = fact[field];
  return (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'object' && one !== null) as Fact[];
};

/** What a fact that stands in a line below another says. */
const inOneLine = ({ visit: { words }, model, fact }: Of): string => {
  const title = factTitle(model, fact, words);
  // A fact without a name of its own is told by its date and what else is known.
  const parts = [
    title === modelName(model, words) ? '' : title,
    factLine(model, fact, words),
    factDate(model, fact, words),
  ];
  return [...new Set(parts)].filter((part) => part !== '').join(', ') || title;
};

const Nested = ({ visit, model, fact }: Of): JSX.Element => {
  const { words } = visit;
  return (
    <>
      {model.relations.map(({ field, model: name }) => {
        const nested = visit.models.find(name);
        const facts = nestedFacts(fact, field);
        return nested && facts.length > 0 ? (
          <dl class="pairs">
            <dt>{fieldLabel(model, field, words)}</dt>
            <dd>
              <ul>
                {facts.slice(0, MOST_NESTED).map((one) => (
                  <li>
                    <bdi>{inOneLine({ visit, model: nested, fact: one })}</bdi>
                  </li>
                ))}
                {facts.length > MOST_NESTED && (
                  <li>{words.say('document.more-nested', { count: facts.length - MOST_NESTED })}</li>
                )}
              </ul>
            </dd>
          </dl>
        ) : null;
      })}
    </>
  );
};

/** Label and value of everything that a fact says. */
export const WholeFact = ({ visit, model, fact }: Of): JSX.Element => (
  <>
    <Pairs
      pairs={factPairs(model, fact, visit.words).map(([label, value]) => [
        label,
        <bdi class="as-written">{value}</bdi>,
      ])}
    />
    <Nested visit={visit} model={model} fact={fact} />
  </>
);

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
