/**
 * add: the page on which a person looks at files before they are stored and adds them, or chooses a kind of fact to
 * write down.
 */
import type { JSX } from 'preact';
import { AppError, errors } from '../../../../core/base/errors';
import { limitInTurn } from '../../../../core/base/turns/limit';
import { pictureKindOf } from '../../../../core/files/picture-kind';
import { otherKind } from '../../../../core/files/other-kinds';
import { labelFrom, LABEL_CHARACTERS, madeBefore, NAME_CHARACTERS, shortenName } from './kept';
import { beginFile } from './add-file';
import { refusedField, FromLink, LinkForm, linkIn, linkInPicture, refusedWords, type CameFrom } from './add-link';
import { LinkRefused } from '../../../../core/received/failures';
import type { FormFacts, ValueOf } from '../../../../core/http/route';
import { isDay } from '../../words/day';
import { documentName } from '../../words/kinds';
import { go, page, shown, type Answer, type PersonVisit, type SentFile } from '../../http/page';
import { MOST_AT_ONCE } from '../../http/several-files';
import { inRecord, recordBase, recordFrame, type RecordFrame } from '../../parts/record-frame';
import { operations } from '../../http/operations';
import { Buttons, Field, Form, idOf, Summary, type Wrong } from '../../parts/form';
import { Head, Part, Say } from '../../parts/layout';
import { factsSaid, LeftOutPart, SentTicks, SizeWords, WouldBeAdded, type Previewed, type Ticks } from './preview';
import { savedAt } from '../quick/nav';
import { DropFiles, TypeIn, WhatYouHave } from './what-you-have';
import { WhoWillSee } from './who-will-see';
import { WhoseFile } from './whose-file';
import { Refusal } from './refusal';

/** As many files are shown one by one. More are read like an archive, and shown together. */
const MOST_SHOWN = 5;
/** Files are added one by one, since large ones need memory while they are stored. */
const [ADDED_AT_ONCE, WAITING] = [3, 100];
const inTurn = limitInTurn(ADDED_AT_ONCE, WAITING, () => errors.unavailable('too many files are being added'));
/** How many files may come by one link. */
const MOST_OF_LINK = 50;

function choose(visit: PersonVisit, record: RecordFrame, wrong?: Wrong, status = 400): Answer {
  const { say } = visit.words;
  const title = say('add.title');
  return shown(
    wrong ? say('form.error-title', { title }) : title,
    <>
      <Summary title={say('form.wrong')} wrong={wrong} order={['file', 'link', 'passcode']} />
      <Head title={title}>{say('add.lead')}</Head>
      <div class="halves wide-start">
        <div class="col">
          <DropFiles visit={visit} wrong={wrong} />
          <LinkForm visit={visit} wrong={wrong} />
        </div>
        <div class="col">
          <WhatYouHave visit={visit} />
          <TypeIn visit={visit} />
        </div>
      </div>
    </>,
    { record, ...(wrong ? { status } : {}) },
  );
}

type Looked = { readonly file: SentFile; /** Absent: it was sent as a file. */ readonly came?: CameFrom } & (
  | { readonly kind: 'read'; readonly preview: Previewed }
  | {
      readonly kind: 'refused';
      readonly why: AppError;
      /** What it would be as a file; undefined if it is empty or too large for one. */ readonly kept:
        Previewed | undefined;
    }
);

function isAboutTheFile(error: unknown): error is AppError {
  return error instanceof AppError && ['invalid_document', 'transform_failed', 'too_large'].includes(error.code);
}

async function previewOf(visit: PersonVisit, file: SentFile, asFile: boolean, came?: CameFrom): Promise<Previewed> {
  return (await visit.ask(operations.documents.documentPreview, {
    params: inRecord(visit),
    query: {
      name: shortenName(file.name),
      mediaType: file.mediaType.slice(0, NAME_CHARACTERS),
      ...(asFile ? { asFile: 'true' } : {}),
      ...(came ? { from: came.from, signature: came.signature ?? '' } : {}),
    },
    body: file.bytes,
  })) as Previewed;
}

/** Keeps a refused file for the button that adds it as a file, unread. */
async function keptAsFile(visit: PersonVisit, file: SentFile, came?: CameFrom): Promise<Previewed | undefined> {
  try {
    return await previewOf(visit, file, true, came);
  } catch (error) {
    if (isAboutTheFile(error)) {
      return undefined;
    }
    throw error;
  }
}

