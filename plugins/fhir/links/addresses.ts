/** addresses: the addresses of SMART Health Links: the manifest for whoever has the link, and its encrypted files. */
import { errors, WrongPasscode } from '../../../core/base/errors';
import { textInSlices } from '../../../core/base/turns/slices';
import { encryptFile } from './jwe';
import { resourcePieces } from '../../../core/fhir/write';
import { bytesOf, mediaTypeOf } from '../../../core/http/read-request';
import type { ValueOf } from '../../../core/http/route';
import { wholeBody } from '../../../core/http/whole-body';
import { operations } from './routes';
import type { Address, Visit } from '../serve';

const JOSE = 'application/jose';
/** The content type of the files, as the guide of SMART Health Links writes it. */
const FHIR = 'application/fhir+json';

const open = operations.healthLinkOpen;
const summary = operations.healthLinkSummary;
type LinkSummary = ValueOf<typeof summary>;
const document = operations.healthLinkDocument;

/** @throws errors.unsupportedType, errors.invalidBody */
function readAsked({ request }: Visit): Readonly<Record<string, string>> {
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
}

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

async function encrypted(resource: object, key: string): Promise<string> {
  const bytes: Buffer[] = [];
  for await (const text of textInSlices(resourcePieces(resource))) {
    bytes.push(Buffer.from(text, 'utf8'));
  }
  return encryptFile(Buffer.concat(bytes), Buffer.from(key, 'base64url'), FHIR);
}

/** The files of summaries that several callers read together: each is written and encrypted once. */
const files = new WeakMap<object, Promise<string>>();

function summaryFile({ summary: resource, key }: LinkSummary): Promise<string> {
  const file = files.get(resource) ?? encrypted(resource, key);
  files.set(resource, file);
  return file;
}

function sent({ h }: Visit, file: string) {
  return h.response(wholeBody(file)).type(JOSE);
}

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
      return sent(visit, await summaryFile(found));
    },
  },
  {
    method: 'GET',
    path: `${path}/{LINK_TICKET}/documents/{DOCUMENT_ID}`,
    spec: document,
    letter: undefined,
    answer: async (visit) => {
      const found = await visit.ask(document);
      return sent(visit, await encrypted(found.bundle(), found.key));
    },
  },
];
