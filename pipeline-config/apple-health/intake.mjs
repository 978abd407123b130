/**
 * intake: makes documents from an export of Apple Health: readings by kind and month; clinical records and
 * electrocardiograms as they are.
 */
import { basename, extname } from 'node:path';
import { peek } from '../common/beginning.mjs';
import { invalidFile } from '../common/invalid-file.mjs';
import { membersOf, whole } from '../common/zip.mjs';
import { HealthData } from './health-data.mjs';
import { isCounted } from './kinds.mjs';
import { Readings } from './readings.mjs';
import { daySums, writeReadings } from './write.mjs';

/** A document makes at most 10,000 facts, and its stylesheet has ten seconds. */
const READINGS_EACH = 5000;
const BLOOD_PRESSURE = 'BloodPressure';

const leftOut = (what, count, words, reason) => ({ leftOut: { what, count, words, reason } });

async function* textOf(chunks) {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const chunk of chunks) {
      yield decoder.decode(chunk, { stream: true });
    }
    yield decoder.decode();
  } catch (error) {
    throw error instanceof TypeError ? invalidFile('its XML is not written in UTF-8') : error;
  }
}

/** Characters that XML does not allow, written as they are or as a reference to them. */
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|&#(?:x0*(?:[0-8bcef]|1[0-9a-f]|fff[ef])|0*(?:[0-8]|1[124-9]|2\d|3[01]));/gi;
const LONGEST_REFERENCE = 20;

/** Reads characters that XML does not allow as spaces: one in the name of a source would refuse the whole export. */
async function* withoutControls(texts) {
  let rest = '';
  for await (const text of texts) {
    const all = rest + text;
    const begun = all.lastIndexOf('&');
    const isBegun = begun >= Math.max(0, all.length - LONGEST_REFERENCE) && !all.includes(';', begun);
    const whole = isBegun ? all.slice(0, begun) : all;
    rest = all.slice(whole.length);
    yield whole.replace(CONTROLS, ' ');
  }
  yield rest.replace(CONTROLS, ' ');
}

/**
 * Documents with the readings of one kind and month. Another export, which may be older or newer, adds to them the
 * readings that they lack. A reading has the unit and the source of its document unless it says its own. Of what is
 * counted bit by bit, a reading is the sum of a day on one device: the larger of two such sums is the more complete one.
 */
const documentsOf = ({ kind, group, words, month, readings }, vocabBase) => {
  const counted = isCounted(kind);
  const told = { kind, group, words, month, readings: counted ? daySums(readings) : readings };
  return writeReadings(told, READINGS_EACH, vocabBase).map((xml) => ({
    xml,
    name: `${words}, ${month}`,
    key: `${kind}/${month}`,
    readings: { inherited: ['unit', 'source'], ...(counted ? { grows: 'value' } : {}) },
  }));
};

/** The blood group has no date. Whoever has the phone typed it in, so the notes say that no laboratory did. */
const bloodGroup = (group, vocabBase) => ({
  xml:
    `<Models xmlns="${vocabBase}/xml/documents#"><Model name="LabResult"><Field name="test_name_title">ABO and Rh group</Field>` +
    '<Field name="test_name_identifier">882-1</Field><Field name="test_name_system">http://purl.bioontology.org/ontology/LNC/</Field>' +
    `<Field name="value">${group}</Field><Field name="narrative_result">${group}</Field>` +
    '<Field name="notes">Entered on the phone, not by a laboratory.</Field></Model></Models>',
  name: 'Blood group',
  key: 'BloodType',
});

/** @returns as its return value, whether it was an export; anything else is read to its end */
async function* fromExport(chunks, { vocabBase }) {
  const readings = new Readings({ keeps: BLOOD_PRESSURE, counted: isCounted });
  const data = new HealthData(readings);
  const documents = (month) => documentsOf(month, vocabBase);
  for await (const text of withoutControls(textOf(chunks))) {
    data.write(text);
    for (const month of readings.due()) {
      yield* documents(month);
    }
  }
  data.end();
  for (const month of readings.rest()) {
    yield* documents(month);
  }
  for (const month of data.workouts()) {
    yield* documents(month);
  }
  yield* data.bloodGroup === '' ? [] : [bloodGroup(data.bloodGroup, vocabBase)];
  yield* data.leftOut.map((told) => ({ leftOut: told }));
  return data.isHealthData === true;
}

const clinicalRecord = (bytes) => {
  const json = bytes.toString('utf8');
  const [, resource] = /"resourceType"\s*:\s*"([A-Za-z]{1,60})"/.exec(json) ?? [];
  return { json, name: `Clinical record: ${resource ?? 'unknown'}`, ...(resource ? { resource } : {}) };
};

/** An attachment keeps its name in the export. The name of an electrocardiogram only says its day. */
const innerFile = (bytes, name, kind) => {
  const [date] = /\d{4}-\d\d-\d\d/.exec(name) ?? [];
  const told = { kind, ...(date ? { date } : {}) };
  return kind === 'ECG'
    ? { file: { bytes, title: kind, ...told }, name: basename(name) }
    : { file: { bytes, title: basename(name), ...told }, label: basename(name) };
};

/** How a member of the archive becomes a document, by its folder. */
const FOLDERS = [
  { folder: 'clinical-records', extension: '.json', make: clinicalRecord },
  { folder: 'electrocardiograms', extension: '.csv', make: (bytes, name) => innerFile(bytes, name, 'ECG') },
  { folder: 'attachments', make: (bytes, name) => innerFile(bytes, name, 'Attachment') },
];

const isExport = (parts) => parts.length <= 2 && extname(parts.at(-1)) === '.xml' && parts.at(-1) !== 'export_cda.xml';

async function* fromArchive(chunks, options) {
  const passed = { routes: 0, cda: 0, large: 0, others: 0 };
  let found = false;
  for await (const { name, contents } of membersOf(chunks)) {
    const parts = name.split('/').filter(Boolean);
    const inFolder = FOLDERS.find(
      ({ folder, extension = '' }) => parts.at(-2) === folder && name.endsWith(extension) && !name.endsWith('/'),
    );
    if (inFolder) {
      const bytes = await whole(contents, options.maxDocumentBytes);
      passed.large += bytes ? 0 : 1;
      yield* bytes ? [inFolder.make(bytes, name)] : [];
    } else if (isExport(parts)) {
      const was = yield* fromExport(contents, options);
      found ||= was;
      passed.others += was ? 0 : 1;
    } else if (!name.endsWith('/')) {
      const what = name.endsWith('.gpx') ? 'routes' : parts.at(-1) === 'export_cda.xml' ? 'cda' : 'others';
      passed[what] += 1;
    }
  }
  if (!found) {
    throw invalidFile('there is no export of Apple Health in the archive');
  }
  yield* [
    leftOut('Workout routes', passed.routes, 'no report holds them', 'no-place'),
    leftOut('C-CDA of the phone', passed.cda, 'it repeats what the other file has', 'repeated'),
    leftOut('Files', passed.large, 'they are larger than a document may be', 'large'),
    leftOut('Other files', passed.others, 'they are not known', 'unknown'),
  ].filter((item) => item.leftOut.count > 0);
}

/** @param input `chunks` are those of export.zip, or of export.xml in it */
export default async function* ({ chunks, options }) {
  const { beginning, all } = await peek(chunks, 4);
  if (beginning.subarray(0, 4).toString('latin1') === 'PK\u0003\u0004') {
    yield* fromArchive(all, options);
  } else if (!(yield* fromExport(all, options))) {
    throw invalidFile('it is no export of Apple Health');
  }
}
