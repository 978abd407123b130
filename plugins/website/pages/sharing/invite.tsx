/** invite: the page on which somebody is invited by mail to see a record or circles of it, and on which they are let in. */
import type { JSX } from 'preact';
import { isAddress } from '../../../../core/auth/address';
import { LONGEST_NAME } from '../../../../core/auth/full-name';
import type { ValueOf } from '../../../../core/http/route';
import { operations } from '../../http/operations';
import { go, page, shown, type Answer, type PersonVisit } from '../../http/page';
import { Buttons, Form, isName, Field, requiredField, Summary, What, type Wrong } from '../../parts/form';
import { Head, Part, Say } from '../../parts/layout';
import { inRecord, recordBase } from '../../parts/record-frame';
import { circleName } from '../../words/circle-names';
import { Invited, KIND, WHOLE } from './invited';
import { KindTicks, tickedKinds, type Seers } from './kind-ticks';
import { LISTED, type Note } from './view';

type Sharing = ValueOf<typeof operations.carenets.recordSharing>;
type Seen = { readonly visit: PersonVisit; readonly sharing: Sharing; readonly seers: Seers };

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
  return shown(
    wrong ? say('form.error-title', { title }) : title,
    <>
      <Summary title={say('form.wrong')} wrong={wrong} order={['name', 'email', 'gives']} />
      {visit.query['note'] === 'sent' && <Say tone="good" role="status" title={say('invite.note-sent')} />}
      <Head title={title} back={{ to: `${recordBase(visit)}sharing`, text: say('frame.sharing') }}>
        {say('invite.lead')}
      </Head>
      <Invited visit={visit} sharing={sharing} invitations={invitations} />
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
  const answered = (note: Note): Answer => go(`${recordBase(visit)}sharing?note=${note}`);
  switch (visit.form.text('what')) {
    case 'invite':
      return sendInvitation(visit);
    case 'again':
      await visit.ask(operations.records.recordInvitationAgain, { params });
      return answered('again');
    case 'back':
      await visit.ask(operations.records.recordInvitationTakeBack, { params });
      return answered('ended');
    case 'yes':
      await visit.ask(operations.records.recordInvitationAnswer, { params, body: { yes: 'true' } });
      return answered('in');
    case 'no':
      await visit.ask(operations.records.recordInvitationAnswer, { params, body: { yes: 'false' } });
      return answered('ended');
    default:
      return inviteView(visit);
  }
}

export const invite = page({
  path: '/records/{RECORD_ID}/sharing/invite',
  show: (visit) => inviteView(visit),
  submit: submitInvite,
});
