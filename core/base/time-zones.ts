/**
 * time-zones: what clocks in a place show: their offsets from UTC, and the moments when these change, from the tables
 * of Node.js.
 */

const MINUTE = 60_000;
const DAY = 86_400_000;

const formats = new Map<string, Intl.DateTimeFormat>();

function zoneFormat(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) {
    return known;
  }
  const made = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  formats.set(made.resolvedOptions().timeZone, made);
  formats.set(zone, made);
  return made;
}

/**
 * Whether it is a name of the IANA database that this Node.js knows, such as `Europe/Berlin`; bare offsets are none.
 */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{1,63}$/.test(name)) {
    return false;
  }
  try {
    // This is not cached, because callers write names in many ways.
    new Intl.DateTimeFormat('en-US', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** The zone of the machine's own clock. */
export function machineZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/**
 * How many milliseconds the clocks of a zone are ahead of UTC at a moment.
 * @param zone a name that `isTimeZone`
 */
export function offsetAt(zone: string, moment: number): number {
  const name = zoneFormat(zone)
    .formatToParts(moment)
    .find(({ type }) => type === 'timeZoneName')?.value;
  const [, sign, hours = 0, minutes = 0, seconds = 0] = /^GMT([+-])(\d+)(?::(\d+))?(?::(\d+))?$/.exec(name ?? '') ?? [];
  return (sign === '-' ? -1 : 1) * ((Number(hours) * 60 + Number(minutes)) * MINUTE + Number(seconds) * 1000);
}

/**
 * The moment when the clocks of a zone show a time. A time that they skip is read as if they had not been put forward
 * yet. For a time that they show twice, the first moment is meant.
 * @param local the time shown, in milliseconds as if it were UTC
 */
export function momentOf(zone: string, local: number): number {
  const before = offsetAt(zone, local - DAY);
  const after = offsetAt(zone, local + DAY);
  const fits = [before, after].find((offset) => offsetAt(zone, local - offset) === offset);
  return local - (fits ?? before);
}

/**
 * How many milliseconds the clocks of a zone are ahead of UTC when they show a time; undefined for a time that they
 * show twice or skip, of which nobody knows which moment is meant.
 * @param local the time shown, in milliseconds as if it were UTC
 */
export function offsetShown(zone: string, local: number): number | undefined {
  const [before, after] = [offsetAt(zone, local - DAY), offsetAt(zone, local + DAY)];
  const fits = before === after ? [before] : [before, after].filter((one) => offsetAt(zone, local - one) === one);
  return fits.length === 1 ? fits[0] : undefined;
}

/** From `from` on (absent: from the beginning of time), clocks are `offset` milliseconds ahead of UTC. */
export type OffsetSpan = { readonly from?: number; readonly offset: number };

function firstChange(zone: string, start: number, end: number): number {
  const offset = offsetAt(zone, start);
  let [low, high] = [start, end];
  while (high - low > 1000) {
    const middle = Math.floor((low + high) / 2000) * 1000;
    if (middle <= low || middle >= high) {
      break;
    }
    [low, high] = offsetAt(zone, middle) === offset ? [middle, high] : [low, middle];
  }
  return high;
}

/** The time between two checks: an offset that lasts shorter is not found. Ramadan in Morocco is four weeks long. */
const LOOK = 14 * DAY;
const spans = new Map<string, readonly OffsetSpan[]>();
const KEPT = 20;

function findSpans(zone: string, fromYear: number, toYear: number): readonly OffsetSpan[] {
  const start = Date.UTC(fromYear, 0, 1);
  const found: OffsetSpan[] = [{ offset: offsetAt(zone, start) }];
  for (let moment = start; moment < Date.UTC(toYear + 1, 0, 1); moment += LOOK) {
    if (offsetAt(zone, moment + LOOK) !== offsetAt(zone, moment)) {
      const from = firstChange(zone, moment, moment + LOOK);
      found.push({ from, offset: offsetAt(zone, from) });
    }
  }
  return found;
}

/**
 * The spans from the first year to the last. Earlier and later times are treated like the first and the last span. The
 * answers are cached.
 */
export function offsetSpans(zone: string, fromYear: number, toYear: number): readonly OffsetSpan[] {
  const key = `${zone} ${fromYear} ${toYear}`;
  const known = spans.get(key);
  if (known) {
    return known;
  }
  const found = findSpans(zone, fromYear, toYear);
  spans.delete(spans.size >= KEPT ? (spans.keys().next().value ?? '') : '');
  spans.set(key, found);
  return found;
}
