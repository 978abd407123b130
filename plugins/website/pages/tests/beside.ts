/** beside: what stands in the time of the chart of a test: medicines as bars, named. */
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

/** Each time of a medicine in the drawn time. One whose end nobody says reaches the last day on which somebody said it. */
function barsOf(line: Line, [from, to]: readonly [number, number], visit: PersonVisit): readonly Bar[] {
  const model = visit.models.find(MODEL)!;
  const name = titleOf(model, line.shown, visit);
  return line.times.flatMap((time): readonly Bar[] => {
    const end = time.until || line.last;
    const [begin, until] = [time.from || end, end].map((day) => Date.parse(day.slice(0, DAY_LETTERS)));
    if (begin === undefined || until === undefined || !(begin <= to && until >= from && begin <= until)) {
      return [];
    }
    const days = { from: dateWords(time.from, visit.words, 'day'), until: dateWords(end, visit.words, 'day') };
    const said = visit.words.say(time.until === '' ? 'tests.bar-said' : 'tests.bar', { name, ...days });
    return [{ from: begin, to: until, name, title: said }];
  });
}

/** The medicines that were taken in a time, those that began last first. */
export async function readBars(
  visit: PersonVisit,
  whose: Whose,
  time: readonly [number, number] | undefined,
): Promise<readonly Bar[]> {
  if (!time || !visit.models.find(MODEL)) {
    return [];
  }
  const { lines } = await visit.ask(
    whose.kind === 'record' ? operations.lines.recordLines : operations.lines.carenetLines,
    { params: { ...whose.params, MODEL }, query: { limit: MOST_LINES, offset: '0' } },
  );
  return lines
    .filter(({ standing, isPlanned }) => standing !== 'undone' && !isPlanned)
    .flatMap((line) => barsOf(line, time, visit))
    .sort((one, other) => other.from - one.from)
    .slice(0, MOST_BARS);
}
