/** pictures: the pages of a document's file as pictures. */
import { errors } from '../../../../core/base/errors';
import { page, type Answer, type PersonVisit } from '../../http/page';
import { forBoth, whoseNamed } from '../../parts/whose';

/** The page that an address names, from 1. @throws errors.notFound */
export const pageIn = ({ params }: PersonVisit): number => {
  const said = params['PAGE'] ?? '';
  if (!/^[1-9]\d{0,3}$/.test(said)) {
    throw errors.notFound('picture');
  }
  return Number(said);
};

async function show(visit: PersonVisit, pageOf: (visit: PersonVisit) => number): Promise<Answer> {
  const at = pageOf(visit);
  const { kind, params: inPath } = whoseNamed(visit, '');
  const params = { ...inPath, DOCUMENT_ID: visit.params['DOCUMENT_ID'] ?? '' };
  const body = await visit.ask(`${kind}_document_picture`, { params, query: { page: String(at) } });
  return { kind: 'picture', body };
}

const PATH = '/documents/{DOCUMENT_ID}';

export const documentPictures = [
  ...forBoth((begin) => page({ path: `${begin}${PATH}/thumb.png`, show: (visit) => show(visit, () => 0) })),
  ...forBoth((begin) => page({ path: `${begin}${PATH}/pages/{PAGE}.png`, show: (visit) => show(visit, pageIn) })),
];
