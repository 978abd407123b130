/**
 * add-file: the page of a file of many documents. The file is read to its end, shown, and added document by document;
 * the page shows the progress.
 */
import type { ComponentChildren, JSX } from 'preact';
import { AppError } from '../../../../core/base/errors';
import { MOST_FILE_BYTES } from '../../../../core/files/envelope';
import type { ValueOf } from '../../../../core/http/route';
import { labelFrom, madeBefore } from './kept';
import { modelTitle, splitName, type Fact } from '../../words/facts';
import { operations } from '../../http/operations';
import { measureWords } from '../../words/measure-words';
import { go, page, shown, type Answer, type PersonVisit, type SentFile } from '../../http/page';
import { Buttons, Form } from '../../parts/form';
import { Head, Part, Rows, Say } from '../../parts/layout';
import { percentOf, Progress, RELOADS, waitShortly, type Done } from '../../parts/long-work';
import { LeftOutPart, rowOf, SizeWords, WouldBeAdded } from './preview';
import { Refused, TechnicalWords } from './refusal';
import { WhoWillSee } from './who-will-see';
import { WhoseFile } from './whose-file';
import { type RecordFrame, inRecord, recordBase, recordFrame } from '../../parts/record-frame';
import { resourceKindName } from '../../words/resource-kinds';
import { zoneName } from '../../words/zoned';

type Incoming = ValueOf<typeof operations.documents.documentIncoming>;
type Seen = {
  readonly visit: PersonVisit;
  readonly record: RecordFrame;
  readonly form: string;
  readonly file: Incoming;
};

/** Work on a file is reported more often than this. Without a report for this time, it has stopped. */
const STOPPED_MILLISECONDS = 30_000;

export function addFileAddress(visit: PersonVisit, form: string): string {
  return `${recordBase(visit)}add-file?form=${encodeURIComponent(form)}`;
}

/** The page on which a person says what the columns of the file are. */
function tableAddress(visit: PersonVisit, form: string): string {
  return `${recordBase(visit)}add-table?form=${encodeURIComponent(form)}`;
}

/** Starts work that continues after the answer was sent. A failure stands in the log of the operation, too. */
async function begun(visit: PersonVisit, form: string, work: Promise<unknown>): Promise<Answer> {
  await waitShortly(work);
  return go(addFileAddress(visit, form));
}

function readIt(visit: PersonVisit, form: string): Promise<unknown> {
  return visit.ask(operations.documents.documentIncomingRead, {
    params: inRecord(visit),
    body: { form, time_zone: visit.words.zone },
  });
}

/** Reads a file whose columns were described. */
export function readDescribed(visit: PersonVisit, form: string): Promise<Answer> {
  return begun(visit, form, readIt(visit, form));
}

const NAME_CHARACTERS = 255;

/** Begins to read a file that was received. Reading may take longer than the person waits for the page. */
export async function beginFile(visit: PersonVisit, { name, incoming }: SentFile): Promise<Answer> {
  const { token, size, beginning, isUnknown, several } = incoming!;
  await visit.ask(operations.documents.documentIncomingBegin, {
    params: inRecord(visit),
    body: {
      form: token,
      name: [...name].slice(-NAME_CHARACTERS).join('') || 'file',
      ...(several === undefined ? {} : { several: String(several) }),
      size: String(size),
      beginning: beginning.toString('base64'),
    },
  });
  return isUnknown ? go(tableAddress(visit, token)) : begun(visit, token, readIt(visit, token));
}

async function addAll(visit: PersonVisit, form: string): Promise<void> {
  const asFiles = String(visit.form.text('as_files') !== '');
  for (;;) {
    const { phase } = await visit.ask(operations.documents.documentIncomingAdd, {
      params: inRecord(visit),
      body: { form, as_files: asFiles },
    });
    if (phase !== 'adding') {
      return;
    }
  }
}

async function findIncoming(visit: PersonVisit, form: string): Promise<Incoming | undefined> {
  try {
    return await visit.ask(operations.documents.documentIncoming, {
      params: inRecord(visit),
      query: { form: form || '-' },
    });
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') {
      return undefined;
    }
    throw error;
  }
}

