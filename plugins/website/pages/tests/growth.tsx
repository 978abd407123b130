/** growth: weight, height and head of a child up to five years, over the percentiles of WHO, without a judgement. */
import type { JSX } from 'preact';
import { AppError } from '../../../../core/base/errors';
import { LAST_MONTH, MONTH_DAYS, percentileOf, type GrowthTable, type Sex } from '../../../../core/lab-tests/growth';
import { isSameDimension, readUnit } from '../../../../core/lab-tests/units';
import { over, readExact, times, withDecimals } from '../../../../core/base/exact';
import { operations } from '../../http/operations';
import type { PersonVisit } from '../../http/page';
import { GrowthChart, type GrowthPoint } from '../../parts/charts/growth-chart';
import { Part } from '../../parts/layout';
import { inRecord, recordBase } from '../../parts/record-frame';
import { monthsOf } from '../../parts/who';
import { dateWords, numberWords, text, unitWords, withUnit } from '../../words/facts';
import { isDay } from '../../words/day';

const DAY = 86_400_000;
const TWO_YEARS = 24;

/** Who grows: as much as the record says. */
export type Child = { readonly born: string; readonly sex: Sex | undefined };

/** A reading, with the local time of the person in milliseconds. */
export type GrowthReading = {
  readonly at: number;
  readonly date: unknown;
  readonly value: number;
  readonly unit: string;
};

/** Whether the lines of WHO still go on for the child: of its growth everything is wanted, from birth on. */
export function isGrowing({ born }: Child, now: number): boolean {
  return born !== '' && (now - Date.parse(born)) / DAY / MONTH_DAYS <= LAST_MONTH;
}

/** Whom the record is about. */
export async function readChild(visit: PersonVisit): Promise<Child> {
  try {
    const { demographics } = await visit.ask(operations.records.readDemographics, {
      params: inRecord(visit),
      query: {},
    });
    const [born, sex] = [text(demographics.values['bday']), text(demographics.values['gender'])];
    return { born: isDay(born) ? born : '', sex: sex === 'male' || sex === 'female' ? sex : undefined };
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') {
      return { born: '', sex: undefined };
    }
    throw error;
  }
}

/** The value in the other unit; undefined where the one is no unit of the same kind. */
function convertValue(value: number, from: string, to: string): number | undefined {
  const [exact, one, other] = [readExact(String(value)), readUnit(from), readUnit(to)];
  if (!exact || !one || !other || !isSameDimension(one, other)) {
    return undefined;
  }
  return Number(withDecimals(times(exact, over(one.factor, other.factor)), 3));
}

type Placed = GrowthPoint & { readonly date: unknown; readonly age: string; readonly said: string };

function placedIn(readings: readonly GrowthReading[], born: string, unit: string, visit: PersonVisit) {
  const { words } = visit;
  return readings
    .flatMap(({ at, date, value, unit: own }): readonly Placed[] => {
      const months = (at - Date.parse(born)) / DAY / MONTH_DAYS;
      const converted = convertValue(value, own, unit);
      const said = withUnit(numberWords(value, words), unitWords(own, words), words);
      const title = words.say('data.point', { date: dateWords(date, words), value: said });
      return converted === undefined || !(months >= 0 && months <= LAST_MONTH)
        ? []
        : [{ months, value: converted, title, date, age: ageWords(born, at, visit), said }];
    })
    .sort((one, other) => one.months - other.months);
}

/** The age on a day in whole months, as people count them. */
function ageWords(born: string, at: number, { words: { say } }: PersonVisit): string {
  const whole = Math.max(0, monthsOf(born, at));
  return whole < TWO_YEARS
    ? say('frame.age-months', { count: whole })
    : say('growth.age', { years: Math.floor(whole / 12), months: whole % 12 });
}

/** "62", "less than 1", "more than 99". */
function percentWords(percent: number | undefined, { words: { say, number } }: PersonVisit): string {
  if (percent === undefined) {
    return '';
  }
  if (percent < 1) {
    return say('growth.less');
  }
  return percent > 99 ? say('growth.more') : number(Math.round(percent));
}

type Grown = { readonly visit: PersonVisit; readonly table: GrowthTable; readonly sex: Sex };

function GrowthRows({ visit, table, sex, placed }: Grown & { readonly placed: readonly Placed[] }): JSX.Element {
  const { say } = visit.words;
  return (
    <table class="fit">
      <caption class="unseen">{say('growth.title')}</caption>
      <thead>
        <tr>
          <th scope="col">{say('body.when')}</th>
          <th scope="col">{say('growth.at')}</th>
          <th scope="col" class="num">
            {say('body.value')}
          </th>
          <th scope="col" class="num">
            {say('growth.percentile')}
          </th>
        </tr>
      </thead>
      <tbody>
        {[...placed].reverse().map(({ date, age, months, value, said }) => (
          <tr>
            <th scope="row" class="date">
              {dateWords(date, visit.words, 'day')}
            </th>
            <td>{age}</td>
            <td class="num">
              <bdi>{said}</bdi>
            </td>
            <td class="num">{percentWords(percentileOf(table, sex, months, value), visit)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Curves({ visit, table, sex, placed, name }: Grown & GrowthProps & { readonly placed: readonly Placed[] }) {
  const { words } = visit;
  const { say } = words;
  const label = say('growth.chart', { name, count: placed.length, last: placed.at(-1)!.title });
  const data = { table, sex, points: placed, unit: unitWords(table.unit, words), label };
  return (
    <>
      <GrowthChart data={data} words={words}>
        <>
          {say(sex === 'female' ? 'growth.girls' : 'growth.boys')}
          {table.unit === 'cm' && table.rows.length > LAST_MONTH + 1 && ` ${say('growth.lying')}`}
        </>
      </GrowthChart>
      <GrowthRows visit={visit} table={table} sex={sex} placed={placed} />
    </>
  );
}

type GrowthProps = {
  readonly visit: PersonVisit;
  readonly child: Child;
  readonly table: GrowthTable;
  readonly readings: readonly GrowthReading[];
  /** What is measured. */ readonly name: string;
};

/**
 * The readings of a child over the curves; nothing without readings of the first five years. Where the birth date or
 * the sex is not said, there are no curves, and a sentence says why.
 */
export function Growth(props: GrowthProps): JSX.Element | null {
  const { visit, child, table, readings } = props;
  const { say } = visit.words;
  const { born, sex } = child;
  const placed = born === '' ? [] : placedIn(readings, born, table.unit, visit);
  if (readings.length === 0 || (born !== '' && placed.length === 0)) {
    return null;
  }
  return (
    <Part title={say('growth.title')}>
      {born !== '' && sex !== undefined ? (
        <Curves {...props} sex={sex} placed={placed} />
      ) : (
        <p>
          {say(born === '' ? 'growth.no-born' : 'growth.no-sex')}{' '}
          <a href={`${recordBase(visit)}details`}>{say('details.change')}</a>
        </p>
      )}
    </Part>
  );
}
