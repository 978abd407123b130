/**
 * receive: fetches what a person was given as a link or code, and decrypts it. Nothing is stored: what comes of it is
 * looked at like a file.
 */
import { appThatMade } from './app-attestation';
import { LinkRefused } from './failures';
import { decryptFile, MOST_OF_FILE } from './decrypt';
import { askGuarded, type Answered, type Reach } from './guarded-request';
import { cardsInFile, readCard, type Signature } from './health-card';
import { readScanned, requireUnexpired, type SharedLink } from './shared-link';

/** A document that came by a link. */
export type ReceivedFile = {
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: Buffer;
  /** The host of the link, or of the issuer of a card. */ readonly from: string;
  /** Null: nobody has signed it. */ readonly signature: Signature | null;
  /** The host of the app that has signed that it made it; empty: none has. */ readonly madeWith: string;
  /** The day on which a card expired; empty: it has not. */ readonly expired: string;
};

type ToReceive = {
  readonly text: string;
  /** Empty: none was typed. */ readonly passcode: string;
  /** The name of this installation, which the other side is told. */ readonly recipient: string;
  /** In milliseconds. */ readonly now: number;
  readonly allowPrivate: boolean;
};

/** A link may take 15 seconds with the page that tells of it. */
const LINK_MILLISECONDS = 14_000;
const MOST_FILES = 50;
const MOST_IN_ALL = 50_000_000;
const MOST_OF_MANIFEST = 5_000_000;
/** The encrypted text of the largest file is a third longer than the file. */
const MOST_OF_TEXT = Math.ceil((MOST_OF_FILE * 4) / 3) + 1000;
/** Files that are longer are fetched one by one. */
const EMBEDDED = 10_000;

const CARD = 'application/smart-health-card';
const API_ACCESS = 'application/smart-api-access';
const FHIR = 'application/fhir+json';

type Fetching = ToReceive & { readonly reach: Reach };

/** @throws LinkRefused unless it was answered */
function requireAnswer({ status, body }: Answered): Buffer {
  if (status === 404 || status === 410) {
    throw new LinkRefused('gone');
  }
  if (status !== 200) {
    throw new LinkRefused('unreachable');
  }
  return body;
}

async function fetchText(url: string, reach: Reach): Promise<string> {
  const asked = { url, method: 'GET', accept: 'application/jose', mostBytes: MOST_OF_TEXT } as const;
  return requireAnswer(await askGuarded(asked, reach)).toString('latin1');
}

function withRecipient(url: string, recipient: string): string {
  const address = new URL(url);
  address.searchParams.set('recipient', recipient);
  return address.href;
}

type Listed = { readonly contentType?: unknown; readonly location?: unknown; readonly embedded?: unknown };
type Manifest = { readonly files?: unknown; readonly remainingAttempts?: unknown };

function manifestIn(body: Buffer): Manifest {
  try {
    return (JSON.parse(body.toString('utf8')) ?? {}) as Manifest;
  } catch {
    return {};
  }
}

async function fetchManifest({ url, flag }: SharedLink, fetching: Fetching): Promise<readonly (Listed | null)[]> {
  const { recipient, passcode, reach } = fetching;
  const body = JSON.stringify({
    recipient,
    ...(flag.includes('P') ? { passcode } : {}),
    embeddedLengthMax: EMBEDDED,
  });
  const asked = { url, method: 'POST', accept: 'application/json', body, mostBytes: MOST_OF_MANIFEST } as const;
  const answered = await askGuarded(asked, reach);
  if (answered.status === 401) {
    const { remainingAttempts } = manifestIn(answered.body);
    throw new LinkRefused('wrong', Number.isSafeInteger(remainingAttempts) ? String(remainingAttempts) : '');
  }
  const { files } = manifestIn(requireAnswer(answered));
  if (!Array.isArray(files) || files.length === 0) {
    throw new LinkRefused('empty');
  }
  if (files.length > MOST_FILES) {
    throw new LinkRefused('large');
  }
  return files as readonly (Listed | null)[];
}

