/** addresses: every address of the FHIR door, with the operation behind it. */
import { errors } from '../../core/base/errors';
import { fhirType } from '../../core/fhir/elements';
import { OF_RESOURCES, readShown, readToken } from './search/search-query';
import { historyBundle, inForm, pageBundle, searchset } from './bundles';
import { withHeaders } from './cors';
import { create, createBundle } from './write/create';
import { EXPORT_PATH, file, giveUp, kickOff, status } from './bulk/exports';
import { wantsResource } from './forms';
import { operations } from './routes';
import { parametersOf, streamBundle } from './operations';
import { header } from '../../core/http/read-request';
import { showsInBrowser } from '../../core/http/replies';
import { preferred, SHOWN, sortOut, withQuery, type Takes } from './parameters';
import { FHIR_PATH, formatOf, formFields, formOf, sendBody, sendResource, type Address, type Visit } from './serve';

/** @throws errors.notFound for a name that is no type of FHIR */
function requireType({ params }: Visit): void {
  if (!fhirType(params['TYPE'] ?? '')?.isResource) {
    throw errors.notFound('type of resource');
  }
}

const answerRead: Address['answer'] = async (visit) => {
  requireType(visit);
  formOf(visit);
  return sendResource(visit, await visit.ask(operations.fhirRead));
};

const vread: Address['answer'] = async (visit) => {
  requireType(visit);
  formOf(visit);
  return sendResource(visit, await visit.ask(operations.fhirVread));
};

/** `_page`, the place of a later page, contains the parameters of the first page. */
const PAGE: Takes = { _page: 'one' };

const HISTORY: Takes = { _since: 'one', _count: 'one', ...SHOWN };

const history: Address['answer'] = async (visit) => {
  requireType(visit);
  formOf(visit);
  const { request, query, base, params, ask } = visit;
  const page = query.get('_page') ?? '';
  // Each entry of a history is a state of the resource, so there is no entry for parameters that were not used.
  const { used } = sortOut(request, query, page === '' ? HISTORY : PAGE, false);
  readShown(used, OF_RESOURCES);
  const found = await ask(operations.fhirHistory, { query: { used: used.toString(), _page: page } });
  const url = `${base}/${params['TYPE']!}/${params['ID']!}/_history`;
  return sendBody(visit, inForm(query, await historyBundle(base, url, found)));
};

