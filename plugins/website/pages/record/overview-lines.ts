/** overview-lines: what the overview says of a line: once, with all that its sources say of it (pure). */
import type { Model } from '../../../../core/facts/model/model';
import { factLine, type Fact } from '../../words/facts';
import { joinedBy, type Words } from '../../words/words';

/** What the operation says of a line beside the fact that stands for it. */
type Line = {
  readonly id: string;
  readonly standing: 'open' | 'over' | 'undone' | 'unclear';
  readonly planned: boolean;
  readonly conflict: boolean;
  readonly sources: number;
  readonly others: readonly Fact[];
};

/** The models of which the overview shows lines, and asks which of them are the same. */
export const LINED = ['Allergy', 'AllergyExclusion', 'Problem', 'Medication', 'Immunization', 'Equipment'] as const;

export type Entry = {
  readonly fact: Fact;
  readonly line: Line;
  /** Date of the newer list that does not have it any more; undefined as long as one source still says it. */
  readonly missingSince: string | undefined;
};

export function entriesOf(facts: readonly Fact[]): readonly Entry[] {
  return facts.map((fact) => {
    const since = fact['__missing_since__'];
    return {
      fact,
      line: fact['__line__'] as unknown as Line,
      missingSince: typeof since === 'string' ? since : undefined,
    };
  });
}

/** What is unclear goes on as far as anybody knows. */
export function standingOfEntry({ line: { standing, planned } }: Entry): 'open' | 'over' | 'planned' {
  if (standing === 'over' || standing === 'undone') {
    return 'over';
  }
  return planned ? 'planned' : 'open';
}

/** Everything that the sources say beside the name, each thing once: an allergy keeps every reaction and severity. */
export function lineWords(model: Model, { fact, line }: Entry, words: Words): string {
  const said = [fact, ...line.others].map((one) => factLine(model, one, words)).filter((text) => text !== '');
  return joinedBy('; ', [...new Map(said.map((text) => [text.toLowerCase(), text])).values()], words);
}
