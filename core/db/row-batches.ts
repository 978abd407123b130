/**
 * row-batches: reads one row by its keys. Callers that ask in the same turn of the event loop share one statement. With
 * a database server this saves most of the round trips, and a round trip costs both sides more than the row itself.
 */
import { perTurn } from '../base/groups';
import type { Builder, Value } from './builder';
import type { Question, ReadOne, Reads } from './connection';
import { keptStatement, padded } from './kept-statement';

type On = Builder & Pick<Reads, 'rows'>;

/** Keeps one statement for each question. */
const perQuestion = <S>(make: (question: Question) => S): ((question: Question) => S) => {
  const made = new Map<Question, S>();
  return (question) => {
    const found = made.get(question) ?? make(question);
    made.set(question, found);
    return found;
  };
};

const single = perQuestion(({ rows, keys }) =>
  keptStatement<unknown, readonly string[]>((on, ...values) =>
    rows(on).where(Object.fromEntries(keys.map((key, index) => [key, values[index]]))),
  ),
);

/** Asks for one row alone. */
export const readingOne =
  (on: On): ReadOne =>
  async <Row>(question: Question, values: readonly string[]) =>
    (await single(question)(on, ...values))[0] as Row | undefined;

/** At most this many callers share a statement. */
const MOST = 32;

/**
 * The values of the first key come first, then those of the second. Each row contains its keys, so that every caller
 * gets only the row of its own keys.
 */
const several = perQuestion(({ rows, keys }) =>
  keptStatement<Record<string, Value>, readonly string[]>((on, ...values) => {
    const count = values.length / keys.length;
    const query = rows(on).select(Object.fromEntries(keys.map((key, index) => [`asked_${index}`, key])));
    keys.forEach((key, index) => void query.whereIn(key, values.slice(index * count, (index + 1) * count)));
    return query;
  }),
);

const keyOf = (values: readonly unknown[]): string => JSON.stringify(values);

const answering = (on: On, question: Question): ((values: readonly string[]) => Promise<unknown>) => {
  const one = readingOne(on);
  return perTurn(MOST, async (asked: readonly (readonly string[])[]): Promise<readonly unknown[]> => {
    if (asked.length === 1) {
      return [await one(question, asked[0]!)];
    }
    const rows = padded([...new Map(asked.map((values) => [keyOf(values), values])).values()]);
    const found = await several(question)(on, ...question.keys.flatMap((_, index) => rows.map((row) => row[index]!)));
    const byKeys = new Map(found.map((row) => [keyOf(question.keys.map((_, index) => row[`asked_${index}`])), row]));
    return asked.map((values) => byKeys.get(keyOf(values)));
  });
};

/** @param on reads outside any transaction */
export const sharingReads = (on: On): ReadOne => {
  const answers = perQuestion((question) => answering(on, question));
  return <Row>(question: Question, values: readonly string[]) => answers(question)(values) as Promise<Row | undefined>;
};
