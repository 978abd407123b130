/** invited: the invitations that are open: what each begins with, who came, and the buttons that answer. */
import type { JSX } from 'preact';
import type { ValueOf } from '../../../../core/http/route';
import type { operations } from '../../http/operations';
import type { PersonVisit } from '../../http/page';
import { Form } from '../../parts/form';
import { Part, Rows } from '../../parts/layout';
import { listNames } from '../../parts/list';
import { recordBase } from '../../parts/record-frame';
import { circleName } from '../../words/circle-names';
import { inSentence } from '../../words/type-words';
import { namedKinds } from './kind-ticks';

export type Invitation = ValueOf<typeof operations.records.recordInvitations>[number];
type Seen = {
  readonly visit: PersonVisit;
  readonly sharing: Pick<ValueOf<typeof operations.carenets.recordSharing>, 'carenets'>;
};

export const WHOLE = 'whole';
/** Before the name of a kind among what an invitation gives. */
export const KIND = 'kind:';

/** What somebody begins with, in words: everything, or the names of circles. */
function BeginsWith({ visit, sharing, gives }: Seen & { readonly gives: readonly string[] }): JSX.Element {
  const { say, rich } = visit.words;
  const circles = sharing.carenets.filter(({ id }) => gives.includes(id));
  const kinds = gives.flatMap((one) => (one.startsWith(KIND) ? [one.slice(KIND.length)] : []));
  const names = [
    ...namedKinds(visit, kinds).map((text) => inSentence(text, visit.words)),
    ...circles.map(({ name }) => circleName(name, visit.words)),
  ];
  return gives.includes(WHOLE) ? (
    <>{say('invite.gives-all')}</>
  ) : (
    <>{rich('invite.gives', { circles: listNames(names, visit.words) })}</>
  );
}

/** The buttons for one invitation: who came is let in or not; before that it can be sent again or taken back. */
function Answers({ visit, invitation }: { readonly visit: PersonVisit; readonly invitation: Invitation }): JSX.Element {
  const { say } = visit.words;
  const { id, name, guest, isOwn } = invitation;
  return (
    <Form visit={visit} action={`${recordBase(visit)}sharing/invite`}>
      <input type="hidden" name="id" value={id} />
      <div class="buttons">
        {guest && (
          <>
            <button class="button first" name="what" value="yes">
              {say('invite.yes', { name: guest.name || name })}
            </button>
            <button class="button" name="what" value="no">
              {say('invite.no')}
              <span class="unseen"> {guest.name || name}</span>
            </button>
          </>
        )}
        {!guest && isOwn && (
          <button class="button little" name="what" value="again">
            {say('invite.again')}
            <span class="unseen"> {name}</span>
          </button>
        )}
        {!guest && (
          <button class="button little end" name="what" value="back">
            {say('invite.back')}
            <span class="unseen"> {name}</span>
          </button>
        )}
      </div>
    </Form>
  );
}

/** Whoever came waits for an answer, and so stands first. */
function byAnswer(one: Invitation, other: Invitation): number {
  return Number(Boolean(other.guest)) - Number(Boolean(one.guest));
}

/** Who is invited, and who came and waits for an answer; nothing while nobody is. */
export function Invited({
  visit,
  sharing,
  invitations,
}: Seen & { readonly invitations: readonly Invitation[] }): JSX.Element | null {
  const { say, rich, date } = visit.words;
  return invitations.length === 0 ? null : (
    <Part title={say('invite.open')}>
      <Rows>
        {[...invitations].sort(byAnswer).map((one) => (
          <li>
            <div>
              <b>
                <bdi>{one.name}</bdi>
              </b>{' '}
              <span class="by">
                <bdi>{one.email}</bdi>
              </span>
              <p class="by">
                <BeginsWith visit={visit} sharing={sharing} gives={one.gives} />{' '}
                {say('invite.until', { until: date(one.expiresAt) })}
              </p>
              {one.guest && (
                <p role="status">
                  {one.guest.email === ''
                    ? rich('invite.came-unconfirmed', { name: <bdi>{one.guest.name}</bdi> })
                    : rich('invite.came', { name: <bdi>{one.guest.name}</bdi>, email: <bdi>{one.guest.email}</bdi> })}
                </p>
              )}
            </div>
            <Answers visit={visit} invitation={one} />
          </li>
        ))}
      </Rows>
    </Part>
  );
}
