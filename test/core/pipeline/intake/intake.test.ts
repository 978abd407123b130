/**
 * intake: files that are not XML are recognized by name and first bytes, and turned into documents in a process of
 * their own, at the speed at which the documents are consumed.
 */
import { setTimeout as wait } from 'node:timers/promises';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import type { AppError } from '../../../../core/base/errors';
import { SetupError } from '../../../../core/base/errors';
import {
  asksForZone,
  intakesFor,
  runIntake,
  type Intake,
  type IntakeItem,
} from '../../../../core/pipeline/intake/intake';
import { openReader, type DocumentReader } from '../../../../core/pipeline/readers/document-reader';
import {
  noteFormat,
  noteModels,
  removeFolder,
  settingsFor,
  VOCAB,
  writeFolder,
  type Files,
} from '../../../support/formats';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const byModule = (name: string, code: string): Files => ({
  [`${name}/document.yaml`]: `document: ${name}\nintake: { module: intake.mjs, files: ["*.${name}"] }\n`,
  [`${name}/intake.mjs`]: code,
});

const csv = (name: string, columns: string, begins = ''): Files => ({
  [`${name}/document.yaml`]: `document: ${name}\nintake: { csv: columns.yaml, files: ["*.csv"]${begins} }\n`,
  [`${name}/columns.yaml`]: columns,
});

const plain = 'model: Note\nfields:\n  title: { column: Title }\n';
const odd = `model: Note
delimiter: ";"
decimal: ","
encoding: windows-1252
time_zone: Europe/Berlin
fields:
  title: { column: [Tag, Uhrzeit], date: "D.M.YYYY h:mm A" }
  size: { column: Größe, times: 0.45359237, plus: 1 }
`;

const sensor = `model: Note
thousands: ","
head: 3
rows: { Kind: [Reading, ""] }
fields:
  title: { column: Time, date: "MMM D, YYYY HH:mmZ" }
  size: { column: Value, times: 1 }
`;

/** Two readings in one cell. */
const pairs = `model: Note
fields:
  size: { column: Reading, split: "/", part: 1, times: 1 }
  title: { column: Reading, split: "/", part: 2 }
`;

/**
 * Many properties of real tables: units in cells, headers of two lines, merged dates, notes that continue on the next
 * lines.
 */
const diary = `model: Note
delimiter: ";"
decimal: ","
head_lines: 2
above: [Day]
continues: Time
time_zone: person
fields:
  title: { column: [Day, Time], date: ["DD.MM.YYYY HH:mm", "YYYY-MM-DD HH:mm"] }
  size:
    column: Reading Upper
    units: { mm Hg: 1, kPa: 7.50062, "°F": { times: 0.5, plus: -16 } }
    beyond: { below: [Low], above: [High, HI] }
`;

const several = `tables:
  Sugar: { model: Note, fields: { title: { column: Kind }, size: [{ column: mg, times: 1 }, { column: mmol, times: 18 }] } }
  Weight: { model: Note, fields: { title: { text: Weight }, size: { column: kg, times: 1 } } }
`;

const daily = `model: Note
documents: day
time_zone: person
fields:
  title: { column: When, date: DD-MM-YYYY HH:mm }
  size: { column: Value, times: 1 }
`;

const files: Files = {
  ...noteFormat,
  ...byModule(
    'lines',
    `export default async function* ({ name, chunks, options }) {
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split('\\n');
    rest = lines.pop();
    for (const line of lines) yield { xml: \`<Note xmlns="urn:test:note"><title>\${line} of \${name} \${options.vocabBase}</title></Note>\`, label: line };
  }
  yield { leftOut: { what: 'lines', count: 1, words: 'it does not end' } };
}`,
  ),
  ...byModule('throws', 'export default async function* () {\n  throw new Error("the secret of Ann");\n}'),
  ...byModule(
    'says',
    'export default async function* () { throw Object.assign(new Error("page 3 is missing"), { code: "invalid_file" }); }',
  ),
  ...byModule('hangs', 'export default async function* () { for (;;); }'),
  ...byModule('sleeps', 'export default async function* () { await new Promise(() => setInterval(() => {}, 1000)); }'),
  ...byModule(
    'grows',
    'export default async function* () { const all = []; for (;;) all.push(Buffer.alloc(1e7, 1)); }',
  ),
  ...byModule('ends', 'export default async function* () { process.exit(0); }'),
  ...byModule(
    'large',
    'export default async function* ({ options }) { yield { xml: "x".repeat(options.maxDocumentBytes + 1) }; }',
  ),
  ...byModule('wrong', 'export default 5;'),
  ...byModule('broken', 'export default async function* ( {'),
  ...csv('plain', plain),
  ...csv('sensor', sensor, ', begins: "^Sensor"'),
  ...csv('odd', odd, ', begins: "^Tag;Uhrzeit"'),
  ...csv('diary', diary),
  ...csv('pairs', pairs),
  ...csv('several', several),
  ...csv('daily', daily),
};

