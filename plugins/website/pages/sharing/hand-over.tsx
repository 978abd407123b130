/**
 * hand-over: the pages that hand a record over to the person whom it is about. The owner offers it on one page, and the
 * other person answers on another.
 */
import { AppError, errors } from '../../../../core/base/errors';
import type { ValueOf } from '../../../../core/http/route';
import { operations } from '../../http/operations';
import { go, ownAccount, page, shown, type Answer, type PersonVisit } from '../../http/page';
import { Buttons, Field, Form, Summary, What, type Wrong } from '../../parts/form';
import { Head, Part } from '../../parts/layout';
import { inRecord, recordBase } from '../../parts/record-frame';
import { ShownBefore, wasShown } from '../../http/shown-before';
import { askWhetherRight, isSure, personNamed } from './whose-account';

type Offer = ValueOf<typeof operations.records.accountHandovers>[number];

function HandOverTick({ name, text, hint }: { readonly name: string; readonly text: string; readonly hint: string }) {
  return (
    <label class="choice">
      <input type="checkbox" name={name} value="true" />
      <span>
        {text}
        <span class="hint">{hint}</span>
      </span>
    </label>
  );
}

function WaitingOffer({ visit, offer }: { readonly visit: PersonVisit; readonly offer: Offer }) {
  const { say, rich, date } = visit.words;
  return (
    <Part title={say('hand-over.waiting')}>
      <p>
        {rich('hand-over.waits-for', {
          name: <bdi>{offer.toName}</bdi>,
          until: date(offer.expiresAt),
          b: (chunks) => <b>{chunks}</b>,
        })}
      </p>
      {offer.keeps && <p>{say('hand-over.asked-to-keep')}</p>}
      <Form visit={visit}>
        <What name="back" />
        <Buttons text={say('hand-over.take-back')} end />
      </Form>
    </Part>
  );
}

function Asking({ visit, wrong }: { readonly visit: PersonVisit; readonly wrong: Wrong | undefined }) {
  const { say } = visit.words;
  return (
    <Part title={say('hand-over.whom')} hint={say('hand-over.whom-hint')}>
      <Form visit={visit}>
        <What name="offer" />
        <Field
          label={say('forgot-password.name')}
          name="name"
          value={visit.form.text('name')}
          autocomplete="off"
          exact
          required
          wrong={wrong}
        />
        <HandOverTick name="keep" text={say('hand-over.keep')} hint={say('hand-over.keep-hint')} />
        <Buttons text={say('hand-over.offer')} first>
          <a href={`${visit.site}/?all=1`}>{say('form.cancel')}</a>
        </Buttons>
      </Form>
    </Part>
  );
}

async function handOverView(visit: PersonVisit, wrong?: Wrong): Promise<Answer> {
  const { say, rich } = visit.words;
  const params = inRecord(visit);
  const [record, offer] = await Promise.all([
    visit.ask(operations.records.record, { params }),
    visit.ask(operations.records.recordHandover, { params }),
  ]);
  const title = say('hand-over.title', { record: record.label });
  return shown(
    wrong ? say('form.error-title', { title }) : title,
    <>
      <Summary title={say('form.wrong')} wrong={wrong} order={['name']} />
      <Head
        title={rich('hand-over.title', { record: <bdi>{record.label}</bdi> })}
        back={{ to: `${visit.site}/?all=1`, text: say('frame.records') }}
      >
        {say('hand-over.when')}
      </Head>
      {offer ? <WaitingOffer visit={visit} offer={offer} /> : <Asking visit={visit} wrong={wrong} />}
      <Part title={say('hand-over.then')}>
        <p>{say('hand-over.then-owner')}</p>
        <p>{say('hand-over.then-others')}</p>
      </Part>
    </>,
    {
      record: { base: recordBase(visit), name: record.label },
      ...(wrong ? { status: 400 } : {}),
    },
  );
}

