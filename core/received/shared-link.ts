/** shared-link: reads the text of a SMART Health Link or of a SMART Health Card, wherever it stands (pure). */
import { LinkRefused } from './failures';

export type SharedLink = {
  readonly url: string;
  readonly key: Buffer;
  /** Letters that say how it is fetched. */ readonly flag: string;
  /** Seconds since 1970; undefined: it does not say. */ readonly exp: number | undefined;
  readonly label: string;
};

/** A link, or the cards of one or more codes. */
type Scanned =
  { readonly kind: 'link'; readonly link: SharedLink } | { readonly kind: 'cards'; readonly cards: readonly string[] };

const KEY_BYTES = 32;
/** The most characters of a link; those that people are given have some hundreds. */
const LONGEST_LINK = 20_000;
const LONGEST_CARDS = 200_000;

type Payload = Readonly<Record<string, unknown>>;

function payloadIn(coded: string): Payload {
  try {
    const payload = JSON.parse(Buffer.from(coded, 'base64url').toString('utf8')) as unknown;
    if (typeof payload === 'object' && payload !== null && !Array.isArray(payload)) {
      return payload as Payload;
    }
  } catch {
    // The text was cut off, or is something else.
  }
  throw new LinkRefused('none');
}

/** `U` is a file at once, without a passcode; `L` says that the content may change. */
function isFlag(flag: unknown): flag is string {
  return typeof flag === 'string' && /^[A-Z]*$/.test(flag) && !(flag.includes('U') && flag.includes('P'));
}

/** @throws LinkRefused */
function linkOfPayload({ url, key, flag = '', exp, label = '' }: Payload): SharedLink {
  const bytes = typeof key === 'string' && /^[\w-]{43}$/.test(key) ? Buffer.from(key, 'base64url') : Buffer.alloc(0);
  if (typeof url !== 'string' || !URL.canParse(url) || bytes.length !== KEY_BYTES) {
    throw new LinkRefused('none');
  }
  if (!isFlag(flag)) {
    throw new LinkRefused('flags');
  }
  return {
    url,
    key: bytes,
    flag,
    exp: typeof exp === 'number' && Number.isFinite(exp) ? exp : undefined,
    label: typeof label === 'string' ? label : '',
  };
}

/** Each pair of digits is a character of the card, less 45. */
function cardOf(digits: string): string {
  return (digits.match(/\d\d/g) ?? []).map((pair) => String.fromCharCode(Number(pair) + 45)).join('');
}

/** The digits of cards. Parts that belong together stand in any order; none may be missing. */
function cardsIn(text: string): readonly string[] {
  const codes = [...text.matchAll(/shc:\/(?:(\d{1,2})\/(\d{1,2})\/)?(\d+)/g)];
  const whole = codes.filter(([, part]) => part === undefined).map(([, , , digits]) => digits!);
  const parts = codes.filter(([, part]) => part !== undefined);
  const total = Number(parts[0]?.[2] ?? 0);
  const ordered = Array.from(
    { length: total },
    (_, index) => parts.find(([, part]) => Number(part) === index + 1)?.[3],
  );
  if (ordered.includes(undefined) || parts.some(([, , of]) => Number(of) !== total)) {
    throw new LinkRefused('none');
  }
  return [...whole, ...(total > 0 ? [ordered.join('')] : [])].map(cardOf);
}

/** @throws LinkRefused */
export function readScanned(text: string): Scanned {
  const [, coded] = (text.length <= LONGEST_LINK && /shlink:\/([\w-]+)/.exec(text)) || [];
  if (coded !== undefined) {
    return { kind: 'link', link: linkOfPayload(payloadIn(coded)) };
  }
  if (text.length <= LONGEST_CARDS && /shc:\/\d/.test(text)) {
    return { kind: 'cards', cards: cardsIn(text) };
  }
  throw new LinkRefused('none');
}

/** @throws LinkRefused for a link that has expired */
export function requireUnexpired({ exp }: SharedLink, now: number): void {
  if (exp !== undefined && exp * 1000 <= now) {
    const day = new Date(Math.max(exp * 1000, -8e15)).toISOString().slice(0, 10);
    throw new LinkRefused('expired', day);
  }
}
