/** visit: makes a visit, which is a request as a page sees it. */
import type { Readable } from 'node:stream';
import type { Request } from '@hapi/hapi';
import { addressBucket, limitFailures } from '../../../core/auth/attempts';
import {
  findHalfSignedIn,
  finishSignIn,
  KEPT_SECONDS,
  openBrowserSession,
  speakTo,
} from '../../../core/auth/browser-sessions';
import { sha256 } from '../../../core/base/ids';
import { isLanguage, languageFor } from '../../../core/base/languages';
import { SITE } from '../../../core/config/schema';
import { unwrapFile } from '../../../core/files/envelope';
import { nobody } from '../../../core/http/oauth-scheme';
import type { Fields, Page } from '../../../core/http/operation';
import { goneOf, pathParams } from '../../../core/http/read-request';
import { spokenRequestId } from '../../../core/http/request-id';
import { publicPath, sitePath } from '../../../core/http/site-path';
import { redactedPath } from '../../../core/audit/row';
import type { Services } from '../../../core/services';
import { askingAsItself, WEBSITE } from './as-itself';
import { crumbOf } from './cookies';
import { formOf, openTyped } from './kept-form';
import { mannerOf, saveManner } from './manner';
import { asking, operations, type Ask } from './operations';
import type { PageSpec, SecondStep, SentFile, Visit } from './page';
import { ReceivedFile, sentName } from './received-file';
import { signedInPerson } from './session-scheme';
import { isZone, wordsIn, type Words } from '../words/words';

/** What the answer must do to the browser's cookies. */
export type CookieChange =
  | {
      readonly set: string;
      readonly crumb: string;
      /** For so many seconds, also without the browser. */ readonly seconds?: number;
    }
  | 'forget'
  | undefined;

type Visiting = { readonly visit: Visit; readonly cookieChange: () => CookieChange };

/**
 * A file of a form as hapi provides it: a stream that has all its bytes unchanged, whatever media type was declared.
 */
type Part = Readable & { readonly hapi: { readonly filename: string; readonly headers: Record<string, string> } };

function isFile(value: unknown): value is Part {
  return typeof value === 'object' && value !== null && typeof (value as Partial<Part>).hapi?.filename === 'string';
}