async function lookAtFile(visit: PersonVisit, file: SentFile, came?: CameFrom): Promise<Looked> {
  const of = came ? { came } : {};
  try {
    return { kind: 'read', file, ...of, preview: await previewOf(visit, file, false, came) };
  } catch (error) {
    if (isAboutTheFile(error)) {
      return { kind: 'refused', file, ...of, why: error, kept: await keptAsFile(visit, file, came) };
    }
    throw error;
  }
}

/** The name of a field for one of several files: `label` for the first file, `label-2` for the second, and so on. */
function numbered(name: string, index: number): string {
  return index === 0 ? name : `${name}-${index + 1}`;
}

/** The id of the form that adds files; their ticks stand outside of it. */
const FORM = 'add-them';

function ticksOfFile(index: number): Ticks {
  return { form: FORM, field: (name) => numbered(name, index) };
}

/** A file that waits to be added. */
type Waiting = {
  readonly form: string;
  readonly name: string;
  readonly file: string | null;
  /** The title in the file itself. */ readonly title?: string | undefined;
  /** What the person has to confirm of it. */ readonly asks?: readonly ('other' | 'signature')[];
};

/** Fields for the date and kind of a file that is kept as it is, because nothing in it is read. */
function AboutFile({ visit, index, wrong }: { visit: PersonVisit; index: number; wrong: Wrong | undefined }) {
  const { say } = visit.words;
  // The day that the form for photos sends is that of each of them.
  const day = visit.form.all('form').length > 0 ? numbered('date', index) : 'date';
  return (
    <>
      <Field
        label={say('add.date')}
        name={numbered('date', index)}
        type="date"
        hint={say('add.file-date-hint')}
        value={visit.form.text(day)}
        wrong={wrong}
        short
      />
      <Field
        label={say('add.file-kind')}
        name={numbered('kind', index)}
        hint={say('add.file-kind-hint')}
        value={visit.form.text(numbered('kind', index))}
        autocomplete="off"
        dir="auto"
        most={LABEL_CHARACTERS}
      />
    </>
  );
}

type Confirming = {
  readonly visit: PersonVisit;
  readonly form: string;
  readonly asks: NonNullable<Waiting['asks']>;
  readonly wrong: Wrong | undefined;
};

function nameOfBox(ask: 'other' | 'signature', form: string): string {
  return `confirm-${ask}-${form}`;
}

/** Boxes without which a file is not added. */
function Confirm({ visit, form, asks, wrong }: Confirming): JSX.Element {
  return (
    <>
      {asks.map((ask) => (
        <label class="choice" id={idOf(nameOfBox(ask, form))}>
          <input
            type="checkbox"
            name="confirm"
            value={nameOfBox(ask, form)}
            checked={visit.form.all('confirm').includes(nameOfBox(ask, form))}
          />
          <span>
            {visit.words.say(`received.confirm-${ask}`)}
            {wrong?.[nameOfBox(ask, form)] && <span class="hint">{wrong[nameOfBox(ask, form)]}</span>}
          </span>
        </label>
      ))}
    </>
  );
}

type Adding = {
  readonly visit: PersonVisit;
  readonly files: readonly Waiting[];
  readonly wrong?: Wrong;
  /** They could not be read. */ readonly unread?: boolean;
};

function AddThem({ visit, files, wrong, unread = false }: Adding) {
  const { say } = visit.words;
  const typed = visit.form.all('form').length > 0;
  const title = say(unread ? 'add.as-file' : 'add.add-it', { count: files.length });
  return (
    <Part title={title} hint={say(unread ? 'add.as-file-hint' : 'add.kept')}>
      <Form visit={visit} action={`${recordBase(visit)}add`} {...(unread ? {} : { id: FORM })}>
        {visit.form.text('quick') !== '' && <input type="hidden" name="quick" value="photo" />}
        {files.map(({ form, name, file, title, asks = [] }, index) => (
          <fieldset>
            <legend class={files.length === 1 ? 'unseen' : undefined}>
              <bdi>{name}</bdi>
            </legend>
            <input type="hidden" name="form" value={form} />
            {typed && <SentTicks visit={visit} ticks={ticksOfFile(index)} />}
            <Field
              label={say('add.file-title')}
              name={numbered('label', index)}
              hint={say('add.label-hint')}
              value={
                typed
                  ? visit.form.text(numbered('label', index))
                  : labelFrom(name, title ?? (unread ? name : undefined))
              }
              autocomplete="off"
              dir="auto"
              most={LABEL_CHARACTERS}
            />
            {file !== null && <AboutFile visit={visit} index={index} wrong={wrong} />}
            <Confirm visit={visit} form={form} asks={asks} wrong={wrong} />
            <label class="choice">
              <input
                type="checkbox"
                name="nevershare"
                value={form}
                checked={visit.form.all('nevershare').includes(form)}
              />
              <span>
                {say('add.never')}
                <span class="hint">{say('add.never-hint')}</span>
              </span>
            </label>
          </fieldset>
        ))}
        <Buttons text={unread ? title : say('add.do')} first>
          <a href={`${recordBase(visit)}add`}>{say('add.not')}</a>
        </Buttons>
      </Form>
    </Part>
  );
}

