/** series-title: what the series of a test are called beside each other. */
import type { LabTest } from '../../../../core/lab-tests/tests';
import { unitWords } from '../../words/facts';
import type { Words } from '../../words/words';
import { testName, type ResultSeries } from './results';

/** LOINC's systems -> the texts that say them. */
const SPECIMENS: Readonly<Record<string, string>> = {
  Ser: 'serum',
  Plas: 'serum',
  'Ser/Plas': 'serum',
  PPP: 'serum',
  'Ser/Plas/Bld': 'blood',
  Bld: 'blood',
  BldC: 'blood',
  BldV: 'blood',
  RBC: 'blood',
  BldA: 'arterial',
  Urine: 'urine',
  'Urine sed': 'urine',
  Stool: 'stool',
};

/** What sets a series apart from the main one: another specimen, another method, a unit that does not convert. */
export function seriesTitle(series: ResultSeries, page: LabTest, words: Words): string {
  const { say } = words;
  const isOther = series.results.every(({ code }) => code.test !== page);
  const known = Object.hasOwn(SPECIMENS, series.system) ? SPECIMENS[series.system] : undefined;
  const specimen = known === undefined ? series.system : say(`tests.in-${known}`);
  const kind = series.name === '' ? specimen : `${specimen}, ${series.name.replaceAll('-', ' ')}`;
  const what = isOther ? `${testName(series.test, words.language)}, ${kind}` : kind;
  if (series.foreign === '') {
    return say('tests.series-bare', { what });
  }
  return series.foreign === undefined
    ? say('tests.series', { what })
    : say('tests.series-unit', { what, unit: unitWords(series.foreign, words) });
}
