/**
 * readings: keeps readings in little memory, and returns them by kind and month, in an order that does not depend on
 * the file.
 */

/**
 * At most this many readings are kept; then those of the most frequent kind are returned. A hundred bytes for each
 * would be too many, but some thirty are not.
 */
const MOST_KEPT = 1_500_000;
/** At most this many of one kind of which only sums are written. */
const MOST_COUNTED = 6_000_000;
/**
 * If a kind has at least this many readings, they are returned when another kind begins, because exports have one kind
 * after the other.
 */
const WORTH_IT = 20_000;
const MOST_NAMES = 60_000;
const LONGEST_NAME = 200;

/** Strings by number, because there are only few sources and units. */
class Names {
  #numbers = new Map();
  texts = [];

  numberOf(text) {
    const short = text.slice(0, LONGEST_NAME);
    const known = this.#numbers.get(short);
    if (known !== undefined) {
      return known;
    }
    if (this.texts.length === MOST_NAMES) {
      return 0;
    }
    this.#numbers.set(short, this.texts.length);
    return this.texts.push(short) - 1;
  }
}

const COLUMNS = { start: Float64Array, end: Float64Array, value: Float64Array, source: Uint16Array, unit: Uint16Array, said: Uint16Array, remark: Uint16Array, flags: Uint8Array, offset: Int16Array };
const names = Object.keys(COLUMNS);

/** The readings of one kind, in columns that grow. */
class Column {
  length = 0;

  constructor(words, group) {
    this.words = words;
    this.group = group;
    names.forEach((name) => (this[name] = new COLUMNS[name](256)));
  }

  push(reading) {
    if (this.length === this.start.length) {
      names.forEach((name) => {
        const larger = new COLUMNS[name](this.length * 2);
        larger.set(this[name]);
        this[name] = larger;
      });
    }
    names.forEach((name) => (this[name][this.length] = reading[name]));
    return this.length++;
  }
}

/** Flags of a reading. */
export const BY_HAND = 1;
export const SYSTOLIC = 2;

const monthOf = (time) => new Date(time).toISOString().slice(0, 7);

/** Months with the numbers of their readings, in order. */
const byMonth = (column, texts, words, isLocal) => {
  const months = new Map();
  for (let index = 0; index < column.length; index += 1) {
    const month = monthOf(column.start[index] + (isLocal ? column.offset[index] * 60_000 : 0));
    const found = months.get(month);
    found ? found.push(index) : months.set(month, [index]);
  }
  const compare = (a, b) =>
    column.start[a] - column.start[b] ||
    column.end[a] - column.end[b] ||
    column.value[a] - column.value[b] ||
    column.flags[a] - column.flags[b] ||
    (words[column.said[a]] < words[column.said[b]] ? -1 : Number(words[column.said[a]] > words[column.said[b]])) ||
    (texts[column.source[a]] < texts[column.source[b]] ? -1 : Number(column.source[a] !== column.source[b]));
  return [...months].sort(([a], [b]) => (a < b ? -1 : 1)).map(([month, numbers]) => [month, numbers.sort(compare)]);
};

/** Remarks on the same reading, each once. */
const joined = (one, other) => [...new Set([...one.split('; '), ...other.split('; ')])].filter(Boolean).sort().join('; ');

export class Readings {
  #columns = new Map();
  #current;
  #kept = 0;
  #due = [];
  #sources = new Names();
  #units = new Names();
  /** `keeps`: a kind that is kept until the end, because its parts are in two places of the file. */
  /** `counted`: says of a kind whether its readings only make sense as sums of days. */
  constructor({ keeps, counted = () => false }) {
    this.keeps = keeps;
    this.counted = counted;
    // A text that gets no number of its own has the number of this one.
    this.#sources.numberOf('');
    this.#units.numberOf('');
  }

  /** @returns functions that mark the reading as one that a person entered, and that add a remark to it */
  add({ kind, group, words, start, end, value, source, unit, said = '', flags, offset = 0 }) {
    if (kind !== this.#current) {
      this.#ended(this.#current);
      this.#current = kind;
    }
    let column = this.#columns.get(kind);
    if (!column) {
      column = new Column(words, group);
      this.#columns.set(kind, column);
    }
    const reading = { start, end, value, flags, offset, source: this.#sources.numberOf(source), unit: this.#units.numberOf(unit), said: this.#units.numberOf(said), remark: 0 };
    const index = column.push(reading);
    this.#kept += 1;
    return {
      byHand: () => (column.flags[index] |= BY_HAND),
      remark: (words) => (column.remark[index] = this.#units.numberOf(joined(this.#units.texts[column.remark[index]], words))),
    };
  }

  #ended(kind) {
    if (kind !== this.keeps && (this.#columns.get(kind)?.length ?? 0) >= WORTH_IT) {
      this.#due.push(kind);
    }
  }

  /** The readings that can be returned now, month by month: `{ kind, group, words, month, readings }`. */
  *due() {
    for (const kind of new Set(this.#due.splice(0))) {
      yield* this.#take(kind);
    }
    while (this.#kept > MOST_KEPT) {
      const whole = [...this.#columns].filter(([kind]) => kind !== this.#current || !this.counted(kind));
      if (whole.length === 0 && this.#kept < MOST_COUNTED) {
        return;
      }
      // Of a kind that is counted, a part would make sums that are too small.
      const [largest] = (whole.length > 0 ? whole : [...this.#columns]).reduce((a, b) => (b[1].length > a[1].length ? b : a));
      yield* this.#take(largest);
    }
  }

  *rest() {
    for (const kind of [...this.#columns.keys()].sort()) {
      yield* this.#take(kind);
    }
  }

  *#take(kind) {
    const column = this.#columns.get(kind);
    if (!column) {
      return;
    }
    this.#columns.delete(kind);
    this.#kept -= column.length;
    const [sources, units] = [this.#sources.texts, this.#units.texts];
    for (const [month, numbers] of byMonth(column, sources, units, this.counted(kind))) {
      const readings = [];
      let before = '';
      for (const index of numbers) {
        const reading = {
          start: column.start[index],
          end: column.end[index],
          value: column.value[index],
          source: sources[column.source[index]],
          unit: units[column.unit[index]],
          offset: column.offset[index],
          said: units[column.said[index]],
          remark: units[column.remark[index]],
          systolic: (column.flags[index] & SYSTOLIC) !== 0,
          byHand: (column.flags[index] & BY_HAND) !== 0,
        };
        const whole = `${reading.start} ${reading.end} ${reading.value} ${reading.systolic} ${reading.said} ${reading.source}`;
        // A repeated reading is left out: it is also in a correlation, or the file has it twice.
        if (whole !== before) {
          readings.push(reading);
        } else {
          const kept = readings.at(-1);
          kept.byHand ||= reading.byHand;
          kept.remark = joined(kept.remark, reading.remark);
        }
        before = whole;
      }
      yield { kind, group: column.group, words: column.words, month, readings };
    }
  }
}