/** Types of files that people have a word for. */
const fileTexts: Readonly<Record<string, string>> = {
  'application/pdf': 'add.file-pdf',
  'application/rtf': 'add.file-rtf',
  'text/plain': 'add.file-text',
};

/** A question if the record has the same file already, or if the file was chosen twice. */
function AddedBefore({
  visit,
  file,
  known,
  twin,
}: {
  readonly visit: PersonVisit;
  readonly file: JSX.Element;
  readonly known: Previewed['known'];
  readonly twin: SentFile | undefined;
}): JSX.Element | null {
  const { say, rich, date } = visit.words;
  if (known === null && twin === undefined) {
    return null;
  }
  const title = say(known === null ? 'add.chosen-twice' : 'add.known');
  return (
    <Say tone="wait" title={title}>
      {known === null
        ? rich('add.chosen-twice-why', { file, other: <bdi>{twin!.name}</bdi> })
        : rich('add.known-why', {
            file,
            date: date(known.createdAt),
            document: (
              <a href={`${recordBase(visit)}documents/${encodeURIComponent(known.id)}`}>
                <bdi>{documentName(known, visit)}</bdi>
              </a>
            ),
          })}
    </Say>
  );
}

function FileSaid({
  visit,
  record,
  looked,
  ticks,
  twin,
}: {
  readonly visit: PersonVisit;
  readonly record: RecordFrame;
  readonly looked: Looked;
  readonly ticks: Ticks;
  /** An earlier one of the chosen files that has the same bytes. */ readonly twin: SentFile | undefined;
}) {
  const { say, rich } = visit.words;
  const file = (
    <b>
      <bdi>{looked.file.name}</bdi>
    </b>
  );
  const size = SizeWords(looked.file.bytes.length, visit.words);
  const came = looked.came && <FromLink visit={visit} came={looked.came} />;
  if (looked.kind === 'refused') {
    return <Refusal visit={visit} file={looked.file} why={looked.why} />;
  }
  const before = <AddedBefore visit={visit} file={file} known={looked.preview.known} twin={twin} />;
  if (looked.preview.file !== null) {
    const kind = say(fileTexts[looked.preview.file] ?? 'add.file-picture');
    return (
      <>
        {came}
        {before}
        <Say title={say('add.the-file')}>
          {rich('add.kept-as-it-is', { file, size, kind, b: (chunks) => <b>{chunks}</b> })}
        </Say>
        <KeptPicture visit={visit} file={looked.file} form={looked.preview.form} />
        <NamedFile visit={visit} file={looked.file} />
      </>
    );
  }
  const said = factsSaid(visit, looked.preview);
  return (
    <>
      {came}
      <WhoseFile visit={visit} record={record} otherPerson={looked.preview.otherPerson} />
      {before}
      <Say title={say('add.the-file')}>
        {rich(looked.preview.format === null ? 'add.unknown' : 'add.recognised', {
          file,
          size,
          kind: said.kind,
          b: (chunks) => <b>{chunks}</b>,
        })}
      </Say>
      {looked.preview.format === null && <NamedFile visit={visit} file={looked.file} />}
      <WouldBeAdded visit={visit} said={said} ticks={ticks} />
      <LeftOutPart visit={visit} leftOut={looked.preview.leftOut} />
    </>
  );
}

/** The first page of a file that is looked at, beside what was read; nothing for a file without pictures. */
function KeptPicture({
  visit,
  file,
  form,
}: {
  readonly visit: PersonVisit;
  readonly file: SentFile;
  /** The token of its preview. */ readonly form: string;
}): JSX.Element | null {
  const src = `${recordBase(visit)}add/${encodeURIComponent(form)}/pages/1.png`;
  return pictureKindOf(file.bytes) === undefined ? null : (
    <div class="viewer">
      <a href={src}>
        <img
          class="page"
          src={src}
          alt={visit.words.say('document-picture.first', { name: file.name })}
          width="1200"
          height="1700"
          loading="lazy"
        />
      </a>
    </div>
  );
}

