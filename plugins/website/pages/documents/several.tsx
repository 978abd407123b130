/** several: one form for the documents that are ticked in the list: a tag, a circle, the archive; and what came of it. */
import type { JSX } from 'preact';
import { AppError } from '../../../../core/base/errors';
import type { ValueOf } from '../../../../core/http/route';
import { operations } from '../../http/operations';
import type { PersonVisit } from '../../http/page';
import { Field, Form, Select } from '../../parts/form';
import { Part, Say } from '../../parts/layout';
import { listNames } from '../../parts/list';
import { documentName } from '../../words/kinds';

type Document = ValueOf<typeof operations.documents.recordDocumentsListed>[number];
type Circles = ValueOf<typeof operations.carenets.recordSharedKinds>['carenets'];

const FORM = 'several';
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

/** What can be done with the ticked documents. */
export function Several({ visit, circles }: { visit: PersonVisit; circles: Circles }): JSX.Element {
  const { say } = visit.words;
  return (
    <Part title={say('several.title')}>
      <Form visit={visit} id={FORM} className="no-print">
        <div class="side">
          <Field label={say('several.tag-field')} name="tag" most={40} dir="auto" />
          <button class="button" name="do" value="tag">
            {say('several.tag')}
          </button>
        </div>
        {circles.length > 0 && (
          <div class="side">
            <Select
              label={say('several.circle')}
              name="circle"
              value={circles[0]!.id}
              options={circles.map(({ id, name }) => ({ value: id, text: name }))}
            />
            <button class="button" name="do" value="share">
              {say('several.share')}
            </button>
          </div>
        )}
        <div class="side">
          <Field label={say('several.reason')} name="reason" most={1000} dir="auto" />
          <button class="button" name="do" value="archive">
            {say('several.archive')}
          </button>
        </div>
      </Form>
    </Part>
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

/** What came of a form: names of documents, or what the form lacks. */
export type Outcome =
  { readonly lacks: 'documents' | 'tag' } | { readonly done: readonly string[]; readonly left: readonly string[] };

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
    ((await isDone(work, visit, document)) ? done : left).push(documentName(document, visit));
  }
  return { done, left };
}

/** Says what was done and what was not. */
export function Came({ visit, outcome }: { visit: PersonVisit; outcome: Outcome }): JSX.Element {
  const { words } = visit;
  if ('lacks' in outcome) {
    return <Say tone="alert" role="alert" title={words.say(`several.lacks-${outcome.lacks}`)} />;
  }
  const { done, left } = outcome;
  return (
    <Say
      tone={left.length === 0 ? 'good' : 'alert'}
      role="status"
      title={words.say('several.done', { count: done.length })}
    >
      {done.length > 0 && (
        <p>
          <bdi>{listNames(done, words)}</bdi>
        </p>
      )}
      {left.length > 0 && (
        <p>
          {words.say('several.left', { count: left.length })} <bdi>{listNames(left, words)}</bdi>
        </p>
      )}
    </Say>
  );
}
