/**
 * invitation: the page to which the mail of an invitation leads. It says who invites and nothing of the record; whoever
 * has no account can ask for one there.
 */
import { AppError } from '../../../../core/base/errors';
import { LONGEST_NAME } from '../../../../core/auth/full-name';
import type { ValueOf } from '../../../../core/http/route';
import { go, openPage, shown, type Answer, type Visit } from '../../http/page';
import { Buttons, Field, Form, isName, requiredField, Summary, type Wrong } from '../../parts/form';
import { Only } from '../../parts/layout';
import { operations } from '../../http/operations';
import { codeShown } from '../sign-in/forgot-password';

type Seen = NonNullable<ValueOf<typeof operations.records.invitationLook>>;

function inPath({ params }: Visit) {
  return { INVITATION_SECRET: params['INVITATION_SECRET'] ?? '' };
}

/** The same words for a link that is wrong, too old, taken back, or used by somebody else. */
function dead(visit: Visit): Answer {
  const { say } = visit.words;
  const title = say('invitation.dead');
  return shown(
    title,
    <Only title={title}>
      <p>{say('invitation.dead-why')}</p>
    </Only>,
    { status: 404 },
  );
}

function inviterName({ inviter }: Seen, { words: { say } }: Visit): string {
  return inviter || say('invitation.somebody');
}

function Come({ visit, seen }: { readonly visit: Visit; readonly seen: Seen }) {
  const { say } = visit.words;
  return (
    <>
      <p>{say('invitation.then', { name: inviterName(seen, visit) })}</p>
      <Form visit={visit}>
        <Buttons text={say('invitation.come')} first />
      </Form>
    </>
  );
}

function Join({
  visit,
  seen,
  wrong,
}: {
  readonly visit: Visit;
  readonly seen: Seen;
  readonly wrong: Wrong | undefined;
}) {
  const { say } = visit.words;
  return (
    <>
      <div class="buttons">
        <a class="button first" href={`${visit.site}/sign-in?next=${encodeURIComponent(visit.path)}`}>
          {say('invitation.have-one')}
        </a>
      </div>
      {seen.makesAccounts ? (
        <Form visit={visit}>
          <p>{say('invitation.join-hint')}</p>
          <Summary title={say('form.wrong')} wrong={wrong} order={['name']} />
          <Field label={say('form.full-name')} {...requiredField(visit, 'name', wrong)} autocomplete="name" />
          <Buttons text={say('invitation.join')} />
        </Form>
      ) : (
        <p>{say('invitation.no-accounts', { name: inviterName(seen, visit) })}</p>
      )}
    </>
  );
}

async function invitationView(visit: Visit, wrong?: Wrong): Promise<Answer> {
  const { say } = visit.words;
  const seen = await visit.ask(operations.records.invitationLook, { params: inPath(visit) });
  if (!seen) {
    return dead(visit);
  }
  const name = inviterName(seen, visit);
  const title = say('invitation.title', { name });
  return shown(
    wrong ? say('form.error-title', { title }) : title,
    <Only title={title}>
      {seen.state === 'waits' && (
        <div role="status">
          <p>{say('invitation.waits', { name })}</p>
          <p>
            <a href={`${visit.site}/?all=1`}>{say('frame.records')}</a>
          </p>
        </div>
      )}
      {seen.state === 'open' && <p>{say('invitation.what', { name })}</p>}
      {seen.state === 'open' && visit.person && <Come visit={visit} seen={seen} />}
      {seen.state === 'open' && !visit.person && <Join visit={visit} seen={seen} wrong={wrong} />}
    </Only>,
    wrong ? { status: 400 } : {},
  );
}

async function come(visit: Visit): Promise<Answer> {
  await visit.ask(operations.records.invitationCome, { params: inPath(visit) });
  return go(visit.path);
}

async function join(visit: Visit): Promise<Answer> {
  const { say, language } = visit.words;
  const name = visit.form.text('name');
  if (!isName(name, LONGEST_NAME)) {
    return invitationView(visit, { name: say('form.name-missing') });
  }
  const body = { full_name: name, language };
  const code = await visit.ask(operations.records.invitationJoin, { params: inPath(visit), body });
  return codeShown(visit, say('sign-up.title'), code, 'invitation.mailed');
}

export const invitation = openPage({
  path: '/invitations/{INVITATION_SECRET}',
  show: (visit) => invitationView(visit),
  submit: async (visit) => {
    try {
      return await (visit.person ? come(visit) : join(visit));
    } catch (error) {
      if (error instanceof AppError && error.code === 'not_found') {
        return dead(visit);
      }
      throw error;
    }
  },
});
