/**
 * described-tables: tables whose heads no format knows. What their columns are is seen from heads and cells, and asked
 * only where there are two ways to read them; what is read is exactly what the cells say.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { AppError } from '../../core/base/errors';
import { loadModels } from '../../core/facts/model/models';
import { inProject } from '../../core/base/paths';
import { loadConfig } from '../../core/config/load';
import {
  describedIntake,
  intakeBytes,
  lookAtFile,
  runIntake,
  type IntakeItem,
  type LeftOutOfFile,
} from '../../core/pipeline/intake/intake';
import { csvIntake } from '../../core/pipeline/intake/csv-intake';
import { lookAtTable, type TableLook } from '../../core/pipeline/intake/table-look';
import { guessRoles, planTable, type TableAnswers } from '../../core/pipeline/intake/table-roles';
import { archiveOf, workbookMembers, workbookOf, type Cell } from '../support/workbook';

export const lab = Lab.script();
const { describe, it } = lab;

const config = { ...loadConfig({}), transformSeconds: 60 };
const { models } = loadModels([inProject('datamodels')], config.vocabBase);

async function* stream(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

const isWorkbook = (name: string): boolean => name.endsWith('.xlsx');

/** Workbooks are read in a process of their own, as always; texts here, because a process needs half a second. */
const lookAt = (content: string | Buffer, name = 'table.csv'): Promise<TableLook> => {
  const chunks = stream(Buffer.from(content as string));
  return isWorkbook(name) ? lookAtFile({ name, chunks }, config) : lookAtTable(chunks);
};

type Answered = Partial<Omit<TableAnswers, 'roles'>>;

/** The facts that a table becomes, each in a line, and what was left out. */
async function read(content: string | Buffer, answers: Answered = {}, name = 'table.csv') {
  const look = await lookAt(content, name);
  const plan = planTable(look, { roles: guessRoles(look), units: {}, ...answers }, models);
  const questions = plan.questions.map((one) => (one.about === 'unit' ? `unit ${one.units.join(' ')}` : one.about));
  if (!plan.columns) {
    return { questions, problems: plan.problems.map(({ problem }) => problem), facts: [], leftOut: [] };
  }
  const items: IntakeItem[] = [];
  const chunks = stream(Buffer.from(content as string));
  const timeZone = 'UTC';
  const reading = isWorkbook(name)
    ? runIntake(describedIntake(look, plan.columns), { name, chunks }, { ...config, timeZone })
    : csvIntake(chunks, plan.columns, { vocabBase: config.vocabBase, maxBytes: 10_000_000, timeZone });
  for await (const item of reading) {
    items.push(item);
  }
  const leftOut: readonly LeftOutOfFile[] = items.flatMap((item) => ('leftOut' in item ? [item.leftOut] : []));
  const facts = items.flatMap((item) =>
    'leftOut' in item ? [] : factsIn(intakeBytes(item, config.vocabBase).toString()),
  );
  return {
    questions,
    problems: [],
    facts: facts.sort(),
    leftOut: leftOut.map(({ what, reason }) => `${what} ${reason}`),
  };
}

/** "VitalSigns date=2025-03-02 weight_value=71.4", without names of readings and their units. */
const factsIn = (xml: string): readonly string[] =>
  [...xml.matchAll(/<Model name="(\w+)">(.*?)<\/Model>/g)].map(([, model, fields = '']) =>
    [
      model,
      ...[...fields.matchAll(/<Field name="(\w+)">([^<]*)</g)]
        .filter(([, field = '']) => !/_name_|_unit$/.test(field))
        .map(([, field, value]) => `${field}=${value}`),
    ].join(' '),
  );

