/**
 * heard: what a list shows of a line: which statement stands for it, and in words what others say otherwise (pure).
 */
import type { Id } from '../base/types';
import type { Model } from '../facts/model/model';
import type { Line, Says } from './lines';
import { firstText, toldText, type Told } from './told';

/** Whether a statement counts for its line: not one that its sender or the person takes back. */
export function countsInLine({ told, isWrong, isFormer }: Says): boolean {
  return !isWrong && !isFormer && told.isOlder !== true;
}

/** The statement that stands for a line among those that a list has: the newest one that counts. */
export function standsFor({ says }: Line, isThere: (id: Id) => boolean): Id | undefined {
  const there = says.filter(({ told }) => isThere(told.id));
  const newest = there.find(countsInLine);
  return (newest ?? there.find(({ isWrong }) => !isWrong))?.told.id;
}

/** The lines by the statement that stands for each in lists of what is said now. */
export function byShown(lines: readonly Line[], out: ReadonlySet<Id>): ReadonlyMap<Id, Line> {
  return new Map(
    lines.flatMap((line) => {
      const older = new Set(line.says.filter(({ told }) => told.isOlder).map(({ told }) => told.id));
      const shown = standsFor(line, (id) => !older.has(id) && !out.has(id));
      return shown === undefined ? [] : [[shown, line] as const];
    }),
  );
}

/** One thing that a statement says where sources differ. */
type Voice = {
  readonly says: Says;
  /** The field that differs; undefined for the standing. */ readonly field: string | undefined;
  readonly value: string;
};

/** What a statement says in a field, with the words of its columns. */
export function valueIn(model: Model, { values }: Told, field: string): string {
  const one = model.fields.find(({ name }) => name === field);
  const isCoded = one?.type === 'CodedValue';
  const columns = isCoded ? [`${field}_title`] : (one?.columns ?? [field]);
  const text = columns.map((column) => toldText(values, column)).filter((part) => part !== '');
  return text.length > 0 || !isCoded ? text.join(' ') : toldText(values, `${field}_identifier`);
}

/** The fields in which a source says how something stands. */
const STANDINGS = ['clinicalStatus', 'verificationStatus', 'status', 'administration_status'].flatMap((name) => [
  `${name}_title`,
  `${name}_identifier`,
  name,
]);

/** What the statements of a line say where they differ, each thing of a source once. */
export function voicesOf(model: Model, line: Line): readonly Voice[] {
  const counting = line.says.filter(countsInLine);
  const standings = line.isStandingConflict || line.standing === 'unclear' ? counting : [];
  const ends = model.same?.times?.until;
  const stands = standings.flatMap((says): readonly Voice[] => {
    const said = firstText(says.told.values, STANDINGS);
    const until = ends === undefined ? '' : toldText(says.told.values, ends).slice(0, 10);
    const value = said === '' && until !== '' ? `until ${until}` : said;
    return value === '' ? [] : [{ says, field: undefined, value }];
  });
  const fields = line.differs.flatMap(({ field, statements }) =>
    counting
      .filter(({ told }) => statements.includes(told.id))
      .map((says): Voice => ({ says, field, value: valueIn(model, says.told, field) })),
  );
  const all = [...stands, ...fields].filter(({ value }) => value !== '');
  return [...new Map(all.map((one) => [JSON.stringify([one.says.told.source, one.field, one.value]), one])).values()];
}

/** Severities from the mildest to the worst, as FHIR and SNOMED CT code them and as people write them. */
const SEVERITIES: readonly (readonly string[])[] = [
  ['mild', '255604002'],
  ['moderate', '6736007'],
  ['moderate to severe', '371924009'],
  ['severe', '24484000'],
  ['life threatening', 'life threatening severity', 'life-threatening', '442452003'],
  ['fatal', '399166001'],
];

/** How grave the worst reaction of a statement is; -1 where it says nothing that is known. */
export function gravity({ told: { values, facts } }: Says): number {
  const all = [values, ...facts.map((fact) => fact.values)];
  const said = all.flatMap((one) => [toldText(one, 'severity_identifier'), toldText(one, 'severity_title')]);
  const texts = new Set(said.map((text) => text.toLowerCase()));
  return SEVERITIES.findLastIndex((known) => known.some((text) => texts.has(text)));
}

/** Who says the worst severity of an allergy; undefined where nobody says any that is known. */
export function worstOf({ says }: Line): Says | undefined {
  const counting = says.filter((one) => countsInLine(one) && gravity(one) >= 0);
  return counting.reduce<Says | undefined>(
    (worst, one) => (worst === undefined || gravity(one) > gravity(worst) ? one : worst),
    undefined,
  );
}