/** Makes the offer, or asks whether the person is the right one, or shows the page with what is wrong. */
async function makeOffer(visit: PersonVisit): Promise<Answer> {
  const { say } = visit.words;
  const name = visit.form.text('name');
  const keep = visit.form.text('keep');
  // Only an owner may find out who has an account.
  await visit.ask(operations.records.recordHandover, { params: inRecord(visit) });
  const person = await personNamed(visit, name);
  if (person === undefined) {
    return handOverView(visit, { name: say(name === '' ? 'form.missing' : 'hand-over.nobody') });
  }
  if (person.id !== visit.person.principal.accountId && !isSure(visit, person)) {
    const button = <button class="button first">{say('hand-over.offer')}</button>;
    return askWhetherRight(visit, { typed: name, person, fields: { what: 'offer', name, keep }, button });
  }
  try {
    await visit.ask(operations.records.recordHandoverOffer, {
      params: inRecord(visit),
      body: { account_id: person.id, keep },
    });
    return go(visit.path);
  } catch (error) {
    if (error instanceof AppError && error.status === 400) {
      return handOverView(visit, { name: say('hand-over.yourself') });
    }
    throw error;
  }
}

export const handOver = page({
  path: '/records/{RECORD_ID}/hand-over',
  show: (visit) => handOverView(visit),
  submit: async (visit) => {
    if (visit.form.text('what') === 'back') {
      await visit.ask(operations.records.recordHandoverWithdraw, { params: inRecord(visit) });
      return go(visit.path);
    }
    return makeOffer(visit);
  },
});

function offered(visit: PersonVisit, offer: Offer): Answer {
  const { say, rich } = visit.words;
  const title = say('hand-over.offered-title', { record: offer.label });
  const owner = <bdi>{offer.ownerName}</bdi>;
  return shown(
    title,
    <>
      <Head title={rich('hand-over.offered-title', { record: <bdi>{offer.label}</bdi> })}>
        {rich('hand-over.offered', { owner })}
      </Head>
      <Form visit={visit}>
        <ShownBefore visit={visit} id={offer.recordId} />
        <Part title={say('hand-over.then')}>
          <p>{say('hand-over.then-you')}</p>
          <p>{say('hand-over.then-others-you')}</p>
        </Part>
        <Part title={say('hand-over.old-owner')}>
          {offer.keeps ? (
            <HandOverTick
              name="keep"
              text={say('hand-over.let-keep', { owner: offer.ownerName })}
              hint={say('hand-over.let-keep-hint')}
            />
          ) : (
            <p>{rich('hand-over.sees-nothing', { owner })}</p>
          )}
        </Part>
        <div class="aside buttons answer">
          <button class="button first" name="answer" value="yes">
            {say('hand-over.yes')}
          </button>
          <button class="button" name="answer" value="no">
            {say('hand-over.no')}
          </button>
        </div>
      </Form>
    </>,
  );
}

async function lookAt(visit: PersonVisit): Promise<Answer> {
  const offers = await visit.ask(operations.records.accountHandovers, { params: ownAccount(visit) });
  const offer = offers.find(({ recordId }) => recordId === visit.params['RECORD_ID']);
  if (!offer) {
    throw errors.notFound('offer');
  }
  return offered(visit, offer);
}

/** When a yes is pressed twice, there is no offer any more, but the record belongs to the person. */
async function isTheirs(visit: PersonVisit): Promise<boolean> {
  const { id } = await visit.ask(operations.records.recordGetOwner, { params: inRecord(visit) });
  return id === visit.person.principal.accountId;
}

async function acceptOffer(visit: PersonVisit): Promise<void> {
  const params = { ...ownAccount(visit), ...inRecord(visit) };
  try {
    await visit.ask(operations.records.recordHandoverAccept, { params, body: { keep: visit.form.text('keep') } });
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'not_found' && (await isTheirs(visit)))) {
      throw error;
    }
  }
}

/** When a no is pressed twice, there is no offer any more, and the answer is the same as to the first one. */
async function decline(visit: PersonVisit): Promise<void> {
  try {
    await visit.ask(operations.records.recordHandoverDecline, { params: { ...ownAccount(visit), ...inRecord(visit) } });
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'not_found' && wasShown(visit, inRecord(visit).RECORD_ID))) {
      throw error;
    }
  }
}

export const takeOver = page({
  path: '/handovers/{RECORD_ID}',
  show: lookAt,
  submit: async (visit) => {
    switch (visit.form.text('answer')) {
      case 'yes':
        await acceptOffer(visit);
        return go(recordBase(visit));
      case 'no':
        await decline(visit);
        return go(`${visit.site}/?all=1`);
      default:
        return lookAt(visit);
    }
  },
});
