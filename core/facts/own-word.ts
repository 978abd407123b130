/** own-word: what a word of the person about statements must have, beyond what its model says (pure). */
import { allChildren, type Fact } from './plans';

type Word = Pick<Fact, 'values' | 'children'>;

function ownWordText({ values }: Pick<Fact, 'values'>, column: string): string {
  return String(values[column] ?? '');
}

/** What is wrong with a fact of the model OwnWord, in words; nothing for other models. */
export function ownWordProblems(model: string, word: Word): readonly string[] {
  if (model !== 'OwnWord') {
    return [];
  }
  const verdict = ownWordText(word, 'verdict');
  const about = allChildren(word as Fact);
  const statements = new Set(about.map((one) => ownWordText(one, 'statement').toLowerCase()));
  const isOfPair = verdict === 'same' || verdict === 'different';
  const isOfMedicine = verdict === 'stopped' || verdict === 'taking';
  const areMedicines = about.every((one) => ownWordText(one, 'model') === 'Medication');
  const isOfTest = verdict === 'is-test';
  return [
    ...(statements.size < (isOfPair ? 2 : 1)
      ? [`${verdict} is about ${isOfPair ? 'two statements' : 'a statement'} or more`]
      : []),
    ...(isOfMedicine && !areMedicines ? [`${verdict} is about medicines only`] : []),
    ...(isOfTest === (ownWordText(word, 'test') === '') ? ['test is given with is-test, and only there'] : []),
  ];
}
