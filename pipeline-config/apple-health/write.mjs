/** write: writes readings as documents of the type AppleHealth. */

const SIGNS = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Control characters and halves of characters cannot be in XML; the file may have them as references. */
const text = (words) =>
  words
    .toWellFormed()
    // eslint-disable-next-line no-control-regex
    .replace(/[\u0000-\u001f\u007f-\u009f\ufffe\uffff]/g, ' ')
    .replace(/[&<>"]/g, (sign) => SIGNS[sign]);

/** A number without an exponent, to fifteen digits. Further digits only come from rounding. */
const number = (value) => {
  const short = String(Number(value.toPrecision(15)));
  return short.includes('e') ? value.toFixed(12) : short;
};

const two = (count) => String(count).padStart(2, '0');

/** A time as the phone's clock showed it. @param offset minutes east of UTC */
const time = (at, offset) => {
  const [shown, minutes] = [new Date(at + offset * 60_000).toISOString().slice(0, 19), Math.abs(offset)];
  return `${shown}${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
};

const attributes = (values) =>
  Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}="${text(String(value))}"`)
    .join('');

/** Joins both numbers of a blood pressure to one reading. */
const paired = (readings) => {
  const waiting = new Map();
  const pairs = [];
  for (const { systolic, value, ...reading } of readings) {
    const mine = systolic ? 'systolic' : 'diastolic';
    const place = `${reading.start} ${reading.end} ${reading.source}`;
    const open = (waiting.get(place) ?? []).find((pair) => pair[mine] === undefined);
    if (open) {
      open[mine] = value;
      open.byHand ||= reading.byHand;
      open.remark = open.remark === reading.remark ? open.remark : [open.remark, reading.remark].filter(Boolean).join('; ');
    } else {
      const pair = { ...reading, [mine]: value };
      waiting.set(place, [...(waiting.get(place) ?? []), pair]);
      pairs.push(pair);
    }
  }
  return pairs;
};

/** If a reading has no unit or source, those of the root are meant. Without an end, the reading took no time. */
const readingElement = (
  { day, start, end, offset, value, systolic, diastolic, said, distance, distanceUnit, energy, energyUnit, unit, source, byHand, remark },
  root,
) =>
  `<reading${attributes({
    day,
    start: day === undefined ? time(start, offset) : undefined,
    end: day !== undefined || end - start < 1000 ? undefined : time(end, offset),
    value: systolic === undefined && diastolic === undefined && value !== undefined ? number(value) : undefined,
    said: said || undefined,
    systolic: typeof systolic === 'number' ? number(systolic) : undefined,
    diastolic: typeof diastolic === 'number' ? number(diastolic) : undefined,
    distance: distance === undefined ? undefined : number(distance),
    distanceUnit,
    energy: energy === undefined ? undefined : number(energy),
    energyUnit,
    unit: unit === root.unit ? undefined : unit,
    source: source === root.source ? undefined : source,
    byHand: byHand || undefined,
    remark: remark || undefined,
  })}/>`;

/** The sums of each day on the phone's clock, of each device and unit. What a device wrote twice is in it once. */
export const daySums = (readings) => {
  const sums = new Map();
  for (const { start, offset, value, unit, source } of readings) {
    const day = new Date(start + offset * 60_000).toISOString().slice(0, 10);
    const key = JSON.stringify([day, source, unit]);
    const sum = sums.get(key) ?? { day, value: 0, unit, source };
    sum.value += value;
    sums.set(key, sum);
  }
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum);
};

/** Documents with at most `most` readings each, in their order. */
export const writeReadings = ({ kind, group, words, month, readings }, most, vocabBase) => {
  // What is said in words has no number of its own, except the minutes of a workout.
  const bare = ({ systolic, value, ...reading }) => (
    void systolic, { ...reading, value: group === undefined || group === 'workout' ? value : undefined }
  );
  const all = kind === 'BloodPressure' ? paired(readings) : readings.map(bare);
  return Array.from({ length: Math.ceil(all.length / most) }, (_, part) => {
    const some = all.slice(part * most, (part + 1) * most);
    const [{ unit, source }] = some;
    const head = attributes({ kind, group, name: words, month, unit, source });
    const body = some.map((reading) => readingElement(reading, { unit, source })).join('\n');
    return `<AppleHealth xmlns="${text(`${vocabBase}/xml/documents#`)}"${head}>\n${body}\n</AppleHealth>\n`;
  });
};
