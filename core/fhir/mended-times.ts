/**
 * mended-times: writes times as FHIR R4 writes them, where nothing has to be guessed. A time without a zone is one of the
 * sender's clock: R4 has no place for it, so the day stays, and the time beside it in an extension (pure).
 */

/** The extension that keeps a time of the sender's clock beside its day. */
const CLOCK = 'urn:svc:clock-time';

const DAYS = new Set(['birthDate', 'expirationDate', 'manufactureDate', 'startDate', 'dueDate', 'boundsDate']);
const INSTANTS = new Set(['issued', 'lastUpdated', 'timestamp', 'recorded']);
const TIMES = new Set([
  ...DAYS,
  ...INSTANTS,
  ...['authoredOn', 'collectedDateTime', 'created', 'creation', 'date', 'dateAsserted', 'dateTime', 'deceasedDateTime'],
  ...['effectiveDateTime', 'end', 'event', 'lastOccurrence', 'occurrenceDateTime', 'onset', 'onsetDateTime'],
  ...['abatementDateTime', 'performedDateTime', 'receivedTime', 'recordedDate', 'start', 'timingDateTime'],
  ...['valueDateTime', 'whenHandedOver', 'whenPrepared'],
]);

const RIGHT = /^\d{4}(?:-\d\d(?:-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d))?)?)?$/;
/** Day, time and zone, with or without the signs between their parts. */
const WRITTEN =
  /^(\d{4})(-?)(\d\d)\2(\d\d)(?:[T ]?(\d\d):?(\d\d)(?::?(\d\d)(\.\d{1,9})?)?)? ?(Z|[+-]\d\d(?::?\d\d)?)?$/;

function zoneOf(zone: string): string {
  return zone === 'Z' ? zone : `${zone.slice(0, 3)}:${zone.slice(3).replace(':', '') || '00'}`;
}

/**
 * @param name the name of an element that has a value and nothing inside
 * @param tag the element
 * @returns the element with its value as R4 writes it, nothing where R4 has no place for what it says, or undefined where
 * it is right, or cannot be read for certain
 */
export function mendedTime(name: string, tag: string): string | undefined {
  const value = TIMES.has(name) ? /\svalue="([^"]*)"/.exec(tag)?.[1]?.trim() : undefined;
  if (value === undefined || (RIGHT.test(value) && !DAYS.has(name) && !INSTANTS.has(name))) {
    return undefined;
  }
  const [, year, , month, day, hour, minute, second = '00', fraction = '', zone] = WRITTEN.exec(value) ?? [];
  if (year === undefined) {
    return undefined;
  }
  const written = (text: string): string => tag.replace(/(\svalue=)"[^"]*"/, `$1"${text}"`);
  const date = `${year}-${month}-${day}`;
  const time = hour === undefined ? undefined : `${hour}:${minute}:${second}${fraction}`;
  const whole = time !== undefined && zone !== undefined ? `${date}T${time}${zoneOf(zone)}` : undefined;
  if (DAYS.has(name)) {
    return date === value ? undefined : written(date);
  }
  if (INSTANTS.has(name)) {
    const instead = whole === undefined ? '' : written(whole);
    return whole === value ? undefined : instead;
  }
  if (whole !== undefined || time === undefined) {
    return written(whole ?? date);
  }
  const inside = `<extension url="${CLOCK}"><valueString value="${time}"/></extension>`;
  const prefix = /^<(\w+:)?/.exec(tag)?.[1] ?? '';
  return `${written(date).replace(/\s*\/>$/, '>')}${inside.replace(/<(\/?)/g, `<$1${prefix}`)}</${prefix}${name}>`;
}
