/**
 * start-record: the page on which a person makes a record for a child, a parent or themselves, with name, date of birth
 * and sex. The person owns the record.
 */
import type { JSX } from 'preact';
import { AppError } from '../../../../core/base/errors';
import { newToken, sha256 } from '../../../../core/base/ids';
import { element, writeXml } from '../../../../core/xml/write';
import { operations } from '../../http/operations';
import { WEBSITE } from '../../http/as-itself';
import { isDay } from '../../words/day';
import { go, page, shown, type Answer, type PersonVisit, type Visit } from '../../http/page';
import { Buttons, Field, Form, isName, requiredField, Select, Summary, type Wrong } from '../../parts/form';
import { Only } from '../../parts/layout';

const personFields = ['given', 'family', 'born', 'sex'] as const;

type Named = { readonly given: string; readonly family: string };

/** The fields with the person's names. */
function Names({
  visit,
  wrong,
  own,
}: {
  readonly visit: Visit;
  readonly wrong: Wrong | undefined;
  readonly own: Named | undefined;
}): JSX.Element {
  const { say } = visit.words;
  const given = requiredField(visit, 'given', wrong);
  const family = requiredField(visit, 'family', wrong);
  return (
    <>
      <Field label={say('form.given-name')} {...given} value={own?.given ?? given.value} autocomplete="off" />
      <Field label={say('form.family-name')} {...family} value={own?.family ?? family.value} autocomplete="off" />
    </>
  );
}

/** The names of the account, for somebody who sees no record yet and so begins their own; otherwise nothing. */
function ownNames({ person }: PersonVisit): Named | undefined {
  const words = person.fullName.split(' ');
  return person.records.length === 0 && words.length > 1
    ? { given: words.slice(0, -1).join(' '), family: words.at(-1)! }
    : undefined;
}

/** The fields with the day of birth and the sex of the person that a record is about. */
export function BirthFields({ visit, wrong }: { readonly visit: Visit; readonly wrong: Wrong | undefined }) {
  const { say } = visit.words;
  const { form } = visit;
  return (
    <>
      <Field label={say('form.born')} {...requiredField(visit, 'born', wrong)} type="date" autocomplete="off" short />
      <Select
        label={say('form.sex')}
        name="sex"
        value={form.text('sex')}
        short
        wrong={wrong}
        options={[
          { value: '', text: say('form.choose') },
          { value: 'female', text: say('form.female') },
          { value: 'male', text: say('form.male') },
        ]}
      />
    </>
  );
}

const NAME_CHARACTERS = 200;

/** What is wrong with the names of the person. */
function wrongNames({ form, words: { say } }: Visit): Record<string, string> {
  return {
    ...(isName(form.text('given'), NAME_CHARACTERS)
      ? {}
      : { given: say('form.given-missing', { most: NAME_CHARACTERS }) }),
    ...(isName(form.text('family'), NAME_CHARACTERS)
      ? {}
      : { family: say('form.family-missing', { most: NAME_CHARACTERS }) }),
  };
}

/** What is wrong with the day of birth and the sex of the person. */
export function wrongBirth({ form, words: { say }, now }: Visit): Record<string, string> {
  return {
    ...(isDay(form.text('born')) && Date.parse(form.text('born')) <= now ? {} : { born: say('form.born-wrong') }),
    ...(['female', 'male'].includes(form.text('sex')) ? {} : { sex: say('form.sex-missing') }),
  };
}

function demographics({ form }: Visit, vocabulary: string): Buffer {
  return Buffer.from(
    writeXml(
      element('Demographics', { xmlns: vocabulary }, [
        element('dateOfBirth', {}, form.text('born')),
        element('gender', {}, form.text('sex')),
        element('Name', {}, [
          element('familyName', {}, form.text('family')),
          element('givenName', {}, form.text('given')),
        ]),
      ]),
    ),
  );
}

/**
 * Makes the record and names its owner; answers its id. @param token the token with which the form can make only one
 * record
 */
export async function createOwnRecord(visit: Visit, ownerId: string, token?: string): Promise<string> {
  const record = await visit.askAsItself(operations.records.recordCreate, {
    body: demographics(visit, `${visit.settings.vocabBase}/xml/documents#`),
    mediaType: 'application/xml',
    ...(token === undefined ? {} : { form: { token } }),
  });
  // The form may have been sent before, and the record may have another owner since.
  if (record.ownerId === WEBSITE) {
    await visit.askAsItself(operations.records.recordSetOwner, {
      params: { RECORD_ID: record.id },
      body: Buffer.from(ownerId),
    });
  }
  return record.id;
}

function startRecordView(visit: PersonVisit, wrong?: Wrong, own?: Named): Answer {
  const { say } = visit.words;
  const title = say('start-record.title');
  return shown(
    wrong ? say('form.error-title', { title }) : title,
    <Only title={title} hint={say('start-record.hint')}>
      <Summary title={say('form.wrong')} wrong={wrong} order={personFields} />
      <Form visit={visit}>
        <input type="hidden" name="form" value={visit.form.text('form') || newToken()} />
        <Names visit={visit} wrong={wrong} own={own} />
        <BirthFields visit={visit} wrong={wrong} />
        <Buttons text={say('records.start')} first>
          <a href={`${visit.site}/?all=1`}>{say('form.cancel')}</a>
        </Buttons>
      </Form>
    </Only>,
    wrong ? { status: 400 } : {},
  );
}

export const startRecord = page({
  path: '/start',
  show: async (visit) => startRecordView(visit, undefined, ownNames(visit)),
  again: { keeps: () => true, show: async (visit) => startRecordView(visit) },
  submit: async (visit) => {
    const wrong = { ...wrongNames(visit), ...wrongBirth(visit) };
    if (Object.keys(wrong).length > 0) {
      return startRecordView(visit, wrong);
    }
    const { accountId, sessionHash } = visit.person.principal;
    const token = sha256(JSON.stringify([sessionHash, visit.form.text('form') || newToken()]));
    try {
      return go(`${visit.site}/records/${await createOwnRecord(visit, accountId, token)}/`);
    } catch (error) {
      if (error instanceof AppError && error.code === 'invalid_document') {
        return startRecordView(visit, { born: visit.words.say('form.born-wrong') });
      }
      throw error;
    }
  },
});