/** Names a file of a kind that is known and not read. */
function NamedFile({ visit, file }: { readonly visit: PersonVisit; readonly file: SentFile }): JSX.Element | null {
  const kind = otherKind(file.bytes, file.name);
  return kind === undefined ? null : (
    <Say tone="wait" title={visit.words.say('add.not-read')}>
      {visit.words.say(`add.named-${kind}`)}
    </Say>
  );
}

/** As the service keeps it with the file. */
function asksOf(came: CameFrom | undefined, preview: Previewed): readonly ('other' | 'signature')[] {
  return came === undefined
    ? []
    : [
        ...(preview.otherPerson ? (['other'] as const) : []),
        ...(came.signature === 'wrong' ? (['signature'] as const) : []),
      ];
}

async function showLooked(visit: PersonVisit, record: RecordFrame, looked: readonly Looked[]): Promise<Answer> {
  const { say, rich } = visit.words;
  const read = looked.flatMap((one) =>
    one.kind === 'read'
      ? [
          {
            form: one.preview.form,
            name: one.file.name,
            file: one.preview.file,
            title: one.preview.file === null ? one.preview.about?.title : undefined,
            asks: asksOf(one.came, one.preview),
          },
        ]
      : [],
  );
  const unread = looked.flatMap((one) =>
    one.kind === 'refused' && one.kept
      ? [
          {
            form: one.kept.form,
            name: one.file.name,
            file: one.kept.file,
            title: undefined,
            asks: asksOf(one.came, one.kept),
          },
        ]
      : [],
  );
  const types = looked.flatMap((one) => (one.kind === 'read' ? [one.preview.type] : []));
  const shared =
    read.length > 0 ? await visit.ask(operations.carenets.recordSharedKinds, { params: inRecord(visit) }) : undefined;
  const title = say(read.length > 0 ? 'add.look' : 'add.refused-title');
  const back = { to: `${recordBase(visit)}add`, text: say('add.another-file') };
  return shown(
    read.length > 0 ? title : say('form.error-title', { title }),
    <>
      <Head title={title} back={back}>
        {read.length > 0
          ? rich('add.nothing-yet', { name: <bdi>{record.name}</bdi> })
          : say('add.nothing-stored', { count: looked.length })}
      </Head>
      {looked.map((one, index) => (
        <FileSaid
          visit={visit}
          record={record}
          looked={one}
          ticks={ticksOfFile(looked.slice(0, index).filter(({ kind }) => kind === 'read').length)}
          twin={looked.slice(0, index).find(({ file }) => file.bytes.equals(one.file.bytes))?.file}
        />
      ))}
      {shared && <WhoWillSee visit={visit} types={types} count={types.length} shared={shared} />}
      {read.length > 0 && <AddThem visit={visit} files={read} />}
      {unread.length > 0 && <AddThem visit={visit} files={unread} unread />}
    </>,
    { record, ...(read.length > 0 ? {} : { status: 400 }) },
  );
}

function gone(visit: PersonVisit, record: RecordFrame, added: number): Answer {
  const { say } = visit.words;
  const title = say('add.gone-title');
  return shown(
    title,
    <>
      <Head title={title}>{say(added === 0 ? 'add.gone' : 'add.gone-some', { count: added })}</Head>
      <div class="buttons">
        <a class="button first" href={`${recordBase(visit)}add`}>
          {say('add.another-file')}
        </a>
      </div>
    </>,
    { record, status: 410 },
  );
}

function ofFile(visit: PersonVisit, form: string, index: number) {
  const words = (name: string): string =>
    [...visit.form.text(numbered(name, index)).replace(/\p{Cc}/gu, ' ')].slice(0, LABEL_CHARACTERS).join('');
  return { form, title: words('label'), date: visit.form.text(numbered('date', index)), kind: words('kind') };
}

type Kept = ValueOf<typeof operations.documents.documentKeptFile>;

/** The file that waits; undefined when it was added, or waits no longer. */
async function keptFileOf(visit: PersonVisit, form: string, index: number): Promise<Kept | undefined> {
  try {
    return await visit.ask(operations.documents.documentKeptFile, {
      params: inRecord(visit),
      query: ofFile(visit, form, index),
    });
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') {
      return undefined;
    }
    throw error;
  }
}

