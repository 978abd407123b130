/**
 * row-batches: a row that many callers ask for, each by keys of its own. Those who ask in the same turn of the event loop share one
 * statement: on a server that spares most of the round trips, each of which costs both sides more than the row itself.
 */
import { perTurn } from '../base/groups';
import type { Read, Value } from './connection';

/** The condition is not part of it: every key is equal to what is asked for. */
export type Question = {
  readonly columns: string;
  /** From `from` on, with its joins. */
  readonly from: string;
  /** Columns that name one row together; the first is in a unique index by itself. */
  readonly keys: readonly string[];
};

/** The row whose keys have these values, in the order of the question's keys; undefined when there is none. */
export type ReadOne = <Row>(question: Question, values: readonly string[]) => Promise<Row | undefined>;

/** So many share a statement. */
const MOST = 32;

const equalAll = ({ keys }: Question): string => keys.map((key) => `${key} = ?`).join(' and ');

/** What stands for one caller. */
export const oneText = (question: Question): string =>
  `select ${question.columns} ${question.from} where ${equalAll(question)}`;

/** Answers the keys with each row: a caller gets the row whose keys are all its own, never one that another caller's keys have let in. */
const severalText = (question: Question, count: number): string => {
  const { columns, from, keys } = question;
  const list = `(${Array.from({ length: count }, () => '?').join(',')})`;
  return `select ${keys.map((key, index) => `${key} as asked_${index}`).join(', ')}, ${columns} ${from} where ${keys.map((key) => `${key} in ${list}`).join(' and ')}`;
};

/** A few lengths, so that a few texts are prepared; the last one fills up. */
const filled = <T>(asked: readonly T[]): readonly T[] =>
  Array.from(
    { length: 2 ** Math.ceil(Math.log2(asked.length)) },
    (_, index) => asked[Math.min(index, asked.length - 1)]!,
  );

const keyOf = (values: readonly unknown[]): string => JSON.stringify(values);

const answering = (read: Read, question: Question): ((values: readonly string[]) => Promise<unknown>) => {
  const single = oneText(question);
  const texts = new Map<number, string>();
  const textOf = (count: number): string => {
    const text = texts.get(count) ?? severalText(question, count);
    texts.set(count, text);
    return text;
  };
  return perTurn(MOST, async (asked: readonly (readonly string[])[]): Promise<readonly unknown[]> => {
    if (asked.length === 1) {
      return [(await read(single, asked[0]!))[0]];
    }
    const rows = filled([...new Map(asked.map((values) => [keyOf(values), values])).values()]);
    const found = await read<Record<string, Value>>(
      textOf(rows.length),
      question.keys.flatMap((_, index) => rows.map((values) => values[index]!)),
    );
    const byKeys = new Map(found.map((row) => [keyOf(question.keys.map((_, index) => row[`asked_${index}`])), row]));
    return asked.map((values) => byKeys.get(keyOf(values)));
  });
};

/** @param read runs one reading statement outside any transaction */
export const sharingReads = (read: Read): ReadOne => {
  const known = new Map<Question, (values: readonly string[]) => Promise<unknown>>();
  return <Row>(question: Question, values: readonly string[]) => {
    const answer = known.get(question) ?? answering(read, question);
    known.set(question, answer);
    return answer(values) as Promise<Row | undefined>;
  };
};
