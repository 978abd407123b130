/**
 * failed: the page that a person sees when something cannot be shown or done. It is the same for what is not theirs and
 * for what does not exist.
 */
import { isBoom } from '@hapi/boom';
import type { JSX } from 'preact';
import { AppError } from '../../../core/base/errors';
import { translate } from '../../../core/db/db-errors';
import { MOST_FILE_BYTES } from '../../../core/files/envelope';
import { shown, type PageSpec, type Shown, type Visit } from './page';
import { Head, Part } from '../parts/layout';
import { SizeWords } from '../pages/add/preview';

type Kind =
  | 'missing'
  | 'forged'
  | 'ended'
  | 'refused'
  | 'unreadable'
  | 'large'
  | 'many'
  | 'busy'
  | 'long'
  | 'out-of-order'
  | 'broken';

const statuses: Readonly<Record<Kind, number>> = {
  missing: 404,
  forged: 403,
  ended: 403,
  refused: 403,
  unreadable: 400,
  large: 413,
  many: 429,
  busy: 503,
  long: 503,
  'out-of-order': 503,
  broken: 500,
};

function statusOf(failure: unknown): number {
  const known = translate(failure);
  if (known instanceof AppError) {
    return known.status;
  }
  return isBoom(known) ? known.output.statusCode : 500;
}

const byStatus: Readonly<Record<number, Kind>> = {
  404: 'missing',
  405: 'missing',
  410: 'missing',
  413: 'large',
  // No form of this site is sent with another media type.
  415: 'forged',
  429: 'many',
  503: 'busy',
};

/**
 * The kind of a failure. hapi's own 403 means that the form itself was refused before it reached its page. An
 * operation's `refused` is about what the page asked for.
 */
function failureKind(failure: unknown, posted: boolean): Kind {
  const known = translate(failure);
  const status = statusOf(known);
  if (status === 403 && posted && isBoom(known)) {
    return 'forged';
  }
  const { code } = known as { code?: string };
  if (status === 403) {
    return code === 'refused' ? 'refused' : 'missing';
  }
  if (code === 'took_too_long') {
    return 'long';
  }
  if (code === 'out_of_order') {
    return 'out-of-order';
  }
  return byStatus[status] ?? (status < 500 ? 'unreadable' : 'broken');
}

/** Whether the page is one on which an app asks. Its question is open for some minutes, and accepts one answer. */
function isQuestion({ path, site }: Visit): boolean {
  return path === `${site}/authorize` || path.startsWith(`${site}/smart/`);
}

/** Whether the form that failed can be opened again, because another try may succeed. */
function isAgain(kind: Kind, form: PageSpec | undefined): boolean {
  return ['forged', 'large', 'unreadable', 'busy'].includes(kind) && form?.show !== undefined;
}

/**
 * The address to go on to: the person's records, or the sign-in, from which somebody who was signed out meanwhile comes
 * back to the page.
 */
function wayOn(visit: Visit, kind: Kind, form: PageSpec | undefined): string {
  if (visit.person) {
    return `${visit.site}/?all=1`;
  }
  const back = kind === 'ended' && form?.show ? `?next=${encodeURIComponent(visit.path)}` : '';
  return `${visit.site}/sign-in${back}`;
}

function body(visit: Visit, kind: Kind, form: PageSpec | undefined): JSX.Element {
  const { say, rich, date } = visit.words;
  const again = isAgain(kind, form);
  return (
    <>
      <Head title={say(`failed.${kind}-title`)} />
      <Part title={say('failed.why')}>
        <p>{say(`failed.${kind}`)}</p>
        {kind === 'large' && form?.files === true && (
          <p>
            {say('failed.large-files', {
              one: SizeWords(visit.settings.documentBytes, visit.words),
              file: SizeWords(MOST_FILE_BYTES, visit.words),
              many: SizeWords(visit.settings.uploadBytes, visit.words),
            })}
          </p>
        )}
        {kind === 'missing' && <p>{say(isQuestion(visit) ? 'failed.missing-question' : 'failed.missing-link')}</p>}
      </Part>
      <Part title={say('failed.now')}>
        <div class="buttons">
          {again && (
            <a class="button first" href={visit.path}>
              {say('failed.again')}
            </a>
          )}
          <a class={again ? undefined : 'button first'} href={wayOn(visit, kind, form)}>
            {say(visit.person ? 'frame.records' : 'sign-in.do')}
          </a>
        </div>
        <p class="more soft">
          {rich('failed.tell', {
            when: date(visit.now, 'time'),
            reference: visit.reference,
            b: (chunks) => <b>{chunks}</b>,
          })}
        </p>
      </Part>
    </>
  );
}

/** Whether a form of a person's page came after their session had ended. */
function ended(visit: Visit, form: PageSpec | undefined): boolean {
  return form !== undefined && form.open !== true && visit.person === undefined;
}

/** @param form the page whose form failed, where there is one */
export function failed(visit: Visit, failure: unknown, form: PageSpec | undefined): Shown {
  const found = failureKind(failure, form !== undefined);
  const kind = found === 'forged' && ended(visit, form) ? 'ended' : found;
  return shown(visit.words.say(`failed.${kind}-title`), body(visit, kind, form), { status: statuses[kind] });
}
