/**
 * intake: makes documents from the database that Android's Health Connect exports: readings by kind and month. Columns
 * are looked up by their names, because their order differs between phones.
 */
import Database from 'better-sqlite3';
import { peek } from '../common/beginning.mjs';
import { invalidFile } from '../common/invalid-file.mjs';
import { membersOf, whole } from '../common/zip.mjs';
import { COUNTED, heartRate, INSTANTS, inDigits, stageOf } from './kinds.mjs';

/** A document makes at most this many facts. */
const FACTS_EACH = 5000;
const MOST_BYTES = 300_000_000;
const DATABASE = 'SQLite format 3\0';
/** The two bytes of the head that say whether changes are kept in a file beside the database, which is not there. */
const [WRITE_VERSION, READ_VERSION] = [18, 19];

/** How a reading came into Health Connect: a person typed it. */
const BY_HAND = 3;

const SIGNS = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escaped = (words) =>
  String(words)
    .toWellFormed()
    // eslint-disable-next-line no-control-regex
    .replace(/[\u0000-\u001f\u007f-\u009f\ufffe\uffff]/g, ' ')
    .replace(/[&<>"]/g, (sign) => SIGNS[sign]);

const factOf = (model, fields) =>
  `<Model name="${model}">${Object.entries(fields)
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => `<Field name="${name}">${escaped(value)}</Field>`)
    .join('')}</Model>`;

const two = (count) => String(count).padStart(2, '0');

/** A time as the phone's clock showed it. @param offset seconds east of UTC; null where the app did not say it */
const timeOf = (at, offset) => {
  const minutes = Math.round((Number(offset) || 0) / 60);
  const shown = new Date(at + minutes * 60_000).toISOString().slice(0, 19);
  const east = Math.abs(minutes);
  return offset === null ? `${shown}Z` : `${shown}${minutes < 0 ? '-' : '+'}${two(Math.floor(east / 60))}:${two(east % 60)}`;
};

const isTime = (at) => Number.isInteger(at) && at > 0 && at < 7_258_118_400_000;

const inWords = (table) => {
  const name = table.replace(/_record_table$/, '').replaceAll('_', ' ');
  return name.charAt(0).toUpperCase() + name.slice(1);
};

/** Opens the bytes as a database. @throws invalid_file when they are none, or are no export */
const opened = (bytes) => {
  bytes[WRITE_VERSION] = 1;
  bytes[READ_VERSION] = 1;
  try {
    const database = new Database(bytes, { readonly: true });
    database.pragma('trusted_schema = OFF');
    const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all();
    return { database, tables: new Map(tables.map((name) => [name, columnsOf(database, name)])) };
  } catch {
    throw invalidFile('its database is damaged or cut off');
  }
};

const columnsOf = (database, table) =>
  new Set(database.prepare('SELECT name FROM pragma_table_info(?)').pluck().all(table));

/** The rows of a table, or none if it or a column that is needed is not there. A column that may lack is null. */
const rowsOf = ({ database, tables }, table, needed, more = {}) => {
  const columns = tables.get(table);
  if (!columns || Object.values(needed).some((column) => !columns.has(column))) {
    return [];
  }
  const picked = Object.entries({ ...needed, ...more }).map(
    ([name, column]) => `${columns.has(column) ? `"${column}"` : 'NULL'} AS "${name}"`,
  );
  return database.prepare(`SELECT ${picked.join(', ')} FROM "${table}"`).iterate();
};

/** Facts of one kind, by month, as lines; what is said twice is said once. */
class Months {
  #facts = new Map();

  add(month, fact) {
    const facts = this.#facts.get(month) ?? new Set();
    this.#facts.set(month, facts.add(fact));
  }

  *documents(kind, vocabBase, readings = {}) {
    for (const month of [...this.#facts.keys()].sort()) {
      const facts = [...this.#facts.get(month)].sort();
      for (let at = 0; at < facts.length; at += FACTS_EACH) {
        const lines = facts.slice(at, at + FACTS_EACH).join('\n');
        yield {
          xml: `<Models xmlns="${escaped(`${vocabBase}/xml/documents#`)}">\n${lines}\n</Models>\n`,
          name: `${inWords(kind)}, ${month}`,
          key: `${kind}/${month}`,
          readings,
        };
      }
    }
  }
}

/** Counts rows that become no fact, by what they are and why. */
class LeftOut {
  #told = new Map();

  add(what, reason, words, count = 1) {
    const told = this.#told.get(`${what} ${reason}`) ?? { what, count: 0, words, reason };
    told.count += count;
    this.#told.set(`${what} ${reason}`, told);
  }

  items() {
    return [...this.#told.values()].map((leftOut) => ({ leftOut }));
  }
}

function* instants(source, leftOut, vocabBase) {
  for (const [table, { value, more = {}, model, when, fields }] of Object.entries(INSTANTS)) {
    const months = new Months();
    for (const row of rowsOf(source, table, { at: 'time', value }, { ...more, offset: 'zone_offset', method: 'recording_method' })) {
      if (!isTime(row.at) || typeof row.value !== 'number') {
        leftOut.add(inWords(table), 'no-value', 'they have no time or no number');
        continue;
      }
      const time = timeOf(row.at, row.offset);
      const { notes, ...said } = fields(row);
      const remarks = [notes, row.method === BY_HAND ? 'entered by hand' : ''].filter(Boolean).join(', ');
      months.add(time.slice(0, 7), factOf(model, { [when]: time, ...said, notes: remarks }));
    }
    yield* months.documents(table, vocabBase);
  }
}

function* heartRates(source, vocabBase) {
  const offsets = new Map();
  for (const { id, offset } of rowsOf(source, 'heart_rate_record_table', { id: 'row_id' }, { offset: 'start_zone_offset' })) {
    offsets.set(id, offset);
  }
  const months = new Months();
  const samples = { id: 'parent_key', at: 'epoch_millis', value: 'beats_per_minute' };
  for (const row of rowsOf(source, 'heart_rate_record_series_table', samples)) {
    if (isTime(row.at) && typeof row.value === 'number') {
      const time = timeOf(row.at, offsets.get(row.id) ?? null);
      months.add(time.slice(0, 7), factOf('VitalSigns', { date: time, ...heartRate(row) }));
    }
  }
  yield* months.documents('heart_rate_record_table', vocabBase);
}

/** Names of apps by their number. */
const appsIn = (source) => {
  const names = new Map();
  for (const { id, name, other } of rowsOf(source, 'application_info_table', { id: 'row_id' }, { name: 'app_name', other: 'package_name' })) {
    names.set(id, String(name || other || '').trim());
  }
  return names;
};

const SPAN = { start: 'start_time', end: 'end_time' };
const SPAN_MORE = { offset: 'start_zone_offset', ends: 'end_zone_offset', app: 'app_info_id' };

/**
 * The sums of each day and app: two apps count the same steps. Of two exports the larger sum of a day counts, because
 * the other was made before the day was over.
 */
function* sums(source, apps, leftOut, vocabBase) {
  for (const [table, { value, name, unit, times }] of Object.entries(COUNTED)) {
    const days = new Map();
    for (const row of rowsOf(source, table, { ...SPAN, value }, SPAN_MORE)) {
      if (!isTime(row.start) || typeof row.value !== 'number') {
        leftOut.add(inWords(table), 'no-value', 'they have no time or no number');
        continue;
      }
      const day = timeOf(row.start, row.offset).slice(0, 10);
      const called = [name, apps.get(row.app)].filter(Boolean).join(', ');
      const key = `${day} ${called}`;
      const sum = days.get(key) ?? { day, called, value: 0 };
      sum.value += row.value * times;
      days.set(key, sum);
    }
    const months = new Months();
    for (const { day, called, value: sum } of days.values()) {
      const fields = {
        type: called.slice(0, 24).trim(),
        name: called.length > 24 ? called.slice(0, 255) : undefined,
        value: inDigits(sum),
        unit,
        datetime: day,
      };
      months.add(day.slice(0, 7), factOf('Measurement', fields));
    }
    yield* months.documents(table, vocabBase, { grows: 'value' });
  }
}

const minutesBetween = (start, end) => inDigits(Math.round((end - start) / 6000) / 10);

function* sleep(source, apps, vocabBase) {
  const months = new Months();
  const sessions = new Map();
  for (const row of rowsOf(source, 'sleep_session_record_table', { ...SPAN, id: 'row_id' }, { ...SPAN_MORE, notes: 'notes', title: 'title' })) {
    if (isTime(row.start) && isTime(row.end)) {
      sessions.set(row.id, row);
    }
  }
  const add = (stage, start, end, { offset, ends, app, notes, title }) => {
    const from = timeOf(start, offset);
    months.add(
      from.slice(0, 7),
      factOf('Sleep', {
        stage,
        start: from,
        end: timeOf(end, ends ?? offset),
        minutes: minutesBetween(start, end),
        source: apps.get(app),
        notes: [title, notes].filter(Boolean).join('. ') || undefined,
      }),
    );
  };
  const staged = new Set();
  const parts = { id: 'parent_key', start: 'stage_start_time', end: 'stage_end_time', stage: 'stage_type' };
  for (const { id, start, end, stage } of rowsOf(source, 'sleep_stages_table', parts)) {
    if (sessions.has(id) && isTime(start) && isTime(end)) {
      staged.add(id);
      add(stageOf(stage), start, end, sessions.get(id));
    }
  }
  for (const [id, row] of sessions) {
    if (!staged.has(id)) {
      add('Sleep', row.start, row.end, row);
    }
  }
  yield* months.documents('sleep_session_record_table', vocabBase);
}

function* workouts(source, apps, vocabBase) {
  const months = new Months();
  const more = { ...SPAN_MORE, notes: 'notes', title: 'title', type: 'exercise_type' };
  for (const row of rowsOf(source, 'exercise_session_record_table', SPAN, more)) {
    if (isTime(row.start) && isTime(row.end)) {
      const start = timeOf(row.start, row.offset);
      months.add(
        start.slice(0, 7),
        factOf('Workout', {
          kind: String(row.title || 'Exercise').slice(0, 80),
          start,
          end: timeOf(row.end, row.ends ?? row.offset),
          minutes: minutesBetween(row.start, row.end),
          source: apps.get(row.app),
          notes: [row.notes, row.title || row.type === null ? undefined : `type ${row.type} of Health Connect`].filter(Boolean).join('. ') || undefined,
        }),
      );
    }
  }
  yield* months.documents('exercise_session_record_table', vocabBase);
}

const READ = new Set([
  ...Object.keys(INSTANTS),
  ...Object.keys(COUNTED),
  'heart_rate_record_table',
  'sleep_session_record_table',
  'exercise_session_record_table',
]);

/** Tables of the export that have no place in a record, with their numbers of rows. */
const tellOthers = ({ database, tables }, leftOut) => {
  for (const table of tables.keys()) {
    if (/^[a-z0-9_]{1,80}_record_table$/.test(table) && !READ.has(table)) {
      const count = database.prepare(`SELECT count(*) FROM "${table}"`).pluck().get();
      if (count > 0) {
        leftOut.add(inWords(table), 'no-place', 'they have no place in a record', count);
      }
    }
  }
};

function* itemsOf(bytes, vocabBase) {
  const source = opened(bytes);
  if (![...source.tables.keys()].some((table) => READ.has(table))) {
    throw invalidFile('it is a database, but no export of Health Connect');
  }
  const leftOut = new LeftOut();
  const apps = appsIn(source);
  yield* instants(source, leftOut, vocabBase);
  yield* heartRates(source, vocabBase);
  yield* sums(source, apps, leftOut, vocabBase);
  yield* sleep(source, apps, vocabBase);
  yield* workouts(source, apps, vocabBase);
  tellOthers(source, leftOut);
  yield* leftOut.items();
}

/** The database in the archive, or the file itself. @throws invalid_file when there is none, or it is too large */
const databaseOf = async (chunks) => {
  const { beginning, all } = await peek(chunks, 4);
  const kept = async (contents) => {
    const bytes = await whole(contents, MOST_BYTES);
    if (!bytes) {
      throw invalidFile(`its database is larger than ${MOST_BYTES} bytes`);
    }
    return bytes;
  };
  if (!beginning.toString('latin1').startsWith('PK')) {
    return kept(all);
  }
  for await (const { name, contents } of membersOf(all)) {
    if (name.endsWith('.db')) {
      return kept(contents);
    }
  }
  throw invalidFile('the archive holds no database of Health Connect');
};

/** @param input `chunks` are those of the archive or of the database in it */
export default async function* ({ chunks, options }) {
  const bytes = await databaseOf(chunks);
  if (bytes.toString('latin1', 0, DATABASE.length) !== DATABASE) {
    throw invalidFile('it is no database of Health Connect');
  }
  yield* itemsOf(bytes, options.vocabBase);
}
