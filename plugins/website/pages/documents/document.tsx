/**
 * document: the page of a document: what it says, what was left out, its versions, its sharing, its name and place.
 * Also sends the document as a file.
 */
import type { ValueOf } from '../../../../core/http/route';
import type { ComponentChildren, JSX } from 'preact';
import { changeDocument, type Wrongs } from './changes';
import { mayNote, Notes, notesQuery } from './notes';
import { PeopleNamed } from '../visits/person-rows';
import { historyQuery, Place, Sharing, Versions } from './parts';
import { splitName, type Fact } from '../../words/facts';
import { documentKind, saidOf, titleOf } from '../../words/kinds';
import { LeftByPeople, LeftOut } from './left-out-parts';
import { operations } from '../../http/operations';
import { outlineOf, type Item } from './outline';
import { fileToKeep } from './download';
import { FilesPart } from './files';
import { Viewer } from './pictures';
import { AboutIt } from './about-it';
import { Menu, MenuButton } from './menu';
import { Sections, WhatItSays } from './says';
import { page, shown, type Answer, type PersonVisit } from '../../http/page';
import { Summary } from '../../parts/form';
import { Head, Part, Say } from '../../parts/layout';
import { forBoth, whoseOf, type Whose } from '../../parts/whose';
import { dayIn } from '../../words/zoned';

type Read = ValueOf<typeof operations.documents.recordDocumentRead>;
type Says = Read['says'][number];

function inPath({ params }: Whose, visit: PersonVisit) {
  return {
    ...params,
    DOCUMENT_ID: visit.params['DOCUMENT_ID'] ?? '',
  };
}

/** The address of the document in its own words. */
function textAddress({ base }: Whose, { id }: Read['document']): string {
  return `${base}documents/${encodeURIComponent(id)}/text`;
}

function WrittenOutline({ items }: { readonly items: readonly Item[] }): JSX.Element {
  return (
    <ul class="outline">
      {items.map(({ name, text, items: inner }) => (
        <li>
          {/* Names of one letter, such as `p`, are markup of the layout. */}
          {name.length > 1 && <span class="soft">{splitName(name)} </span>}
          {text !== '' && <bdi>{text}</bdi>}
          {inner.length > 0 && <WrittenOutline items={inner} />}
        </li>
      ))}
    </ul>
  );
}

/** A document without facts, shown as the names and texts in it. */
function AsWritten({
  visit,
  document,
  written,
  isAllLeftOut,
}: {
  visit: PersonVisit;
  document: Read['document'];
  written: NonNullable<Read['written']>;
  /** Its facts were left out by a person. */ isAllLeftOut: boolean;
}): JSX.Element {
  const { say } = visit.words;
  const isPersonal = document.type === `${visit.settings.vocabBase}/xml/documents#Demographics`;
  const nothing = isAllLeftOut ? 'document.says-left-out' : 'document.says-nothing';
  const why = document.id === document.latest.id ? nothing : 'document.says-earlier';
  const outline = outlineOf(written.content, written.mediaType);
  return (
    <Part title={say('document.says')} {...(outline ? { hint: say('document.as-written') } : {})}>
      {(!isPersonal || document.id !== document.latest.id) && <p>{say(why)}</p>}
      {outline && <WrittenOutline items={outline.items} />}
      {(!outline || outline.cut) && <p class="more soft">{say(outline ? 'document.cut' : 'document.unreadable')}</p>}
    </Part>
  );
}

function isTyped({ settings }: PersonVisit, { type }: Read['document']): boolean {
  return type === `${settings.vocabBase}/xml/documents#Models`;
}

/**
 * Facts of an earlier version are not kept. A version that was typed into a form is read again, because people look for
 * what they changed.
 */
async function withEarlier(visit: PersonVisit, params: ReturnType<typeof inPath>, read: Read): Promise<Read> {
  const { document, written } = read;
  if (!written || document.id === document.latest.id || !isTyped(visit, document)) {
    return read;
  }
  const facts = (await visit.ask(operations.documents.documentTyped, { params })).facts as unknown as readonly Fact[];
  const models = [...new Set(facts.map((fact) => fact.__modelname__))];
  const says = models.map((model) => {
    const own = facts.filter((fact) => fact.__modelname__ === model);
    return { model, count: own.length, facts: own } as unknown as Says;
  });
  return { ...read, says, written: undefined };
}

const notes = [
  'before',
  'noted',
  'saved',
  'archived',
  'void',
  'active',
  'never',
  'again',
  'placed',
  'taken',
  'in',
  'not-out',
] as const;

