/**
 * add-model: a form in which a person writes down or corrects a fact of any kind, which is stored as a document like
 * any other.
 */
import type { JSX } from 'preact';
import { AppError, errors } from '../../../../core/base/errors';
import { newToken } from '../../../../core/base/ids';
import type { Model } from '../../../../core/facts/model/model';
import { element, writeXml } from '../../../../core/xml/write';
import type { ValueOf } from '../../../../core/http/route';
import { madeBefore } from './kept';
import { type RecordFrame, inRecord, recordBase, recordFrame } from '../../parts/record-frame';
import { lookUp } from './code-look-up';
import { factTitle, modelName, type Fact } from '../../words/facts';
import { canBeWritten } from '../../words/kinds-to-write';
import { answersFrom, answersOf, readAnswers, type Answers, type Read } from './model-answers';
import { planForm, type FormPlan } from './model-form';
import { operations } from '../../http/operations';
import { go, page, shown, type Answer, type PersonVisit } from '../../http/page';
import { Buttons, Form, Summary, type Wrong } from '../../parts/form';
import { Head, Say } from '../../parts/layout';
import { fieldOrder, ModelFields, type FormView } from './model-fields';
import { findUnlikely, isSureAbout, sureAbout, type Unlikely } from '../../unlikely';

type Typed = ValueOf<typeof operations.documents.documentTyped>;

/** The document that is corrected, which was typed in before, as the person saw it. */
type Correcting = { readonly id: string; readonly typed: Typed; readonly fact: Fact };

type Open = {
  readonly visit: PersonVisit;
  /** Reads the record for the heading. It is called only when the page is shown, because storing needs no heading. */
  readonly record: () => Promise<RecordFrame>;
  readonly model: Model;
  readonly plan: FormPlan;
  readonly correcting: Correcting | undefined;
};

function modelIn({ models, params }: PersonVisit): Model {
  const model = models.find(params['Model']!);
  if (!model || !canBeWritten(models, model)) {
    throw errors.notFound('form');
  }
  return model;
}

/** @throws errors.notFound for a document that this form cannot correct */
async function correctingIn(visit: PersonVisit, model: Model, id: string): Promise<Correcting | undefined> {
  if (id === '') {
    return undefined;
  }
  const typed = await visit.ask(operations.documents.documentTyped, {
    params: { ...inRecord(visit), DOCUMENT_ID: id },
  });
  const [fact, ...others] = typed.facts as unknown as readonly Fact[];
  if (!fact || others.length > 0 || fact.__modelname__ !== model.name) {
    throw errors.notFound('document of one such fact');
  }
  return { id, typed, fact };
}

async function openModelForm(visit: PersonVisit, correct: string): Promise<Open> {
  const model = modelIn(visit);
  const correcting = await correctingIn(visit, model, correct);
  const record = (): Promise<RecordFrame> => recordFrame(visit);
  return { visit, record, model, plan: planForm(visit.models, model, visit.words), correcting };
}

type Seen = {
  readonly answers: Answers;
  /** The token of the form, with which it can succeed only once. */ readonly token: string;
  /** Digest of the version that the person corrects. */ readonly version: string;
  readonly wrong?: Wrong | undefined;
  readonly found?: FormView['found'];
  readonly changed?: boolean;
  /** Values that hardly can be, about which the person is asked before anything is stored. */
  readonly unlikely?: readonly Unlikely[];
  readonly status?: number;
};

function Changed({ opened, version }: { readonly opened: Open; readonly version: string }) {
  const { say } = opened.visit.words;
  const id = opened.correcting?.id ?? '';
  return (
    <Say tone="wait" role="alert" title={say('add-model.changed-title')}>
      <p>{say('add-model.changed')}</p>
      <p>
        <a href={`${recordBase(opened.visit)}documents/${encodeURIComponent(id)}`} data-version={version}>
          {say('add-model.changed-look')}
        </a>
      </p>
    </Say>
  );
}

