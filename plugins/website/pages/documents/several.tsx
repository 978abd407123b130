/**
 * several: one form for the documents that are ticked in the list: a tag, a circle, the archive, a ZIP; and what came of
 * it.
 */
import type { ComponentChildren, JSX } from 'preact';
import { AppError } from '../../../../core/base/errors';
import type { ValueOf } from '../../../../core/http/route';
import { operations } from '../../http/operations';
import type { PersonVisit } from '../../http/page';
import { Form } from '../../parts/form';
import { Icon, type IconName } from '../../parts/icons';
import { Say } from '../../parts/layout';
import { listNames } from '../../parts/list';
import { addressWith } from '../../parts/pager';
import { circleName } from '../../words/circle-names';

type Document = ValueOf<typeof operations.documents.recordDocumentsListed>[number];
type Circles = ValueOf<typeof operations.carenets.recordSharedKinds>['carenets'];

const FORM = 'several';
const DOWNLOAD = 'download';
/** The most documents of one form, which is what a page of the list has. */
const MOST = 50;

function recordParams({ params }: PersonVisit) {
  return { RECORD_ID: params['RECORD_ID'] ?? '' };
}

/** The circles into which documents can be put. */
export async function readCircles(visit: PersonVisit): Promise<Circles> {
  return (await visit.ask(operations.carenets.recordSharedKinds, { params: recordParams(visit) })).carenets;
}

/** The tick of a document, which belongs to the form below the list. */
export function Tick({ visit, id, title }: { visit: PersonVisit; id: string; title: string }): JSX.Element {
  return (
    <input
      class="no-print"
      type="checkbox"
      name="doc"
      value={id}
      form={FORM}
      aria-label={visit.words.say('several.choose', { title })}
      checked={visit.form.all('doc').includes(id)}
    />
  );
}

/** One thing that can be done: what it needs, and its button. */
function Doing({
  name,
  icon,
  text,
  children,
}: {
  readonly name: string;
  readonly icon: IconName;
  readonly text: string;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <div class="doing">
      {children}
      <button class="button little" name="do" value={name}>
        <Icon name={icon} />
        {text}
      </button>
    </div>
  );
}

/** What can be done with the ticked documents. */
export function Several({ visit, circles }: { visit: PersonVisit; circles: Circles }): JSX.Element {
  const { say } = visit.words;
  const field = (name: string, text: string, most: number): JSX.Element => (
    <input name={name} aria-label={say(text)} placeholder={say(text)} maxLength={most} dir="auto" autocomplete="off" />
  );
  return (
    <section class="card gap no-print">
      <h2 class="small">{say('several.title')}</h2>
      <Form visit={visit} id={FORM} className="with-chosen">
        <Doing name="tag" icon="tag" text={say('several.tag')}>
          {field('tag', 'several.tag-field', 40)}
        </Doing>
        {circles.length > 0 && (
          <Doing name="share" icon="people" text={say('several.share')}>
            <select name="circle" aria-label={say('several.circle')}>
              {circles.map(({ id, name }) => (
                <option value={id}>{circleName(name, visit.words)}</option>
              ))}
            </select>
          </Doing>
        )}
        <Doing name="archive" icon="archive" text={say('several.archive')}>
          {field('reason', 'several.reason', 1000)}
        </Doing>
        <Doing name={DOWNLOAD} icon="take" text={say('several.download')}>
          <p class="by">{say('several.download-about')}</p>
        </Doing>
      </Form>
    </section>
  );
}

type Work = (visit: PersonVisit, document: Document) => Promise<unknown>;

function inDocument(visit: PersonVisit, { id }: Document) {
  return { ...recordParams(visit), DOCUMENT_ID: id };
}

const addTag: Work = (visit, document) => {
  const { date, kind, tags } = document.own;
  const body = { date: date ?? '', kind: kind ?? '', tags: [...tags, visit.form.text('tag')].join(',') };
  return visit.ask(operations.documents.documentDetails, { params: inDocument(visit, document), body });
};

const share: Work = (visit, document) => {
  const params = { ...inDocument(visit, document), CARENET_ID: visit.form.text('circle') || '-' };
  // A document that is never shared lies in no circle, whatever is said of it.
  return document.nevershare
    ? Promise.resolve(false)
    : visit.ask(operations.carenets.carenetDocumentPlacement, { params });
};