const binary: Address['answer'] = async (visit) => {
  const { request, h, query, accept, ask } = visit;
  if (wantsResource(formatOf(query), accept)) {
    formOf(visit);
    return sendResource(visit, (await ask(operations.fhirContent)).resource());
  }
  const { content, mediaType, digest } = await ask(operations.fhirContent);
  const etag = `"${digest}"`;
  const known = header(request, 'if-none-match')
    .split(',')
    .some((tag) => tag.trim().replace(/^W\//, '') === etag);
  const response = known ? h.response().code(304) : h.response(content);
  if (!known && !showsInBrowser(mediaType)) {
    response.header('content-disposition', 'attachment');
  }
  return withHeaders(response.type(mediaType).charset('')!, { etag, vary: 'Accept' });
};

function search(form: boolean): Address['answer'] {
  return async (visit) => {
    requireType(visit);
    formOf(visit);
    const { request, params, base, ask } = visit;
    const query = new URLSearchParams([...visit.query, ...(form ? formFields(request) : [])]);
    // A form may contain parameters about the answer, such as `_format`, too.
    const asking = { ...visit, query };
    formOf(asking);
    const found = await ask(operations.fhirSearch, {
      query: { search: query.toString(), strict: String(preferred(request, 'handling') === 'strict') },
    });
    return sendBody(asking, inForm(query, await searchset(base, params['TYPE']!, found)));
  };
}

const CACHED = 'public, max-age=300';

const metadata: Address['answer'] = async (visit) => {
  formOf(visit);
  return (await sendBody(visit, await visit.ask(operations.fhirMetadata))).header('cache-control', CACHED);
};

const bundle = createBundle(({ ask }, input) => ask(operations.fhirCreateBundle, input), FHIR_PATH);

const createOne: Address['answer'] = (visit) => {
  requireType(visit);
  return create(({ ask }, input) => ask(operations.fhirCreate, input))(visit);
};

const EVERYTHING: Takes = { _type: 'many', _since: 'one', start: 'one', end: 'one', _count: 'one', ...SHOWN };

const everything: Address['answer'] = async (visit) => {
  formOf(visit);
  const { request, base, params, ask } = visit;
  const given = parametersOf(visit);
  const page = given.get('_page') ?? '';
  const { used, unused } = sortOut(request, given, page === '' ? EVERYTHING : PAGE, true);
  readShown(used, OF_RESOURCES);
  const url = `${base}/Patient/${params['ID']!}/$everything`;
  const told = await ask(operations.fhirEverything, { query: { used: used.toString(), _page: page } });
  return 'portions' in told
    ? streamBundle(visit, { self: withQuery(url, used), shown: readShown(used), unused }, told.portions)
    : sendBody(visit, inForm(given, await pageBundle(base, url, { ...told, unused })));
};

const SUMMARY: Takes = { profile: 'one' };
/** The parameters of an address without an id. */
const SUMMARY_OF: Takes = { ...SUMMARY, identifier: 'one' };
/** The system of the identifiers that Patients have. */
const UUIDS = 'urn:ietf:rfc:3986';
const SUMMARY_PROFILE = 'http://hl7.org/fhir/uv/ips/StructureDefinition/Bundle-uv-ips';

/**
 * The id of the Patient that an identifier names. A name that no Patient has gets the same answer as one of a Patient
 * whom the caller may not see.
 */
function identified(identifier: string): string {
  const { system, code } = readToken(identifier);
  const [, id = '-'] = /^urn:uuid:([0-9A-Fa-f-]{36})$/.exec(code) ?? [];
  return system === undefined || system === UUIDS ? id.toLowerCase() : '-';
}

const summary: Address['answer'] = async (visit) => {
  formOf(visit);
  // A document has no entry for parameters that were not used.
  const isOfId = visit.params['ID'] !== undefined;
  const { used } = sortOut(visit.request, parametersOf(visit), isOfId ? SUMMARY : SUMMARY_OF, false);
  const profile = used.get('profile')?.split('|')[0] ?? SUMMARY_PROFILE;
  if (profile !== SUMMARY_PROFILE) {
    throw errors.invalidParameter('profile', `a summary is made for ${SUMMARY_PROFILE} only`);
  }
  if (isOfId) {
    return sendBody(visit, await visit.ask(operations.fhirSummary));
  }
  const identifier = used.get('identifier');
  if (identifier === null) {
    throw errors.missingParameter('identifier');
  }
  return sendBody(visit, await visit.ask(operations.fhirSummary, { params: { ID: identified(identifier) } }));
};

const DOCREF: Takes = {
  patient: 'one',
  start: 'one',
  end: 'one',
  type: 'many',
  'on-demand': 'one',
  profile: 'many',
};

const docref: Address['answer'] = async (visit) => {
  formOf(visit);
  const { used, unused } = sortOut(visit.request, parametersOf(visit), DOCREF, true);
  const found = await visit.ask(operations.fhirDocref, {
    query: {
      patient: used.get('patient') ?? '',
      start: used.get('start') ?? '',
      end: used.get('end') ?? '',
      type: used.getAll('type').join(','),
      onDemand: used.get('on-demand') ?? 'false',
      profile: used.getAll('profile').join(','),
    },
  });
  const self = withQuery(`${visit.base}/DocumentReference/$docref`, used);
  const told = { ...found, query: { ...found.query, unused: [...unused, ...found.query.unused] } };
  return sendBody(visit, await searchset(visit.base, 'DocumentReference', told, self));
};

/** The addresses of an operation, which clients call by GET or by POST. */
function askedBothWays(address: Omit<Address, 'method'>): readonly Address[] {
  return [
    { ...address, method: 'GET' },
    { ...address, method: 'POST' },
  ];
}

const documentBytes: Address['bytes'] = ({ maxDocumentBytes }) => maxDocumentBytes;

export const addresses: readonly Address[] = [
  ...askedBothWays({
    path: '/Patient/{ID}/$everything',
    spec: operations.fhirEverything,
    letter: 'r',
    type: 'Patient',
    answer: everything,
  }),
  ...['/Patient/{ID}/$summary', '/Patient/$summary'].flatMap((path) =>
    askedBothWays({ path, spec: operations.fhirSummary, letter: 'r', type: 'Patient', answer: summary }),
  ),
  ...askedBothWays({
    path: '/Patient/{ID}/$export',
    spec: operations.fhirExport,
    letter: 'r',
    type: 'Patient',
    answer: kickOff,
  }),
  {
    method: 'GET',
    path: EXPORT_PATH,
    spec: operations.fhirExportStatus,
    letter: 'r',
    type: '*',
    takes: {},
    answer: status,
  },
  {
    method: 'DELETE',
    path: EXPORT_PATH,
    spec: operations.fhirExportEnd,
    letter: 'r',
    type: '*',
    takes: {},
    answer: giveUp,
  },
  {
    method: 'GET',
    path: `${EXPORT_PATH}/{FILE}`,
    spec: operations.fhirExportFile,
    letter: 'r',
    type: '*',
    takes: {},
    answer: file,
  },
  ...askedBothWays({
    path: '/DocumentReference/$docref',
    spec: operations.fhirDocref,
    letter: 's',
    type: 'DocumentReference',
    answer: docref,
  }),
  {
    method: 'GET',
    path: '/metadata',
    spec: operations.fhirMetadata,
    letter: undefined,
    takes: { mode: 'one' },
    answer: metadata,
  },
  {
    method: 'GET',
    path: '/Binary/{ID}',
    spec: operations.fhirContent,
    letter: 'r',
    type: 'Binary',
    takes: SHOWN,
    answer: binary,
  },
  { method: 'GET', path: '/{TYPE}/{ID}', spec: operations.fhirRead, letter: 'r', takes: SHOWN, answer: answerRead },
  { method: 'GET', path: '/{TYPE}/{ID}/_history', spec: operations.fhirHistory, letter: 'r', answer: history },
  {
    method: 'GET',
    path: '/{TYPE}/{ID}/_history/{VERSION}',
    spec: operations.fhirVread,
    letter: 'r',
    takes: SHOWN,
    answer: vread,
  },
  { method: 'GET', path: '/{TYPE}', spec: operations.fhirSearch, letter: 's', answer: search(false) },
  { method: 'POST', path: '/{TYPE}/_search', spec: operations.fhirSearch, letter: 's', answer: search(true) },
  // Some clients end every address with a slash, so Bundles are accepted there as well.
  ...['', '/'].map((path): Address => ({
    method: 'POST',
    path,
    spec: operations.fhirCreateBundle,
    letter: 'c',
    type: '*',
    bytes: documentBytes,
    takes: {},
    answer: bundle,
  })),
  {
    method: 'POST',
    path: '/{TYPE}',
    spec: operations.fhirCreate,
    letter: 'c',
    bytes: documentBytes,
    takes: {},
    answer: createOne,
  },
];