/** Asks once whether values that hardly can be are right. "Yes" is good for these values only. */
export function IsThisRight({
  visit,
  unlikely,
}: {
  readonly visit: PersonVisit;
  readonly unlikely: readonly Unlikely[];
}): JSX.Element {
  const { say } = visit.words;
  return (
    <Say tone="wait" role="alert" title={say('add-model.right')}>
      <ul>
        {unlikely.map(({ label, value }) => (
          <li>
            <bdi>{say('document.named', { label, value })}</bdi>
          </li>
        ))}
      </ul>
      <p>{say('add-model.right-why')}</p>
      <div class="buttons">
        <button class="button first" name="sure" value={sureAbout(unlikely)}>
          {say('add-model.right-yes')}
        </button>
        <button class="button" name="change" value="yes">
          {say('add-model.right-no')}
        </button>
      </div>
    </Say>
  );
}

async function addModelView(opened: Open, seen: Seen): Promise<Answer> {
  const { visit, model, plan, correcting } = opened;
  const record = await opened.record();
  const { say, rich } = visit.words;
  const name = modelName(model, visit.words);
  const title = correcting ? say('add-model.correct-title', { kind: name }) : name;
  const base = recordBase(visit);
  const back = correcting
    ? { to: `${base}documents/${encodeURIComponent(correcting.id)}`, text: say('add-model.back-document') }
    : { to: `${base}add`, text: say('add-model.back') };
  return shown(
    seen.wrong ? say('form.error-title', { title }) : title,
    <>
      <Summary title={say('form.wrong')} wrong={seen.wrong} order={fieldOrder(plan, seen.answers)} />
      {seen.changed && <Changed opened={opened} version={seen.version} />}
      <Head title={title} back={back}>
        {rich(correcting ? 'add-model.correct-lead' : 'add-model.lead', { name: <bdi>{record.name}</bdi> })}
      </Head>
      <Form visit={visit} action={`${base}add/${encodeURIComponent(model.name)}`}>
        {/* The first button of a form is the one that Enter presses. */}
        <button class="unseen" tabindex={-1} aria-hidden="true" />
        <input type="hidden" name="form" value={seen.token} />
        {correcting && <input type="hidden" name="correct" value={correcting.id} />}
        {correcting && <input type="hidden" name="version" value={seen.version} />}
        {seen.unlikely && <IsThisRight visit={visit} unlikely={seen.unlikely} />}
        <ModelFields
          view={{ visit, answers: seen.answers, wrong: seen.wrong, ...(seen.found ? { found: seen.found } : {}) }}
          plan={plan}
          title={say('add-model.what')}
        />
        <div class="aside">
          <Buttons text={say('form.save')} first>
            <a href={back.to}>{say('form.cancel')}</a>
          </Buttons>
        </div>
      </Form>
    </>,
    { record, status: seen.status ?? 200 },
  );
}

const LABEL_CHARACTERS = 100;

/** "Allergy: Penicillin" */
export function labelOf({ visit, model }: Pick<Open, 'visit' | 'model'>, fact: Fact): string {
  const [kind, title] = [modelName(model, visit.words), factTitle(model, fact, visit.words)];
  const label = kind === title ? kind : visit.words.say('add-model.label', { kind, title });
  return [...label.replace(/\s+/g, ' ')].slice(0, LABEL_CHARACTERS).join('').trim();
}

export function documentOf({ visit }: Pick<Open, 'visit'>, { xml }: Pick<Read, 'xml'>): Buffer {
  return Buffer.from(writeXml(element('Models', { xmlns: `${visit.settings.vocabBase}/xml/documents#` }, [xml])));
}

async function storeModel(opened: Open, read: Read, seen: Seen): Promise<string> {
  const { visit, correcting } = opened;
  const params = inRecord(visit);
  const document = { body: documentOf(opened, read), mediaType: 'application/xml' };
  const label = labelOf(opened, read.fact);
  if (!correcting) {
    return (
      await visit.ask(operations.documents.documentCreate, { ...document, params, form: { token: seen.token, label } })
    ).id;
  }
  // A label that the person chose stays. A label that the form made is made again from the new text.
  const given = correcting.typed.label === labelOf(opened, correcting.fact);
  const made = await visit.ask(operations.documents.documentVersion, {
    ...document,
    params: { ...params, DOCUMENT_ID: correcting.id },
    ifMatch: `"${seen.version}"`,
    form: { token: seen.token, ...(given ? { label } : {}) },
  });
  return made.id;
}

