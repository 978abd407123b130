/**
 * health-data: reads export.xml as a stream. Each quantity becomes a reading; everything else is counted as left out.
 */
import { SaxesParser } from 'saxes';
import { invalidFile } from '../common/invalid-file.mjs';
import { categoryOf, circumstance, inUnit, inWords, kindOf, ucum, workoutInWords } from './kinds.mjs';
import { SYSTOLIC } from './readings.mjs';

/**
 * At most this many characters of the file may be one comment, one declaration or one value. The declarations at the
 * beginning of a real export have 20 kB.
 */
const LONGEST_TOKEN = 1_000_000;
const DEEPEST = 32;
/** At most this many kinds of left-out items are counted separately. */
const MOST_TOLD = 200;
const LARGEST = 1e12;

const DATE = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) ([+-]\d\d)(\d\d)$/;
const NUMBER = /^[+-]?\d+(\.\d+)?([eE][+-]?\d{1,3})?$/;
const FIRST_YEAR = Date.UTC(1800, 0);
const LAST_YEAR = Date.UTC(2200, 0);

/** Whether this day exists; otherwise 30 February would be read as 2 March. */
const isDay = (day) => Number(day.slice(8)) <= 28 || new Date(`${day}T00:00Z`).toJSON()?.startsWith(day) === true;

/** Milliseconds since 1970; undefined for a text that is no such time. */
const timeOf = (text = '') => {
  const [, day, time, hours, minutes] = DATE.exec(text) ?? [];
  const at = day !== undefined && isDay(day) ? Date.parse(`${day}T${time}${hours}:${minutes}`) : NaN;
  return at >= FIRST_YEAR && at < LAST_YEAR ? at : undefined;
};

/** Minutes east of UTC that the phone's clock showed. */
const offsetOf = (text = '') => {
  const [, , , hours = '0', minutes = '0'] = DATE.exec(text) ?? [];
  return Number(hours) * 60 + Math.sign(Number(hours)) * Number(minutes);
};

const numberOf = (text = '') => {
  const number = NUMBER.test(text) ? Number(text) : NaN;
  return Math.abs(number) < LARGEST ? number : undefined;
};

const NO_PLACE = 'no report holds them';

const OTHER_ELEMENTS = {
  ActivitySummary: ['Days of rings', 'what is summed up in them stands in the file on its own', 'repeated'],
  Audiogram: ['Audiograms', NO_PLACE, 'no-place'],
  VisionPrescription: ['Vision prescriptions', NO_PLACE, 'no-place'],
};

/** What the export says about the person that each record has for itself. */
const OWN_CHARACTERISTICS = ['DateOfBirth', 'BiologicalSex'];
const CHARACTERISTIC = 'HKCharacteristicTypeIdentifier';

/** `HKBloodTypeABNegative` of the characteristic `BloodType` -> "AB negative"; empty when nothing is said. */
const characteristic = (name, value) => {
  const said = (value.startsWith(`HK${name}`) ? value.slice(name.length + 2) : value).slice(0, 60);
  return ['', 'NotSet', 'None'].includes(said) ? '' : said.replace(/(?<=.)(Negative|Positive)$/, (word) => ` ${word.toLowerCase()}`);
};

/** At most this many workouts are kept until the end. */
const MOST_WORKOUTS = 50_000;

const MINUTES = { s: 1 / 60, sec: 1 / 60, min: 1, hr: 60 };
const ENERGY = 'HKQuantityTypeIdentifierActiveEnergyBurned';
const DISTANCE = /^HKQuantityTypeIdentifierDistance/;
const BLOOD_GROUP = /^(A|B|AB|O) (negative|positive)$/;

const BLOOD_PRESSURE = 'HKCorrelationTypeIdentifierBloodPressure';

/** Reads one export.xml, in pieces of text, into `readings`. */
export class HealthData {
  #parser = new SaxesParser();
  #open = [];
  #sinceTag = 0;
  #leftOut = new Map();
  #reading;
  #readings;
  #workouts = [];
  #workout;
  /** Such as "O negative"; empty when the export says none. */
  bloodGroup = '';
  /** Undefined until its first element was read. */
  isHealthData;

