/**
 * add-table: the page of a table that no format knows. It shows the first rows, and asks which column is what, and how
 * dates, numbers and units are meant where there are two ways to read them.
 */
import type { JSX } from 'preact';
import { AppError } from '../../../../core/base/errors';
import type { ACROSS } from '../../../../core/pipeline/intake/across';
import type { ValueOf } from '../../../../core/http/route';
import { addFileAddress, readDescribed } from './add-file';
import { fieldLabel } from '../../words/facts';
import { measureWords } from '../../words/measure-words';
import { operations } from '../../http/operations';
import { page, shown, type Answer, type PersonVisit } from '../../http/page';
import { Buttons, Form, Select, Summary, type Option, type Wrong } from '../../parts/form';
import { Head, Part, Say } from '../../parts/layout';
import { inRecord, recordBase, recordFrame, type RecordFrame } from '../../parts/record-frame';
import { joinedBy } from '../../words/words';

type Table = ValueOf<typeof operations.documents.documentTable>;
type Question = Table['questions'][number];
type Seen = {
  readonly visit: PersonVisit;
  readonly record: RecordFrame;
  readonly form: string;
  readonly table: Table;
  /** Whether the person has answered once. */ readonly again: boolean;
};

/** Roles with a text of the website; the others have the names of their fields. */
const roleTexts = [
  ...['none', 'datetime', 'date', 'time', 'bp'],
  ...['other', 'test', 'kind', 'result', 'unit', 'range'],
  ...['vaccine', 'medicine', 'allergen', 'diagnosis', 'lot', 'strength', 'dose', 'reaction', 'since', 'until', 'state'],
  ...['remark', 'note', 'person'],
];
const vitalRoles = [
  'bp_systolic',
  'bp_diastolic',
  'heart_rate',
  'weight',
  'height',
  'bmi',
  'temperature',
  'oxygen_saturation',
  'respiratory_rate',
];
/** Role -> the type of the measurement. */
const measured = { glucose: 'Blood glucose', steps: 'Steps', body_fat: 'Body fat' };

function roleOptions({ models, words }: PersonVisit): readonly Option[] {
  const vitals = models.find('VitalSigns');
  const option = (value: string, text: string): Option => ({ value, text });
  const own = (role: string): Option => option(role, words.say(`add-table.role-${role}`));
  const [before, after] = [roleTexts.slice(0, 5), roleTexts.slice(5)];
  return [
    ...before.map(own),
    ...vitalRoles.map((role) => option(role, vitals ? fieldLabel(vitals, role, words) : role)),
    ...Object.entries(measured).map(([role, type]) => option(role, measureWords(type, words))),
    ...after.map(own),
  ];
}

/** The words for the heads that a table gets whose own heads were dates. */
const OWN_HEADS: ReadonlyMap<string, string> = new Map<(typeof ACROSS)[keyof typeof ACROSS], string>([
  ['Date', 'add-table.role-date'],
  ['Value', 'add-table.role-result'],
]);

/** The head of a column; dates that stood above the values have none of their own. */
function headWords(head: string, { look }: Table, { say }: PersonVisit['words']): string {
  const own = OWN_HEADS.get(head);
  if (head === look.alone) {
    return say('add-table.role-date');
  }
  return look.across === undefined || own === undefined ? head : say(own);
}