function at({ visit }: Open, id: string, note = ''): Answer {
  return go(`${recordBase(visit)}documents/${encodeURIComponent(id)}${note}`);
}

/**
 * Leads to the document that this form made before. If the person went back and typed something else, the page says
 * that it was not stored.
 */
async function atMade(opened: Open, read: Read, id: string): Promise<Answer> {
  const params = { RECORD_ID: opened.visit.params['RECORD_ID']!, DOCUMENT_ID: id };
  const { content } = await opened.visit.ask(operations.documents.recordDocument, { params });
  return at(opened, id, content.equals(documentOf(opened, read)) ? '' : '?note=before');
}

async function saveModel(opened: Open, read: Read, seen: Seen): Promise<Answer> {
  try {
    return at(opened, await storeModel(opened, read, seen));
  } catch (error) {
    const code = error instanceof AppError ? error.code : '';
    if (!['duplicate', 'already_replaced', 'precondition_failed'].includes(code)) {
      throw error;
    }
    const made = await madeBefore(opened.visit, seen.token);
    return made === null ? addModelView(opened, { ...seen, changed: true, status: 409 }) : atMade(opened, read, made);
  }
}

/** Handles the buttons that only show the form again, with one more row, with codes for the typed text, or to change it. */
async function again(opened: Open, seen: Seen): Promise<Answer | undefined> {
  const { visit, model } = opened;
  if (visit.form.text('more') !== '' || visit.form.text('change') !== '') {
    return addModelView(opened, seen);
  }
  const name = visit.form.text('look');
  if (name === '') {
    return undefined;
  }
  const codes = await lookUp(visit.ask, `${model.name} ${name}`, visit.form.text(name));
  return addModelView(opened, { ...seen, found: { name, codes } });
}

/** The whole form of a model with what was typed into a shorter one. @param token of the shorter form */
export async function showWhole(visit: PersonVisit, model: Model, answers: Answers, token: string): Promise<Answer> {
  const plan = planForm(visit.models, model, visit.words);
  const opened: Open = { visit, record: () => recordFrame(visit), model, plan, correcting: undefined };
  return addModelView(opened, { answers, token, version: '' });
}

export const addModel = page({
  path: '/records/{RECORD_ID}/add/{Model}',
  show: async (visit) => {
    const opened = await openModelForm(visit, visit.query['correct'] ?? '');
    const { correcting, plan } = opened;
    const seen = { token: newToken(), version: correcting?.typed.digest ?? '' };
    return addModelView(opened, {
      ...seen,
      answers: correcting ? answersFrom(plan, correcting.fact, visit.words) : answersOf(visit.form),
      changed: correcting?.typed.latest === false,
    });
  },
  again: {
    keeps: () => true,
    show: async (visit) => {
      const opened = await openModelForm(visit, visit.form.text('correct'));
      const token = visit.form.text('form') || newToken();
      return addModelView(opened, { answers: answersOf(visit.form), token, version: visit.form.text('version') });
    },
  },
  submit: async (visit) => {
    const opened = await openModelForm(visit, visit.form.text('correct'));
    const { plan, correcting } = opened;
    const answers = answersOf(visit.form);
    const seen = { answers, token: visit.form.text('form') || newToken(), version: visit.form.text('version') };
    const shownAgain = await again(opened, seen);
    if (shownAgain) {
      return shownAgain;
    }
    const before = correcting && answersFrom(plan, correcting.fact, visit.words);
    const read = readAnswers(plan, answers, before, visit.words);
    if (Object.keys(read.wrong).length > 0) {
      return addModelView(opened, { ...seen, wrong: read.wrong, status: 400 });
    }
    const unlikely = findUnlikely(opened.model, read.fact, visit.words);
    return isSureAbout(unlikely, visit.form)
      ? saveModel(opened, read, seen)
      : addModelView(opened, { ...seen, unlikely });
  },
});