  constructor(readings) {
    this.#readings = readings;
    this.#parser.on('error', () => {
      if (this.isHealthData) {
        throw invalidFile('its XML is damaged');
      }
      this.isHealthData = false;
    });
    this.#parser.on('opentag', (tag) => this.#opened(tag));
    this.#parser.on('closetag', () => this.#closed());
  }

  /**
   * Reads a piece of text. If it turns out to be other XML, the rest is ignored.
   * @throws invalid_file for an export that is damaged
   */
  write(text) {
    for (let at = 0; at < text.length && this.isHealthData !== false; at += LONGEST_TOKEN) {
      const piece = text.slice(at, at + LONGEST_TOKEN);
      this.#sinceTag += piece.length;
      this.#parser.write(piece);
      if (this.#sinceTag > 2 * LONGEST_TOKEN) {
        throw invalidFile('a part of its XML is longer than any in an export');
      }
    }
  }

  /** @throws invalid_file for an export that ends in the middle */
  end() {
    if (this.isHealthData) {
      this.#parser.close();
    }
  }

  /** What was left out, as `{ what, count, words, reason }`. */
  get leftOut() {
    return [...this.#leftOut.values()];
  }

  #opened({ name, attributes }) {
    this.#sinceTag = 0;
    this.isHealthData ??= name === 'HealthData';
    if (!this.isHealthData) {
      return;
    }
    const parent = this.#open.at(-1);
    this.#open.push(name === 'Correlation' ? attributes.type : name);
    if (this.#open.length > DEEPEST) {
      throw invalidFile('its XML is nested deeper than any export');
    }
    if (name === 'Record') {
      this.#record(attributes, parent);
    } else if (name === 'MetadataEntry' && parent === 'Record') {
      this.#circumstance(attributes);
    } else if (name === 'MetadataEntry' && parent === 'Workout') {
      this.#circumstanceOfWorkout(attributes);
    } else if (parent === 'HealthData' && name === 'Workout') {
      this.#beginWorkout(attributes);
    } else if (parent === 'Workout' && name === 'WorkoutStatistics') {
      this.#addStatistics(attributes);
    } else if (parent === 'HealthData' && name === 'Me') {
      this.#characteristics(attributes);
    } else if (parent === 'HealthData' && Object.hasOwn(OTHER_ELEMENTS, name)) {
      this.#leave(...OTHER_ELEMENTS[name]);
    }
  }

  #closed() {
    this.#sinceTag = 0;
    this.#open.pop();
  }

  #leave(what, words, reason) {
    const full = this.#leftOut.size >= MOST_TOLD && !this.#leftOut.has(`${what} ${words}`);
    const told = full ? { what: 'Others', words: NO_PLACE, reason: 'no-place' } : { what, words, reason };
    const key = `${told.what} ${told.words}`;
    this.#leftOut.set(key, { ...told, count: (this.#leftOut.get(key)?.count ?? 0) + 1 });
  }

  /** What the export says about the person. The record has a place only for the birthday and the sex. */
  #characteristics(attributes) {
    const said = Object.entries(attributes)
      .map(([key, value]) => [key.replace(CHARACTERISTIC, ''), value])
      .map(([name, value]) => [name, characteristic(name, value)])
      .filter(([, value]) => value !== '');
    const others = said.filter(([name]) => !OWN_CHARACTERISTICS.includes(name));
    if (others.length < said.length) {
      this.#leave('Birthday and sex', 'the record has personal data of its own', 'own');
    }
    this.bloodGroup = others.find(([name, value]) => name === 'BloodType' && BLOOD_GROUP.test(value))?.[1] ?? '';
    const left = others.filter(([name]) => name !== 'BloodType' || this.bloodGroup === '');
    left.forEach(([name, value]) => this.#leave(`${inWords(name)} ${value}`, NO_PLACE, 'no-place'));
  }

  #record(attributes, parent) {
    this.#reading = undefined;
    // The records of other correlations are also at the top level.
    if (parent !== 'HealthData' && parent !== BLOOD_PRESSURE) {
      return;
    }
    const said = parent === 'HealthData' ? categoryOf(attributes.type ?? '', attributes.value ?? '') : undefined;
    if (said) {
      this.#category(said, attributes);
      return;
    }
    const found = kindOf(attributes.type ?? '');
    if (!found) {
      const category = /^HK\w+?TypeIdentifier(?:Apple)?(\w{1,60})$/.exec(attributes.type ?? '')?.[1];
      this.#leave(category === undefined ? 'Others' : inWords(category), NO_PLACE, 'no-place');
      return;
    }
    const [start, end, value] = [timeOf(attributes.startDate), timeOf(attributes.endDate), numberOf(attributes.value)];
    if (start === undefined || value === undefined) {
      this.#leave(
        found.words,
        start === undefined ? 'the time cannot be read' : 'the value cannot be read',
        start === undefined ? 'no-time' : 'no-value',
      );
      return;
    }
    const unit = attributes.unit ?? '';
    this.#reading = this.#readings.add({
      ...found,
      start,
      end: end ?? start,
      value: inUnit(value, unit),
      unit: ucum(unit),
      source: attributes.sourceName ?? '',
      offset: offsetOf(attributes.startDate),
      flags: found.part === 'systolic' ? SYSTOLIC : 0,
    });
  }

  /** A record that says something in words: a symptom, a time of sleep, a notification. */
  #category(said, { startDate, endDate, sourceName = '' }) {
    const [start, end] = [timeOf(startDate), timeOf(endDate)];
    if (start === undefined) {
      this.#leave(said.words, 'the time cannot be read', 'no-time');
      return;
    }
    this.#reading = this.#readings.add({ ...said, start, end: end ?? start, value: 0, unit: '', source: sourceName, offset: offsetOf(startDate), flags: 0 });
  }

  /** Metadata of the reading that was added last. */
  #circumstance({ key = '', value = '' }) {
    const words = circumstance(key, value);
    if (key === 'HKWasUserEntered' && value === '1') {
      this.#reading?.byHand();
    } else if (words !== '') {
      this.#reading?.remark(words);
    }
  }

  #circumstanceOfWorkout({ key = '', value = '' }) {
    const words = circumstance(key, value);
    if (this.#workout && key === 'HKWasUserEntered' && value === '1') {
      this.#workout.byHand = true;
    } else if (this.#workout && words !== '') {
      this.#workout.remark = [this.#workout.remark, words].filter(Boolean).join('; ').slice(0, 200);
    }
  }

  #beginWorkout(attributes) {
    this.#workout = undefined;
    const [start, end] = [timeOf(attributes.startDate), timeOf(attributes.endDate)];
    if (start === undefined || this.#workouts.length >= MOST_WORKOUTS) {
      const words = start === undefined ? 'the time cannot be read' : 'there are more than can be read at once';
      this.#leave('Workouts', words, start === undefined ? 'no-time' : 'large');
      return;
    }
    const amount = (name) => [numberOf(attributes[name]), ucum(attributes[`${name}Unit`] ?? '')];
    const [duration, unit] = [numberOf(attributes.duration), attributes.durationUnit ?? 'min'];
    const measured = duration === undefined || !Object.hasOwn(MINUTES, unit) ? undefined : duration * MINUTES[unit];
    const [distance, distanceUnit] = amount('totalDistance');
    const [energy, energyUnit] = amount('totalEnergyBurned');
    this.#workout = {
      start,
      end: end ?? start,
      value: measured ?? ((end ?? start) - start) / 60_000,
      said: workoutInWords(attributes.workoutActivityType ?? ''),
      unit: 'min',
      source: attributes.sourceName ?? '',
      offset: offsetOf(attributes.startDate),
      // No sum of a workout that covers no distance.
      ...(distance ? { distance, distanceUnit } : {}),
      ...(energy ? { energy, energyUnit } : {}),
    };
    this.#workouts.push(this.#workout);
  }

  /** Newer exports have the sums of a workout beside it. */
  #addStatistics({ type = '', sum, unit = '' }) {
    const amount = numberOf(sum);
    if (this.#workout === undefined || !amount) {
      return;
    }
    if (type === ENERGY) {
      Object.assign(this.#workout, { energy: amount, energyUnit: ucum(unit) });
    } else if (DISTANCE.test(type)) {
      Object.assign(this.#workout, { distance: amount, distanceUnit: ucum(unit) });
    }
  }

  /** The workouts month by month, each once, in an order that does not depend on the file. */
  *workouts() {
    const all = new Map(this.#workouts.map((workout) => [JSON.stringify(workout), workout]));
    const months = new Map();
    for (const [, workout] of [...all].sort(([a, one], [b, other]) => one.start - other.start || (a < b ? -1 : 1))) {
      const month = new Date(workout.start).toISOString().slice(0, 7);
      months.set(month, [...(months.get(month) ?? []), workout]);
    }
    for (const [month, readings] of months) {
      yield { kind: 'Workout', group: 'workout', words: 'Workouts', month, readings };
    }
  }
}
