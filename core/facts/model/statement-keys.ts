/**
 * statement-keys: gives each statement of a document a key by which it is recognized when the document is read again or
 * replaced. No query is needed: the key is the source's own, as the transform gives it, or else follows from the facts
 * themselves.
 */
import { sha256 } from '../../base/ids';
import { childrenIn, type Fact } from '../plans';

/** A fact whose `statement` is the source's own key, or empty where the source has none. */
type Unnamed = Fact;

/** The content of a fact without empty columns, so that a new column of its model changes nothing. */
export function contentOf(fact: Fact): unknown {
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
}

/** Whether facts of this model that have the same key from the source form one statement; otherwise each is one. */
type IsTogether = (model: string) => boolean;

function withChildren(fact: Fact, together: IsTogether): Fact {
  return {
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
  };
}

/**
 * Gives the statements of a document their keys, nested ones included. A key from the source is kept, and gets a number
 * where each fact is a statement of its own. If a document has only one fact of a model without such a key, that fact
 * stays the same statement whatever it says: a document with one allergy is corrected rather than given a second
 * allergy. If there are several, each is recognized by its content, and equal ones by their order.
 * @param within the place in which the facts are nested; empty at the top
 */
export function withStatements(facts: readonly Unnamed[], together: IsTogether, within = ''): readonly Fact[] {
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
}