const archiveOne: Work = (visit, document) => {
  const reason = visit.form.text('reason') || visit.words.say('several.usual-reason');
  return visit.ask(operations.documents.documentSetStatus, {
    params: inDocument(visit, document),
    body: { status: 'archived', reason },
  });
};

const works: Readonly<Record<string, Work>> = { tag: addTag, share, archive: archiveOne };

/** What came of a form: the ids of documents, or what the form lacks. */
type Outcome =
  { readonly lacks: 'documents' | 'tag' } | { readonly done: readonly string[]; readonly left: readonly string[] };

function idsIn({ query }: PersonVisit, name: string): readonly string[] {
  return (query[name] ?? '').split(',').filter(Boolean).slice(0, MOST);
}

/** The address of the list that tells what came of a form. */
export function addressAfter(visit: PersonVisit, { done, left }: Extract<Outcome, { done: unknown }>): string {
  return addressWith(visit, { came: '1', done: done.join(','), left: left.join(',') });
}

/** What the address tells of the form before it; undefined for other addresses. */
export function outcomeIn(visit: PersonVisit): Outcome | undefined {
  return visit.query['came'] === '1' ? { done: idsIn(visit, 'done'), left: idsIn(visit, 'left') } : undefined;
}

/** Whether it was done; what is refused for one document stops no other. */
async function isDone(work: Work, visit: PersonVisit, document: Document): Promise<boolean> {
  try {
    return (await work(visit, document)) !== false;
  } catch (error) {
    if (error instanceof AppError && error.status < 500 && error.code !== 'permission_denied') {
      return false;
    }
    throw error;
  }
}

/** The ids of the ticked documents that are in the record, if the form asks for them as files; else undefined. */
export async function idsToDownload(visit: PersonVisit): Promise<readonly string[] | undefined> {
  const ids = visit.form.all('doc').slice(0, MOST);
  if (visit.form.text('do') !== DOWNLOAD || ids.length === 0) {
    return undefined;
  }
  const query = { ids: ids.join(',') };
  const found = await visit.ask(operations.documents.recordDocumentsListed, { params: recordParams(visit), query });
  return found.length === 0 ? undefined : found.map(({ id }) => id);
}

/** Does what the form asks for, with one document after another. */
export async function doSeveral(visit: PersonVisit): Promise<Outcome> {
  const { form } = visit;
  const ids = form.all('doc').slice(0, MOST);
  const what = form.text('do');
  const work = Object.hasOwn(works, what) ? works[what] : undefined;
  if (ids.length === 0 || !work) {
    return { lacks: 'documents' };
  }
  if (what === 'tag' && form.text('tag') === '') {
    return { lacks: 'tag' };
  }
  const documents = await visit.ask(operations.documents.recordDocumentsListed, {
    params: recordParams(visit),
    query: { ids: ids.join(',') },
  });
  const [done, left]: [string[], string[]] = [[], []];
  for (const document of documents) {
    ((await isDone(work, visit, document)) ? done : left).push(document.id);
  }
  return { done, left };
}

type CameProps = {
  readonly visit: PersonVisit;
  readonly outcome: Outcome;
  /** By its id; undefined for what is no longer in the list. */
  readonly nameOf: (id: string) => string | undefined;
};

/** Says what was done and what was not. */
export function Came({ visit, outcome, nameOf }: CameProps): JSX.Element {
  const { words } = visit;
  if ('lacks' in outcome) {
    return <Say tone="alert" role="alert" title={words.say(`several.lacks-${outcome.lacks}`)} />;
  }
  const { done, left } = outcome;
  const namesOf = (ids: readonly string[]): readonly string[] => ids.flatMap((id) => nameOf(id) ?? []);
  const namesDone = namesOf(done);
  return (
    <Say
      tone={left.length === 0 ? 'good' : 'alert'}
      role="status"
      title={words.say('several.done', { count: done.length })}
    >
      {namesDone.length > 0 && (
        <p>
          <bdi>{listNames(namesDone, words)}</bdi>
        </p>
      )}
      {left.length > 0 && (
        <p>
          {words.say('several.left', { count: left.length })} <bdi>{listNames(namesOf(left), words)}</bdi>
        </p>
      )}
    </Say>
  );
}