function Note({ visit }: { readonly visit: PersonVisit }): JSX.Element | null {
  const note = notes.find((known) => known === visit.query['note']);
  const tone = note === 'before' ? 'wait' : 'good';
  return note ? <Say tone={tone} role="status" title={visit.words.say(`document.note-${note}`)} /> : null;
}

/** The warning on top of the page: the document is not in use, or this is not its latest version. */
function State({
  visit,
  whose,
  document,
  reason,
}: {
  visit: PersonVisit;
  whose: Whose;
  document: Read['document'];
  reason: string | undefined;
}) {
  const { say, rich } = visit.words;
  if (document.id !== document.latest.id) {
    return (
      <Say tone="wait" title={say('document.earlier')}>
        <p>
          {rich('document.earlier-why', {
            a: (chunks) => <a href={`${whose.base}documents/${encodeURIComponent(document.latest.id)}`}>{chunks}</a>,
          })}
        </p>
      </Say>
    );
  }
  return document.status === 'active' ? null : (
    <Say tone="wait" title={say(`document.is-${document.status}`)}>
      <p>{say(`document.is-${document.status}-why`)}</p>
      {reason !== undefined && <p>{rich('document.because', { reason: <bdi>{reason}</bdi> })}</p>}
    </Say>
  );
}

/** Newer documents of the sender, in whose place this one or some of its statements no longer count. */
function Newer({ visit, whose, read }: { visit: PersonVisit; whose: Whose; read: Read }): JSX.Element | null {
  const { say, rich, date } = visit.words;
  const { replacedBy, newer } = read;
  const link = (id: string) => (chunks: ComponentChildren) => (
    <a href={`${whose.base}documents/${encodeURIComponent(id)}`}>{chunks}</a>
  );
  if (replacedBy !== undefined) {
    return (
      <Say tone="wait" title={say('document.replaced')}>
        <p>{rich('document.replaced-why', { a: link(replacedBy) })}</p>
      </Say>
    );
  }
  return newer.length === 0 ? null : (
    <Say tone="wait" title={say('document.newer')}>
      {newer.map(({ id, count, createdAt }) => (
        <p>{rich('document.newer-why', { count, date: date(createdAt), a: link(id) })}</p>
      ))}
    </Say>
  );
}

function aboutDocument({ document: { type, label, about }, says }: Read) {
  return {
    type,
    label,
    about,
    contents: says.map(({ model, count, facts }) => ({ model, count, first: facts[0]! })),
  };
}

function kindOfRead(read: Read, visit: PersonVisit): string {
  return read.document.own.kind ?? documentKind(aboutDocument(read), visit);
}

/** The address at which a fact that was typed into a form is corrected; undefined for other documents. */
function correctionOf(visit: PersonVisit, whose: Whose, { document, says, leftByPeople }: Read): string | undefined {
  const [said, ...others] = says;
  const isOne = said?.count === 1 && others.length === 0 && leftByPeople.count === 0;
  return whose.kind === 'record' && isTyped(visit, document) && isOne && document.id === document.latest.id
    ? `${whose.base}add/${encodeURIComponent(said.model)}?correct=${encodeURIComponent(document.id)}`
    : undefined;
}

function Heading({ visit, whose, read }: { visit: PersonVisit; whose: Whose; read: Read }) {
  const { say, date } = visit.words;
  const { document } = read;
  const about = aboutDocument(read);
  const correct = correctionOf(visit, whose, read);
  const { own } = document;
  const [title, kind] = [titleOf(about, visit), kindOfRead(read, visit)];
  const said = own.date === null ? saidOf(about, visit) : date(own.date, 'day');
  return (
    <Head
      title={<bdi>{title}</bdi>}
      back={{ to: `${whose.base}documents/`, text: say('frame.documents') }}
      action={
        <span class="buttons no-print">
          {correct !== undefined && (
            <a class="button" href={correct}>
              {say('add-model.correct')}
            </a>
          )}
          {read.hasNarrative && (
            <a class="button" href={textAddress(whose, document)}>
              {say('document.read')}
            </a>
          )}
          <a class="button" href={`${whose.base}documents/${encodeURIComponent(document.id)}/download`} download>
            {say('document.download')}
          </a>
          <MenuButton visit={visit} />
        </span>
      }
    >
      <bdi>{[said, kind].filter((part) => part !== '' && part !== title).join('. ')}</bdi>
    </Head>
  );
}