function works({ phase, at }: Incoming, now: number): boolean {
  return ['sent', 'reading', 'adding'].includes(phase) && now - at < STOPPED_MILLISECONDS;
}

/** What was sent, in bold letters. The archive that was made of several files is nothing that a person has sent. */
function Name({ seen: { visit, file } }: { readonly seen: Pick<Seen, 'visit' | 'file'> }) {
  const { name, several } = file;
  return (
    <b>
      <bdi>{several === undefined ? name : visit.words.say('add.several', { count: several })}</bdi>
    </b>
  );
}

function Again({
  seen: { visit, form },
  text,
  children,
}: {
  readonly seen: Seen;
  readonly text: string;
  /** More fields. */ readonly children?: ComponentChildren;
}) {
  return (
    <Form visit={visit} action={addFileAddress(visit, form)}>
      <input type="hidden" name="form" value={form} />
      {children}
      <Buttons text={text} first>
        <a href={`${recordBase(visit)}add`}>{visit.words.say('add.not')}</a>
      </Buttons>
    </Form>
  );
}

/** The page that shows the progress of the work. It reloads itself. */
function working(seen: Seen): Answer {
  const { visit, record, file } = seen;
  const { say, rich } = visit.words;
  const adding = file.phase === 'adding';
  const done: Done = adding ? [file.done, file.documents] : [Math.min(file.taken, file.size), file.size];
  const title = say(adding ? 'add-file.adding' : 'add-file.reading');
  return shown(
    title,
    <>
      <Head title={title}>
        {rich('add-file.file', { file: <Name seen={seen} />, size: SizeWords(file.size, visit.words) })}
      </Head>
      <Progress visit={visit} title={title} done={done} address={addFileAddress(visit, seen.form)}>
        {adding
          ? say('add-file.added-so-far', { done: file.done, count: file.documents })
          : say('add-file.read-so-far', { percent: percentOf(visit, done), count: file.documents })}
      </Progress>
    </>,
    { record, headers: RELOADS },
  );
}

