/** pictures: the pages of a document's file as pictures, and the part of a page that shows them. */
import type { JSX } from 'preact';
import { errors } from '../../../../core/base/errors';
import type { ValueOf } from '../../../../core/http/route';
import { page, type Answer, type PersonVisit } from '../../http/page';
import { operations } from '../../http/operations';
import { Part, Say } from '../../parts/layout';
import { forBoth, whoseNamed } from '../../parts/whose';

type Pictures = NonNullable<ValueOf<typeof operations.documents.recordDocumentFiles>['pictures']>;

/** The width of a page as it is drawn large, for the room that a browser keeps before it has the picture. */
const LARGE = { width: 1200, height: 1700 };

/** The sides of the first page as it is drawn large. Small pictures have the same shape. */
function largeSides({ width, height }: Pictures) {
  const scale = Math.min(LARGE.width / width, LARGE.height / height);
  return { width: Math.round(width * scale), height: Math.round(height * scale) };
}

type InDocument = { readonly visit: PersonVisit; /** The address of the document. */ readonly address: string };

function Page({
  visit,
  address,
  at,
  pictures,
}: InDocument & { readonly at: number; readonly pictures: Pictures }): JSX.Element {
  const src = `${address}/pages/${at}.png`;
  const alt = visit.words.say('document-picture.page', { number: at, count: pictures.pages });
  return (
    <a href={src}>
      <img
        class="page"
        src={src}
        alt={alt}
        {...largeSides(pictures)}
        {...(at > 1 ? { loading: 'lazy' as const } : {})}
      />
    </a>
  );
}

/** The pages of the file on top of its document: the first one, and the others folded. */
export function Viewer({
  visit,
  address,
  pictures,
}: InDocument & { readonly pictures: Pictures | null }): JSX.Element | null {
  const { say } = visit.words;
  if (pictures === null) {
    return null;
  }
  if (pictures.problem !== null) {
    return <Say title={say('document-picture.title')}>{say(`document-picture.${pictures.problem}`)}</Say>;
  }
  const others = Array.from({ length: pictures.pages - 1 }, (_, index) => index + 2);
  return (
    <Part title={say('document-picture.title')}>
      <div class="viewer no-print">
        <Page visit={visit} address={address} at={1} pictures={pictures} />
      </div>
      {others.length > 0 && (
        <details class="more-below no-print">
          <summary>{say('document-picture.more', { count: others.length })}</summary>
          <div class="viewer">
            {others.map((at) => (
              <Page visit={visit} address={address} at={at} pictures={pictures} />
            ))}
          </div>
        </details>
      )}
    </Part>
  );
}

/** The page that an address names, from 1. @throws errors.notFound */
function pageIn({ params }: PersonVisit): number {
  const said = params['PAGE'] ?? '';
  if (!/^[1-9]\d{0,3}$/.test(said)) {
    throw errors.notFound('picture');
  }
  return Number(said);
}

async function showPicture(visit: PersonVisit, pageOf: (visit: PersonVisit) => number): Promise<Answer> {
  const at = pageOf(visit);
  const { kind, params: inPath } = whoseNamed(visit, '');
  const params = { ...inPath, DOCUMENT_ID: visit.params['DOCUMENT_ID'] ?? '' };
  const body = await visit.ask(
    kind === 'record' ? operations.documents.recordDocumentPicture : operations.documents.carenetDocumentPicture,
    { params, query: { page: String(at) } },
  );
  return { kind: 'picture', body };
}

/** A page of a file that is not added yet, for the session that sent it. */
async function showKept(visit: PersonVisit): Promise<Answer> {
  const query = { form: visit.params['PREVIEW'] ?? '', page: String(pageIn(visit)) };
  const body = await visit.ask(operations.documents.documentKeptPicture, {
    params: { RECORD_ID: visit.params['RECORD_ID'] ?? '' },
    query,
  });
  return { kind: 'picture', body };
}

const PATH = '/documents/{DOCUMENT_ID}';

export const documentPictures = [
  page({ path: '/records/{RECORD_ID}/add/{PREVIEW}/pages/{PAGE}.png', show: showKept }),
  ...forBoth((begin) => page({ path: `${begin}${PATH}/thumb.png`, show: (visit) => showPicture(visit, () => 0) })),
  ...forBoth((begin) =>
    page({ path: `${begin}${PATH}/pages/{PAGE}.png`, show: (visit) => showPicture(visit, pageIn) }),
  ),
];