type Content = { readonly contentType: string; readonly content: Buffer };

async function openListed(listed: Listed | null, { key }: SharedLink, { reach }: Fetching): Promise<Content> {
  const { contentType, location, embedded } = listed ?? {};
  if (typeof embedded !== 'string' && (typeof location !== 'string' || !URL.canParse(location))) {
    throw new LinkRefused('unreachable');
  }
  const text = typeof embedded === 'string' ? embedded : await fetchText(location as string, reach);
  const opened = await decryptFile(text, key);
  return { content: opened.content, contentType: typeof contentType === 'string' ? contentType : opened.contentType };
}

/** The files one after the other, so that no more than these are in memory. */
async function openAll(link: SharedLink, fetching: Fetching): Promise<readonly Content[]> {
  if (link.flag.includes('U')) {
    return [await decryptFile(await fetchText(withRecipient(link.url, fetching.recipient), fetching.reach), link.key)];
  }
  const opened: Content[] = [];
  let bytes = 0;
  for (const listed of await fetchManifest(link, fetching)) {
    const one = await openListed(listed, link, fetching);
    bytes += one.content.length;
    if (bytes > MOST_IN_ALL) {
      throw new LinkRefused('large');
    }
    opened.push(one);
  }
  return opened;
}

async function cardFiles(cards: readonly string[], { now, reach }: Fetching): Promise<readonly ReceivedFile[]> {
  if (cards.length > MOST_FILES) {
    throw new LinkRefused('large');
  }
  const files: ReceivedFile[] = [];
  for (const card of cards) {
    const { bundle, issuer, signature, expired } = await readCard(card, now, reach);
    files.push({ name: issuer, mediaType: FHIR, bytes: bundle, from: issuer, signature, madeWith: '', expired });
  }
  return files;
}

/** Whether something begins as JSON of FHIR does. */
function mayBeHealthData(content: Buffer): boolean {
  return content.subarray(0, 64).toString('utf8').trimStart().startsWith('{') && content.includes('"resourceType"');
}

async function receivedFiles({ contentType, content }: Content, link: SharedLink, fetching: Fetching) {
  const isCard = contentType === CARD || content.subarray(0, 200).includes('"verifiableCredential"');
  if (isCard) {
    return cardFiles(cardsInFile(content), fetching);
  }
  if (contentType === API_ACCESS || !mayBeHealthData(content)) {
    return [];
  }
  const from = new URL(link.url).host;
  const name = link.label.replaceAll(/\p{Cc}/gu, ' ').trim() || from;
  const madeWith = await appThatMade(content, fetching.now, fetching.reach);
  return [{ name, mediaType: FHIR, bytes: content, from, signature: null, madeWith, expired: '' }];
}

async function receiveLink(link: SharedLink, fetching: Fetching): Promise<readonly ReceivedFile[]> {
  requireUnexpired(link, fetching.now);
  if (link.flag.includes('P') && fetching.passcode === '') {
    throw new LinkRefused('passcode');
  }
  const files: ReceivedFile[] = [];
  for (const content of await openAll(link, fetching)) {
    files.push(...(await receivedFiles(content, link, fetching)));
  }
  return files;
}

/**
 * What is behind a link, or in a card. Nothing is asked of anybody before the link is complete and has its passcode.
 * @throws LinkRefused, with the step at which it went wrong
 */
export async function receive(wish: ToReceive): Promise<readonly ReceivedFile[]> {
  const deadline = AbortSignal.timeout(LINK_MILLISECONDS);
  const fetching: Fetching = { ...wish, reach: { allowPrivate: wish.allowPrivate, deadline } };
  const scanned = /^\s*\{\s*"verifiableCredential"/.test(wish.text)
    ? ({ kind: 'cards', cards: cardsInFile(Buffer.from(wish.text)) } as const)
    : readScanned(wish.text);
  const files =
    scanned.kind === 'cards' ? await cardFiles(scanned.cards, fetching) : await receiveLink(scanned.link, fetching);
  if (files.length === 0) {
    throw new LinkRefused('empty');
  }
  return files;
}
