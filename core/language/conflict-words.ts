/**
 * conflict-words: what the sources of a line say differently, in English, for documents that leave the service (pure).
 */
import type { About } from '../facts/about';
import type { Model } from '../facts/model/model';
import { countsInLine, gravity, valueIn, voicesOf, worstOf } from '../lines/heard';
import { titleColumns, type Line, type Says } from '../lines/lines';
import { namesApart } from '../lines/other-names';
import { firstText } from '../lines/told';

/** What names a document as a source. */
export type Source = { readonly label: string | null; readonly about: About | null; readonly type: string };

/** The person's label, else the organization, else the author, else the kind of paper. */
export function sourceWords({ label, about, type }: Source): string {
  const kind = type.replace(/^.*[#/]/, '').replaceAll(/[_-]/g, ' ');
  return label ?? about?.from ?? about?.author ?? about?.title ?? about?.kind ?? `A paper (${kind})`;
}

type SourceOf = (documentId: string) => Source | undefined;

function said(says: Says, words: string, sourceOf: SourceOf): string {
  const source = sourceOf(says.told.documentId);
  const name = source === undefined ? 'A source' : sourceWords(source);
  return `${name} says ${words}${says.date === '' ? '' : ` (${says.date})`}.`;
}

function conflictLabel(model: Model, field: string): string {
  return model.words?.languages['en']?.fields[field]?.label ?? field;
}

/** What the person says last about taking a medicine; undefined for nothing. */
export function ownVerdict({ ownWords }: Line): { readonly takes: boolean; readonly date: string } | undefined {
  const newest = ownWords.find(({ verdict }) => verdict === 'stopped' || verdict === 'taking');
  return newest && { takes: newest.verdict === 'taking', date: newest.date.slice(0, 10) };
}

function ownSentence(line: Line): string {
  const own = ownVerdict(line);
  return own ? `The person says that he or she ${own.takes ? 'takes it' : 'no longer takes it'} (${own.date}).` : '';
}

/** "Sources call it: Paracetamol; Tylenol." where the names have nothing in common; otherwise empty. */
function namesSentence(model: Model, { shown, says }: Line): string {
  const columns = titleColumns(model);
  const name = firstText(shown.values, columns);
  const others = says.filter(countsInLine).map(({ told }) => firstText(told.values, columns));
  const apart = namesApart(name, others);
  return apart.length === 0 ? '' : `Sources call it: ${[name, ...apart].join('; ')}.`;
}

/**
 * "Sources differ. Clinic A says stopped (2026-03-03). Clinic B says active (2026-04-10)."; only names that have nothing
 * in common and the person's own word where they agree.
 */
export function conflictWords(model: Model, line: Line, sourceOf: SourceOf): string {
  const beside = [namesSentence(model, line), ownSentence(line)].filter((text) => text !== '');
  if (!line.isConflict && line.standing !== 'unclear') {
    return beside.join(' ');
  }
  const voices = voicesOf(model, line).map(({ says, field, value }) =>
    said(says, field === undefined ? value : `${conflictLabel(model, field)}: ${value}`, sourceOf),
  );
  return [line.isConflict || voices.length > 1 ? 'Sources differ.' : 'It is not clear.', ...voices, ...beside].join(
    ' ',
  );
}

/**
 * The worst severity of an allergy, unless the statement that is shown says it; empty where nobody says any.
 * @param shownId undefined: what is shown has no place for a severity
 */
export function severityWords(model: Model, line: Line, shownId: string | undefined, sourceOf: SourceOf): string {
  const worst = worstOf(line);
  const shown = line.says.find(({ told }) => told.id === shownId);
  return worst === undefined || (shown !== undefined && gravity(shown) >= gravity(worst))
    ? ''
    : said(worst, `${conflictLabel(model, 'severity')}: ${valueIn(model, worst.told, 'severity')}`, sourceOf);
}

/** "Clinic A says No known allergies (2026-01-03)." of each line that denies what another one says. */
export function denialWords(model: Model, lines: readonly Line[], sourceOf: SourceOf): string {
  const voices = lines.map(({ says: [newest] }) => said(newest!, valueIn(model, newest!.told, 'name'), sourceOf));
  return [...new Set(voices)].join(' ');
}