/** What the person left out of a file; nothing is said of one that has no facts. */
function leavesOutOf({ form }: PersonVisit, index: number): Pick<FormFacts, 'leavesOut'> {
  const { field } = ticksOfFile(index);
  const offered = form.text(field('offered')).split(' ').filter(Boolean);
  const without = (all: readonly string[], taken: readonly string[]) => all.filter((one) => !taken.includes(one));
  const names = without(offered, form.all(field('take')));
  const restOf = without(form.all(field('rest')), form.all(field('take-rest')));
  return offered.length === 0 ? {} : { leavesOut: { names, restOf, offered } };
}

async function addOne(visit: PersonVisit, form: string, index: number): Promise<string | null> {
  const params = inRecord(visit);
  const kept = await keptFileOf(visit, form, index);
  if (kept === undefined) {
    return madeBefore(visit, form);
  }
  const { bytes, mediaType, from } = kept;
  try {
    const { id } = await visit.ask(operations.documents.documentCreate, {
      params,
      body: bytes,
      mediaType,
      form: {
        token: form,
        kept: true,
        label: ofFile(visit, form, index).title,
        nevershare: visit.form.all('nevershare').includes(form),
        ...leavesOutOf(visit, index),
        ...(from === undefined ? {} : { cameFrom: from }),
      },
    });
    return id;
  } catch (error) {
    if (error instanceof AppError && ['not_found', 'duplicate'].includes(error.code)) {
      return madeBefore(visit, form);
    }
    // A fact that was shown is none of the file any more, because the formats have changed meanwhile.
    if (error instanceof AppError && error.code === 'invalid_body') {
      return null;
    }
    throw error;
  }
}

function wrongDates({ form, words }: PersonVisit, forms: readonly string[]): Wrong {
  return Object.fromEntries(
    forms
      .map((_form, index) => numbered('date', index))
      .filter((name) => form.text(name) !== '' && !isDay(form.text(name)))
      .map((name) => [name, words.say('add.file-date-wrong')]),
  );
}

/** What the person would have to confirm first. */
function unconfirmedIn(visit: PersonVisit, forms: readonly string[], asks: readonly Kept['asks'][]): Wrong {
  const ticked = visit.form.all('confirm');
  const boxes = forms.flatMap((form, index) => (asks[index] ?? []).map((ask) => nameOfBox(ask, form)));
  return Object.fromEntries(
    boxes.filter((box) => !ticked.includes(box)).map((box) => [box, visit.words.say('received.confirm-wrong')]),
  );
}

/** Shows the form again with what was typed. */
async function askAgain(visit: PersonVisit, forms: readonly string[], wrong: Wrong): Promise<Answer> {
  const { say } = visit.words;
  const record = await recordFrame(visit);
  const files: Waiting[] = [];
  for (const form of forms) {
    try {
      const kept = await visit.ask(operations.documents.documentKeptFile, { params: inRecord(visit), query: { form } });
      files.push({ form, name: kept.name, file: kept.file, ...(kept.asks ? { asks: kept.asks } : {}) });
    } catch (error) {
      if (error instanceof AppError && error.code === 'not_found') {
        return gone(visit, record, 0);
      }
      throw error;
    }
  }
  const title = say('add.look');
  return shown(
    say('form.error-title', { title }),
    <>
      <Summary title={say('form.wrong')} wrong={wrong} order={Object.keys(wrong)} />
      <Head title={title} back={{ to: `${recordBase(visit)}add`, text: say('add.another-file') }} />
      <AddThem visit={visit} files={files} wrong={wrong} />
    </>,
    { record, status: 400 },
  );
}

async function addSentFiles(visit: PersonVisit, sent: readonly string[]): Promise<Answer> {
  const forms = sent.slice(0, MOST_OF_LINK);
  const wrong = wrongDates(visit, forms);
  if (Object.keys(wrong).length > 0) {
    return askAgain(visit, forms, wrong);
  }
  // Each file is read again when it is added, so that only one is in memory.
  const asks: Kept['asks'][] = [];
  for (const [index, form] of forms.entries()) {
    asks.push((await keptFileOf(visit, form, index))?.asks);
  }
  const unconfirmed = unconfirmedIn(visit, forms, asks);
  if (Object.keys(unconfirmed).length > 0) {
    return askAgain(visit, forms, unconfirmed);
  }
  const record = await recordFrame(visit);
  const ids: (string | null)[] = [];
  for (const [index, form] of forms.entries()) {
    ids.push(await inTurn(visit.person.principal.accountId, () => addOne(visit, form, index)));
  }
  if (ids.includes(null)) {
    return gone(visit, record, ids.filter((id) => id !== null).length);
  }
  if (visit.form.text('quick') !== '' && ids.length === 1) {
    return go(savedAt(visit, 'photo', ids[0]!));
  }
  return go(`${recordBase(visit)}documents/${ids.length === 1 ? encodeURIComponent(ids[0]!) : ''}`);
}

