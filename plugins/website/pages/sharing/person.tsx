/** person: the page on which it is said what one person sees of a record, and until which day. */
import type { JSX } from 'preact';
import { AppError, errors } from '../../../../core/base/errors';
import { operations } from '../../http/operations';
import { go, page, shown, type Answer, type PersonVisit } from '../../http/page';
import { Buttons, Field, Form, Summary, What, type Wrong } from '../../parts/form';
import { Head, Part, Say } from '../../parts/layout';
import { inRecord, recordBase } from '../../parts/record-frame';
import { Avatar, hueOf } from '../../parts/who';
import { KindTicks, tickedKinds } from './kind-ticks';
import { SeeParts, Stop, WhatTheySee, type Person, type Seen } from './people';
import type { FactKinds } from './single-facts';

type Chosen = { readonly kinds: readonly string[]; readonly documents: string; readonly lastDay: string };
type Changing = Seen & {
  readonly person: Person;
  readonly facts: FactKinds | undefined;
  /** What was sent, where it could not be stored. */ readonly sent?: Chosen;
  readonly wrong?: Wrong;
};

type OfPerson = Pick<Changing, 'seers' | 'person'>;

/** The person of the page. @throws AppError not_found for one who does not see the record */
async function readPerson(visit: PersonVisit): Promise<OfPerson> {
  const account = visit.params['ACCOUNT_ID'] ?? '';
  const seers = await visit.ask(operations.carenets.recordWhoSees, { params: inRecord(visit), query: { account } });
  const [person] = seers.people;
  if (!person || account === '') {
    throw errors.notFound('person');
  }
  return { seers, person };
}

/** Everything the page shows of a person who sees the record. */
async function readChanging(visit: PersonVisit, { seers, person }: OfPerson): Promise<Changing> {
  const params = inRecord(visit);
  const own = person.circles.find((circle) => circle.own);
  const [sharing, facts] = await Promise.all([
    visit.ask(operations.carenets.recordSharing, { params, query: { limit: '1' } }),
    own ? visit.ask(operations.carenets.recordFactKinds, { params, query: { carenet: own.id } }) : undefined,
  ]);
  return { visit, sharing, seers, facts, person };
}

type HeldDocuments = { readonly state: 'none' | 'these' | 'all'; readonly count: number };

function heldDocuments({ sharing }: Changing, circle: string | undefined): HeldDocuments {
  const held = sharing.carenets.find(({ id }) => id === circle);
  const types = [...sharing.types.map(({ type }) => type), ...sharing.formats];
  if (held && types.length > 0 && types.every((type) => held.types.includes(type))) {
    return { state: 'all', count: held.documents };
  }
  const isSome = held !== undefined && (held.types.length > 0 || held.placed > 0);
  return { state: isSome ? 'these' : 'none', count: held?.documents ?? 0 };
}

function DocumentsChoice({
  visit,
  held,
  chosen,
}: {
  visit: PersonVisit;
  held: HeldDocuments;
  chosen: string;
}): JSX.Element {
  const { say } = visit.words;
  const texts = { none: say('person.none'), these: say('person.these', { count: held.count }), all: say('person.all') };
  return (
    <fieldset>
      <legend>{say('person.documents')}</legend>
      <div class="pick">
        {(['none', 'these', 'all'] as const).map((value) => (
          <label>
            <input type="radio" name="documents" value={value} checked={chosen === value} />
            {texts[value]}
          </label>
        ))}
      </div>
      <p class="hint gap">{say('person.documents-about')}</p>
      <p class="by">
        <a href={`${recordBase(visit)}documents/`}>{say('person.choose')}</a>
      </p>
    </fieldset>
  );
}

/** What the ticks of a page open today, counted for the circle of the person. */
function opensFor({ visit, facts }: Changing, circle: string | undefined): (kinds: readonly string[]) => string {
  const { say } = visit.words;
  return (kinds) => {
    const counts = (facts?.kinds ?? [])
      .filter(({ name }) => kinds.includes(name))
      .flatMap(({ carenets }) => carenets.filter(({ id }) => id === circle));
    const count = counts.reduce((sum, one) => sum + one.facts, 0);
    return circle === undefined ? '' : say('person.entries', { count });
  };
}

