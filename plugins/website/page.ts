/** page: the page language: where a page stands, who may open it, what it shows, and what its form does. */
import type { ComponentChildren } from 'preact';
import type { Readable } from 'node:stream';
import type { SignedIn } from '../../core/auth/browser-sessions';
import type { Models } from '../../core/datamodel/model';
import type { Fields } from '../../core/http/operation';
import type { Ask, AskAsItself, ValueOfOperation } from './operations';
import type { Words } from './words';

/** What a browser sent with a form. */
export type Form = {
  /** The last value of a field, without white space at its ends; empty when it was not sent. */
  readonly text: (name: string) => string;
  /** As it was typed: a password. */
  readonly exact: (name: string) => string;
  /** Every value of a field: boxes that were ticked. */
  readonly all: (name: string) => readonly string[];
  readonly files: (name: string) => readonly SentFile[];
};

export type SentFile = {
  readonly name: string;
  readonly mediaType: string;
  /** Empty when `incoming` says that the file lies on the disk. */ readonly bytes: Buffer;
  /** A file of many documents: it was received as it came in, and waits under this token. */
  readonly incoming?: { readonly token: string; readonly size: number; readonly beginning: Buffer };
};

/** A form that came after its session had ended. */
export type TypedBefore = { /** Of the page, without its query. */ readonly path: string; readonly form: Form };

/** One look at a page or one use of its form: all that a page may know and do. There is no database behind it but through `ask`. */
export type Visit = {
  readonly person: SignedIn | undefined;
  /** Of the address, decoded. */
  readonly params: Fields;
  readonly query: Fields;
  readonly form: Form;
  readonly words: Words;
  /** Stands in every form. */
  readonly crumb: string;
  /** Path of the page as it was asked for, without its query. */
  readonly path: string;
  /** Where the website begins: `/my`, behind the path of the public address if that has one. Every link begins with it. */
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
    readonly passwordLeast: number;
    /** How long an app that was opened here sees the record. */ readonly openSeconds: number;
    /** Whether apps of SMART on FHIR can be let in. */ readonly fhir: boolean;
  };
  /** The data models of this installation, which say what facts look like; they hold nobody's data. */
  readonly models: Models;
  /** Calls an operation for the person, or for nobody while no one is signed in. */
  readonly ask: Ask;
  /** Calls one of the operations of as-itself.ts for the website. Ask yourself first whether the person may. */
  readonly askAsItself: AskAsItself;
  /** Runs what may fail by a wrong secret. @throws errors.tooManyRequests when this address has failed too often */
  readonly counted: <T>(work: () => Promise<T>) => Promise<T>;
  /**
   * The browser holds the session from the next answer on, unless the account has a second factor.
   * @returns undefined, or the step that is left
   */
  readonly signIn: (session: { readonly token: string; readonly accountId: string }) => Promise<SecondStep | undefined>;
  /** The step that is left of a sign-in; undefined when it waited too long, or has ended in another way. */
  readonly secondStep: (waiting: string) => Promise<SecondStep | undefined>;
  /**
   * Ends a sign-in that waits, with a code or with what a passkey signed.
   * @returns false when it waited too long, or has ended in another way
   * @throws AppError 403 or 429 for a wrong one
   */
  readonly takeSecondStep: (waiting: string, proof: Fields) => Promise<boolean>;
  /**
   * What the person of this browser typed into a form whose session had ended; it is in the sealed text alone.
   * @returns undefined when somebody else typed it, or nothing was kept
   */
  readonly typedBefore: (kept: string) => TypedBefore | undefined;
  /** The browser forgets its session, which must have been ended. */
  readonly forgetCookie: () => void;
  /** Keeps language and time zone for all browsers of the person, from the next page on. */
  readonly speak: (manner: { readonly language: string; readonly zone: string }) => Promise<void>;
};

/** The second step of a sign-in, which is asked for after the right password. */
export type SecondStep = {
  /** Names the sign-in; it opens nothing by itself. */ readonly waiting: string;
  /** An app shows codes. */ readonly app: boolean;
  /** What the browser is asked to sign; undefined where no passkey can. */
  readonly ask: ValueOfOperation<'account_passkey_ask'>;
};

/** A visit of somebody who is signed in. */
export type PersonVisit = Visit & { readonly person: SignedIn };

/** What operations on the person's own account need to know: whose. */
export const ownAccount = ({ person }: PersonVisit) => ({ ACCOUNT_EMAIL: person.principal.accountId });

/** Whose record or carenet a page is about, for the frame above it. */
export type InRecord = {
  readonly base: string;
  readonly name: string;
  /** Name of the carenet; empty for a whole record. */ readonly carenet?: string;
  /** Day of birth as YYYY-MM-DD, where the page shows it; empty where it is not known. */ readonly born?: string;
};

export type Shown = {
  readonly kind: 'page';
  readonly title: string;
  readonly body: ComponentChildren;
  readonly status?: number;
  readonly record?: InRecord;
  readonly headers?: Readonly<Record<string, string>>;
  /** The one origin from which this page shows a frame: an app's. Nothing of it runs in ours. */
  readonly frames?: string;
  /** It has a button for a passkey: the site's own script runs in it, and in no other page. */
  readonly script?: boolean;
};

export type Answer =
  | Shown
  /** On to another page of this site. */
  | { readonly kind: 'go'; readonly to: string }
  /** A file to keep. */
  | {
      readonly kind: 'file';
      readonly body: string | Buffer | Readable;
      readonly type: string;
      readonly name: string;
    };

export const shown = (title: string, body: ComponentChildren, more: Partial<Shown> = {}): Shown => ({
  kind: 'page',
  title,
  body,
  ...more,
});

export const go = (to: string): Answer => ({ kind: 'go', to });

type Handlers<V> = {
  /** GET; a page without it is only posted to. */ readonly show?: (visit: V) => Promise<Answer>;
  /** POST; the crumb and the origin were checked. */ readonly submit?: (visit: V) => Promise<Answer>;
  /** For a form that takes some work to fill in: what was typed outlives the session. It has no secrets and no files. */
  readonly again?: {
    /** Which of the page's forms it is. */ readonly keeps: (form: Form) => boolean;
    /** Shows the form with what was typed (`visit.form`), and does nothing else. */
    readonly show: (visit: V) => Promise<Answer>;
  };
};

type Where = {
  /** Below /my; parameters in braces. */ readonly path: string;
  /** How many bytes the files of the form may have in all. */ readonly fileBytes?: number;
  /** The form sends files to be added: in all, at most this number of times the size of the largest document. */
  readonly documents?: number;
  /**
   * The form may also send a file of many documents, which is received as it comes in. It is asked before a byte of it is taken.
   * @throws AppError for whom the page is not there
   */
  readonly receives?: (visit: PersonVisit) => Promise<unknown>;
};

export type PageSpec = Where &
  (({ readonly open: true } & Handlers<Visit>) | ({ readonly open?: false } & Handlers<PersonVisit>));

/** A page for somebody who is signed in. */
export const page = (spec: Where & Handlers<PersonVisit>): PageSpec => spec;

/** A page for everybody. */
export const openPage = (spec: Where & Handlers<Visit>): PageSpec => ({ ...spec, open: true });
