/**
 * apple-health: makes exports of Apple Health as its fact sheet describes them, small ones for tests and large ones as
 * a stream; and zip archives.
 */
import { Readable } from 'node:stream';
import { crc32, deflateRawSync, type DeflateRaw } from 'node:zlib';

/**
 * In every export the declarations come before the data. Entities and comments are for readers that may stumble over
 * them.
 */
const HEAD = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE HealthData [
<!-- HealthKit Export Version: 14 -->
<!ELEMENT HealthData (ExportDate,Me,(Record|Correlation|Workout|ActivitySummary|ClinicalRecord|Audiogram|VisionPrescription)*)>
<!ATTLIST HealthData
  locale CDATA #REQUIRED
>
<!ELEMENT Record ((MetadataEntry|HeartRateVariabilityMetadataList)*)>
<!ATTLIST Record
  type          CDATA #REQUIRED
  unit          CDATA #IMPLIED
>
]>
<HealthData locale="en_US">
 <ExportDate value="2025-03-09 10:00:00 +0100"/>
 <Me HKCharacteristicTypeIdentifierDateOfBirth="1970-01-01" HKCharacteristicTypeIdentifierBiologicalSex="HKBiologicalSexFemale"/>
`;
const FOOT = '</HealthData>\n';

export type Reading = {
  /** The type without `HKQuantityTypeIdentifier`, unless it begins with HK. */
  readonly type: string;
  readonly value?: string;
  readonly unit?: string;
  /** A time in the form of the phone. */
  readonly start: string;
  readonly end?: string;
  readonly source?: string;
  readonly byHand?: boolean;
};

const escaped = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;');

export const recordXml = ({ type, value, unit, start, end, source = 'Phone', byHand }: Reading): string => {
  const said = {
    type: type.startsWith('HK') ? type : `HKQuantityTypeIdentifier${type}`,
    sourceName: source,
    device: '<<HKDevice: 0x28>, name:Watch>',
    unit,
    creationDate: start,
    startDate: start,
    endDate: end ?? start,
    value,
  };
  const attributes = Object.entries(said).flatMap(([name, text]) =>
    text === undefined ? [] : [` ${name}="${escaped(text)}"`],
  );
  const entered = byHand ? '>\n  <MetadataEntry key="HKWasUserEntered" value="1"/>\n </Record>' : '/>';
  return ` <Record${attributes.join('')}${entered}\n`;
};

/**
 * A whole export.xml.
 * @param more elements in addition to the records, as text
 */
export const exportXml = (readings: readonly Reading[], more = ''): string =>
  [HEAD, ...readings.map(recordXml), more, FOOT].join('');

const two = (number: number): string => String(number).padStart(2, '0');

const phoneTime = (seconds: number): string => {
  const [day, time] = new Date(seconds * 1000).toISOString().slice(0, 19).split('T');
  return `${day} ${time} +0000`;
};

/** About this many bytes of export.xml: heart rates and then steps, from 2015 on, 300 a day of each kind. */
export function* largeExport(bytes: number): Generator<Buffer> {
  yield Buffer.from(HEAD);
  let made = HEAD.length;
  const start = Date.UTC(2015, 0) / 1000;
  for (const [type, unit] of [
    ['HeartRate', 'count/min'],
    ['StepCount', 'count'],
  ] as const) {
    const until = type === 'HeartRate' ? bytes / 2 : bytes;
    for (let index = 0; made < until;) {
      const records = Array.from({ length: 500 }, () => {
        index += 1;
        const at = phoneTime(start + index * 288);
        return recordXml({ type, unit, value: String(60 + ((index * 7) % 50)), start: at, source: 'Watch of Ann' });
      });
      const piece = Buffer.from(records.join(''));
      made += piece.length;
      yield piece;
    }
  }
  yield Buffer.from(FOOT);
}

export type Member = {
  readonly name: string;
  readonly bytes: Buffer | string;
  /** Whether sizes and checksum come after the data. */
  readonly follows?: boolean;
  readonly stored?: boolean;
  readonly locked?: boolean;
};

const DESCRIPTOR = 0x08074b50;

const memberBytes = ({ name, bytes, follows = false, stored = false, locked = false }: Member): Buffer => {
  const data = Buffer.from(bytes as string);
  const packed = stored ? data : deflateRawSync(data);
  const sums = Buffer.alloc(12);
  sums.writeUInt32LE(crc32(data), 0);
  sums.writeUInt32LE(packed.length, 4);
  sums.writeUInt32LE(data.length, 8);
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE((follows ? 8 : 0) | (locked ? 1 : 0), 6);
  header.writeUInt16LE(stored ? 0 : 8, 8);
  if (!follows) {
    sums.copy(header, 14);
  }
  header.writeUInt16LE(Buffer.byteLength(name), 26);
  const mark = Buffer.alloc(4);
  mark.writeUInt32LE(DESCRIPTOR);
  return Buffer.concat([header, Buffer.from(name), packed, ...(follows ? [mark, sums] : [])]);
};

/** The end of an archive. A streaming reader needs only this signature, so the directory is not written. */
const END = Buffer.concat([Buffer.from('PK\u0005\u0006'), Buffer.alloc(18)]);

/** An archive of one member whose bytes are never all in memory. */
export async function* zipStream(name: string, pieces: Iterable<Buffer>, deflater: DeflateRaw): AsyncGenerator<Buffer> {
  yield memberBytes({ name, bytes: '', follows: true }).subarray(0, 30 + Buffer.byteLength(name));
  let [crc, unpacked, packed] = [0, 0, 0];
  const counted = function* (): Generator<Buffer> {
    for (const piece of pieces) {
      crc = crc32(piece, crc);
      unpacked += piece.length;
      yield piece;
    }
  };
  for await (const piece of Readable.from(counted()).pipe(deflater) as AsyncIterable<Buffer>) {
    packed += piece.length;
    yield piece;
  }
  const sums = Buffer.alloc(16);
  [DESCRIPTOR, crc, packed, unpacked].forEach((number, place) => sums.writeUInt32LE(number, 4 * place));
  yield Buffer.concat([sums, END]);
}

/** An archive for readers that begin at its start; it has no directory. */
export const zipOf = (members: readonly Member[]): Buffer => Buffer.concat([...members.map(memberBytes), END]);

export const inExport = (name: string): string => `apple_health_export/${name}`;

/** Date and time on a phone an hour east of Greenwich. */
export const phoneAt = (day: string, hour: number, minute = 0): string => `${day} ${two(hour)}:${two(minute)}:00 +0100`;
