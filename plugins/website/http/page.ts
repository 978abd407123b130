/** page: the page language: the address of a page, who may open it, what it shows, and what its form does. */
import type { LookedAtAs } from '../../../core/records/own-circle';
import type { ComponentChildren } from 'preact';
import type { Readable } from 'node:stream';
import type { SignedIn } from '../../../core/auth/browser-sessions';
import type { Models } from '../../../core/facts/model/model';
import type { UnwrappedFile } from '../../../core/files/envelope';
import type { Fields } from '../../../core/http/operation';
import type { ValueOf } from '../../../core/http/route';
import type { Manner } from './manner';
import type { Ask, operations } from './operations';
import type { AskAsItself } from './as-itself';
import type { Words } from '../words/words';

/** What a browser sent with a form. */
export type Form = {
  /** The last value of a field, without white space at its ends; empty when it was not sent. */
  readonly text: (name: string) => string;
  /** The value as it was typed, for example for a password. */
  readonly exact: (name: string) => string;
  /** Every value of a field, for example of boxes that were ticked. */
  readonly all: (name: string) => readonly string[];
  readonly files: (name: string) => readonly SentFile[];
};

export type SentFile = {
  readonly name: string;
  readonly mediaType: string;
  /** Empty when `incoming` is set, because the file is then on the disk. */ readonly bytes: Buffer;
  /** It stands for more files than can be sent at once, of which none is kept. */ readonly tooMany?: true;
  /** Set for a file of many documents, which was stored while it was received and waits under this token. */
  readonly incoming?: {
    readonly token: string;
    readonly size: number;
    readonly beginning: Buffer;
    /** Whether it is a table that no format knows. */ readonly isUnknown: boolean;
    /** How many files were sent at once and became this one. */ readonly several?: number;
  };
};

/** A form that came after its session had ended. */
type TypedBefore = { /** The path of the page, without query. */ readonly path: string; readonly form: Form };

/**
 * One view of a page or one use of its form: everything that a page may know and do. It reaches the database only
 * through `ask`.
 */
export type Visit = {
  readonly person: SignedIn | undefined;
  /** The parameters of the path, decoded. */
  readonly params: Fields;
  readonly query: Fields;
  /** Every value of a field of the query, such as those of boxes that were ticked. */
  readonly asked: (name: string) => readonly string[];
  readonly form: Form;
  readonly words: Words;
  /** The crumb that every form contains. */
  readonly crumb: string;
  /** The path of the page as it was requested, without its query. */
  readonly path: string;
  /**
   * The path at which the website begins: `/my`, after the path of the public address if that has one. Every link
   * begins with it.
   */
  readonly site: string;
  /** Now, in milliseconds. */
  readonly now: number;
  /** Short name of this request in the log. */
  readonly reference: string;
  readonly settings: {
    readonly signUp: boolean;
    readonly vocabBase: string;
    /** Size of the largest document. */ readonly documentBytes: number;
    /** Size of the largest file of many documents. */ readonly uploadBytes: number;
    /** Size of the largest archive; 0: none is taken. */ readonly archiveBytes: number;
    readonly passwordLeast: number;
    /** How long an app that was opened here sees the record, in seconds. */ readonly openSeconds: number;
    /** Whether apps of SMART on FHIR can get access. */ readonly fhir: boolean;
  };
  /** The data models of this installation, which say what facts look like; they hold nobody's data. */
  readonly models: Models;
  /** Calls an operation for the person, or for nobody while no one is signed in. */
  readonly ask: Ask;
  /**
   * Calls one of the operations of as-itself.ts as the website. The page must first check whether the person may do
   * that.
   */
  readonly askAsItself: AskAsItself;
  /** The texts of the QR codes in a picture. @throws AppError unavailable */
  readonly codesIn: (picture: Buffer) => Promise<readonly string[]>;
  /** The file that a stored document holds, if it holds one. @throws AppError unavailable, transform_failed */
  readonly fileIn: (
    stored: Buffer,
    /** The place of one file in the list of all that the document holds. */ at?: number,
  ) => Promise<UnwrappedFile | undefined>;
  /**
   * Runs work that may fail because of a wrong secret. @throws errors.tooManyRequests when this address has failed too
   * often
   */
  readonly counted: <T>(work: () => Promise<T>) => Promise<T>;
  /**
   * Gives the browser the session with the next answer, unless the account has a second factor.
   * @returns undefined, or the second step
   */
  readonly signIn: (session: {
    readonly token: string;
    readonly accountId: string;
    /** Whether the person keeps it on this device; with a second factor, `takeSecondStep` is told. */
    readonly kept?: boolean;
    /** The time zone of the browser, if it said one. */ readonly browserZone?: string;
    /** The language that the person has chosen in the form, which is kept. */ readonly language?: string;
  }) => Promise<SecondStep | undefined>;
  /** The second step of a sign-in; undefined when the sign-in waited too long, or has ended in another way. */
  readonly secondStep: (waiting: string) => Promise<SecondStep | undefined>;
  /**
   * Ends a sign-in that waits, with a code or with what a passkey signed.
   * @returns false when it waited too long, or has ended in another way
   * @throws AppError 403 or 429 for a wrong proof
   */
  readonly takeSecondStep: (waiting: string, proof: Fields, kept: boolean) => Promise<boolean>;
  /**
   * What the person of this browser typed into a form whose session had ended. Only the sealed text contains it.
   * @returns undefined when somebody else typed it, or nothing was kept
   */
  readonly typedBefore: (kept: string) => TypedBefore | undefined;
  /** Makes the browser forget its session, which must have been ended before. */
  readonly forgetCookie: () => void;
  /** Keeps language, time zone and look for all browsers of the person, from the next page on. */
  readonly speak: (manner: Manner) => Promise<void>;
};

