/**
 * statement-keys: what each statement of a document is called, so that it is known again when the document is read once
 * more or replaced. Nothing is looked up: the key is what the transform calls the statement, else what follows from the
 * facts themselves.
 */
import { sha256 } from '../base/ids';
import { childrenIn, type Fact } from '../storage/plans';

/** A fact whose statement is the source's own key, and empty where the source has none. */
export type Unnamed = Fact;

/** What a fact says, without what it is silent about: a new column of its model changes nothing. */
const contentOf = (fact: Fact): unknown => {
  const { values, children } = fact;
  return [
    Object.keys(values)
      .filter((name) => values[name] !== null)
      .sort()
      .map((name) => [name, values[name]]),
    Object.keys(children)
      .sort()
      .map((field) => [field, childrenIn(fact, field).map(contentOf)]),
  ];
};

/** Whether facts of this model that the source calls by one key are one statement; else each is one. */
export type IsTogether = (model: string) => boolean;

const withChildren = (fact: Fact, together: IsTogether): Fact => ({
  ...fact,
  children: Object.fromEntries(
    Object.entries(fact.children).map(([field, inside]) => {
      const named = withStatements(
        [inside ?? []].flat() as readonly Unnamed[],
        together,
        `${fact.statement}/${field}/`,
      );
      return [field, Array.isArray(inside) ? named : (named[0] ?? null)];
    }),
  ),
});

/**
 * Names the statements of a document, those nested in others too. What the source calls by a key keeps it, and is
 * numbered where one fact is one statement. Of a model that is there once, the one fact stays the same statement
 * whatever it says: a document of one allergy is corrected, not another one told. Of several ones each is known by its
 * content, equal ones by their order.
 * @param within where the facts are nested; empty at the top
 */
export const withStatements = (facts: readonly Unnamed[], together: IsTogether, within = ''): readonly Fact[] => {
  const unnamed = facts.filter(({ statement }) => statement === '');
  const counts = new Map<string, number>();
  const count = (what: string): number => {
    const found = (counts.get(what) ?? 0) + 1;
    counts.set(what, found);
    return found;
  };
  for (const { model } of unnamed) {
    count(model);
  }
  const keyOf = (fact: Unnamed): string => {
    if (fact.statement !== '') {
      const number = together(fact.model) ? 1 : count(`${fact.model} source ${fact.statement}`);
      return `source:${fact.statement}${number === 1 ? '' : `#${number}`}`;
    }
    if (counts.get(fact.model) === 1) {
      return `${within}only`;
    }
    const digest = sha256(JSON.stringify(contentOf(fact)));
    return `${within}${digest}:${count(`${fact.model} ${digest}`)}`;
  };
  return facts.map((fact) => withChildren({ ...fact, statement: keyOf(fact) }, together));
};