/** A link that came as a file stands in the field when the page asks again, as for its passcode. */
function withLink(visit: PersonVisit, link: string): PersonVisit {
  return {
    ...visit,
    form: { ...visit.form, text: (name) => (name === 'link' ? link : visit.form.text(name)) },
  };
}

/** Fetches what is behind a link or in a card, and shows it like files. */
async function lookAtLink(visit: PersonVisit, text: string, orElse?: () => Promise<Answer>): Promise<Answer> {
  const record = await recordFrame(visit);
  try {
    const { files } = await visit.ask(operations.documents.documentLinkReceive, {
      params: inRecord(visit),
      body: { link: text, passcode: visit.form.exact('passcode') },
    });
    const looked: Looked[] = [];
    for (const { name, mediaType, bytes, ...came } of files) {
      looked.push(await lookAtFile(visit, { name, mediaType, bytes }, came));
    }
    return await showLooked(visit, record, looked);
  } catch (error) {
    if (error instanceof LinkRefused && orElse) {
      return orElse();
    }
    if (error instanceof LinkRefused) {
      return choose(
        withLink(visit, text),
        record,
        { [refusedField(error)]: refusedWords(error, visit.words) },
        error.status,
      );
    }
    throw error;
  }
}

/** The link or code that the files hold, each a part of it; undefined if one of them is something else. */
async function linkInAll(visit: PersonVisit, files: readonly SentFile[]): Promise<string | undefined> {
  const texts: string[] = [];
  for (const file of files) {
    const text = linkIn(file) ?? (await linkInPicture(visit, file));
    if (text === undefined) {
      return undefined;
    }
    texts.push(text);
  }
  return texts.join('\n');
}

async function lookAtAll(visit: PersonVisit): Promise<Answer> {
  const record = await recordFrame(visit);
  const sent = visit.form.files('file');
  const files = sent.filter(({ name, bytes }) => name !== '' || bytes.length > 0);
  const { say } = visit.words;
  if (sent.some(({ tooMany }) => tooMany)) {
    return choose(visit, record, { file: say('add.many-files', { most: MOST_AT_ONCE }) }, 413);
  }
  if (files.length === 0) {
    return choose(visit, record, { file: say('add.no-file') });
  }
  const [incoming] = files.filter((file) => file.incoming !== undefined);
  if (incoming && files.length > 1) {
    return choose(visit, record, { file: say('add.alone', { file: incoming.name }) });
  }
  if (incoming) {
    return beginFile(visit, incoming);
  }
  const text = await linkInAll(visit, files);
  const lookAtFiles = async (): Promise<Answer> => {
    const looked: Looked[] = [];
    for (const file of files) {
      looked.push(await lookAtFile(visit, file));
    }
    return showLooked(visit, record, looked);
  };
  // A card that cannot be read can be kept as a file.
  return text === undefined ? lookAtFiles() : lookAtLink(visit, text, /shlink:\//.test(text) ? undefined : lookAtFiles);
}

/** Shows what a file would be that is in the record already, inside of a document, so that it can be added by itself. */
export async function lookAtOne(visit: PersonVisit, file: SentFile): Promise<Answer> {
  return showLooked(visit, await recordFrame(visit), [await lookAtFile(visit, file)]);
}

export const add = page({
  path: '/records/{RECORD_ID}/add',
  files: true,
  several: MOST_SHOWN,
  receives: recordFrame,
  show: async (visit) => choose(visit, await recordFrame(visit)),
  submit: (visit) => {
    const forms = visit.form.all('form');
    if (forms.length > 0) {
      return addSentFiles(visit, forms);
    }
    const link = visit.form.text('link');
    return visit.form.text('what') === 'link' ? lookAtLink(visit, link === '' ? '-' : link) : lookAtAll(visit);
  },
});
