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

function barOf(name: string, times: readonly DrawnTime[]): Bar & { readonly began: number } {
  return { name, times, began: Math.max(...times.map(({ from }) => from)) };
}

/** The medicines that were taken in a time, those that began last first; each name has one row. */
export async function readBars(
  visit: PersonVisit,
  whose: Whose,
  drawn: readonly [number, number] | undefined,
): Promise<readonly Bar[]> {
  const model = visit.models.find(MODEL);
  if (!drawn || !model) {
    return [];
  }
  const { lines } = await visit.ask(
    whose.kind === 'record' ? operations.lines.recordLines : operations.lines.carenetLines,
    { params: { ...whose.params, MODEL }, query: { limit: MOST_LINES, offset: '0' } },
  );
  const named = lines
    .filter(({ standing, isPlanned }) => standing !== 'undone' && !isPlanned)
    .flatMap((line) => {
      const name = titleOf(model, line.shown, visit);
      return timesOf(line, name, drawn, visit).map((time) => ({ name, time }));
    });
  return [...groupedBy(named, ({ name }) => name)]
    .map(([name, some]) =>
      barOf(
        name,
        some.map(({ time }) => time),
      ),
    )
    .sort((one, other) => other.began - one.began)
    .slice(0, MOST_BARS);
}