function bytesOfStream(stream: Readable): Buffer {
  const chunks: Buffer[] = [];
  for (let chunk = stream.read() as Buffer | null; chunk !== null; chunk = stream.read() as Buffer | null) {
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function sentFile(part: Part): SentFile {
  return {
    name: sentName(part.hapi.filename),
    mediaType: part.hapi.headers['content-type'] ?? '',
    bytes: bytesOfStream(part),
  };
}

function filesOf(value: unknown): readonly SentFile[] {
  if (value instanceof ReceivedFile) {
    return [value.file];
  }
  return isFile(value) ? [sentFile(value)] : [];
}

/** The language that somebody without an account chose in a form; empty if there is none. */
function languageIn(payload: unknown): string {
  return String((payload as Partial<Record<string, unknown>> | null)?.['language'] ?? '');
}

function wordsOfRequest(request: Request, now: number): Words {
  const person = signedInPerson(request);
  const language = person ? person.language : languageIn(request.payload);
  const zone = [person?.zone, person?.browserZone].find((one) => one !== undefined && isZone(one)) ?? 'UTC';
  const known = isLanguage(language) ? language : languageFor(String(request.headers['accept-language'] ?? ''));
  return wordsIn(known, zone, now);
}

function pageFacts(request: Request, spec: Pick<PageSpec, 'path'>): Page {
  return {
    url: `${SITE}${redactedPath(spec.path, pathParams(request))}`,
    method: request.method.toUpperCase(),
    ipAddress: request.callerAddress,
    onGone: goneOf(request),
    received: request.info.received,
    appId: WEBSITE,
  };
}

/** Limits wrong tries from one network address. Right ones are never refused. */
function counting(services: Services, ipAddress: string): Visit['counted'] {
  return (work) =>
    limitFailures(services, [addressBucket(services.config.rateAddressPerMinute, ipAddress)], work, [403, 429]);
}

/** The second step of a sign-in; undefined if the account has no second factor. */
async function stepFor(ask: Ask, accountId: string, waitIn: () => Promise<string>): Promise<SecondStep | undefined> {
  const params = { ACCOUNT_EMAIL: accountId };
  const factor = await ask(operations.accounts.accountSecondFactor, { params });
  if (!factor.on) {
    return undefined;
  }
  const asked = factor.passkeys.length > 0 ? await ask(operations.accounts.accountPasskeyAsk, { params }) : undefined;
  return { waiting: await waitIn(), app: factor.app, ask: asked };
}

/**
 * The two steps of signing in; the second one only if the account has a second factor.
 * @param open gives the cookie to the browser
 */
function signingIn(
  request: Request,
  facts: Page,
  services: Services,
  open: (cookie: string, accountId: string, kept: boolean) => void,
): Pick<Visit, 'signIn' | 'secondStep' | 'takeSecondStep'> {
  return {
    signIn: async ({ token, accountId, kept = false, browserZone = '', language = '' }) => {
      const ask = asking({ kind: 'account', accountId, uiAppId: WEBSITE, sessionHash: sha256(token) }, facts, services);
      const before = await mannerOf(ask, accountId);
      const manner = isLanguage(language) ? { ...before, language } : before;
      if (manner !== before) {
        await saveManner(ask, accountId, manner);
        await speakTo(services, accountId, manner);
      }
      const device = String(request.headers['user-agent'] ?? '');
      const zone = isZone(browserZone) ? browserZone : '';
      const hold = (waits: boolean): Promise<string> =>
        openBrowserSession(services, token, { ...manner, device, waits, kept: kept && !waits, browserZone: zone });
      const step = await stepFor(ask, accountId, () => hold(true));
      if (step === undefined) {
        open(await hold(false), accountId, kept);
      }
      return step;
    },
    secondStep: async (waiting) => {
      const half = await findHalfSignedIn(services, waiting, WEBSITE);
      return (
        half &&
        stepFor(asking(half.principal, facts, services), half.principal.accountId, () => Promise.resolve(waiting))
      );
    },
    takeSecondStep: async (waiting, proof, kept) => {
      const half = await findHalfSignedIn(services, waiting, WEBSITE);
      if (!half) {
        return false;
      }
      const { accountPasskeyCheck, accountSecondFactorCheck } = operations.accounts;
      const check = 'passkey' in proof ? accountPasskeyCheck : accountSecondFactorCheck;
      const params = { ACCOUNT_EMAIL: half.principal.accountId };
      await asking(half.principal, facts, services)(check, { params, body: proof });
      const cookie = await finishSignIn(services, waiting, kept);
      if (cookie === undefined) {
        return false;
      }
      open(cookie, half.principal.accountId, kept);
      return true;
    },
  };
}

/** The settings that pages show or follow. */
function settingsOf({ config }: Services): Visit['settings'] {
  return {
    signUp: config.signUp,
    vocabBase: config.vocabBase,
    documentBytes: config.maxDocumentBytes,
    uploadBytes: config.maxUploadBytes,
    archiveBytes: config.bringInMegabytes * 1_000_000,
    passwordLeast: config.passwordLeast,
    openSeconds: config.connectTokenSeconds,
    fhir: config.fhir,
  };
}

export function visitOf(request: Request, spec: PageSpec, services: Services): Visiting {
  const person = signedInPerson(request);
  const facts = pageFacts(request, spec);
  const words = wordsOfRequest(request, services.clock.now());
  let cookieChange: CookieChange;
  let enteredAs: string | undefined;
  const visit: Visit = {
    person,
    params: request.params as Fields,
    query: Object.fromEntries(request.url.searchParams),
    asked: (name) => request.url.searchParams.getAll(name),
    form: formOf(request.payload, filesOf),
    words,
    // After a sign-in, the forms of the page belong to the new session.
    get crumb() {
      const entered = typeof cookieChange === 'object' ? cookieChange.crumb : undefined;
      return entered ?? String(request.plugins['crumb' as never] ?? '');
    },
    path: `${publicPath(services.baseUrl())}${request.path}`,
    site: sitePath(services.baseUrl()),
    now: services.clock.now(),
    reference: spokenRequestId(request),
    settings: settingsOf(services),
    models: services.models(),
    ask: asking(person?.principal ?? nobody.principal, facts, services),
    askAsItself: askingAsItself(facts, services),
    codesIn: (picture) => services.reader.codes(picture, person?.principal.accountId ?? request.callerAddress),
    fileIn: (stored, at) =>
      unwrapFile(
        (bytes, namespace) =>
          services.reader.heldFile(bytes, namespace, person?.principal.accountId ?? request.callerAddress, at),
        stored,
        services.config.vocabBase,
        at !== undefined,
      ),
    counted: counting(services, request.callerAddress),
    ...signingIn(request, facts, services, (cookie, accountId, kept) => {
      const crumb = crumbOf(services.prove, cookie, accountId);
      cookieChange = { set: cookie, crumb, ...(kept ? { seconds: KEPT_SECONDS } : {}) };
      enteredAs = accountId;
    }),
    typedBefore: (kept) => openTyped(services, kept, enteredAs ?? person?.principal.accountId),
    forgetCookie: () => {
      cookieChange = 'forget';
    },
    speak: async (manner) => {
      if (person) {
        await saveManner(visit.ask, person.principal.accountId, manner);
        await speakTo(services, person.principal.accountId, manner);
      }
    },
  };
  return { visit, cookieChange: () => cookieChange };
}
