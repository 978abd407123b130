/** beside: what stands in the time of the chart of a test: medicines as bars, named. */
import { groupedBy } from '../../../../core/base/grouped-by';
import type { Line } from '../../../../core/lines/lines';
import { operations } from '../../http/operations';
import type { PersonVisit } from '../../http/page';
import type { Bar } from '../../parts/chart';
import type { Whose } from '../../parts/whose';
import { dateWords } from '../../words/facts';
import { titleOf } from '../lines/line-words';

const MODEL = 'Medication';
/** Of more medicines those that began last are drawn. */
const MOST_BARS = 8;
const MOST_LINES = '500';
const DAY_LETTERS = 10;

type DrawnTime = Bar['times'][number];

/** The text about a bar, by which of its ends somebody said. */
function saysOf({ from, until }: Line['times'][number]): string {
  if (from === '') {
    return until === '' ? 'bar-once' : 'bar-until';
  }
  return until === '' ? 'bar-said' : 'bar';
}

/** Each time of a medicine in the drawn time. One whose end nobody says reaches the last day on which somebody said it. */
function timesOf(line: Line, name: string, drawn: readonly [number, number], { words }: PersonVisit) {
  return line.times.flatMap((time): readonly DrawnTime[] => {
    const end = time.until || line.last;
    const [from, to] = [time.from || end, end].map((day) => Date.parse(day.slice(0, DAY_LETTERS)));
    if (from === undefined || to === undefined || !(from <= drawn[1] && to >= drawn[0] && from <= to)) {
      return [];
    }
    const days = { from: dateWords(time.from, words, 'day'), until: dateWords(end, words, 'day') };
    return [{ from, to, title: words.say(`tests.${saysOf(time)}`, { name, ...days }) }];
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
): readonly Bar[] {
  if (!drawn) {
    return [];
  }
  return medicines
    .map(({ name, lines }) => ({ name, times: lines.flatMap((line) => timesOf(line, name, drawn, visit)) }))
    .filter(({ times }) => times.length > 0)
    .map((bar) => ({ ...bar, began: Math.max(...bar.times.map(({ from }) => from)) }))
    .sort((one, other) => other.began - one.began)
    .slice(0, MOST_BARS);
}
