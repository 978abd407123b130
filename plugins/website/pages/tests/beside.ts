/** beside: what stands in the time of the chart of a test: medicines as bars, named. */
import { groupedBy } from '../../../../core/base/grouped-by';
import type { Line } from '../../../../core/lines/lines';
import { operations } from '../../http/operations';
import type { PersonVisit } from '../../http/page';
import type { BarLook } from '../../parts/charts/bars';
import type { Bar } from '../../parts/charts/chart';
import type { Whose } from '../../parts/whose';
import { dateWords } from '../../words/facts';
import { dayAsSaid, titleOf } from '../lines/line-words';

const MODEL = 'Medication';
/** Of more medicines those that began last are drawn. */
const MOST_BARS = 8;
const MOST_LINES = '500';
const DAY_LETTERS = 10;

type DrawnTime = Bar['times'][number] & { /** The title without the name. */ readonly says: string };

/** The text about a bar, by which of its ends somebody said. The line's last word is about its newest time alone. */
function saysOf({ from, until }: Line['times'][number], isNewest: boolean): string {
  if (from === '') {
    return until === '' ? 'bar-once' : 'bar-until';
  }
  if (until !== '') {
    return 'bar';
  }
  return isNewest ? 'bar-said' : 'bar-begun';
}

type Drawn = {
  readonly name: string;
  readonly drawn: readonly [number, number];
  readonly visit: PersonVisit;
};

type Said = { readonly from: string; readonly until: string };

/** The time with its text; nothing where it lies beside the drawn time. @param days from and until, as dates */
function within({ name, drawn, visit: { words } }: Drawn, look: BarLook, [text, said]: [string, Said], days: Said) {
  const [from, to] = [days.from, days.until].map((day) => Date.parse(day.slice(0, DAY_LETTERS))) as [number, number];
  const says = words.say(`tests.${text}`, said);
  const title = words.say('tests.bar-of', { name, says });
  return from <= to && from <= drawn[1] && to >= drawn[0] ? [{ from, to, says, title, look }] : [];
}

/** A time of a line in words: days, or months and years where its source says no more. */
function saidOfTime(line: Line, { from, until }: Line['times'][number], visit: PersonVisit): Said {
  const model = visit.models.find(MODEL)!;
  return {
    from: from === '' ? '' : dayAsSaid(model, line, 'startDate', from, visit),
    until: until === '' ? dateWords(line.last, visit.words, 'day') : dayAsSaid(model, line, 'endDate', until, visit),
  };
}

/**
 * Each time of a medicine in the drawn time. Where nobody says that it ended, it is whole until the last day on which
 * somebody said that it goes on, and thin after that; an older time is only its beginning. Where sources differ, it is
 * all of that form.
 */
function timesOf(line: Line, drawn: Drawn): readonly DrawnTime[] {
  const today = new Date(drawn.visit.now).toISOString();
  return line.times.flatMap((time, at): readonly DrawnTime[] => {
    const isNewest = at === line.times.length - 1;
    const end = time.until || (isNewest || time.from === '' ? line.last : time.from);
    const [said, from] = [saidOfTime(line, time, drawn.visit), time.from || end];
    if (line.standing === 'unclear' && line.isConflict && isNewest) {
      const differ = { ...said, from: said.from || said.until };
      return within(drawn, 'differ', ['bar-differ', differ], { from, until: time.until || today });
    }
    const isOpen = line.standing === 'open' && isNewest && time.from !== '' && time.until === '';
    const since = { from: said.until, until: '' };
    return [
      ...within(drawn, 'said', [saysOf(time, isNewest), said], { from, until: end }),
      ...(isOpen && end !== '' ? within(drawn, 'since', ['bar-since', since], { from: end, until: today }) : []),
    ];
  });
}

/** A medicine with its lines; it has one row, whatever the number of its lines. */
export type Medicine = { readonly name: string; readonly lines: readonly Line[] };

/** The medicines that a place shows, by name: those that were taken, or may be. */
export async function readMedicines(visit: PersonVisit, whose: Whose): Promise<readonly Medicine[]> {
  const model = visit.models.find(MODEL);
  if (!model) {
    return [];
  }
  const { lines } = await visit.ask(
    whose.kind === 'record' ? operations.lines.recordLines : operations.lines.carenetLines,
    { params: { ...whose.params, MODEL }, query: { limit: MOST_LINES, offset: '0' } },
  );
  const taken = lines.filter(({ standing, isPlanned }) => standing !== 'undone' && !isPlanned);
  return [...groupedBy(taken, ({ shown }) => titleOf(model, shown, visit))].map(([name, own]) => ({
    name,
    lines: own,
  }));
}

/** A medicine in the time of a chart. */
export type MedicineBar = Omit<Bar, 'times'> & {
  /** Of its newest line. */ readonly id: string;
  readonly times: readonly DrawnTime[];
};

/** The medicine with a line, or with a statement of one. */
export function medicineMeant(medicines: readonly Medicine[], id: string): Medicine | undefined {
  return medicines.find(({ lines }) =>
    lines.some((line) => line.id === id || line.says.some(({ told }) => told.id === id)),
  );
}

/** The medicines of those that were taken in a time, those that began last first. */
export function barsWithin(
  medicines: readonly Medicine[],
  drawn: readonly [number, number] | undefined,
  visit: PersonVisit,
): readonly MedicineBar[] {
  if (!drawn) {
    return [];
  }
  return medicines
    .map(({ name, lines }) => ({
      name,
      id: lines[0]!.id,
      times: lines.flatMap((line) => timesOf(line, { name, drawn, visit })),
    }))
    .filter(({ times }) => times.length > 0)
    .map((bar) => ({ ...bar, began: Math.max(...bar.times.map(({ from }) => from)) }))
    .sort((one, other) => other.began - one.began)
    .slice(0, MOST_BARS);
}
