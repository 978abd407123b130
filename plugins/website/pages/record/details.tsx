/**
 * details: the page on which people put right who a record is about: name, birth date, address, whom to call. Each change
 * is a new version of the demographics document, in which everything that the form does not show stays as it was.
 */
import type { JSX } from 'preact';
import { AppError } from '../../../../core/base/errors';
import { isOneLine } from '../../../../core/auth/full-name';
import { operations } from '../../http/operations';
import { text } from '../../words/facts';
import { isDay } from '../../words/day';
import { go, page, shown, type Answer, type PersonVisit } from '../../http/page';
import { Buttons, Field, Form, Select, Summary, TextArea, type Wrong } from '../../parts/form';
import { Head, Say } from '../../parts/layout';
import { inRecord, recordFrame, type RecordFrame } from '../../parts/record-frame';
import { demographicsXml, type Details } from './details-document';

/** The fields of the form: the name of each, the column that it changes, and how many characters it takes. */
const fields = {
  given: ['name_given', 255],
  family: ['name_family', 255],
  born: ['bday', 10],
  sex: ['gender', 50],
  street: ['adr_street', 255],
  postalcode: ['adr_postalcode', 12],
  city: ['adr_city', 255],
  region: ['adr_region', 255],
  country: ['adr_country', 255],
  telephone: ['tel_1_number', 20],
  telephone_2: ['tel_2_number', 20],
  blood: ['blood_group', 40],
  contacts: ['emergency_contacts', 200],
  insurance: ['insurance', 255],
} as const;
type FieldName = keyof typeof fields;
const names = Object.keys(fields) as FieldName[];

const BLOOD_GROUPS = ['A+', 'A-', 'B+', 'B-', 'AB+', 'AB-', 'O+', 'O-'];
const CONTACTS = 5;

type Stored = { readonly version: string; readonly values: Details };
type Typed = Readonly<Record<FieldName, string>>;

/** What is stored now; nothing in a record that never had such a document. */
async function readStored(visit: PersonVisit): Promise<Stored> {
  try {
    const { demographics } = await visit.ask(operations.records.readDemographics, {
      params: inRecord(visit),
      query: {},
    });
    return { version: demographics.documentId, values: demographics.values };
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') {
      return { version: '', values: {} };
    }
    throw error;
  }
}

function storedText({ values }: Stored): Typed {
  return Object.fromEntries(names.map((name) => [name, text(values[fields[name][0]])])) as Typed;
}

function contactLines(typed: string): readonly string[] {
  return typed
    .split('\n')
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .filter((line) => line !== '');
}

/** What was typed, as it would be stored. */
function typedText({ form }: PersonVisit): Typed {
  return Object.fromEntries(
    names.map((name) => [
      name,
      name === 'contacts' ? contactLines(form.text(name)).join('\n') : form.text(name).replace(/\s+/g, ' ').trim(),
    ]),
  ) as Typed;
}

function isFitting(name: FieldName, typed: string): boolean {
  const most = fields[name][1];
  const lines = name === 'contacts' ? contactLines(typed) : [typed];
  return lines.length <= CONTACTS && lines.every((line) => line === '' || isOneLine(line, most));
}

/** What is wrong with what was typed. A given name is not asked for: some people have only one name. */
function wrongDetails({ words: { say }, now }: PersonVisit, typed: Typed, stored: Stored): Record<string, string> {
  const unfitting = names.filter((name) => !isFitting(name, typed[name]));
  const isKnownBlood = ['', ...BLOOD_GROUPS, storedText(stored).blood].includes(typed.blood);
  return {
    ...Object.fromEntries(
      unfitting.map((name) => [
        name,
        name === 'contacts' ? say('details.contacts-wrong') : say('details.too-long', { most: fields[name][1] }),
      ]),
    ),
    ...(typed.family === '' ? { family: say('form.family-missing', { most: fields.family[1] }) } : {}),
    ...(isDay(typed.born) && Date.parse(typed.born) <= now ? {} : { born: say('form.born-wrong') }),
    ...(['female', 'male'].includes(typed.sex) ? {} : { sex: say('form.sex-missing') }),
    ...(isKnownBlood ? {} : { blood: say('details.blood-wrong') }),
  };
}

type View = {
  readonly visit: PersonVisit;
  readonly stored: Stored;
  readonly typed: Typed;
  readonly wrong?: Wrong | undefined;
};

function Person({ visit: { words }, typed, wrong }: View): JSX.Element {
  const { say } = words;
  const field = (name: FieldName) => ({ name, value: typed[name], wrong });
  return (
    <>
      <Field label={say('form.given-name')} {...field('given')} autocomplete="off" />
      <Field label={say('form.family-name')} {...field('family')} required autocomplete="off" />
      <Field label={say('form.born')} {...field('born')} type="date" required autocomplete="off" short />
      <Select
        label={say('form.sex')}
        {...field('sex')}
        short
        options={[
          ...(typed.sex === '' ? [{ value: '', text: say('form.choose') }] : []),
          { value: 'female', text: say('form.female') },
          { value: 'male', text: say('form.male') },
        ]}
      />
    </>
  );
}