/** Whether all facts of the file are readings that the record has. */
function hasAll({ readings, counts }: Incoming): boolean {
  return readings !== null && readings.same === Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** How many readings are new to the record. The sentence that none goes is only for a record that has some. */
function Readings({ seen: { visit, file } }: { readonly seen: Pick<Seen, 'visit' | 'file'> }): JSX.Element | null {
  const { say } = visit.words;
  if (file.readings === null) {
    return null;
  }
  const { fresh, same, fuller } = file.readings;
  return (
    <ul class="aside">
      <li>{say('add-file.readings-new', { count: fresh })}</li>
      {fuller > 0 && <li>{say('add-file.readings-fuller', { count: fuller })}</li>}
      {same > 0 && <li>{say('add-file.readings-same', { count: same })}</li>}
      {same + fuller > 0 && <li>{say('add-file.readings-stay')}</li>}
    </ul>
  );
}

function Counts({ seen: { visit, file } }: { readonly seen: Seen }): JSX.Element {
  const { say, number } = visit.words;
  const counts = Object.entries(file.counts).sort((a, b) => b[1] - a[1]);
  return (
    <Part title={say('add-file.in-it')} hint={say('add-file.documents', { count: file.documents })}>
      <Rows kind="two">
        {counts.map(([name, count]) => {
          const model = visit.models.find(name);
          return (
            <li>
              <span class="name">{model ? modelTitle(model, visit.words) : splitName(name)}</span>
              <span>{number(count)}</span>
            </li>
          );
        })}
      </Rows>
      <Readings seen={{ visit, file }} />
    </Part>
  );
}

/**
 * The name that the format gives a document that cannot be stored. A resource of FHIR has the name that people use for
 * its kind.
 */
function nameOfRefused({ words }: PersonVisit, { label, resource }: Incoming['refused'][number]): string {
  return resource === undefined
    ? label || words.say('add-file.one-document')
    : words.say('add-file.clinical-record', { kind: resourceKindName(resource, words) ?? resource });
}

/** Reasons of the intakes of this service that have a text. Any other reason is shown as it is written. */
const reasons = [
  'no-place',
  'own',
  'repeated',
  'large',
  'unknown',
  'empty',
  'shows',
  'by-itself',
  'no-time',
  'no-value',
  'cell',
  'below',
  'above',
  'impossible',
  'damaged',
  'drug-elsewhere',
  'control',
  'no-reading',
  'means',
  'other-heads',
  'refused-table',
  'sheet',
  'others',
];

/** Reasons that tell how something was read, and leave nothing out. */
const told = ['order', 'check', 'letters'];

type LeftOut = Incoming['leftOut'][number];

function LeftOutRow({ visit, left }: { readonly visit: PersonVisit; readonly left: LeftOut }): JSX.Element {
  const { say, number } = visit.words;
  const what = measureWords(left.what, visit.words);
  const { reason = '', column = '', file, moreFiles = 0 } = left;
  return (
    <li>
      <span class="name">
        <bdi {...(what === left.what ? { lang: 'en' } : {})}>{what}</bdi>
        {left.count > 1 && ` × ${number(left.count)}`}
      </span>
      {reasons.includes(reason) ? (
        <span class="by">{say(`add-file.left-${reason}`, { column })}</span>
      ) : (
        <span class="by" lang="en" dir="auto">
          {left.words}
        </span>
      )}
      {file !== undefined && (
        <span class="by">
          <bdi>{say('add-file.left-in', { file, more: moreFiles })}</bdi>
        </span>
      )}
    </li>
  );
}

/** Names the documents of kinds that are not known: they are kept, and say nothing in the record. */
function NotRead({ seen: { visit, file } }: { readonly seen: Seen }): JSX.Element | null {
  const { say } = visit.words;
  const more = file.unknownCount - file.unknown.length;
  return file.unknownCount === 0 ? null : (
    <details class="card fold">
      <summary>{say('add-file.not-read', { count: file.unknownCount })}</summary>
      <p class="by">{say('add-file.not-read-why')}</p>
      <Rows>
        {file.unknown.map((name) => (
          <li>
            <bdi class="name">{name === '' ? say('add-file.one-document') : name}</bdi>
          </li>
        ))}
        {more > 0 && <li>{say('add-file.more-refused', { count: more })}</li>}
      </Rows>
    </details>
  );
}

/** Names what was kept as files because the person said so. */
function KeptAsFiles({ seen: { visit, file } }: { readonly seen: Seen }): JSX.Element | null {
  const { say } = visit.words;
  const names = [
    ...file.leftOut.flatMap(({ what, isOffered }) => (isOffered ? [what] : [])),
    ...file.refused.flatMap((one) => (one.isOffered ? [nameOfRefused(visit, one)] : [])),
  ];
  return !file.asFiles || names.length === 0 ? null : (
    <Part title={say('add-file.kept-as-files')} hint={say('add-file.as-files-hint')}>
      <Rows>
        {names.map((name) => (
          <li>
            <bdi class="name">{name}</bdi>
          </li>
        ))}
      </Rows>
    </Part>
  );
}

/** Shows what the format left out, and the documents that cannot be stored, without those that were kept as files. */
function NotAdded({ seen: { visit, file } }: { readonly seen: Seen }): JSX.Element | null {
  const { say } = visit.words;
  const isKept = ({ isOffered }: { readonly isOffered?: true }): boolean => file.asFiles && isOffered === true;
  const leftOut = file.leftOut.filter((one) => !told.includes(one.reason ?? '') && !isKept(one));
  const refused = file.refused.filter((one) => !isKept(one));
  const more = file.refusedCount - file.refused.length;
  if (leftOut.length + refused.length + more === 0) {
    return null;
  }
  const count = refused.length + more + leftOut.reduce((sum, one) => sum + one.count, 0);
  return (
    <Part title={say('add.left-out')} hint={say('add.things', { count })}>
      <Rows>
        {leftOut.map((left) => (
          <LeftOutRow visit={visit} left={left} />
        ))}
        {refused.map((one) => (
          <li>
            <span class="name">
              <bdi>{nameOfRefused(visit, one)}</bdi>
            </span>
            <span class="by">{say(one.code === 'too_large' ? 'add-file.left-large' : 'add.wrong-none')}</span>
            <TechnicalWords visit={visit} message={one.words} />
          </li>
        ))}
        {more > 0 && <li>{say('add-file.more-refused', { count: more })}</li>}
      </Rows>
    </Part>
  );
}

/**
 * The time zone in which times without a zone were read. It is a question if the person has not chosen a zone either.
 */
function Zone({ seen: { visit, file } }: { readonly seen: Seen }): JSX.Element | null {
  const { say, rich } = visit.words;
  if (file.timeZone === null) {
    return null;
  }
  const zone = <b>{zoneName(file.timeZone)}</b>;
  const account = (chunks: ComponentChildren) => <a href={`${visit.site}/account`}>{chunks}</a>;
  return visit.person.zone === file.timeZone ? (
    <Say title={say('add-file.times')}>{rich('add-file.times-own', { zone, account })}</Say>
  ) : (
    <Say tone="wait" title={say('add-file.times-which')}>
      {rich('add-file.times-unknown', { account })}
    </Say>
  );
}

/** The way to the page on which the person says what the columns of a table are. */
function Describe({ seen: { visit, form, file } }: { readonly seen: Seen }): JSX.Element | null {
  return file.isTable ? (
    <p>
      <a href={tableAddress(visit, form)}>{visit.words.say('add-file.describe')}</a>
    </p>
  ) : null;
}

/** Tells in which order days and months were read, when no date of the file settles it. */
function DayOrder({ seen }: { readonly seen: Seen }): JSX.Element {
  const { visit } = seen;
  const { say, rich, date } = visit.words;
  const open = seen.file.leftOut.flatMap(({ dates, file, moreFiles = 0 }) =>
    dates === undefined ? [] : [{ ...dates, file, moreFiles }],
  );
  return (
    <>
      {open.map(({ written, read, other, file, moreFiles }) => (
        <Say tone="wait" title={say('add-file.order')}>
          {rich('add-file.order-taken', {
            written: <bdi>{written}</bdi>,
            read: <b>{date(read)}</b>,
            other: <b>{date(other)}</b>,
          })}
          {file !== undefined && <p>{say('add-file.left-in', { file, more: moreFiles })}</p>}
          <Describe seen={seen} />
        </Say>
      ))}
    </>
  );
}

/** Tells which values are kept although they hardly can be. */
function Unlikely({ seen: { visit, file } }: { readonly seen: Seen }): JSX.Element | null {
  const { say } = visit.words;
  const columns = file.leftOut.filter(({ reason }) => reason === 'check');
  return columns.length === 0 ? null : (
    <Say tone="wait" title={say('add-file.check')}>
      <ul>
        {columns.map(({ column = '', count }) => (
          <li>
            <bdi>{say('add-file.check-column', { column, count })}</bdi>
          </li>
        ))}
      </ul>
      <p>{say('add-file.check-why')}</p>
    </Say>
  );
}

/** Tells that nobody said in which letters the file is written. */
function Letters({ seen: { visit, file } }: { readonly seen: Seen }): JSX.Element | null {
  const isGuessed = file.leftOut.some(({ reason }) => reason === 'letters');
  return isGuessed ? <Say tone="wait" title={visit.words.say('add-file.letters')} /> : null;
}

/** A box for the files that cannot be read: they are kept as files unless the person takes the tick out. */
function AsFiles({ seen: { visit, file } }: { readonly seen: Seen }): JSX.Element | null {
  return file.files === 0 ? null : (
    <label class="choice">
      <input type="checkbox" name="as_files" value="yes" checked />
      <span>
        {visit.words.say('add-file.as-files', { count: file.files })}
        <span class="hint">{visit.words.say('add-file.as-files-hint')}</span>
      </span>
    </label>
  );
}

function backTo(visit: PersonVisit) {
  return { to: `${recordBase(visit)}add`, text: visit.words.say('add.another-file') };
}

async function preview(seen: Seen): Promise<Answer> {
  const { visit, record, file } = seen;
  const { say, rich } = visit.words;
  const facts = file.facts as readonly Fact[];
  const title = say('add.look');
  const shared = await visit.ask(operations.carenets.recordSharedKinds, { params: inRecord(visit) });
  const all = Object.values(file.counts).reduce((sum, count) => sum + count, 0);
  const said = { kind: '', rows: facts.map((fact) => rowOf(visit, fact)) };
  return shown(
    title,
    <>
      <Head title={title} back={backTo(visit)}>
        {rich('add.nothing-yet', { name: <bdi>{record.name}</bdi> })}
      </Head>
      <Say title={say('add.the-file')}>
        {rich('add-file.file', { file: <Name seen={seen} />, size: SizeWords(file.size, visit.words) })}
      </Say>
      <WhoseFile
        visit={visit}
        record={record}
        otherPerson={file.otherPerson}
        documents={file.documents}
        ofOthers={file.ofOthers}
      />
      <Zone seen={seen} />
      <DayOrder seen={seen} />
      <Unlikely seen={seen} />
      <Letters seen={seen} />
      {file.documents > 0 && <Counts seen={seen} />}
      <NotRead seen={seen} />
      {file.documents > 0 && !hasAll(file) && (
        <WouldBeAdded
          visit={visit}
          said={said}
          {...(facts.length < all ? { hint: say('add-file.first', { count: facts.length }) } : {})}
        />
      )}
      <NotAdded seen={seen} />
      <LeftOutPart visit={visit} leftOut={file.unsaid} ofMany />
      {file.documents > 0 && <WhoWillSee visit={visit} types={file.types} count={file.documents} shared={shared} />}
      {file.documents + file.files > 0 ? (
        <Part title={say('add.add-it', { count: file.documents + file.files })} hint={say('add.kept')}>
          <Again seen={seen} text={say('add.do')}>
            <AsFiles seen={seen} />
          </Again>
        </Part>
      ) : (
        <p class="aside">{say('add-file.nothing-in-it')}</p>
      )}
    </>,
    { record },
  );
}

function added(seen: Seen): Answer {
  const { visit, record, file } = seen;
  const { say } = visit.words;
  const title = say('add-file.done');
  return shown(
    title,
    <>
      <Head title={title}>{say('add-file.stored', { count: file.stored })}</Head>
      {file.renewed + file.there > 0 && (
        <ul class="aside">
          {file.renewed > 0 && <li>{say('add-file.renewed', { count: file.renewed })}</li>}
          {file.there > 0 && <li>{say('add-file.there', { count: file.there })}</li>}
        </ul>
      )}
      <NotRead seen={seen} />
      <KeptAsFiles seen={seen} />
      <NotAdded seen={seen} />
      <LeftOutPart visit={visit} leftOut={file.unsaid} ofMany />
      <div class="buttons">
        <a class="button first" href={`${recordBase(visit)}documents/`}>
          {say('add-file.to-documents')}
        </a>
        <a href={`${recordBase(visit)}timeline`}>{say('add-file.to-timeline')}</a>
      </div>
    </>,
    { record },
  );
}

/** What a person can do about a file that was refused, by the reason of its format. */
const nextSteps: Readonly<Record<string, string>> = {
  columns: 'add-file.next-columns',
  dates: 'add-file.next-dates',
  values: 'add-file.next-values',
  encoding: 'add.next-encoding',
  people: 'add-file.next-people',
  empty: 'add-file.next-empty',
  'by-itself': 'add-file.next-one-by-one',
  locked: 'add-file.next-locked',
  many: 'add-file.next-many',
};

function nextOf({ reason = '' }: NonNullable<Incoming['refusal']>): string {
  return nextSteps[reason] ?? 'add.next-damaged';
}

function refused(seen: Seen): Answer {
  const { visit, record, file } = seen;
  const { say, rich } = visit.words;
  const title = say('add.refused-title');
  if (file.isTable && file.refusal?.reason === 'people') {
    return go(tableAddress(visit, seen.form));
  }
  const known = ['invalid_document', 'transform_failed'].includes(file.refusal?.code ?? '');
  return shown(
    say('form.error-title', { title }),
    <>
      <Head title={title} back={backTo(visit)}>
        {say('add.nothing-stored', { count: 1 })}
      </Head>
      <Refused visit={visit}>
        <p>{rich(known ? `add.${file.refusal!.code}` : 'add.transform_failed', { file: <Name seen={seen} /> })}</p>
        {file.refusal?.code === 'invalid_document' && <p>{say(nextOf(file.refusal))}</p>}
        <Describe seen={seen} />
        {known && <TechnicalWords visit={visit} message={file.refusal!.words} />}
      </Refused>
      {file.size <= MOST_FILE_BYTES && (
        <Part title={say('add.as-file', { count: 1 })} hint={say('add.as-file-hint')}>
          <Again seen={seen} text={say('add.as-file', { count: 1 })} />
        </Part>
      )}
    </>,
    { record, status: 400 },
  );
}

/**
 * The page of a file whose work has stopped because its process ended. When the work is continued, nothing is stored
 * twice.
 */
function stopped(seen: Seen): Answer {
  const { visit, record, file } = seen;
  const { say } = visit.words;
  const title = say('add-file.stopped');
  return shown(
    title,
    <>
      <Head title={title} back={backTo(visit)}>
        {say('add-file.stopped-about', { count: file.stored })}
      </Head>
      <Again seen={seen} text={say(file.phase === 'adding' ? 'add.do' : 'add.look')} />
    </>,
    { record },
  );
}

function gone(visit: PersonVisit, record: RecordFrame): Answer {
  const { say } = visit.words;
  const title = say('add.gone-title');
  return shown(
    title,
    <>
      <Head title={title} back={backTo(visit)}>
        {say('add.gone')}
      </Head>
    </>,
    { record, status: 410 },
  );
}

async function addFileView(seen: Seen): Promise<Answer> {
  const { file, visit } = seen;
  if (file.phase === 'sent' && !file.isKnown) {
    return go(tableAddress(visit, seen.form));
  }
  if (['sent', 'reading', 'adding'].includes(file.phase)) {
    return works(file, visit.now) ? working(seen) : stopped(seen);
  }
  switch (file.phase) {
    case 'added':
      return added(seen);
    case 'refused':
      return refused(seen);
    default:
      return preview(seen);
  }
}

/** Adds a file that was refused as a whole as a file with its name. A form that is sent twice adds it once. */
async function keepIt(visit: PersonVisit, form: string, { name }: Incoming): Promise<Answer> {
  const params = inRecord(visit);
  const before = await madeBefore(visit, form);
  if (before !== null) {
    return go(`${recordBase(visit)}documents/${encodeURIComponent(before)}`);
  }
  const kept = await visit.ask(operations.documents.documentIncomingKeep, { params, body: { form } });
  const { bytes, mediaType } = await visit.ask(operations.documents.documentKeptFile, {
    params,
    query: { form: kept.form },
  });
  const { id } = await visit.ask(operations.documents.documentCreate, {
    params,
    body: bytes,
    mediaType,
    form: { token: form, kept: false, label: labelFrom(name, name), nevershare: false },
  });
  return go(`${recordBase(visit)}documents/${encodeURIComponent(id)}`);
}

export const addFile = page({
  path: '/records/{RECORD_ID}/add-file',
  show: async (visit) => {
    const form = visit.query['form'] ?? '';
    const [record, file] = await Promise.all([recordFrame(visit), findIncoming(visit, form)]);
    return file ? addFileView({ visit, record, form, file }) : gone(visit, record);
  },
  submit: async (visit) => {
    const form = visit.form.text('form');
    const file = await findIncoming(visit, form);
    if (!file) {
      return gone(visit, await recordFrame(visit));
    }
    if (visit.form.text('keep') !== '' && file.isTable && file.phase !== 'added') {
      return keepIt(visit, form, file);
    }
    if (works(file, visit.now)) {
      return go(addFileAddress(visit, form));
    }
    if (file.phase === 'refused') {
      return keepIt(visit, form, file);
    }
    return begun(visit, form, ['sent', 'reading'].includes(file.phase) ? readIt(visit, form) : addAll(visit, form));
  },
});