function FirstRows({ seen: { visit, table } }: { readonly seen: Seen }): JSX.Element {
  const { say } = visit.words;
  const { columns, rows } = table.look;
  return (
    <Part title={say('add-table.rows')}>
      <table class="fold" role="table">
        <caption class="unseen">{say('add-table.rows')}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(({ head }) => (
              <th scope="col" role="columnheader">
                <bdi>{headWords(head, table, visit.words)}</bdi>
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr role="row">
              {columns.map(({ head }, at) => (
                <td role="cell" data-label={headWords(head, table, visit.words)}>
                  <bdi>{row[at]}</bdi>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Part>
  );
}

function Columns({ seen, wrong }: { readonly seen: Seen; readonly wrong: Wrong }): JSX.Element {
  const { visit, table } = seen;
  const { say } = visit.words;
  const options = roleOptions(visit);
  return (
    <>
      {table.look.columns.map(({ head, samples }, at) => (
        <Select
          label={say('add-table.column', { head: headWords(head, table, visit.words) })}
          name={`role-${at}`}
          hint={
            samples.length === 0
              ? say('add-table.empty')
              : say('add-table.sample', { samples: joinedBy(' · ', samples, visit.words) })
          }
          value={table.answers.roles[at] ?? 'none'}
          options={options}
          wrong={wrong}
          autocomplete="off"
        />
      ))}
    </>
  );
}

function questionField(question: Question): string {
  return question.about === 'unit' ? `unit-${question.column}` : question.about;
}

/** The two numbers that a text such as 1,234 may be. */
function decimalOptions(sample: string, { words }: PersonVisit): readonly Option[] {
  const sign = sample.includes(',') ? ',' : '.';
  const [, whole = '', fraction = ''] = /(\d+)[.,](\d+)/.exec(sample) ?? [];
  const part = words.number(Number(`${whole}.${fraction}`), { minimumFractionDigits: fraction.length });
  const thousands = words.number(Number(`${whole}${fraction}`));
  return [
    { value: sign, text: part },
    { value: sign === ',' ? '.' : ',', text: thousands },
  ];
}

/** The label of a question and what can be answered. */
function askedChoice(
  question: Question,
  { visit, table }: Seen,
): { readonly label: string; readonly options: readonly Option[] } {
  const { say, date } = visit.words;
  switch (question.about) {
    case 'sheet':
      return {
        label: say('add-table.sheet'),
        options: question.sheets.map((sheet) => ({ value: sheet, text: sheet })),
      };
    case 'sequence':
      return {
        label: say('add-table.sequence', { written: question.readings[0]?.written ?? '' }),
        options: question.readings.map(({ sequence, read, yearless }) => ({
          value: sequence,
          text: date(read.slice(0, 10), yearless === undefined ? 'day' : 'short'),
        })),
      };
    case 'year':
      return {
        label: say('add-table.year', { written: question.written }),
        options: question.years.map((year) => ({ value: year, text: year })),
      };
    case 'decimal':
      return {
        label: say('add-table.decimal', { sample: question.sample }),
        options: decimalOptions(question.sample, visit),
      };
    case 'unit': {
      const head = table.look.columns[question.column]?.head ?? '';
      return {
        label: say('add-table.unit', { head }),
        options: question.units.map((unit) => ({ value: unit, text: unit })),
      };
    }
    case 'person': {
      const head = table.look.columns[question.column]?.head ?? '';
      return {
        label: say('add-table.person', { head }),
        options: [
          ...question.people.map((one) => ({ value: one, text: one })),
          { value: question.all, text: say('add-table.person-all') },
        ],
      };
    }
  }
}

function Questions({ seen, wrong }: { readonly seen: Seen; readonly wrong: Wrong }): JSX.Element | null {
  const { say } = seen.visit.words;
  const { questions } = seen.table;
  return questions.length === 0 ? null : (
    <Part title={say('add-table.questions')} hint={say('add-table.questions-hint')}>
      {questions.map((question) => {
        const { label, options } = askedChoice(question, seen);
        return (
          <Select
            label={label}
            name={questionField(question)}
            value={question.value}
            options={[{ value: '', text: say('add-table.choose') }, ...options]}
            wrong={wrong}
            autocomplete="off"
          />
        );
      })}
    </Part>
  );
}

/** What is wrong, by the field. A question that was not on the page yet is not wrong. */
function wrongRoles({ visit, table, again }: Seen): Wrong {
  const { say } = visit.words;
  if (!again) {
    return {};
  }
  const problems = table.problems.map(({ column, problem, title }) => [
    `role-${column ?? 0}`,
    say(`add-table.wrong-${problem === 'no-date' && column !== undefined ? 'dates' : problem}`, {
      head: title ?? table.look.columns[column ?? 0]?.head ?? '',
    }),
  ]);
  const open = table.questions
    .filter(
      (question) =>
        visit.form.all(questionField(question)).length > 0 && visit.form.text(questionField(question)) === '',
    )
    .map((question) => [
      questionField(question),
      say('add-table.wrong-open', { label: askedChoice(question, { visit, table } as Seen).label }),
    ]);
  return Object.fromEntries([...problems, ...open]) as Wrong;
}

/** Says from the beginning that a table has means of longer times, which are no readings. */
function OfMeans({ seen: { visit, table } }: { readonly seen: Seen }): JSX.Element | null {
  const found = table.problems.find(({ problem }) => problem === 'means');
  const head = found?.title ?? table.look.columns[found?.column ?? 0]?.head ?? '';
  const { say } = visit.words;
  return found === undefined ? null : (
    <Say tone="wait" title={say('add-table.means')}>
      {say('add-table.wrong-means', { head })}
    </Say>
  );
}

function addTableView(seen: Seen): Answer {
  const { visit, record, form, table, again } = seen;
  const { say, rich } = visit.words;
  const wrong = wrongRoles(seen);
  const isWrong = Object.keys(wrong).length > 0;
  const title = say('add-table.title');
  const order = [...table.look.columns.map((_, at) => `role-${at}`), ...table.questions.map(questionField)];
  return shown(
    isWrong ? say('form.error-title', { title }) : title,
    <>
      <Summary title={say('form.wrong')} wrong={wrong} order={order} />
      <Head title={title} back={{ to: `${recordBase(visit)}add`, text: say('add.another-file') }}>
        {rich('add-table.lead', { file: <bdi>{table.name}</bdi> })}
      </Head>
      {!again && <OfMeans seen={seen} />}
      {table.remembered && <Say title={say('add-table.remembered')}>{say('add-table.remembered-why')}</Say>}
      {again && !isWrong && (
        <Say tone="wait" role="alert" title={say('add-table.more')}>
          {say('add-table.more-why')}
        </Say>
      )}
      <FirstRows seen={seen} />
      <Form visit={visit} action={`${recordBase(visit)}add-table`}>
        {/* The first button of a form is the one that Enter presses. */}
        <button class="unseen" tabindex={-1} aria-hidden="true" />
        <input type="hidden" name="form" value={form} />
        {table.look.sheets && <input type="hidden" name="shown" value={table.look.sheets.chosen} />}
        <Questions seen={seen} wrong={wrong} />
        <Part title={say('add-table.columns')} hint={say('add-table.columns-hint')}>
          <Columns seen={seen} wrong={wrong} />
          <Buttons text={say('add.look')} first>
            <button class="button" name="keep" value="yes" formaction={addFileAddress(visit, form)}>
              {say('add-table.keep')}
            </button>
            <a href={`${recordBase(visit)}add`}>{say('add.not')}</a>
          </Buttons>
        </Part>
      </Form>
    </>,
    { record, status: isWrong ? 400 : 200 },
  );
}

/** The table is no longer there, or is none. A text that is none can be kept as it is. */
function failed({ visit, record, form }: Pick<Seen, 'visit' | 'record' | 'form'>, error: AppError): Answer {
  const { say } = visit.words;
  const isGone = error.code === 'not_found';
  const title = say(isGone ? 'add.gone-title' : 'add-table.none-title');
  return shown(
    isGone ? title : say('form.error-title', { title }),
    <>
      <Head title={title} back={{ to: `${recordBase(visit)}add`, text: say('add.another-file') }}>
        {say(isGone ? 'add.gone' : 'add-table.none')}
      </Head>
      {!isGone && (
        <Form visit={visit} action={addFileAddress(visit, form)}>
          <input type="hidden" name="form" value={form} />
          <input type="hidden" name="keep" value="yes" />
          <Buttons text={say('add-table.keep')} first>
            <a href={`${recordBase(visit)}add`}>{say('add.not')}</a>
          </Buttons>
        </Form>
      )}
    </>,
    { record, status: isGone ? 410 : 400 },
  );
}

function answersIn({ form }: PersonVisit): string {
  const columns = Array.from({ length: 60 }, (_, at) => at);
  return JSON.stringify({
    roles: columns.filter((at) => form.all(`role-${at}`).length > 0).map((at) => form.text(`role-${at}`)),
    sequence: form.text('sequence'),
    year: form.text('year'),
    decimal: form.text('decimal'),
    person: form.text('person'),
    sheet: form.text('sheet'),
    shown: form.text('shown'),
    units: Object.fromEntries(
      columns.filter((at) => form.text(`unit-${at}`) !== '').map((at) => [at, form.text(`unit-${at}`)]),
    ),
  });
}

async function describe(visit: PersonVisit, record: RecordFrame, form: string): Promise<Answer> {
  const body = { form, answers: answersIn(visit) };
  const table = await visit.ask(operations.documents.documentTableDescribe, { params: inRecord(visit), body });
  return table.settled
    ? readDescribed(visit, form)
    : addTableView({ visit, record, form, table, again: !table.otherSheet });
}

function isAboutTheFile(error: unknown): error is AppError {
  return (
    error instanceof AppError && ['not_found', 'invalid_document', 'transform_failed', 'too_large'].includes(error.code)
  );
}

async function orFailed(
  visit: PersonVisit,
  form: string,
  work: (record: RecordFrame) => Promise<Answer>,
): Promise<Answer> {
  const record = await recordFrame(visit);
  try {
    return await work(record);
  } catch (error) {
    if (!isAboutTheFile(error)) {
      throw error;
    }
    return failed({ visit, record, form }, error);
  }
}

export const addTable = page({
  path: '/records/{RECORD_ID}/add-table',
  show: (visit) => {
    const form = visit.query['form'] ?? '';
    return orFailed(visit, form, async (record) => {
      const table = await visit.ask(operations.documents.documentTable, {
        params: inRecord(visit),
        query: { form: form || '-' },
      });
      return addTableView({ visit, record, form, table, again: false });
    });
  },
  submit: (visit) => {
    const form = visit.form.text('form') || '-';
    return orFailed(visit, form, (record) => describe(visit, record, form));
  },
});
