/**
 * clinic: the page on which a person chooses what a clinic is shown, and makes the code that the clinic scans; and the
 * page for people who open such a link in a browser.
 */
import type { JSX } from 'preact';
import { AppError, errors } from '../../../../core/base/errors';
import { newToken } from '../../../../core/base/ids';
import type { ValueOf } from '../../../../core/http/route';
import { operations } from '../../http/operations';
import { go, openPage, page, shown, type Answer, type PersonVisit, type Shown } from '../../http/page';
import { Buttons, Field, Form, idOf, Select, Summary, What, type Wrong } from '../../parts/form';
import { Head, Part, Rows, Say } from '../../parts/layout';
import { forBoth, whoseNamed, type Whose } from '../../parts/whose';
import { CLINIC_PATHS, ClinicRow } from './clinic-parts';

type Desk = ValueOf<typeof operations.links.recordClinic>;

/** The record or carenet of a page. */
type Where = {
  readonly whose: Whose;
  readonly record: { readonly RECORD_ID: string };
  /** Null on the pages of a record. */ readonly carenetId: string | null;
};
type Place = Where & { readonly desk: Desk };

/** A carenet is shown by the record's owner alone. @throws errors.permissionDenied */
async function sharedPlace(visit: PersonVisit): Promise<Where> {
  const { ask, params, person } = visit;
  const carenetId = params['CARENET_ID'] ?? null;
  if (carenetId === null) {
    return { whose: whoseNamed(visit, ''), record: { RECORD_ID: params['RECORD_ID']! }, carenetId };
  }
  const { id, label, carenetName, ownerId } = await ask(operations.carenets.carenetRecord, {
    params: { CARENET_ID: carenetId },
  });
  if (ownerId !== person.principal.accountId) {
    throw errors.permissionDenied();
  }
  return { whose: whoseNamed(visit, label, carenetName), record: { RECORD_ID: id }, carenetId };
}

/** What the page is about, and the links that there are. */
export async function readClinicPlace(visit: PersonVisit): Promise<Place> {
  const { whose, record, carenetId } = await sharedPlace(visit);
  const desk = await visit.ask(operations.links.recordClinic, { params: record });
  return { whose: carenetId === null ? whoseNamed(visit, desk.label) : whose, record, carenetId, desk };
}

/** The links that the page lists: in a carenet those to it. */
export function linksAt({ carenetId, desk }: Place): Desk['links'] {
  return desk.links.filter((link) => carenetId === null || link.carenetId === carenetId);
}

const MINUTES = ['5', '15', '60', '1440', '2880'] as const;
const [MINUTES_PRESET, OPENINGS_PRESET] = ['60', '5'];
const MOST_OPENINGS = 100;

/** What stands in the form: what was sent, or else what is preset. */
function keptIn({ form }: PersonVisit, again: boolean) {
  return (name: string, preset: string): string => (again ? form.text(name) : preset);
}

function ClinicKinds({ visit, desk, again }: { visit: PersonVisit; desk: Desk; again: boolean }): JSX.Element {
  const { say } = visit.words;
  const ticked = visit.form.all('kind');
  return (
    <fieldset id={idOf('kind')}>
      <legend>{say('clinic.kinds')}</legend>
      {desk.kinds.map((kind) => (
        <label class="choice">
          <input type="checkbox" name="kind" value={kind} checked={!again || ticked.includes(kind)} />
          <span>{say(`clinic.kind-${kind}`)}</span>
        </label>
      ))}
    </fieldset>
  );
}

type Making = { readonly visit: PersonVisit; readonly place: Place; readonly wrong: Wrong | undefined };

function Circle({ visit, place: { desk, carenetId }, wrong }: Making): JSX.Element | null {
  const { say } = visit.words;
  if (carenetId !== null) {
    return <input type="hidden" name="carenet" value={carenetId} />;
  }
  return desk.carenets.length === 0 ? null : (
    <Select
      label={say('links.shows')}
      name="carenet"
      value={keptIn(visit, wrong !== undefined)('carenet', '')}
      options={[
        { value: '', text: say('clinic.whole') },
        ...desk.carenets.map(({ id, name }) => ({ value: id, text: say('links.in-carenet', { carenet: name }) })),
      ]}
      wrong={wrong}
    />
  );
}

function Choices(making: Making): JSX.Element {
  const { visit, place, wrong } = making;
  const { say } = visit.words;
  const again = wrong !== undefined;
  const kept = keptIn(visit, again);
  return (
    <details class="more stack" open={again}>
      <summary>{say('clinic.change')}</summary>
      <Circle {...making} />
      <ClinicKinds visit={visit} desk={place.desk} again={again} />
      {place.desk.hasWords && (
        <label class="choice">
          <input type="checkbox" name="words" value="true" checked={!again || visit.form.text('words') === 'true'} />
          <span>{say('clinic-words.title')}</span>
        </label>
      )}
      <Select
        label={say('clinic.how-long')}
        name="minutes"
        value={kept('minutes', MINUTES_PRESET!)}
        options={MINUTES.map((value) => ({ value, text: say(`clinic.minutes-${value}`) }))}
        wrong={wrong}
      />
      <Field
        label={say('links.openings')}
        name="openings"
        hint={say('clinic.openings-hint')}
        type="number"
        numeric
        short
        value={kept('openings', OPENINGS_PRESET!)}
        wrong={wrong}
      />
      <label class="choice">
        <input type="checkbox" name="tells" value="true" checked={again && visit.form.text('tells') === 'true'} />
        <span>{say('clinic.tell')}</span>
      </label>
    </details>
  );
}

