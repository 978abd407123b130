/** saved: says what a quick form has stored, and takes it back within ten minutes. */
import type { JSX } from 'preact';
import { AppError, errors } from '../../../../core/base/errors';
import type { ValueOf } from '../../../../core/http/route';
import { factDate, factLine, factTitle, type Fact } from '../../words/facts';
import { titleOf } from '../../words/kinds';
import { operations } from '../../http/operations';
import { go, page, shown, type Answer, type PersonVisit } from '../../http/page';
import { Buttons, Form } from '../../parts/form';
import { Icon } from '../../parts/icons';
import { Say } from '../../parts/layout';
import { inRecord, recordBase, recordFrame } from '../../parts/record-frame';
import { NONE_KNOWN_PAGE } from '../../parts/none-known';
import { quickKind } from './kinds';
import { readReadings } from './last';
import { quickAt } from './nav';
import { SavedReadings } from './readings';

/** Said on the form to which taking back leads. */
export function Undone({ visit }: { readonly visit: PersonVisit }): JSX.Element {
  return (
    <Say tone="good" role="status" title={visit.words.say('quick.undone')}>
      <p>{visit.words.say('quick.undone-why')}</p>
    </Say>
  );
}

type Read = ValueOf<typeof operations.documents.recordDocumentRead>;

const MINUTES = 10;
/** The most readings of which a chart is drawn. */
const MOST_READINGS = 60;

function paramsOf(visit: PersonVisit) {
  return { ...inRecord(visit), DOCUMENT_ID: visit.params['DOCUMENT_ID'] ?? '' };
}

function isSaving(what: string): boolean {
  return quickKind(what) !== undefined || what === NONE_KNOWN_PAGE;
}

/** @throws errors.notFound for what somebody else added, or what was taken back */
async function readSaved(visit: PersonVisit): Promise<Read> {
  const found = await visit.ask(operations.documents.recordDocumentRead, { params: paramsOf(visit) });
  const isOwn = found.document.creator.id === visit.person.principal.accountId;
  if (!isSaving(visit.params['What'] ?? '') || !isOwn || found.document.status !== 'active') {
    throw errors.notFound('document');
  }
  return found;
}

function savedFacts({ says }: Read): readonly Fact[] {
  return says.flatMap(({ facts }) => facts as unknown as readonly Fact[]);
}

/** What was stored, in words: "Blood pressure 138/88 mmHg, sitting", and its date. */
function Stored({ visit, found }: { readonly visit: PersonVisit; readonly found: Read }): JSX.Element {
  const { models, words } = visit;
  const facts = savedFacts(found).flatMap((fact) => {
    const model = models.find(fact.__modelname__);
    return model && model.name !== 'StoredFile'
      ? [[factTitle(model, fact, words), factLine(model, fact, words), factDate(model, fact, words)]]
      : [];
  });
  const said = facts.length > 0 ? facts : [[titleOf({ ...found.document, contents: [] }, visit)]];
  return (
    <>
      {said.map(([title, ...more]) => (
        <p>
          <b>
            <bdi>{title}</bdi>
          </b>
          {more
            .filter((part) => part !== '')
            .map((part) => (
              <>
                {' · '}
                <bdi>{part}</bdi>
              </>
            ))}
        </p>
      ))}
    </>
  );
}

/** Where one fact that was typed in is corrected; undefined for a file, and for what has no form. */
function correctAt(visit: PersonVisit, found: Read): string | undefined {
  const [fact, ...others] = savedFacts(found);
  const model = visit.models.find(fact?.__modelname__ ?? '');
  const isTyped = quickKind(visit.params['What'] ?? '')?.model === model?.name;
  return model && isTyped && others.length === 0
    ? `${recordBase(visit)}add/${model.name}?correct=${encodeURIComponent(found.document.id)}`
    : undefined;
}

async function savedView(visit: PersonVisit, late = false): Promise<Answer> {
  const { say } = visit.words;
  const [record, found] = [await recordFrame(visit), await readSaved(visit)];
  const { document } = found;
  const kind = quickKind(visit.params['What'] ?? '');
  const readings = kind && (await readReadings(visit, kind, visit.words, MOST_READINGS));
  const isNew = visit.now - Date.parse(document.createdAt) <= MINUTES * 60_000;
  const address = `${recordBase(visit)}documents/${encodeURIComponent(document.id)}`;
  const correct = correctAt(visit, found);
  return shown(
    say('quick.saved'),
    <>
      {late && (
        <Say tone="alert" role="alert" title={say('quick.late')}>
          <p>{say('quick.late-why')}</p>
        </Say>
      )}
      <section class="say good" role="status">
        <Icon name="done" />
        <div>
          <h1 class="title">{say('quick.saved')}</h1>
          <Stored visit={visit} found={found} />
          <div class="line">
            {isNew && !late && (
              <Form visit={visit}>
                <button class="button">
                  <Icon name="undo" />
                  {say('quick.undo')}
                </button>
              </Form>
            )}
            {correct && <a href={correct}>{say('quick.correct')}</a>}
            <a href={address}>{say('quick.look')}</a>
          </div>
        </div>
      </section>
      {readings && <SavedReadings visit={visit} readings={readings} />}
      <form class="gap" method="get" action={quickAt(visit, visit.params['What'] ?? '')}>
        <Buttons text={say('quick.another')} first>
          <a class="button" href={recordBase(visit)}>
            {say('quick.overview')}
          </a>
        </Buttons>
      </form>
    </>,
    { record, slim: true, status: late ? 409 : 200 },
  );
}

export const saved = page({
  path: '/records/{RECORD_ID}/quick/{What}/saved/{DOCUMENT_ID}',
  show: (visit) => savedView(visit),
  submit: async (visit) => {
    const what = visit.params['What'] ?? '';
    if (!isSaving(what)) {
      throw errors.notFound('form');
    }
    try {
      await visit.ask(operations.documents.documentUndo, { params: paramsOf(visit) });
    } catch (error) {
      if (error instanceof AppError && error.code === 'invalid_state') {
        return savedView(visit, true);
      }
      throw error;
    }
    return go(`${quickAt(visit, what)}?note=undone`);
  },
});
