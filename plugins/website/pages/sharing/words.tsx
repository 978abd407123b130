/** words: the page on which a person writes what a clinic should know in their own words. It is a note of the record. */
import { AppError } from '../../../../core/base/errors';
import { newToken } from '../../../../core/base/ids';
import { element, writeXml } from '../../../../core/xml/write';
import { operations } from '../../http/operations';
import { go, page, shown, type Answer, type PersonVisit, type Shown } from '../../http/page';
import { Buttons, Form, Summary, TextArea, type Wrong } from '../../parts/form';
import { Head, Part, Say } from '../../parts/layout';
import { inRecord, recordBase, recordFrame } from '../../parts/record-frame';
import { text, type Fact } from '../../words/facts';
import { madeBefore } from '../add/kept';

/** The type of such notes: "Patient Note". */
const LOINC = 'http://loinc.org';
const CODE = '51855-5';
const TYPE = 'Patient Note';
const NOTE = 'SimpleClinicalNote';

const MOST_CHARACTERS = 20_000;

type Written = { readonly documentId: string; readonly words: string };

/** The newest of these notes. */
async function newest(visit: PersonVisit): Promise<Written | undefined> {
  const found = await visit.ask(operations.reports.recordFacts, {
    params: { ...inRecord(visit), DATA_MODEL: NOTE },
    query: { visit_type_value: CODE, order_by: '-created_at', limit: '1' },
  });
  const [fact] = found.facts as unknown as readonly Fact[];
  return fact && { documentId: text(fact.__documentid__), words: text(fact['content']) };
}

/** The digest of a note that a form here made, and that this page can correct; undefined for one from elsewhere. */
async function writtenVersion(visit: PersonVisit, { documentId }: Written): Promise<string | undefined> {
  try {
    const params = { ...inRecord(visit), DOCUMENT_ID: documentId };
    const { digest, latest, facts } = await visit.ask(operations.documents.documentTyped, { params });
    return latest && facts.length === 1 ? digest : undefined;
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') {
      return undefined;
    }
    throw error;
  }
}

type Seen = {
  readonly words: string;
  /** The note that is corrected, and the digest of its version; absent: a new one is written. */
  readonly corrects?: { readonly id: string; readonly version: string } | undefined;
  readonly wrong?: Wrong;
  readonly saved?: boolean;
  readonly status?: number;
};

/** The newest words, and how they are corrected. */
async function seenNow(visit: PersonVisit): Promise<Seen> {
  const before = await newest(visit);
  const version = before && (await writtenVersion(visit, before));
  return {
    words: before?.words ?? '',
    corrects: before && version !== undefined ? { id: before.documentId, version } : undefined,
  };
}

/** The note that the form corrects. */
function correctedIn({ form }: PersonVisit): Seen['corrects'] {
  return form.text('corrects') === '' ? undefined : { id: form.text('corrects'), version: form.text('version') };
}

async function clinicWordsView(
  visit: PersonVisit,
  { words, corrects, wrong, saved = false, status }: Seen,
): Promise<Shown> {
  const { say } = visit.words;
  const record = await recordFrame(visit);
  const title = say('clinic-words.title');
  return shown(
    wrong ? say('form.error-title', { title }) : title,
    <>
      <Summary title={say('form.wrong')} wrong={wrong} order={['words']} />
      {saved && <Say tone="good" role="status" title={say('clinic-words.saved')} />}
      <Head title={title} back={{ to: `${record.base}clinic`, text: say('clinic.title') }}>
        {say('clinic-words.about')}
      </Head>
      <Part title={say('clinic-words.note')} hint={say('clinic-words.hint')}>
        <Form visit={visit}>
          <input type="hidden" name="form" value={visit.form.text('form') || newToken()} />
          {corrects && <input type="hidden" name="corrects" value={corrects.id} />}
          {corrects && <input type="hidden" name="version" value={corrects.version} />}
          <TextArea label={title} name="words" value={words} wrong={wrong} required />
          <Buttons text={say('clinic-words.save')} first />
        </Form>
      </Part>
    </>,
    { record, ...(status === undefined ? {} : { status }) },
  );
}

async function showClinicWords(visit: PersonVisit): Promise<Answer> {
  return clinicWordsView(visit, { ...(await seenNow(visit)), saved: visit.query['note'] === 'saved' });
}

function wordsDocument({ settings, person, now }: PersonVisit, words: string): Buffer {
  const fields = {
    date_of_visit: new Date(now).toISOString().replace(/\.\d+Z$/, 'Z'),
    visit_type: TYPE,
    visit_type_type: LOINC,
    visit_type_value: CODE,
    provider_name: [...person.fullName].slice(0, 200).join(''),
    content: words,
  };
  const note = element(
    'Model',
    { name: NOTE },
    Object.entries(fields).map(([name, value]) => value !== '' && element('Field', { name }, value)),
  );
  return Buffer.from(writeXml(element('Models', { xmlns: `${settings.vocabBase}/xml/documents#` }, [note])));
}

/** A note that was written here before gets a new version; else it is a new document. */
async function store(visit: PersonVisit, words: string, token: string): Promise<void> {
  const params = inRecord(visit);
  const document = { body: wordsDocument(visit, words), mediaType: 'application/xml' };
  const corrects = correctedIn(visit);
  if (corrects) {
    await visit.ask(operations.documents.documentVersion, {
      ...document,
      params: { ...params, DOCUMENT_ID: corrects.id },
      ifMatch: `"${corrects.version}"`,
      form: { token },
    });
    return;
  }
  const label = visit.words.say('clinic-words.title');
  await visit.ask(operations.documents.documentCreate, { ...document, params, form: { token, label } });
}

/** The note was changed elsewhere since the page was shown. What was typed stays. */
const CHANGED = ['precondition_failed', 'already_replaced', 'not_found'];

async function save(visit: PersonVisit): Promise<Answer> {
  const { say } = visit.words;
  const words = visit.form.text('words');
  if (words === '' || words.length > MOST_CHARACTERS) {
    const wrong = { words: say('clinic-words.wrong', { most: MOST_CHARACTERS }) };
    return clinicWordsView(visit, { words, corrects: correctedIn(visit), wrong, status: 400 });
  }
  const token = visit.form.text('form') || newToken();
  try {
    await store(visit, words, token);
  } catch (error) {
    const code = error instanceof AppError ? error.code : '';
    if (code !== 'duplicate' && !CHANGED.includes(code)) {
      throw error;
    }
    // The button may have been pressed twice.
    if ((await madeBefore(visit, token)) === null) {
      const { corrects } = await seenNow(visit);
      return clinicWordsView(visit, { words, corrects, wrong: { words: say('clinic-words.changed') }, status: 409 });
    }
  }
  return go(`${recordBase(visit)}words?note=saved`);
}

export const clinicWords = page({
  path: '/records/{RECORD_ID}/words',
  show: showClinicWords,
  submit: save,
  again: {
    keeps: (form) => form.text('words') !== '',
    show: (visit) => clinicWordsView(visit, { words: visit.form.text('words'), corrects: correctedIn(visit) }),
  },
});