/** The second step of a sign-in, which is asked for after the right password. */
export type SecondStep = {
  /** The name of the sign-in that waits. It gives no access by itself. */ readonly waiting: string;
  /** Whether an app shows codes. */ readonly app: boolean;
  /** What the browser is asked to sign; undefined if there is no passkey that can. */
  readonly ask: ValueOf<typeof operations.accounts.accountPasskeyAsk>;
};

/** A visit of somebody who is signed in. */
export type PersonVisit = Visit & { readonly person: SignedIn };

/** The parameters of operations on the person's own account. */
export function ownAccount({ person }: PersonVisit) {
  return { ACCOUNT_EMAIL: person.principal.accountId };
}

/** Whose record or carenet a page is about, for the frame above it. */
export type InRecord = {
  readonly base: string;
  readonly name: string;
  /** Name of the carenet; empty for a whole record. */ readonly carenet?: string;
  /** As whom the owner looks at a carenet. */ readonly as?: LookedAtAs | null;
  /** Day of birth as YYYY-MM-DD, if the page shows it; empty if it is not known. */ readonly born?: string;
};

export type Shown = {
  readonly kind: 'page';
  readonly title: string;
  readonly body: ComponentChildren;
  readonly status?: number;
  readonly record?: InRecord;
  /** A page of one narrow form. */ readonly slim?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * The only origin from which this page shows a frame, which is that of an app. Nothing of the app runs in our origin.
   */
  readonly frames?: string;
  /**
   * Whether the page has a button for a passkey or one that shows a password, or in addition what is kept on a telephone.
   * Only in such pages the scripts of the site run.
   */
  readonly script?: boolean | 'telephone';
};

export type Answer =
  | Shown
  /** Leads on to another page of this site. */
  | { readonly kind: 'go'; readonly to: string }
  /** A picture that a page of this site shows, as PNG. */
  | { readonly kind: 'picture'; readonly body: Buffer }
  /** A file to keep. */
  | {
      readonly kind: 'file';
      readonly body: string | Buffer | Readable;
      readonly type: string;
      readonly name: string;
    };

export function shown(title: string, body: ComponentChildren, more: Partial<Shown> = {}): Shown {
  return {
    kind: 'page',
    title,
    body,
    ...more,
  };
}

export function go(to: string): Answer {
  return { kind: 'go', to };
}

type Handlers<V> = {
  /** Handles GET. A page without it only accepts forms. */ readonly show?: (visit: V) => Promise<Answer>;
  /** Handles POST, after the crumb and the origin were checked. */ readonly submit?: (visit: V) => Promise<Answer>;
  /**
   * For a form that takes some work to fill in and has no secrets and no files. What was typed is kept when the session
   * ends.
   */
  readonly again?: {
    /** Which of the page's forms it is. */ readonly keeps: (form: Form) => boolean;
    /** Shows the form with what was typed (`visit.form`), and does nothing else. */
    readonly show: (visit: V) => Promise<Answer>;
  };
};

type Where = {
  /** Below /my; parameters in braces. */ readonly path: string;
  /** The path is below the public address itself, because it stands in links that others read. */
  readonly root?: boolean;
  /** The form sends files to be added. */ readonly files?: true;
  /**
   * The form may also send a file of many documents, which is stored while it is received. This function is called
   * before a byte of it is read.
   * @throws AppError for people who may not see the page
   */
  readonly receives?: (visit: PersonVisit) => Promise<unknown>;
  /**
   * More files than this, in the field `file`, become one archive that is stored while they are received.
   */
  readonly several?: number;
  /** The only file that the form sends is an archive, which is stored while it is received, whatever it is. */
  readonly archive?: true;
};

export type PageSpec = Where &
  (({ readonly open: true } & Handlers<Visit>) | ({ readonly open?: false } & Handlers<PersonVisit>));

/** A page for somebody who is signed in. */
export function page(spec: Where & Handlers<PersonVisit>): PageSpec {
  return spec;
}

/** A page for everybody. */
export function openPage(spec: Where & Handlers<Visit>): PageSpec {
  return { ...spec, open: true };
}