/** The document, its history, its files, and the people whom it names. */
function readAll(visit: PersonVisit, whose: Whose, params: ReturnType<typeof inPath>) {
  return Promise.all([
    visit.ask(
      whose.kind === 'record' ? operations.documents.recordDocumentRead : operations.documents.carenetDocumentRead,
      { params, query: { ...notesQuery(visit), fact: visit.query['fact'] ?? '' } },
    ),
    whose.kind === 'record'
      ? visit.ask(operations.documents.recordDocumentHistory, { params, query: historyQuery(visit) })
      : undefined,
    visit.ask(
      whose.kind === 'record' ? operations.documents.recordDocumentFiles : operations.documents.carenetDocumentFiles,
      { params, query: { pictures: 'true' } },
    ),
    visit.ask(whose.kind === 'record' ? operations.reports.recordPeople : operations.reports.carenetPeople, {
      params: whose.params,
      query: { document: params.DOCUMENT_ID },
    }),
  ]);
}

async function lookAtDocument(visit: PersonVisit, failure?: Wrongs): Promise<Answer> {
  const { say } = visit.words;
  const whose = await whoseOf(visit);
  const params = inPath(whose, visit);
  const [found, history, { files, pictures }, people] = await readAll(visit, whose, params);
  const read = await withEarlier(visit, params, found);
  const { document, says, written } = read;
  const title = titleOf(aboutDocument(read), visit);
  const isLatest = document.id === document.latest.id;
  const mayChange = history !== undefined && isLatest;
  const holding = { visit, whose, document };
  return shown(
    failure ? say('form.error-title', { title }) : title,
    <>
      <Summary
        title={say('form.wrong')}
        wrong={failure?.wrong}
        order={['note', 'label', 'own_date', 'own_kind', 'tags', 'reason']}
      />
      {!failure && <Note visit={visit} />}
      <State {...holding} reason={history?.changes[0]?.reason} />
      <Newer visit={visit} whose={whose} read={read} />
      <Heading visit={visit} whose={whose} read={read} />
      <Menu visit={visit} document={document} mayChange={mayChange} mayNote={mayNote(visit, whose, document)} />
      <div class={pictures === null ? 'col' : 'halves'}>
        {pictures !== null && (
          <div class="stay">
            <Viewer visit={visit} address={visit.path} pictures={pictures} />
          </div>
        )}
        <div class="col">
          <Sections visit={visit} says={says} notes={read.notes.length > 0} />
          <WhatItSays visit={visit} whose={whose} says={says} />
          {written && <AsWritten {...holding} written={written} isAllLeftOut={read.leftByPeople.count > 0} />}
          <AboutIt
            {...holding}
            kind={kindOfRead(read, visit)}
            history={history}
            mayChange={mayChange}
            wrong={failure?.wrong}
          />
          <PeopleNamed visit={visit} whose={whose} people={people} />
          <FilesPart visit={visit} whose={whose} documentId={document.id} files={files} />
          <LeftByPeople visit={visit} whose={whose} read={read} mayChange={mayChange} />
          <LeftOut visit={visit} whose={whose} read={read} textAddress={textAddress(whose, document)} />
          <Notes visit={visit} whose={whose} read={read} wrong={failure?.wrong} />
          {history && isLatest && <Sharing {...holding} history={history} />}
          {history && <Versions {...holding} history={history} />}
          {history && isLatest && <Place visit={visit} document={document} history={history} wrong={failure?.wrong} />}
        </div>
      </div>
    </>,
    { record: whose.frame, script: true, ...(failure ? { status: failure.status } : {}) },
  );
}

async function download(visit: PersonVisit): Promise<Answer> {
  const whose = await whoseOf(visit);
  const params = inPath(whose, visit);
  const [read, stored] = await Promise.all([
    visit.ask(
      whose.kind === 'record' ? operations.documents.recordDocumentRead : operations.documents.carenetDocumentRead,
      { params },
    ),
    whose.kind === 'record'
      ? visit.ask(operations.documents.recordDocument, { params })
      : visit.ask(operations.carenets.carenetDocument, { params }),
  ]);
  const name = `${titleOf(aboutDocument(read), visit)} ${dayIn(visit.words.zone, read.document.createdAt)}`;
  return fileToKeep(visit, stored, name);
}

const path = '/documents/{DOCUMENT_ID}';

export const document = [
  page({
    path: `/records/{RECORD_ID}${path}`,
    show: (visit) => lookAtDocument(visit),
    submit: changeDocument(lookAtDocument),
    again: { keeps: (form) => form.text('what') === 'note', show: (visit) => lookAtDocument(visit) },
  }),
  page({ path: `/carenets/{CARENET_ID}${path}`, show: (visit) => lookAtDocument(visit) }),
  ...forBoth((begin) => page({ path: `${begin}${path}/download`, show: download })),
];
