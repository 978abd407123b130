/** invite: the page on which somebody is invited by mail to see a record or circles of it, and on which they are let in. */
import type { JSX } from 'preact';
import { isAddress } from '../../../../core/auth/address';
import { LONGEST_NAME } from '../../../../core/auth/full-name';
import type { ValueOf } from '../../../../core/http/route';
import { operations } from '../../http/operations';
import { go, page, shown, type Answer, type PersonVisit } from '../../http/page';
import { Buttons, Form, isName, Field, requiredField, Summary, What, type Wrong } from '../../parts/form';
import { Head, Part, Rows, Say } from '../../parts/layout';
import { listNames } from '../../parts/list';
import { inRecord, recordBase } from '../../parts/record-frame';
import { circleName } from '../../words/circle-names';
import { inSentence } from '../../words/type-words';
import { KindTicks, namedKinds, tickedKinds, type Seers } from './kind-ticks';
import { LISTED } from './view';

type Invitation = ValueOf<typeof operations.records.recordInvitations>[number];
type Sharing = ValueOf<typeof operations.carenets.recordSharing>;
type Seen = { readonly visit: PersonVisit; readonly sharing: Sharing; readonly seers: Seers };

const WHOLE = 'whole';
/** Before the name of a kind among what an invitation gives. */
const KIND = 'kind:';

/** What somebody begins with, in words: everything, or the names of circles. */
function BeginsWith({
  visit,
  sharing,
  gives,
}: Omit<Seen, 'seers'> & { readonly gives: readonly string[] }): JSX.Element {
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

/** The buttons for one invitation: who came is let in or not; before that it can be taken back. */
function Answers({ visit, invitation }: { readonly visit: PersonVisit; readonly invitation: Invitation }): JSX.Element {
  const { say } = visit.words;
  const { id, name, guest } = invitation;
  return (
    <Form visit={visit}>
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

function Open({ visit, sharing, invitations }: Omit<Seen, 'seers'> & { readonly invitations: readonly Invitation[] }) {
  const { say, rich, date } = visit.words;
  return invitations.length === 0 ? null : (
    <Part title={say('invite.open')}>
      <Rows>
        {invitations.map((one) => (
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

/** What to begin with: single kinds of facts for this person, then circles, then everything. */
function Beginning({ visit, sharing, seers, wrong }: Seen & { readonly wrong: Wrong | undefined }): JSX.Element {
  const { say } = visit.words;
  const ticked = visit.form.all('gives');
  const circles = sharing.carenets.filter(({ id }) => !seers.ownCircles.includes(id));
  return (
    <div id="field-gives">
      {wrong?.['gives'] !== undefined && <p class="wrong">{wrong['gives']}</p>}
      <KindTicks visit={visit} given={visit.form.all('kind')} legend={say('invite.begin')} />
      <fieldset>
        <legend>{say('sharing.circles')}</legend>
        {circles.map(({ id, name }) => (
          <label class="choice">
            <input type="checkbox" name="gives" value={id} checked={ticked.includes(id)} />
            <span>
              <bdi>{circleName(name, visit.words)}</bdi>
            </span>
          </label>
        ))}
        {sharing.mine && (
          <label class="choice">
            <input type="checkbox" name="gives" value={WHOLE} checked={ticked.includes(WHOLE)} />
            <span>
              {say('invite.whole')}
              <span class="hint">{say('invite.whole-hint')}</span>
            </span>
          </label>
        )}
      </fieldset>
    </div>
  );
}

async function inviteView(visit: PersonVisit, wrong?: Wrong): Promise<Answer> {
  const { say } = visit.words;
  const params = inRecord(visit);
  const [sharing, invitations, seers] = await Promise.all([
    visit.ask(operations.carenets.recordSharing, { params, query: { limit: String(LISTED) } }),
    visit.ask(operations.records.recordInvitations, { params }),
    visit.ask(operations.carenets.recordWhoSees, { params }),
  ]);
  const title = say('invite.title');
  const note = visit.query['note'] ?? '';
  return shown(
    wrong ? say('form.error-title', { title }) : title,
    <>
      <Summary title={say('form.wrong')} wrong={wrong} order={['name', 'email', 'gives']} />
      {['sent', 'ended', 'in'].includes(note) && <Say tone="good" role="status" title={say(`invite.note-${note}`)} />}
      <Head title={title} back={{ to: `${recordBase(visit)}sharing`, text: say('frame.sharing') }}>
        {say('invite.lead')}
      </Head>
      <Open visit={visit} sharing={sharing} invitations={invitations} />
      <Part title={say('invite.whom')} hint={say('invite.whom-hint')}>
        <Form visit={visit}>
          <What name="invite" />
          <Field label={say('invite.name')} {...requiredField(visit, 'name', wrong)} autocomplete="off" />
          <Field label={say('form.email')} {...requiredField(visit, 'email', wrong)} type="email" autocomplete="off" />
          <Beginning visit={visit} sharing={sharing} seers={seers} wrong={wrong} />
          <Buttons text={say('invite.do')} first>
            <a href={`${recordBase(visit)}sharing`}>{say('form.cancel')}</a>
          </Buttons>
        </Form>
      </Part>
    </>,
    { record: { base: recordBase(visit), name: sharing.record.label }, ...(wrong ? { status: 400 } : {}) },
  );
}

async function sendInvitation(visit: PersonVisit): Promise<Answer> {
  const { form, words } = visit;
  const [name, email] = [form.text('name'), form.text('email')];
  const ticked = [...form.all('gives'), ...tickedKinds(visit).map((kind) => `${KIND}${kind}`)];
  const wrong: Wrong = {
    ...(isName(name, LONGEST_NAME) ? {} : { name: words.say('form.name-missing') }),
    ...(isAddress(email) ? {} : { email: words.say('form.email-wrong') }),
    ...(ticked.length > 0 ? {} : { gives: words.say('invite.nothing') }),
  };
  if (Object.keys(wrong).length > 0) {
    return inviteView(visit, wrong);
  }
  const gives = ticked.includes(WHOLE) ? WHOLE : ticked.join(' ');
  await visit.ask(operations.records.recordInvite, { params: inRecord(visit), body: { name, email, gives } });
  return go(`${visit.path}?note=sent`);
}

async function submitInvite(visit: PersonVisit): Promise<Answer> {
  const params = { ...inRecord(visit), INVITATION_ID: visit.form.text('id') || '-' };
  switch (visit.form.text('what')) {
    case 'invite':
      return sendInvitation(visit);
    case 'back':
      await visit.ask(operations.records.recordInvitationTakeBack, { params });
      return go(`${visit.path}?note=ended`);
    case 'yes':
      await visit.ask(operations.records.recordInvitationAnswer, { params, body: { yes: 'true' } });
      return go(`${visit.path}?note=in`);
    case 'no':
      await visit.ask(operations.records.recordInvitationAnswer, { params, body: { yes: 'false' } });
      return go(`${visit.path}?note=ended`);
    default:
      return inviteView(visit);
  }
}

export const invite = page({
  path: '/records/{RECORD_ID}/sharing/invite',
  show: (visit) => inviteView(visit),
  submit: submitInvite,
});
