/** none-known: writes down that no allergies, medicines or problems are known, by one button that can be taken back. */
import { AppError, errors } from '../../../../core/base/errors';
import { DENIAL, NONE_KNOWN } from '../../../../core/lines/denials';
import { element, writeXml } from '../../../../core/xml/write';
import { operations } from '../../http/operations';
import { go, page, shown, type PersonVisit } from '../../http/page';
import { Head, Rows } from '../../parts/layout';
import { deniable, NONE_KNOWN_PAGE, NoneKnown } from '../../parts/none-known';
import { inRecord, recordBase } from '../../parts/record-frame';
import { stateWords } from '../../words/state-words';
import { madeBefore } from '../add/kept';
import { savedAt } from './nav';
import { Undone } from './saved';

const SNOMED = 'http://purl.bioontology.org/ontology/SNOMEDCT/';
const MODELS = ['Allergy', 'Medication', 'Problem'] as const;

function denialDocument({ settings }: PersonVisit, { code, title }: { readonly code: string; readonly title: string }) {
  const field = (name: string, value: string) => element('Field', { name }, [value]);
  const fields = [field('name_identifier', code), field('name_title', title), field('name_system', SNOMED)];
  return Buffer.from(
    writeXml(
      element('Models', { xmlns: `${settings.vocabBase}/xml/documents#` }, [
        element('Model', { name: DENIAL }, fields),
      ]),
    ),
  );
}

async function storeNoneKnown(visit: PersonVisit, token: string): Promise<string> {
  const model = deniable(visit.form.text('of'));
  if (!model) {
    throw errors.notFound('form');
  }
  const said = NONE_KNOWN[model];
  try {
    const { id } = await visit.ask(operations.documents.documentCreate, {
      params: inRecord(visit),
      body: denialDocument(visit, said),
      mediaType: 'application/xml',
      form: { token, label: stateWords(said.title, visit.words) },
    });
    return id;
  } catch (error) {
    const made = error instanceof AppError && error.code === 'duplicate' ? await madeBefore(visit, token) : null;
    if (made === null) {
      throw error;
    }
    return made;
  }
}

export const noneKnown = page({
  path: `/records/{RECORD_ID}/quick/${NONE_KNOWN_PAGE}`,
  show: async (visit) => {
    const { label } = await visit.ask(operations.records.recordZone, { params: inRecord(visit) });
    const base = recordBase(visit);
    const { say } = visit.words;
    return shown(
      say('quick.none-known'),
      <>
        {visit.query['note'] === 'undone' && <Undone visit={visit} />}
        <Head title={say('quick.none-known')}>{say('quick.none-lead')}</Head>
        <Rows kind="two">
          {MODELS.map((model) => (
            <li>
              <b class="name">{say(`quick.none-${model}`)}</b>
              <span class="end">
                <NoneKnown visit={visit} base={base} model={model} />
              </span>
            </li>
          ))}
        </Rows>
      </>,
      { record: { base, name: label }, slim: true },
    );
  },
  submit: async (visit) => {
    const token = visit.form.text('form');
    if (token === '') {
      throw errors.notFound('form');
    }
    return go(savedAt(visit, NONE_KNOWN_PAGE, await storeNoneKnown(visit, token)));
  },
});
