/** links: the addresses of SMART Health Links: the manifest for whoever has the link, and its encrypted files. */
import { errors, WrongPasscode } from '../../core/base/errors';
import { encryptFile } from '../../core/fhir/jwe';
import { resourceText } from '../../core/fhir/write';
import { bytesOf, mediaTypeOf } from '../../core/http/read-request';
import type { RouteSpec } from '../../core/http/route';
import { routes } from '../resources/link-routes';
import type { Address, Visit } from './serve';

type Routes = (typeof routes)[number];
type Named<N extends Routes['name']> = Extract<Routes, { readonly name: N }>;

const operation = <N extends Routes['name']>(name: N): Named<N> =>
  routes.find((spec: RouteSpec) => spec.name === name) as Named<N>;

const JOSE = 'application/jose';
/** The content type of the files, as the guide of SMART Health Links writes it. */
const FHIR = 'application/fhir+json';

const open = operation('health_link_open');
const summary = operation('health_link_summary');
const document = operation('health_link_document');

/** @throws errors.unsupportedType, errors.invalidBody */
const readAsked = ({ request }: Visit): Readonly<Record<string, string>> => {
  if (mediaTypeOf(request) !== 'application/json') {
    throw errors.unsupportedType(['application/json']);
  }
  let read: unknown;
  try {
    read = JSON.parse((bytesOf(request) ?? Buffer.alloc(0)).toString('utf8'));
  } catch {
    throw errors.invalidBody('it is not well-formed JSON');
  }
  const { recipient, passcode = '' } = (read ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof recipient !== 'string' || typeof passcode !== 'string') {
    throw errors.invalidBody('recipient and passcode must be texts');
  }
  return { recipient, passcode };
};

const manifest: Address['answer'] = async (visit) => {
  const { h, ask, base, params } = visit;
  try {
    const { ticket, documents } = await ask(open, { body: readAsked(visit) });
    const files = ['summary', ...documents.map(({ id }) => `documents/${encodeURIComponent(id)}`)].map((file) => ({
      contentType: FHIR,
      location: `${base}/links/${encodeURIComponent(params['HEALTH_LINK']!)}/${ticket}/${file}`,
    }));
    return h.response({ status: 'can-change', files }).type('application/json');
  } catch (error) {
    if (error instanceof WrongPasscode) {
      return h.response({ remainingAttempts: error.remaining }).code(401).type('application/json');
    }
    throw error;
  }
};

const encrypted = ({ h }: Visit, resource: object, key: string) =>
  h.response(encryptFile(resourceText(resource), Buffer.from(key, 'base64url'), FHIR)).type(JOSE);

/** The path below `/fhir`. */
export const LINK_PATH = '/links/{HEALTH_LINK}';
const path = LINK_PATH;

export const linkAddresses: readonly Address[] = [
  { method: 'POST', path, spec: open, letter: undefined, answer: manifest },
  {
    method: 'GET',
    path: `${path}/{LINK_TICKET}/summary`,
    spec: summary,
    letter: undefined,
    answer: async (visit) => {
      const found = await visit.ask(summary);
      return encrypted(visit, found.summary, found.key);
    },
  },
  {
    method: 'GET',
    path: `${path}/{LINK_TICKET}/documents/{DOCUMENT_ID}`,
    spec: document,
    letter: undefined,
    answer: async (visit) => {
      const found = await visit.ask(document);
      return encrypted(visit, found.bundle(), found.key);
    },
  },
];