function Reached({ visit: { words }, typed, wrong }: View): JSX.Element {
  const { say } = words;
  const field = (name: FieldName) => ({ name, value: typed[name], wrong, autocomplete: 'off' });
  return (
    <>
      <Field label={say('details.address')} hint={say('details.address-hint')} {...field('street')} />
      <Field label={say('details.postalcode')} {...field('postalcode')} short />
      <Field label={say('details.city')} {...field('city')} />
      <Field label={say('details.region')} {...field('region')} />
      <Field label={say('details.country')} {...field('country')} />
      <Field label={say('details.telephone')} {...field('telephone')} dir="ltr" short />
      <Field label={say('details.second-telephone')} {...field('telephone_2')} dir="ltr" short />
    </>
  );
}

function ForEmergencies({ visit: { words }, stored, typed, wrong }: View): JSX.Element {
  const { say } = words;
  const other = storedText(stored).blood;
  const groups = BLOOD_GROUPS.includes(other) || other === '' ? BLOOD_GROUPS : [other, ...BLOOD_GROUPS];
  return (
    <>
      <Select
        label={say('details.blood')}
        name="blood"
        value={typed.blood}
        wrong={wrong}
        short
        options={[
          { value: '', text: say('details.blood-unknown') },
          ...groups.map((group) => ({ value: group, text: group })),
        ]}
      />
      <TextArea
        label={say('details.contacts')}
        hint={say('details.contacts-hint')}
        name="contacts"
        value={typed.contacts}
        wrong={wrong}
      />
      <Field
        label={say('details.insurance')}
        hint={say('details.insurance-hint')}
        name="insurance"
        value={typed.insurance}
        wrong={wrong}
        autocomplete="off"
      />
    </>
  );
}

function detailsView(
  frame: RecordFrame,
  of: View,
  more: { readonly status?: number; readonly changed?: boolean } = {},
): Answer {
  const { visit, stored, typed, wrong } = of;
  const { say } = visit.words;
  const title = say('details.title');
  const isWrong = wrong !== undefined || more.changed === true;
  return shown(
    isWrong ? say('form.error-title', { title }) : title,
    <>
      <Summary title={say('form.wrong')} wrong={wrong} order={names} />
      {more.changed && (
        <Say tone="alert" role="alert" title={say('details.changed')}>
          <p>{say('details.changed-why')}</p>
        </Say>
      )}
      {!isWrong && visit.query['note'] === 'saved' && <Say tone="good" role="status" title={say('details.saved')} />}
      <Head title={title} back={{ to: frame.base, text: say('frame.overview') }}>
        {say('details.hint')}
      </Head>
      <Form visit={visit} className="card">
        <input type="hidden" name="version" value={stored.version} />
        <Person visit={visit} stored={stored} typed={typed} wrong={wrong} />
        <Reached visit={visit} stored={stored} typed={typed} wrong={wrong} />
        <ForEmergencies visit={visit} stored={stored} typed={typed} wrong={wrong} />
        <Buttons text={say('form.save')} first>
          <a class="button bare" href={frame.base}>
            {say('form.cancel')}
          </a>
        </Buttons>
      </Form>
    </>,
    { record: { ...frame, born: text(stored.values['bday']) }, slim: true, status: more.status ?? 200 },
  );
}

/** Stores a new version with what was typed. */
async function storeDetails(visit: PersonVisit, { values }: Stored, typed: Typed): Promise<void> {
  const changed = Object.fromEntries(names.map((name) => [fields[name][0], typed[name]]));
  await visit.ask(operations.records.setDemographics, {
    params: inRecord(visit),
    body: demographicsXml({ ...values, ...changed }, `${visit.settings.vocabBase}/xml/documents#`),
    mediaType: 'application/xml',
  });
}

function isSame(typed: Typed, stored: Typed): boolean {
  return names.every((name) => typed[name] === stored[name]);
}

async function saveDetails(visit: PersonVisit): Promise<Answer> {
  const [frame, stored] = await Promise.all([recordFrame(visit), readStored(visit)]);
  const typed = typedText(visit);
  const done = go(`${frame.base}details?note=saved`);
  if (isSame(typed, storedText(stored))) {
    return done;
  }
  if (visit.form.text('version') !== stored.version) {
    // Whoever saved meanwhile would lose it, because every field of this form would be stored.
    return detailsView(frame, { visit, stored, typed: storedText(stored) }, { status: 409, changed: true });
  }
  const wrong = wrongDetails(visit, typed, stored);
  if (Object.keys(wrong).length > 0) {
    return detailsView(frame, { visit, stored, typed, wrong }, { status: 400 });
  }
  await storeDetails(visit, stored, typed);
  return done;
}

export const details = page({
  path: '/records/{RECORD_ID}/details',
  show: async (visit) => {
    const [frame, stored] = await Promise.all([recordFrame(visit), readStored(visit)]);
    return detailsView(frame, { visit, stored, typed: storedText(stored) });
  },
  again: {
    keeps: () => true,
    show: async (visit) => {
      const [frame, stored] = await Promise.all([recordFrame(visit), readStored(visit)]);
      return detailsView(frame, {
        visit,
        stored: { ...stored, version: visit.form.text('version') },
        typed: typedText(visit),
      });
    },
  },
  submit: saveDetails,
});