const stream = async function* (...parts: readonly (string | Buffer)[]): AsyncGenerator<Buffer> {
  await wait(0);
  yield* parts.map((part) => Buffer.from(part));
};

describe('taking in files', () => {
  let folder: string;
  let reader: DocumentReader;
  let settings: { vocabBase: string; maxDocumentBytes: number; transformSeconds: number; timeZone?: string };
  before(async () => {
    folder = writeFolder(files);
    reader = await openReader(settingsFor(folder), noteModels());
    settings = { vocabBase: VOCAB, maxDocumentBytes: 100_000, transformSeconds: 20 };
  });
  after(async () => {
    await reader.close();
    removeFolder(folder);
  });

  const named = (name: string): Intake => reader.entries.intakes.find((intake) => intake.name === name)!;
  const all = async (
    name: string,
    chunks: AsyncIterable<Buffer>,
    more: Partial<typeof settings> = {},
  ): Promise<readonly IntakeItem[]> => {
    const items: IntakeItem[] = [];
    for await (const item of runIntake(named(name), { name: 'some.file', chunks }, { ...settings, ...more })) {
      items.push(item);
    }
    return items;
  };
  const failure = async (work: Promise<unknown>): Promise<AppError> => {
    const failed = await work.then(
      () => undefined,
      (error: unknown) => error as AppError,
    );
    expect(failed, 'it succeeded').to.be.instanceof(Error);
    return failed!;
  };
  const xmlOf = (items: readonly IntakeItem[]): readonly string[] =>
    items.flatMap((item) => ('xml' in item ? [String(item.xml)] : []));

  it('knows files by their names and beginnings; who looks at the beginning is surer', () => {
    const known = (name: string, text: string): readonly string[] =>
      intakesFor(reader.entries.intakes, name, Buffer.from(text)).map((intake) => intake.name);
    expect(known('a/b.LINES', '')).to.equal(['lines']);
    expect(known('x.csv', '\uFEFFTag;Uhrzeit')).to.equal(['odd']);
    expect(known('x.csv', 'Title')).to.equal(['daily', 'diary', 'pairs', 'plain', 'several']);
    expect(known('x.csv.xml', 'Title')).to.equal([]);
  });

  it('gives a module name, bytes and options, and hands on what it yields, which the pipeline reads', async () => {
    const items = await all('lines', stream('one\ntw', 'o\n'));
    expect(items.map((item) => ('leftOut' in item ? item.leftOut : item.label))).to.equal([
      'one',
      'two',
      { what: 'lines', count: 1, words: 'it does not end' },
    ]);
    const { facts } = await reader.read(Buffer.from(xmlOf(items)[1]!));
    expect(facts[0]?.values['title']).to.equal(`two of some.file ${VOCAB}`);
  });

  it('reads no more of a file than is asked for, and ends the process when nobody asks any more', async () => {
    let read = 0;
    let closed = false;
    const endless = async function* (): AsyncGenerator<Buffer> {
      try {
        for (;;) {
          await wait(0);
          read += 1;
          yield Buffer.from(`${'x'.repeat(1023)}\n`.repeat(64));
        }
      } finally {
        closed = true;
      }
    };
    let items = 0;
    for await (const item of runIntake(named('lines'), { name: 'x', chunks: endless() }, settings)) {
      expect(item).to.include('xml');
      items += 1;
      await wait(20);
      if (items === 10) {
        break;
      }
    }
    // Each chunk holds 64 documents, so a few chunks fill the pipe and the rest waits.
    expect(read).to.be.below(20);
    for (let tries = 0; !closed && tries < 100; tries += 1) {
      await wait(20);
    }
    expect(closed).to.be.true();
  });

  it('tells where a module failed, and not with what; what it says to people is told', async () => {
    const thrown = await failure(all('throws', stream()));
    expect([thrown.code, thrown.message]).to.equal([
      'transform_failed',
      'The document could not be transformed into facts: its module threw Error in line 2.',
    ]);
    const said = await failure(all('says', stream()));
    expect([said.code, said.status]).to.equal(['invalid_document', 400]);
    expect(said.message).to.contain('page 3 is missing');
    expect((await failure(all('wrong', stream()))).message).to.contain('its default export is no function');
    expect((await failure(all('broken', stream()))).message).to.contain('the module does not load');
    expect((await failure(all('large', stream()))).message).to.contain('at most 100000 bytes');
  });

  it('ends modules that hang, sleep, grow or end by themselves', async () => {
    for (const name of ['hangs', 'sleeps']) {
      expect((await failure(all(name, stream(), { transformSeconds: 1 }))).message).to.contain('longer than 1 seconds');
    }
    for (const name of ['grows', 'ends']) {
      expect((await failure(all(name, stream()))).message, name).to.contain('ended or needed too much memory');
    }
  });

  it('hands on that the file could not be read to its end', async () => {
    const failing = async function* (): AsyncGenerator<Buffer> {
      yield Buffer.from('one\n');
      await wait(0);
      throw new Error('the disk is gone');
    };
    expect((await failure(all('lines', failing()))).message).to.equal('the disk is gone');
  });

  it('makes facts of the rows of a CSV, in documents with room for more, and leaves out what cannot be read', async () => {
    const rows = Array.from({ length: 1200 }, (_, row) => `row ${row}`);
    const items = await all('plain', stream('Title\n', rows.join('\n'), '\n""\n'));
    const counts = xmlOf(items).map((xml) => xml.split('<Model ').length - 1);
    expect(counts.reduce((sum, count) => sum + count, 0)).to.equal(1200);
    expect(counts).to.have.length(2);
    expect(xmlOf(items).every((xml) => Buffer.byteLength(xml) < 51_000)).to.equal(true);
    expect(xmlOf(items)[0]).to.contain(
      `<Models xmlns="${VOCAB}/xml/documents#">\n<Model name="Note"><Field name="title">row 0</Field></Model>\n`,
    );
    const turned = await all('plain', stream('Title\n', [...rows].reverse().join('\n')));
    expect(xmlOf(turned)).to.equal(xmlOf(items));
  });

  it('takes the columns of a CSV from its first line, also where rows are shorter than that', async () => {
    const rows = 'Tag;Uhrzeit;Größe\n5.1.2025\n5.1.2025;9:05 AM;2\n';
    const [document] = xmlOf(await all('odd', stream(Buffer.from(rows, 'latin1'))));
    expect(document!.split('<Model ')).to.have.length(2);
    const message = (await failure(all('odd', stream('Tag;Uhrzeit\n')))).message;
    expect(message).to.contain('its first line has no column Größe');
  });

  it('reads dates, clocks of a place, numbers with a comma, other units and other letters as the YAML says', async () => {
    const text = [
      'Tag;Uhrzeit;Größe',
      '5.7.2025;9:05 PM;10,5',
      '5.1.2025;12:05 AM;2',
      '31.2.2025;9:05 AM;1',
      '5.1.2025;9:05 AM;1.000,5',
    ].join('\r\n');
    const items = await all('odd', stream(Buffer.from(text, 'latin1')));
    expect(items.map((item) => ('key' in item ? item.key : ''))).to.equal(['2025-01', '2025-07', '', '']);
    expect(
      xmlOf(items)
        .join('')
        .match(/<Field.*?<\/Field>/g),
    ).to.equal([
      '<Field name="title">2025-01-05T00:05:00+01:00</Field>',
      '<Field name="size">1.90718474</Field>',
      '<Field name="title">2025-07-05T21:05:00+02:00</Field>',
      '<Field name="size">5.762719885</Field>',
    ]);
    expect(items.slice(2)).to.equal([
      {
        leftOut: {
          what: 'Rows',
          count: 1,
          words: 'Tag, Uhrzeit is not written as D.M.YYYY h:mm A',
          reason: 'cell',
          column: 'Tag, Uhrzeit',
        },
      },
      { leftOut: { what: 'Rows', count: 1, words: 'Größe is no number', reason: 'cell', column: 'Größe' } },
    ]);
  });

  it('finds the heads further down, takes the rows that are asked for, reads months, offsets and thousands', async () => {
    const text = [
      'Sensor,of Ann',
      '',
      'Kind,Time,Value',
      'Reading,"Jan 5, 2024 00:02+01:00","1,234.5"',
      ',"Dec 31, 2024 23:30-0130",7',
      'Alarm,"Jan 5, 2024 00:03Z",1',
      'Reading,"Jam 5, 2024 00:03Z",1',
      'Reading,"Jan 5, 2024 00:03Z","1,23"',
    ].join('\n');
    const items = await all('sensor', stream(text));
    expect(
      xmlOf(items)
        .join('')
        .match(/<Field.*?<\/Field>/g),
    ).to.equal([
      '<Field name="title">2024-01-05T00:02:00+01:00</Field>',
      '<Field name="size">1234.5</Field>',
      '<Field name="title">2024-12-31T23:30:00-01:30</Field>',
      '<Field name="size">7</Field>',
    ]);
    expect(items.slice(2).map((item) => 'leftOut' in item && `${item.leftOut.count} ${item.leftOut.words}`)).to.equal([
      '1 their Kind is none that is taken',
      '1 Time is not written as MMM D, YYYY HH:mmZ',
      '1 Value is no number',
    ]);
    const message = (await failure(all('sensor', stream('Sensor\n\nTime,Value\n')))).message;
    expect(message).to.contain('its line 3 has no column Kind');
  });

  const fieldsIn = (items: readonly IntakeItem[]): readonly string[] =>
    xmlOf(items).flatMap((xml) => [...xml.matchAll(/<Field[^>]*>(.*?)<\/Field>/g)].map(([, text]) => text!));
  const leftOutIn = (items: readonly IntakeItem[]): readonly string[] =>
    items.flatMap((item) =>
      'leftOut' in item ? [`${item.leftOut.count} ${item.leftOut.reason}: ${item.leftOut.words}`] : [],
    );

  it('reads the parts of a cell', async () => {
    const items = await all('pairs', stream('Reading\n120/80\n118 / 76\n120\nhigh/80\n'));
    expect(xmlOf(items).flatMap((xml) => xml.match(/<Field.*?<\/Field>/g))).to.equal([
      '<Field name="size">118</Field>',
      '<Field name="title">76</Field>',
      '<Field name="size">120</Field>',
      '<Field name="title">80</Field>',
    ]);
    expect(items.flatMap((item) => ('leftOut' in item ? [item.leftOut.words] : []))).to.equal([
      'Reading has no part 2 between "/"',
      'Reading is no number',
    ]);
  });

  it('reads units in cells, heads of two lines, merged days and readings that go on below', async () => {
    const text = [
      'Day;Time;Reading;;Note',
      ';;Upper;Lower;',
      '01.02.2025;07:15;120 mmHg;80;"rested',
      'well"',
      ';21:40;16,0 KPA;;',
      ';;;;after a walk',
      '2025-02-02;07:00;  98,6°F;;',
      ';08:00;118;;',
      ';09:00;5 stone;;',
      ';10:00;Low;;',
      ';11:00;HI;;',
    ].join('\r\n');
    const items = await all('diary', stream(text), { timeZone: 'Europe/Berlin' });
    expect(fieldsIn(items)).to.equal([
      ...['2025-02-01T07:15:00+01:00', '120', '2025-02-01T21:40:00+01:00', '120.00992'],
      ...['2025-02-02T07:00:00+01:00', '33.3', '2025-02-02T08:00:00+01:00', '118'],
    ]);
    expect(leftOutIn(items)).to.equal([
      '1 no-place: the column has no place in a record',
      '2 no-place: the column has no place in a record',
      '1 cell: Reading Upper has something behind the number that its units in columns.yaml do not name',
      '1 below: Reading Upper says "Low": it was below what the device can measure',
      '1 above: Reading Upper says "HI": it was above what the device can measure',
    ]);
  });

  it('joins the second line of a reading, and never makes one number of two', async () => {
    const text = 'Day;Time;Reading;\n;;Upper;\n01.02.2025;07:15;120;\n;;80;\n01.02.2025;08:15;110;\n';
    const items = await all('diary', stream(text), { timeZone: 'UTC' });
    expect(fieldsIn(items)).to.equal(['2025-02-01T08:15:00', '110']);
    expect(leftOutIn(items)).to.equal(['1 cell: Reading Upper is no number']);
  });

  it('refuses times of which nobody says the time zone, before anything is read', async () => {
    expect((await failure(all('diary', stream('Day;Time;Reading\n')))).message).to.contain('nobody has said one');
    expect(asksForZone(named('diary'))).to.be.true();
    expect(['plain', 'odd', 'sensor', 'lines'].map((name) => asksForZone(named(name)))).to.equal([
      false,
      false,
      false,
      false,
    ]);
  });

  it('reads several tables below their names, by the columns that are there, and tells of the others', async () => {
    const text = 'Ann\n\nWeight\nkg\n70\n\nSugar\nKind,mmol\nfasting,5\n,,\n\nSteps\nDay,Count\n1,2000\n';
    const items = await all('several', stream(text));
    expect(fieldsIn(items)).to.equal(['Weight', '70', 'fasting', '90']);
    expect(leftOutIn(items)).to.equal([
      '2 no-place: they stand below "Steps", which columns.yaml does not name',
      '1 no-value: nothing is said in it',
    ]);
    expect((await failure(all('several', stream('a,b\n1,2\n')))).message).to.contain('only Sugar or Weight');
    expect((await failure(all('several', stream('Sugar\nKind,kg\nx,2\n')))).message).to.contain(
      'the table Sugar has no column mg; it has Kind, kg',
    );
  });

  it('makes a document of each day, the same whatever the order, and takes nothing where days may be months', async () => {
    const rows = ['02-01-2025 23:50,7', '01-01-2025 09:00,5', '01-01-2025 08:00,6', '01-01-2025 08:00,6'];
    const csvOf = (lines: readonly string[]): string => ['When,Value', ...lines].join('\n');
    const items = await all('daily', stream(csvOf(rows)), { timeZone: 'America/New_York' });
    expect(items.map((item) => 'key' in item && item.key)).to.equal(['2025-01-01', '2025-01-02', false]);
    expect(leftOutIn(items)[0]!).to.startWith('1 order: they can be read in two ways').and.contain('1 February 2025');
    expect(fieldsIn(items)).to.equal([
      ...['2025-01-01T08:00:00-05:00', '6', '2025-01-01T09:00:00-05:00', '5'],
      ...['2025-01-02T23:50:00-05:00', '7'],
    ]);
    expect(await all('daily', stream(csvOf([...rows].reverse())), { timeZone: 'America/New_York' })).to.equal(items);
    const refused = await failure(all('daily', stream(csvOf([...rows, '01-13-2025 08:00,6'])), { timeZone: 'UTC' }));
    expect(refused.message).to.contain('When is not written as DD-MM-YYYY HH:mm in 1 rows');
  });

  it('reads UTF-16 with its mark, whatever the YAML says, and knows it by its beginning', async () => {
    const text = Buffer.from('\uFEFFTag;Uhrzeit;Größe\n5.7.2025;9:05 PM;10,5\n', 'utf16le');
    expect(intakesFor(reader.entries.intakes, 'x.csv', text).map(({ name }) => name)).to.equal(['odd']);
    expect(fieldsIn(await all('odd', stream(text)))).to.equal(['2025-07-05T21:05:00+02:00', '5.762719885']);
  });

  it('takes no point for a sign of thousands that the YAML does not name', async () => {
    const items = await all('odd', stream(Buffer.from('Tag;Uhrzeit;Größe\n5.1.2025;9:05 AM;1.000\n', 'latin1')));
    expect(items.map((item) => 'leftOut' in item && item.leftOut.words)).to.equal(['Größe is no number']);
  });

  it('refuses what is no such CSV with words for people', async () => {
    for (const [chunks, says] of [
      [stream('Name\nx\n'), 'its first line has no column Title; it has Name. If the heads'],
      [stream('Title,Title\nx,y\n'), 'its first line has several columns Title'],
      [stream(''), 'it has no rows'],
      [stream('Title\n'), 'it has no rows'],
      [stream(Buffer.from('Title\n\xcf\xf0\xe8\xe2\xe5\xf2\n', 'latin1')), 'it is not written in utf-8'],
      [stream('Title\n"open\n'), 'it is no CSV'],
    ] as const) {
      const refused = await failure(all('plain', chunks));
      expect([refused.code, refused.message.includes(says)], refused.message).to.equal(['invalid_document', true]);
    }
  });

  it('tells all that is wrong with the set-up before anything starts', async () => {
    const wrong = writeFolder({
      ...csv('a', 'model: Note\nfields:\n  titel: { column: X, also: { other: y } }\n'),
      ...csv('b', 'model: Nope\nfields: { title: { column: X, text: Y } }\n'),
      ...csv('h', 'model: Note\nfields:\n  title: { column: X, date: yyyy-mm-dd }\n'),
      ...csv('i', 'model: Note\ndocuments: day\nfields:\n  title: { colum: X }\n'),
      ...csv('k', 'model: Note\ndocuments: day\nfields:\n  title: { column: X }\n'),
      ...csv('l', 'head: 2\ntables:\n  A: { model: Nope, fields: { title: { column: X } } }\n'),
      ...csv('m', 'tables:\n  A: { model: Nope, fields: { title: { column: X } } }\n'),
      ...csv('n', 'fields:\n  title: { column: X }\n'),
      ...csv(
        'o',
        'model: Note\nfields:\n  title: { column: X, split: "/" }\n  size: { text: a, split: "/", part: 1 }\n',
      ),
      ...csv('c', 'model: Note\ntime_zone: Mars\nfields: { title: { column: X } }\n', ', begins: "("'),
      'd/document.yaml': 'document: d\nintake: { module: gone.mjs, files: ["*.d"] }\n',
      'e/document.yaml': 'document: e\nintake: { module: gone.mjs, csv: x.yaml, files: [] }\n',
      'f/document.yaml': 'document: d\nintake: { csv: gone.yaml, files: ["*.f"] }\n',
      'g/document.yaml':
        'document: g\nvalidate: { schema: s.xsd }\nintake: { csv: ../a/columns.yaml, files: ["*.g"] }\n',
    });
    try {
      const error = await openReader(settingsFor(wrong), noteModels()).then(
        () => undefined,
        (caught: unknown) => caught as SetupError,
      );
      expect(error).to.be.instanceof(SetupError);
      const told = error!.problems.map((problem) => problem.replaceAll(`${wrong}/`, ''));
      for (const [place, says] of [
        ['a/columns.yaml:3', 'Note has no field titel'],
        ['a/columns.yaml:3', 'Note has no field other'],
        ['b/columns.yaml:2', 'column'],
        ['a/columns.yaml:3', 'it has title, size'],
        ['i/columns.yaml:4', '"fields.title" needs a column that it comes from, or a text'],
        ['i/columns.yaml:4', 'is not allowed: it can be column, text, any, none, optional, split, part, unit'],
        ['o/columns.yaml:3', '"fields.title" needs both: split'],
        ['o/columns.yaml:4', '"fields.size" may have split with a column only'],
        ['k/columns.yaml:2', 'a document for each day needs a field with date'],
        ['l/columns.yaml', '"head" may not stand beside "tables"'],
        ['m/columns.yaml:2', 'there is no data model Nope: there are Demographics, Note, Part'],
        ['n/columns.yaml:1', '"model" is required, or "tables"'],
        ['h/columns.yaml:3', 'is no way to write a date: it has YYYY'],
        ['c/document.yaml:2', 'is not a regular expression'],
        ['d/document.yaml:2', 'gone.mjs: there is no such file'],
        ['e/document.yaml:2', 'module'],
        ['f/document.yaml:1', 'the name d is taken already'],
        ['f/document.yaml:2', 'there is no such file'],
        ['g/document.yaml:1', 'validate needs identify'],
      ] as const) {
        expect(
          told.some((problem) => problem.startsWith(place) && problem.includes(says)),
          `${place} ${says}\n${told.join('\n')}`,
        ).to.be.true();
      }
    } finally {
      removeFolder(wrong);
    }
  });
});