describe('a table that no format knows', () => {
  it('is read where its heads and cells leave no question open, in the languages of its heads', async () => {
    const english = await read('Date,Time,Sys,Dia,Pul\n2025-03-02,07:15,104 mmHg,82 mmHg,64 bpm\n');
    expect(english).to.equal({
      questions: [],
      problems: [],
      facts: ['VitalSigns date=2025-03-02T07:15:00 bp_systolic_value=104 bp_diastolic_value=82 heart_rate_value=64'],
      leftOut: [],
    });
    for (const heads of [
      'Datum;Uhrzeit;Systolisch;Diastolisch;Puls;Bemerkung',
      'Fecha;Hora;Sistólica;Diastólica;Pulso;Nota',
      'Date;Heure;Systolique;Diastolique;Pouls;Remarque',
      'Data;Ora;Sistolica;Diastolica;Polso;Note',
    ]) {
      const { facts, leftOut } = await read(
        `${heads}\n14.02.2025;07:15;128;82;64;nüchtern\n15.02.2025;7:20;131;80;60;\n`,
      );
      expect(facts, heads).to.equal([
        'SimpleClinicalNote date_of_visit=2025-02-14T07:15:00 content=nüchtern',
        'VitalSigns date=2025-02-14T07:15:00 bp_systolic_value=128 bp_diastolic_value=82 heart_rate_value=64',
        'VitalSigns date=2025-02-15T07:20:00 bp_systolic_value=131 bp_diastolic_value=80 heart_rate_value=60',
      ]);
      expect(leftOut).to.equal([]);
    }
  });

  it('gives no name of a reading to what only sounds like one', async () => {
    const rolesOf = async (head: string, cells: string) => {
      const look = await lookAt(`Date,${head}\n2025-03-08,${cells}\n2025-03-09,${cells}\n`);
      return guessRoles(look).slice(1);
    };
    for (const [head, value] of [
      ['Heart rate max', '180'],
      ['Heart rate min', '48'],
      ['Heart rate variability (ms)', '45'],
      ['Pulse pressure', '49'],
      ['Peak flow (L/min)', '420'],
      ['Target weight (kg)', '65'],
      ['Lean body mass (kg)', '55'],
      ['Triglycerides (mg/dL)', '150'],
      ['Glycated hemoglobin (%)', '6.5'],
      ['Sugars (g)', '30'],
      ['Skin temperature', '33.1'],
      ['Steps goal', '9000'],
    ] as const) {
      expect(await rolesOf(head, value), head).to.equal(['none']);
    }
    expect(await rolesOf('Pressione massima,Pressione minima,Battiti', '131,82,66')).to.equal([
      'bp_systolic',
      'bp_diastolic',
      'heart_rate',
    ]);
    expect(await rolesOf('Max,Min', '131,82')).to.equal(['bp_systolic', 'bp_diastolic']);
  });

  it('keeps the unit behind each number, and takes that of the head for a bare one', async () => {
    expect(await read('Date;Glucose\n08.03.2025 07:15;97 mg/dL\n08.03.2025 12:15;5,4 mmol/L\n')).to.include({
      facts: [
        'Measurement datetime=2025-03-08T07:15:00 type=Blood glucose value=97 unit=mg/dL',
        'Measurement datetime=2025-03-08T12:15:00 type=Blood glucose value=5.4 unit=mmol/L',
      ],
      leftOut: [],
    });
    expect(await read('Date,Weight (lb)\n2025-03-08,158.2\n2025-03-09,71 kg\n')).to.include({
      facts: ['VitalSigns date=2025-03-08 weight_value=71.758312934', 'VitalSigns date=2025-03-09 weight_value=71'],
    });
    const both = 'Date,Temp\n2025-03-08,36.8\n2025-03-09,99.1\n2025-03-10,98.6\n';
    expect(await read(both), 'bare degrees of both units are asked about').to.include({
      questions: ['unit °C °F °C / °F'],
      facts: [],
    });
    expect(await read(both, { units: { '1': '°F' } })).to.include({
      facts: [
        'VitalSigns date=2025-03-09 temperature_value=37.2777777777778',
        'VitalSigns date=2025-03-10 temperature_value=37',
      ],
      leftOut: ['Rows impossible'],
    });
    expect(await read(both, { units: { '1': '°C / °F' } })).to.include({
      facts: [
        'VitalSigns date=2025-03-08 temperature_value=36.8',
        'VitalSigns date=2025-03-09 temperature_value=37.2777777777778',
        'VitalSigns date=2025-03-10 temperature_value=37',
      ],
      leftOut: [],
    });
    expect(
      await read('Date,Glucose (mg/dL)\n2025-03-08,LO\n2025-03-08,97\n2025-03-09,HI\n2025-03-09,99\n2025-03-10,98\n'),
    ).to.include({
      leftOut: ['Rows below', 'Rows above'],
    });
  });

  it('reads dates that a program counts, below a head that says so, and asks where they may count from 1904', async () => {
    for (const [cell, day] of [
      ['1741417200', '2025-03-08T07:00:00Z'],
      ['1741417200.25', '2025-03-08T07:00:00Z'],
      ['1741417200000', '2025-03-08T07:00:00Z'],
      ['45724', '2025-03-08'],
      ['45724.25', '2025-03-08T06:00:00'],
    ] as const) {
      expect(await read(`Timestamp,Weight (kg)\n${cell},71.4\n`), cell).to.include({
        questions: [],
        facts: [`VitalSigns date=${day} weight_value=71.4`],
      });
    }
    expect((await read('Date;Time;Weight (kg)\n45724;07:15;71,4\n')).facts).to.equal([
      'VitalSigns date=2025-03-08T07:15:00 weight_value=71.4',
    ]);
    expect((await read('Date,Weight (kg)\n41000,71.4\n45724,70\n')).facts[0]).to.equal(
      'VitalSigns date=2012-04-01 weight_value=71.4',
    );
    const old = 'Date,Weight (kg)\n41000,71.4\n';
    expect(await read(old)).to.include({ questions: ['sequence'], facts: [] });
    expect((await read(old, { sequence: 'excel1904' })).facts).to.equal([
      'VitalSigns date=2016-04-02 weight_value=71.4',
    ]);
    // Steps, numbers of members and other numbers are no dates, whatever their size.
    for (const table of ['Steps,Weight (kg)\n45724,71.4\n', 'Date,Weight (kg)\n99999,71.4\n']) {
      expect((await read(table)).problems, table).to.include('no-date');
    }
  });

  it('reads stones and pounds, feet and inches, and takes no bare number for stones', async () => {
    const { facts } = await read(
      'Date,Weight,Height\n2025-03-08,11 st 4 lb,"5\'11"""\n2025-03-09,11st 4.5lbs,5 ft 11 in\n2025-03-10,12 stone,5′ 11″\n',
    );
    expect(facts).to.equal([
      'VitalSigns date=2025-03-08 weight_value=71.66759446 height_value=1.8034',
      'VitalSigns date=2025-03-09 weight_value=71.894390645 height_value=1.8034',
      'VitalSigns date=2025-03-10 weight_value=76.20351816 height_value=1.8034',
    ]);
    expect(guessRoles(await lookAt('Date,Weight (st)\n2025-03-08,11.4\n'))).to.equal(['date', 'none']);
    // Fifteen pounds are more than a stone, and thirteen inches more than a foot.
    const wrong =
      'Date,Weight,Height\n2025-03-07,11 st 4 lb,5 ft 1 in\n2025-03-08,11 st 4 lb,5 ft 1 in\n2025-03-09,11 st 15 lb,5 ft 13 in\n';
    expect(await read(wrong)).to.include({ leftOut: ['Rows cell'] });
  });

  it('marks a date in the future', async () => {
    const { facts, leftOut } = await read('Date,Weight (kg)\n2025-03-08,71.4\n2925-03-09,71\n');
    expect([facts.length, leftOut]).to.equal([2, ['Dates check']]);
  });

  it('asks for the order of dates only if no date settles it, and reads them as it is told', async () => {
    const open = 'Date,Weight (kg)\n03/02/2025,71.4\n07/07/2025,71.5\n';
    expect((await read(open)).questions).to.equal(['sequence']);
    expect((await read(open)).facts).to.equal([]);
    const [question] = planTable(await lookAt(open), { roles: ['date', 'weight'], units: {} }, models).questions;
    expect(question).to.include({ about: 'sequence' });
    expect(question?.about === 'sequence' && question.readings.map(({ written, read: as }) => [written, as])).to.equal([
      ['03/02/2025', '2025-02-03'],
      ['03/02/2025', '2025-03-02'],
    ]);
    expect((await read(open, { sequence: 'mdy' })).facts).to.equal([
      'VitalSigns date=2025-03-02 weight_value=71.4',
      'VitalSigns date=2025-07-07 weight_value=71.5',
    ]);
    expect((await read(open, { sequence: 'dmy' })).facts[0]).to.equal('VitalSigns date=2025-02-03 weight_value=71.4');
    const settled = await read('Date,Weight (kg)\n03/02/2025,71.4\n03/17/2025,71.5\n');
    expect([settled.questions, settled.facts[0]]).to.equal([[], 'VitalSigns date=2025-03-02 weight_value=71.4']);
    const months = await read('Date,Weight (kg)\n"3. März 2025",71.4\n');
    expect(months.facts).to.equal(['VitalSigns date=2025-03-03 weight_value=71.4']);
    const short = await read('Date;Weight (kg)\n03.02.25;71,4\n');
    expect(short.facts).to.equal(['VitalSigns date=2025-02-03 weight_value=71.4']);
  });

  it('offers the year first where it has two figures and may stand there, and no year to come', async () => {
    const readings = async (...days: readonly string[]): Promise<readonly string[]> => {
      const look = await lookAt(['Date;Weight (kg)', ...days.map((day) => `${day};71`), ''].join('\n'));
      return look.columns[0]!.dates.map(({ sequence, read: day }) => `${sequence} ${day}`);
    };
    expect(await readings('25/03/12', '25/03/14')).to.equal(['dmy 2012-03-25', 'ymd 2025-03-12']);
    expect(await readings('05/03/12')).to.equal(['dmy 2012-03-05', 'mdy 2012-05-03', 'ymd 2005-03-12']);
    expect(await readings('25-03-12', '25-03-31'), 'the other year is one to come').to.equal(['ymd 2025-03-12']);
    expect(await readings('13/04/25', '14/04/25'), 'the first number changes').to.equal(['dmy 2025-04-13']);
    expect((await read('Date;Weight (kg)\n25/03/12;71,4\n', { sequence: 'ymd' })).facts).to.equal([
      'VitalSigns date=2025-03-12 weight_value=71.4',
    ]);
  });

  it('asks for the sign of fractions only if no number settles it', async () => {
    const open = 'Date;Steps\n2025-03-02;10,532\n2025-03-03;8,100\n';
    expect((await read(open)).questions).to.equal(['decimal']);
    expect((await read(open, { decimal: '.' })).facts[0]).to.equal(
      'Measurement datetime=2025-03-02 type=Steps value=10532',
    );
    const settled = await read('Datum;Gewicht (kg);Schritte\n2025-03-02;71,4;10.532\n');
    expect([settled.questions, settled.facts]).to.equal([
      [],
      ['Measurement datetime=2025-03-02 type=Steps value=10532', 'VitalSigns date=2025-03-02 weight_value=71.4'],
    ]);
  });

  it('asks for a unit if several are possible, or one that hardly anybody uses', async () => {
    expect((await read('Date,Weight\n2025-03-02,71.4\n')).questions).to.equal(['unit kg lb']);
    expect((await read('Date,Weight\n2025-03-02,71.4\n', { units: { '1': 'lb' } })).facts).to.equal([
      'VitalSigns date=2025-03-02 weight_value=32.386495218',
    ]);
    expect((await read('Date,Weight (lbs)\n2025-03-02,160\n')).facts).to.equal([
      'VitalSigns date=2025-03-02 weight_value=72.5747792',
    ]);
    const kilopascals = 'Date,Sys,Dia\n2025-03-02,17.1,10.9\n2025-03-03,17.4,11.0\n';
    expect((await read(kilopascals)).questions).to.equal(['unit kPa cmHg', 'unit kPa cmHg']);
    expect((await read(kilopascals, { units: { '1': 'cmHg', '2': 'cmHg' } })).facts[0]).to.equal(
      'VitalSigns date=2025-03-02 bp_systolic_value=171 bp_diastolic_value=109',
    );
    expect((await read(kilopascals)).facts, 'never read as mmHg').to.equal([]);
    expect((await read(kilopascals, { units: { '1': 'kPa', '2': 'kPa' } })).facts[0]).to.match(
      /bp_systolic_value=128\.26\d* bp_diastolic_value=81\.75/,
    );
    const glucose = await read('When,Blood sugar\n2025-03-02 07:15,5.4\n2025-03-02 12:15,12.1\n');
    expect(glucose.questions).to.equal([]);
    expect(glucose.facts[0]).to.contain('type=Blood glucose value=5.4 unit=mmol/L');
  });

  it('reads pairs, other numbers, columns of units, equal heads and tables without heads', async () => {
    const pairs = await read('Date,Blood pressure,Vitamin D (ng/mL)\n2025-03-02,128/82 mmHg,31\n');
    expect(pairs.facts).to.equal(['VitalSigns date=2025-03-02 bp_systolic_value=128 bp_diastolic_value=82']);
    expect(pairs.leftOut).to.equal(['Vitamin D (ng/mL) no-place']);
    const text = 'Date,Value,Value\n2025-03-02,31,7\n';
    const look = await lookAt(text);
    expect(look.columns.map(({ head }) => head)).to.equal(['Date', 'Value', 'Value (3)']);
    const plan = planTable(look, { roles: ['date', 'other', 'none'], units: {} }, models);
    expect(plan.columns).to.include({ model: 'Measurement' });
    expect((await lookAt('2025-03-02,71.4\n2025-03-03,71.2\n')).headless).to.be.true();
    const above = await lookAt('My readings\n\nDate,Sys,Dia\n2025-03-02,128,82\n');
    expect([above.skip, above.columns.map(({ head }) => head)]).to.equal([1, ['Date', 'Sys', 'Dia']]);
    const old = await read(Buffer.from('Datum;Gr\xf6\xdfe (cm)\n02.03.2025;172\n', 'latin1'));
    expect(old.facts).to.equal(['VitalSigns date=2025-03-02 height_value=1.72']);
  });

  it('says what is missing, and that a text is no table', async () => {
    expect((await read('Name,Weight (kg)\nMira,71.4\n')).problems).to.equal(['no-date']);
    expect((await read('Date,City\n2025-03-02,Bern\n')).problems).to.equal(['no-value']);
    const look = await lookAt('Date,Sys,Sys B\n2025-03-02,128,82\n');
    const twice = planTable(look, { roles: ['date', 'bp_systolic', 'bp_systolic'], units: {} }, models);
    expect([twice.problems, twice.columns]).to.equal([[{ column: 2, problem: 'twice' }], undefined]);
    await expect(lookAt('one\ntwo\n')).to.reject(/no table/);
    await expect(lookAt('')).to.reject(/no table/);
  });

  it('asks for the year of dates that say none, and does not guess it when they go over the end of one', async () => {
    const text = 'Datum;RR sys;RR dia\n12.03.;128;82\n29.02.;130;84\n';
    expect((await read(text)).questions).to.equal(['year']);
    const { facts, leftOut } = await read(text, { year: '2025' });
    expect(facts).to.equal(['VitalSigns date=2025-03-12 bp_systolic_value=128 bp_diastolic_value=82']);
    expect(leftOut, 'there was no such day in 2025').to.equal(['Rows cell']);
    const words = 'Date,Time,Sys,Dia\nMar 12,7:05 PM,128,82\n';
    expect((await read(words, { year: '2024' })).facts).to.equal([
      'VitalSigns date=2024-03-12T19:05:00 bp_systolic_value=128 bp_diastolic_value=82',
    ]);
    const order = await read('Date,Sys,Dia\n3/4,128,82\n3/5,130,84\n', { year: '2024' });
    expect(order.questions).to.equal(['sequence', 'year']);
    const over = await read('Date,Sys,Dia\n12/30,128,82\n1/2,130,84\n', { year: '2024' });
    expect([over.problems, over.facts]).to.equal([['no-year'], []]);
    expect((await read('Glucose (mmol/L),Level\n5.4,3/4\n')).problems, 'no column says when').to.equal(['no-date']);
  });

  it('keeps a row without the value that cannot be read, and leaves out what has no date', async () => {
    const { facts, leftOut } = await read(
      'Date,Sys,Dia,Steps\n2025-03-02,128,82,many\n2025-03-03,131,80,812\nsoon,130,80,1\n2025-03-04,129,79,9\n',
    );
    expect(facts.filter((fact) => fact.startsWith('VitalSigns'))).to.have.length(3);
    expect(facts.filter((fact) => fact.startsWith('Measurement'))).to.have.length(2);
    expect(leftOut).to.equal(['Rows cell', 'Rows cell']);
  });

  it('asks whose rows of several people are read, and reads no others', async () => {
    const table = 'Date,Name,Weight (kg)\n2025-03-01,Anna,61.2\n2025-03-01,Ben,82.4\n2025-03-02,Anna,61.0\n';
    expect(await read(table)).to.include({ questions: ['person'], facts: [] });
    expect(await read(table, { person: 'Carl' })).to.include({ questions: ['person'], facts: [] });
    const annas = ['VitalSigns date=2025-03-01 weight_value=61.2', 'VitalSigns date=2025-03-02 weight_value=61'];
    expect(await read(table, { person: 'Anna' })).to.include({ facts: annas, leftOut: ['Rows no-place'] });
    expect((await read(table, { person: '*' })).facts).to.have.length(3);
    const alone = await read(table.replaceAll('Ben', 'Anna'));
    expect([alone.questions, alone.facts.length]).to.equal([[], 3]);
    const family = 'Date,Last name,First name,Pulse\n2025-03-01,Berg,Anna,61\n2025-03-01,Berg,Ben,82\n';
    expect((await read(family, { person: 'Ben' })).facts).to.equal(['VitalSigns date=2025-03-01 heart_rate_value=82']);
  });

  it("does not take somebody else's reading for the person's", async () => {
    const look = await lookAt('Date,Mum weight,Weight\n2025-03-01,61.2,82.4\n');
    expect(guessRoles(look)).to.equal(['date', 'none', 'weight']);
  });
});

