/** found-value: a value that a search found: its name, when it was, the value with its mark, and its course in small. */
import type { JSX } from 'preact';
import { foldedText } from '../../../../core/base/words/folded-text';
import type { Model } from '../../../../core/facts/model/model';
import type { PersonVisit } from '../../http/page';
import { Spark, spanOf } from '../../parts/charts/chart';
import { FindingMark } from '../../parts/finding';
import { Tile } from '../../parts/icons';
import { Line } from '../../parts/layout';
import { CalledWrong } from '../../parts/fact';
import {
  factAddress,
  factDate,
  factLine,
  factTitle,
  isReading,
  normalRange,
  positionWords,
  readings,
  readingState,
  text,
  unitWords,
  type Fact,
} from '../../words/facts';
import { isCalledWrong } from '../../words/said-once';
import { commaSeparated, type Words } from '../../words/words';
import { pointsOf } from '../data/chart';
import { isIn, pairWords, seriesOf, unitIn, valuesIn, type Series } from '../data/series';
import { resultOf, testName } from '../tests/results';
import { lookOf } from './timeline-days';

export type FoundValue = {
  readonly fact: Fact;
  readonly model: Model;
  /** The reading that was asked for, of a fact with several. */ readonly reading: string | undefined;
};

/** The fields that a value may be a reading of; the one that it fills comes first. */
function seriesIn({ fact, model, reading }: FoundValue, visit: PersonVisit): readonly Series[] {
  const all = seriesOf(model, visit.words).filter(({ field }) => reading === undefined || field === reading);
  return [...all].sort((one, other) => Number(isIn(other, fact)) - Number(isIn(one, fact)));
}

function valueName({ fact, model, reading }: FoundValue, { words }: PersonVisit): string {
  const said = readings(model, fact, words).find(({ field }) => field === reading);
  return said?.label ?? factTitle(model, fact, words);
}

/** The values of one name and unit, the newest first. */
type Course = {
  /** As a person calls it: a test that the service knows in the language of the person. */ readonly name: string;
  /** As its source calls it. */ readonly said: string;
  /** The place of its test among those that the service knows. */ readonly place: number;
  readonly series: Series | undefined;
  readonly values: readonly FoundValue[];
};

function courseNames(value: FoundValue, visit: PersonVisit): Pick<Course, 'name' | 'said' | 'place'> {
  const said = valueName(value, visit);
  const tests = visit.models.labTests;
  const test = value.model.name === 'LabResult' ? resultOf(tests, value.fact)?.code.test : undefined;
  return test
    ? { name: testName(test, visit.words.language), said, place: tests.tests.indexOf(test) }
    : { name: said, said, place: tests.tests.length };
}

/** Puts values of the same name together, in the order in which the first of each was found. */
export function coursesOf(visit: PersonVisit, found: readonly FoundValue[]): readonly Course[] {
  const courses = new Map<string, Course & { readonly values: FoundValue[] }>();
  for (const value of found) {
    const [series] = seriesIn(value, visit);
    const names = courseNames(value, visit);
    const unit = series ? unitIn(series, value.fact) : '';
    const key = JSON.stringify([value.model.name, names.said.toLowerCase(), unit]);
    const known = courses.get(key);
    if (known) {
      known.values.push(value);
    } else {
      courses.set(key, { ...names, series, values: [value] });
    }
  }
  return [...courses.values()];
}

/** The course of the values that were found, small; nothing for one. */
function Small({ visit, course }: { readonly visit: PersonVisit; readonly course: Course }): JSX.Element | null {
  const { series, values, name } = course;
  const [{ model }] = values as [FoundValue];
  if (series === undefined || values.length < 2) {
    return null;
  }
  const facts = values.map(({ fact }) => fact).filter((fact) => isIn(series, fact) && !isCalledWrong(fact));
  const points = pointsOf(model, series, facts, visit.words);
  const label = visit.words.say('search.course', { name, count: points.length });
  return <Spark span={spanOf(points, false)} words={visit.words} label={label} />;
}

/** Position of the body, and what its source says of the reading. */
function aboutReading({ fact, model }: FoundValue, series: Series | undefined, words: Words): readonly string[] {
  return series === undefined
    ? []
    : [positionWords(fact, series.field, words), readingState(model, fact, words)].filter(Boolean);
}