function Change(changing: Changing): JSX.Element {
  const { visit, person, sent, wrong } = changing;
  const { say } = visit.words;
  const own = person.circles.find((circle) => circle.own);
  const held = heldDocuments(changing, own?.id);
  const { kinds, documents, lastDay } = sent ?? {
    kinds: own?.kinds ?? [],
    documents: held.state,
    lastDay: own?.lastDay ?? '',
  };
  return (
    <Form visit={visit}>
      <What name="save" />
      <KindTicks
        visit={visit}
        given={kinds}
        legend={say('person.may-see', { name: person.name })}
        opens={opensFor(changing, own?.id)}
      />
      <DocumentsChoice visit={visit} held={held} chosen={documents} />
      <Field
        label={say('person.last-day')}
        name="last_day"
        type="date"
        value={lastDay}
        hint={say('person.last-day-hint')}
        wrong={wrong}
        short
      />
      <Buttons text={say('form.save')} first>
        <a href={`${recordBase(visit)}sharing`}>{say('form.cancel')}</a>
      </Buttons>
    </Form>
  );
}

function personView(changing: Changing): Answer {
  const { visit, sharing, person, wrong } = changing;
  const { say } = visit.words;
  const title = say('person.title', { name: person.name });
  const several = person.circles.length > 1;
  return shown(
    wrong ? say('form.error-title', { title }) : title,
    <>
      <Summary title={say('form.wrong')} wrong={wrong} order={['last_day']} />
      {!wrong && visit.query['note'] === 'saved' && <Say tone="good" role="status" title={say('sharing.note-saved')} />}
      <Head
        title={title}
        back={{ to: `${recordBase(visit)}sharing`, text: say('frame.sharing') }}
        avatar={<Avatar name={person.name} hue={hueOf(person.id)} />}
        action={<Stop visit={visit} person={person} />}
      >
        <bdi>{person.id}</bdi>
      </Head>
      <Part title={say('person.now')}>
        <WhatTheySee {...changing} />
        {sharing.mine && several && <SeeParts {...changing} />}
        {sharing.mine && !several && !person.whole && (
          <p>
            <a href={`${visit.site}/carenets/${encodeURIComponent(person.circles[0]!.id)}/`}>
              {say('person.see-as', { name: person.name })}
            </a>
          </p>
        )}
      </Part>
      {!person.whole && (
        <Part title={say('person.change')}>
          <Change {...changing} />
        </Part>
      )}
    </>,
    { record: { base: recordBase(visit), name: sharing.record.label }, ...(wrong ? { status: 400 } : {}) },
  );
}

/** Stores what was ticked. A last day that is over, or is no day, is shown at its field. */
async function save(visit: PersonVisit): Promise<Answer> {
  const { form } = visit;
  const kinds = tickedKinds(visit);
  const [documents, lastDay] = [form.text('documents') || 'none', form.text('last_day')];
  const params = { ...inRecord(visit), ACCOUNT_ID: visit.params['ACCOUNT_ID'] ?? '' };
  try {
    await visit.ask(operations.carenets.recordPersonShare, {
      params,
      body: { kinds: kinds.join(' '), documents, last_day: lastDay, seeing: 'true' },
    });
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_parameter' && lastDay !== '') {
      const wrong = { last_day: visit.words.say('person.last-day-wrong') };
      return personView({
        ...(await readChanging(visit, await readPerson(visit))),
        sent: { kinds, documents, lastDay },
        wrong,
      });
    }
    throw error;
  }
  return go(`${visit.path}?note=saved`);
}

export const personSharing = page({
  path: '/records/{RECORD_ID}/sharing/{ACCOUNT_ID}',
  show: async (visit) => personView(await readChanging(visit, await readPerson(visit))),
  submit: save,
});