describe('a workbook', () => {
  const rows: readonly (readonly Cell[])[] = [
    ['Date', 'Sys', 'Dia', 'Weight (kg)', 'Notes'],
    [{ value: 45_718.302_083_333_3, format: 'moment' }, 128, { formula: 'B2-46', value: 82 }, 71.400000000000006, 'ok'],
    [{ value: 45_719, format: 'day' }, 131, 80, '71,2', ''],
  ];

  it('is read with the kept values of formulas, and dates by the format of their cells', async () => {
    const { questions, facts, leftOut } = await read(workbookOf(rows), {}, 'readings.xlsx');
    expect([questions, leftOut]).to.equal([[], []]);
    expect(facts).to.equal([
      'SimpleClinicalNote date_of_visit=2025-03-02T07:15:00 content=ok',
      'VitalSigns date=2025-03-02T07:15:00 bp_systolic_value=128 bp_diastolic_value=82 weight_value=71.4',
      'VitalSigns date=2025-03-03 bp_systolic_value=131 bp_diastolic_value=80 weight_value=71.2',
    ]);
    const times = workbookOf([
      ['Date', 'Time', 'Sys', 'Dia'],
      [{ value: 45_718, format: 'day' }, { value: 0.302_083_333_333, format: 'time' }, 128, 82],
    ]);
    expect((await read(times, {}, 'times.xlsx')).facts).to.equal([
      'VitalSigns date=2025-03-02T07:15:00 bp_systolic_value=128 bp_diastolic_value=82',
    ]);
  });

  it('is refused if it is none, or unpacks to more than it may, whatever it claims', async () => {
    await expect(lookAt(Buffer.from('PK\u0003\u0004 and no more'), 'x.xlsx')).to.reject(/no workbook/);
    await expect(lookAt(archiveOf([{ name: 'a.txt', data: Buffer.from('a') }]), 'x.xlsx')).to.reject(/no workbook/);
    const honest = archiveOf([{ name: 'xl/a.xml', data: Buffer.alloc(10), claims: 900_000_000 }]);
    await expect(lookAt(honest, 'x.xlsx')).to.reject(/too large/);
    const members = workbookMembers(`<worksheet>${' '.repeat(300_000_000)}</worksheet>`);
    const lying = archiveOf(members.map((member) => ({ ...member, claims: 100 })));
    await expect(lookAt(lying, 'x.xlsx')).to.reject(AppError);
  });
});