type Props = {
  readonly visit: PersonVisit;
  readonly base: string;
  readonly course: Course;
  readonly value: FoundValue;
  /** Number and unit as a report prints them; scripts rely on it. */ readonly plain: string;
};

function ValueRow({ visit, base, course, value, plain }: Props): JSX.Element {
  const { words } = visit;
  const { fact, model } = value;
  const { hue, icon } = lookOf(model.name);
  const { series, name, said: ownName } = course;
  // What is no number, such as <5, is said in the words of its source.
  const said = series && isIn(series, fact) ? pairWords(valuesIn(series, fact), words) : undefined;
  const unit = series ? unitWords(unitIn(series, fact), words) : '';
  const isResult = series !== undefined && !model.fields.some(isReading);
  const range = isResult ? normalRange(model, fact, series.field, words) : '';
  const day = factDate(model, fact, words, 'day');
  const from = text(fact['collected_by_org_name']);
  return (
    <li data-kind={model.name} data-id={fact.__id__} {...(plain === '' ? {} : { 'data-value': plain })}>
      <Tile name={icon} kind={hue} />
      <div>
        <a class="name" href={factAddress(base, fact)}>
          <bdi>{said === undefined ? factTitle(model, fact, words) : name}</bdi>
          {said !== undefined && (
            <span class="unseen"> {words.say('search.value-on', { value: `${said} ${unit}`.trim(), day })}</span>
          )}
        </a>
        {said !== undefined && ownName.toLowerCase() !== name.toLowerCase() && (
          <p class="by">
            <bdi>{ownName}</bdi>
          </p>
        )}
        <p class="by">
          <bdi>{commaSeparated([day, from, ...aboutReading(value, series, words)].filter(Boolean), words)}</bdi>
          {range !== '' && (
            <>
              <br />
              {words.say('overview.range', { range: range.replaceAll(' ', '\u00a0') })}
            </>
          )}
        </p>
        {said === undefined && <Line text={factLine(model, fact, words)} />}
        <CalledWrong fact={fact} words={words} />
      </div>
      <div class="answer">
        {course.values[0] === value && <Small visit={visit} course={course} />}
        <div class="n">
          {said !== undefined && (
            <p class="val mid">
              <bdi>{said}</bdi> <bdi class="u">{unit}</bdi>
            </p>
          )}
          {isResult && <FindingMark fact={fact} field={series.field} words={words} />}
        </div>
      </div>
    </li>
  );
}

/** The courses whose name says nothing but words that were typed come first, then as lists of tests stand. */
export function nearestFirst(courses: readonly Course[], typed: readonly string[]): readonly Course[] {
  const isSaid = ({ name }: Course): boolean =>
    foldedText(name)
      .split(/\s+/)
      .every((word) => typed.includes(word));
  return [...courses].sort((one, other) => Number(isSaid(other)) - Number(isSaid(one)) || one.place - other.place);
}

/** Of each name this many are shown at once; the older ones are folded. */
const SHOWN = 3;

type Listed = Pick<Props, 'visit' | 'base'> & { readonly plainOf: (value: FoundValue) => string };

function Older({ visit, base, plainOf, course }: Listed & { readonly course: Course }): JSX.Element | null {
  const older = course.values.slice(SHOWN);
  return older.length === 0 ? null : (
    <li class="of-device">
      <details class="fold">
        <summary>
          <bdi>{visit.words.say('search.older', { name: course.name, count: older.length })}</bdi>
        </summary>
        <ul class="list ic-list">
          {older.map((value) => (
            <ValueRow visit={visit} base={base} course={course} value={value} plain={plainOf(value)} />
          ))}
        </ul>
      </details>
    </li>
  );
}

/** Values, those of one name together, the newest first, as rows of a list. */
export function ValueRows({ courses, ...listed }: Listed & { readonly courses: readonly Course[] }): JSX.Element {
  const { visit, base, plainOf } = listed;
  return (
    <ul class="list ic-list">
      {courses.map((course) => (
        <>
          {course.values.slice(0, SHOWN).map((value) => (
            <ValueRow visit={visit} base={base} course={course} value={value} plain={plainOf(value)} />
          ))}
          <Older {...listed} course={course} />
        </>
      ))}
    </ul>
  );
}
