/**
 * kept-form: keeps what was typed into a form whose session had ended. The text is sealed into the pages of the next
 * sign-in only, and is shown again to the person who typed it.
 */
import type { JSX } from 'preact';
import type { Request } from '@hapi/hapi';
import type { Prove } from '../../../core/auth/page-key';
import type { Sealing } from '../../../core/auth/sealing';
import { CRUMB, crumbOf } from './cookies';
import { go, shown, type Answer, type Form as Sent, type PageSpec, type SentFile, type Visit } from './page';
import { Buttons, Form } from '../parts/form';
import { Only } from '../parts/layout';
import { ownAddress } from './where';

/** The field of a form that contains the sealed text. */
export const KEPT = 'kept';

/** Sealing makes a text longer by a third, and the sealed text must fit into a form again. */
const MOST_BYTES = 120_000;

const KIND = 'typed before';

type Fields = Readonly<Record<string, readonly string[]>>;

type Sealed = {
  readonly kind: typeof KIND;
  readonly path: string;
  readonly fields: Fields;
  /** The cookie of the session that had ended. Together with the crumb it proves whose session it was. */
  readonly cookie: string;
  readonly crumb: string;
};

function asList(value: unknown): readonly unknown[] {
  if (value === undefined) {
    return [];
  }
  return Array.isArray(value) ? (value as unknown[]) : [value];
}

/** A form as a page reads it. @param filesIn the files in a value; none if the form sends no files */
export function formOf(payload: unknown, filesIn: (value: unknown) => readonly SentFile[]): Sent {
  const sent = (typeof payload === 'object' && payload !== null ? payload : {}) as Record<string, unknown>;
  const values = (name: string): readonly unknown[] => (Object.hasOwn(sent, name) ? asList(sent[name]) : []);
  const fields = (name: string): readonly string[] => values(name).filter((value) => typeof value === 'string');
  return {
    text: (name) => (fields(name).at(-1) ?? '').trim(),
    exact: (name) => fields(name).at(-1) ?? '',
    all: fields,
    files: (name) => values(name).flatMap(filesIn),
  };
}

function fieldsOf(payload: unknown): Fields {
  return Object.fromEntries(
    Object.entries(payload as Record<string, unknown>)
      .filter(([name]) => name !== CRUMB)
      .map(([name, value]) => [name, asList(value).filter((one) => typeof one === 'string')]),
  );
}

/**
 * Seals what was typed into a form, if its page keeps it; undefined for other forms. The origin and the crumb were
 * checked before.
 * @param cookie the cookie of the session that has ended
 */
export function keepTyped(
  sealing: Sealing,
  cookie: string | undefined,
  { payload }: Pick<Request, 'payload'>,
  spec: PageSpec,
  visit: Visit,
): string | undefined {
  if (visit.person || cookie === undefined || spec.again?.keeps(visit.form) !== true) {
    return undefined;
  }
  const sealed: Sealed = { kind: KIND, path: visit.path, fields: fieldsOf(payload), cookie, crumb: visit.crumb };
  const text = JSON.stringify(sealed);
  return Buffer.byteLength(text) > MOST_BYTES ? undefined : sealing.seal(text);
}

function openSealed(sealing: Sealing, kept: string): Sealed | undefined {
  try {
    const sealed = JSON.parse(sealing.open(kept)) as Partial<Sealed>;
    return sealed.kind === KIND ? (sealed as Sealed) : undefined;
  } catch {
    return undefined;
  }
}

/** What this account typed; undefined for what another account typed, and for any other text. */
export function openTyped(
  { sealing, prove }: { readonly sealing: Sealing; readonly prove: Prove },
  kept: string,
  accountId: string | undefined,
): ReturnType<Visit['typedBefore']> {
  const sealed = kept === '' || accountId === undefined ? undefined : openSealed(sealing, kept);
  return sealed && crumbOf(prove, sealed.cookie, accountId!) === sealed.crumb
    ? { path: sealed.path, form: formOf(sealed.fields, () => []) }
    : undefined;
}

export function Kept({ value }: { readonly value: string }): JSX.Element | null {
  return value === '' ? null : <input type="hidden" name={KEPT} value={value} />;
}

/** Where a sign-in leads: to the page, or to a button that shows the form again with what was typed. */
export function afterSignIn(visit: Visit, next: string): Answer {
  const kept = visit.form.exact(KEPT);
  const before = visit.typedBefore(kept);
  if (!before) {
    // The person who signed in must not learn what somebody else was about to do.
    return go(kept === '' ? next : `${visit.site}/`);
  }
  const { say } = visit.words;
  const title = say('kept-form.title');
  return shown(
    title,
    <Only title={title} hint={say('kept-form.hint')}>
      <Form visit={visit} action={ownAddress(visit.site, before.path)}>
        <Kept value={kept} />
        <Buttons text={say('kept-form.do')} first>
          <a href={`${visit.site}/`}>{say('kept-form.not')}</a>
        </Buttons>
      </Form>
    </Only>,
  );
}