function Make(making: Making): JSX.Element {
  const { visit, place, wrong } = making;
  const { say } = visit.words;
  return (
    <Part title={say('clinic.what')} hint={say(place.carenetId === null ? 'clinic.preset' : 'clinic.preset-circle')}>
      <Form visit={visit}>
        <What name="show" />
        <input type="hidden" name="form" value={keptIn(visit, wrong !== undefined)('form', '') || newToken()} />
        <Buttons text={say('clinic.show')} first />
        {!place.desk.canPrint && <p class="by">{say('clinic.no-pdf')}</p>}
        <Choices {...making} />
      </Form>
    </Part>
  );
}

type Told = { readonly wrong?: Wrong; readonly note?: 'ended' | 'not-there' | 'full'; readonly status?: number };

function clinicView(visit: PersonVisit, place: Place, { wrong, note, status }: Told = {}): Shown {
  const { say } = visit.words;
  const title = say('clinic.title');
  const open = linksAt(place).filter(({ over }) => over === null);
  const listed = note === 'full' ? place.desk.links.filter(({ over }) => over === null) : open;
  return shown(
    wrong ? say('form.error-title', { title }) : title,
    <>
      <Summary title={say('form.wrong')} wrong={wrong} order={['carenet', 'kind', 'minutes', 'openings']} />
      {note && <Say tone={note === 'ended' ? 'good' : 'alert'} role="status" title={say(`clinic.note-${note}`)} />}
      <Head title={title} back={{ to: place.whose.base, text: say('clinic.back') }}>
        {say('clinic.about')}
      </Head>
      {note !== 'full' && <Make visit={visit} place={place} wrong={wrong} />}
      {place.carenetId === null && note !== 'full' && (
        <p class="aside">
          <a href={`${place.whose.base}words`}>{say('clinic-words.title')}</a>
        </p>
      )}
      {listed.length > 0 && (
        <Part title={say('clinic.open')}>
          <Rows kind="do">
            {listed.map((link) => (
              <ClinicRow visit={visit} base={place.whose.base} link={link} />
            ))}
          </Rows>
        </Part>
      )}
    </>,
    { record: place.whose.frame, ...(status === undefined ? {} : { status }) },
  );
}

const OF_PARAMETER: Readonly<Record<string, string>> = {
  carenet: 'carenet',
  kinds: 'kind',
  minutes: 'minutes',
  openings: 'openings',
};

/** What is wrong with the form; undefined for a failure that is not about it. */
function wrongParameter(visit: PersonVisit, error: AppError): Wrong | undefined {
  const field = Object.entries(OF_PARAMETER).find(([name]) => error.message.includes(`parameter ${name} `))?.[1];
  return error.status === 400 && field !== undefined
    ? { [field]: visit.words.say(`clinic.${field}-wrong`) }
    : undefined;
}

async function makeClinicLink(visit: PersonVisit): Promise<Answer> {
  const { form, words } = visit;
  const place = await sharedPlace(visit);
  try {
    const id = await visit.ask(operations.links.recordClinicCreate, {
      params: place.record,
      body: {
        carenet: place.carenetId ?? form.text('carenet'),
        kinds: form.all('kind').join(','),
        minutes: form.text('minutes') || MINUTES_PRESET!,
        openings: /^\d{1,3}$/.test(form.text('openings')) ? form.text('openings') : String(MOST_OPENINGS + 1),
        tells: String(form.text('tells') === 'true'),
        words: String(form.text('words') === 'true'),
        language: words.language,
      },
      form: { token: form.text('form') || newToken() },
    });
    return go(`${place.whose.base}clinic/${encodeURIComponent(id)}`);
  } catch (error) {
    if (error instanceof AppError && error.code === 'too_many_open') {
      return clinicView(visit, await readClinicPlace(visit), { note: 'full', status: error.status });
    }
    const wrong = error instanceof AppError ? wrongParameter(visit, error) : undefined;
    if (wrong === undefined) {
      throw error;
    }
    return clinicView(visit, await readClinicPlace(visit), { wrong, status: 400 });
  }
}

/** Ends a link. If it is not there any more, because the button was pressed twice, the page says so. */
export async function endClinicLink(visit: PersonVisit, id: string): Promise<Answer> {
  const place = await sharedPlace(visit);
  try {
    await visit.ask(operations.links.recordLinkEnd, { params: { ...place.record, LINK_ID: id || '-' } });
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') {
      return clinicView(visit, await readClinicPlace(visit), { note: 'not-there', status: 404 });
    }
    throw error;
  }
  return go(`${place.whose.base}clinic?note=ended`);
}

async function showClinic(visit: PersonVisit): Promise<Answer> {
  const place = await readClinicPlace(visit);
  return clinicView(visit, place, visit.query['note'] === 'ended' ? { note: 'ended' } : {});
}

export const clinic = forBoth((begin) =>
  page({
    path: `${begin}${CLINIC_PATHS.choose}`,
    show: showClinic,
    submit: (visit) =>
      visit.form.text('what') === 'end' ? endClinicLink(visit, visit.form.text('link')) : makeClinicLink(visit),
  }),
);

/** The part of the address behind the sign # never reaches the service, so the page cannot tell whose link it is. */
export const clinicLink = openPage({
  root: true,
  path: '/l',
  show: ({ words: { say } }) =>
    Promise.resolve(
      shown(
        say('clinic-link.title'),
        <>
          <Head title={say('clinic-link.title')}>{say('clinic-link.about')}</Head>
          <Part title={say('clinic-link.clinic')}>
            <p>{say('clinic-link.how')}</p>
          </Part>
          <Part title={say('clinic-link.other')}>
            <p>{say('clinic-link.ask')}</p>
          </Part>
        </>,
        { headers: { 'x-robots-tag': 'noindex', 'cache-control': 'no-store' } },
      ),
    ),
});
