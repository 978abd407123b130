/** quick: adds what people write down daily, with five fields at most: today and now are filled in. */
import type { JSX } from 'preact';
import { AppError, errors } from '../../../../core/base/errors';
import { newToken } from '../../../../core/base/ids';
import type { Model } from '../../../../core/facts/model/model';
import { operations } from '../../http/operations';
import { documentOf, IsThisRight, labelOf, showWhole } from '../add/add-model';
import { madeBefore } from '../add/kept';
import { readAnswers, type Answers, type Read } from '../add/model-answers';
import { planForm } from '../add/model-form';
import { go, page, shown, type Answer, type PersonVisit } from '../../http/page';
import { Buttons, Form, idOf, Summary, type Wrong } from '../../parts/form';
import { Head } from '../../parts/layout';
import { inRecord, recordBase } from '../../parts/record-frame';
import { Avatar, hueOf } from '../../parts/who';
import { wordsIn, type Words } from '../../words/words';
import { isZone } from '../../words/words';
import { localTime } from '../../words/zoned';
import { findUnlikely, isSureAbout, type Unlikely } from '../../unlikely';
import { filledIn, quickAnswers, withQuickLabels } from './answers';
import { QuickInput, type QuickView } from './fields';
import { readLastReading, type LastReading } from './last';
import { quickKind, type QuickField, type QuickKind } from './kinds';
import { QuickNav, quickAt, savedAt } from './nav';
import { noneKnown } from './none-known';
import { saved, Undone } from './saved';

type Opened = {
  readonly visit: PersonVisit;
  readonly kind: QuickKind;
  readonly frame: { readonly base: string; readonly name: string };
  /** In the time zone of the record's owner, in which days are written down. */ readonly words: Words;
};

function kindIn(visit: PersonVisit): QuickKind {
  const kind = quickKind(visit.params['What'] ?? '');
  if (!kind || (kind.model !== undefined && !visit.models.find(kind.model))) {
    throw errors.notFound('form');
  }
  return kind;
}

async function openQuickForm(visit: PersonVisit): Promise<Opened> {
  const kind = kindIn(visit);
  const { label, zone } = await visit.ask(operations.records.recordZone, { params: inRecord(visit) });
  const words = zone !== null && isZone(zone) ? wordsIn(visit.words.language, zone, visit.now) : visit.words;
  return { visit, kind, frame: { base: recordBase(visit), name: label }, words };
}

type Seen = {
  readonly answers: Answers;
  readonly token: string;
  readonly wrong?: Wrong;
  readonly unlikely?: readonly Unlikely[];
  readonly undone?: boolean;
  readonly last?: LastReading | undefined;
};

/** Whose record it is, and the way to another one. */
function ForWhom({ visit, frame: { base, name } }: Pick<Opened, 'visit' | 'frame'>): JSX.Element {
  const { rich, say } = visit.words;
  return (
    <p class="line small forwhom">
      <Avatar name={name} hue={hueOf(base)} />
      <span>{rich('quick.for', { name: <bdi>{name}</bdi>, b: (chunks) => <b>{chunks}</b> })}</span>
      <a href={`${visit.site}/?all=1`}>{say('quick.somebody-else')}</a>
    </p>
  );
}

function fieldColumns(fields: readonly QuickField[]): readonly string[] {
  return fields.flatMap((field) => {
    switch (field.kind) {
      case 'pad':
        return field.fields.map(([column]) => column);
      case 'pick':
        return [];
      default:
        return [field.column];
    }
  });
}

/**
 * The camera of a telephone, or pictures that are there. They are looked at before they are stored. With `capture`,
 * telephones would offer the camera alone.
 */
function Photo({ view, kind }: { readonly view: QuickView; readonly kind: QuickKind }): JSX.Element {
  const { visit } = view;
  const { say } = visit.words;
  return (
    <Form visit={visit} action={`${recordBase(visit)}add`} files className="card">
      <input type="hidden" name="quick" value="photo" />
      <div class="field">
        <label for={idOf('file')}>{say('quick.photo')}</label>
        <span class="hint" id={`${idOf('file')}-hint`}>
          {say('quick.photo-hint')}
        </span>
        <input
          type="file"
          id={idOf('file')}
          name="file"
          accept="image/*"
          multiple
          aria-describedby={`${idOf('file')}-hint`}
        />
      </div>
      {kind.fields.map((field) => (
        <QuickInput view={view} field={field} />
      ))}
      <Buttons text={say('add.look')} first>
        <a class="button bare" href={recordBase(visit)}>
          {say('form.cancel')}
        </a>
      </Buttons>
    </Form>
  );
}

function WrittenForm({ opened, view, seen }: { opened: Opened; view: QuickView; seen: Seen }): JSX.Element {
  const { visit, kind, frame } = opened;
  const { say } = visit.words;
  return (
    <Form visit={visit} action={quickAt(visit, kind.name)} className="card">
      {/* The first button of a form is the one that Enter presses. */}
      <button class="unseen" tabindex={-1} aria-hidden="true" />
      <input type="hidden" name="form" value={seen.token} />
      {seen.unlikely && <IsThisRight visit={visit} unlikely={seen.unlikely} />}
      {kind.fields.map((field) => (
        <QuickInput view={view} field={field} />
      ))}
      <div class="buttons">
        <button class="button first">{say('form.save')}</button>
        <button class="button" name="more" value="all">
          {say('quick.more')}
        </button>
        <a class="button bare" href={frame.base}>
          {say('form.cancel')}
        </a>
      </div>
    </Form>
  );
}

function quickView(opened: Opened, seen: Seen, status = 200): Answer {
  const { visit, kind, frame, words } = opened;
  const { say } = visit.words;
  const title = say(`quick.${kind.name}`);
  const input = { visit, words, answers: seen.answers, wrong: seen.wrong };
  return shown(
    seen.wrong ? say('form.error-title', { title }) : title,
    <>
      {seen.undone && <Undone visit={visit} />}
      <Summary title={say('form.wrong')} wrong={seen.wrong} order={fieldColumns(kind.fields)} />
      <ForWhom visit={visit} frame={frame} />
      <QuickNav visit={visit} here={kind.name} />
      <h1>{title}</h1>
      {kind.model === undefined ? (
        <Photo view={input} kind={kind} />
      ) : (
        <WrittenForm opened={opened} view={input} seen={seen} />
      )}
      {seen.last && (
        <p class="by center">
          {visit.words.rich('quick.last', {
            value: <bdi>{seen.last.value}</bdi>,
            date: seen.last.date,
            b: (chunks) => <b>{chunks}</b>,
          })}
        </p>
      )}
    </>,
    { record: frame, slim: true, status },
  );
}

/** The fields by which a model says what it is about, next to which it says that nothing was filled in. */
function atShownFields(kind: QuickKind, wrong: Wrong): Wrong {
  const names = fieldColumns(kind.fields);
  const [first = ''] = names;
  return Object.fromEntries(
    Object.entries(wrong)
      .map(([name, text]) => [names.includes(name) ? name : first, text] as const)
      .reverse(),
  );
}

/** A day after today is a mistake: what did not happen yet is no fact. */
function wrongDay({ kind, words, visit }: Opened, answers: Answers): Wrong {
  const today = localTime(words.zone, visit.now).day;
  const when = kind.fields.find((field) => field.kind === 'when');
  return when && answers.text(when.column) > today
    ? { [when.column]: visit.words.say('quick.after-today', { label: visit.words.say('quick.day') }) }
    : {};
}

async function storeQuick({ visit, kind }: Opened, model: Model, read: Read, token: string): Promise<Answer> {
  try {
    const { id } = await visit.ask(operations.documents.documentCreate, {
      params: inRecord(visit),
      body: documentOf({ visit }, read),
      mediaType: 'application/xml',
      // A device that was without a network may send it again, in another session, too.
      form: { token, label: labelOf({ visit, model }, read.fact), device: true },
    });
    return go(savedAt(visit, kind.name, id));
  } catch (error) {
    const made = error instanceof AppError && error.code === 'duplicate' ? await madeBefore(visit, token, true) : null;
    if (made === null) {
      throw error;
    }
    return go(savedAt(visit, kind.name, made));
  }
}

/** Whether nothing was filled in but the day and the time, which were there. */
function isUnanswered({ kind }: Opened, answers: Answers): boolean {
  return !kind.fields.some(
    (field) => field.kind !== 'when' && fieldColumns([field]).some((name) => answers.text(name) !== ''),
  );
}

async function saveQuick(opened: Opened, model: Model): Promise<Answer> {
  const { visit, kind, words } = opened;
  const answers = quickAnswers(kind, visit.form, words);
  const seen = { answers, token: visit.form.text('form') || newToken() };
  if (visit.form.text('more') !== '') {
    return showWhole(visit, model, answers, seen.token);
  }
  if (visit.form.text('change') !== '') {
    return quickView(opened, seen);
  }
  const plan = withQuickLabels(planForm(visit.models, model, words), kind, words);
  const read = readAnswers(plan, answers, undefined, words);
  const nothing = isUnanswered(opened, answers)
    ? { [fieldColumns(kind.fields)[0]!]: words.say('add-model.nothing') }
    : {};
  const wrong = { ...atShownFields(kind, read.wrong), ...wrongDay(opened, answers), ...nothing };
  if (Object.keys(wrong).length > 0) {
    return quickView(opened, { ...seen, wrong }, 400);
  }
  const unlikely = findUnlikely(model, read.fact, words);
  // What was typed without a network cannot be asked about any more: pages say that it is to be looked at.
  const isSure = isSureAbout(unlikely, visit.form) || visit.form.text('waited') === '1';
  return isSure ? storeQuick(opened, model, read, seen.token) : quickView(opened, { ...seen, unlikely });
}

const form = page({
  path: '/records/{RECORD_ID}/quick/{What}',
  show: async (visit) => {
    const opened = await openQuickForm(visit);
    return quickView(opened, {
      answers: filledIn(opened.kind, visit.now, opened.words),
      token: newToken(),
      undone: visit.query['note'] === 'undone',
      last: await readLastReading(visit, opened.kind, opened.words),
    });
  },
  again: {
    keeps: () => true,
    show: async (visit) => {
      const opened = await openQuickForm(visit);
      const answers = quickAnswers(opened.kind, visit.form, opened.words);
      return quickView(opened, { answers, token: visit.form.text('form') || newToken() });
    },
  },
  submit: async (visit) => {
    const opened = await openQuickForm(visit);
    const model = visit.models.find(opened.kind.model ?? '');
    if (!model) {
      throw errors.notFound('form');
    }
    return saveQuick(opened, model);
  },
});

const choose = page({
  path: '/records/{RECORD_ID}/quick/',
  show: async (visit) => {
    const { label } = await visit.ask(operations.records.recordZone, { params: inRecord(visit) });
    const frame = { base: recordBase(visit), name: label };
    const title = visit.words.say('quick.title');
    return shown(
      title,
      <>
        <ForWhom visit={visit} frame={frame} />
        <Head title={title}>{visit.words.say('quick.lead')}</Head>
        <QuickNav visit={visit} />
      </>,
      { record: frame, slim: true },
    );
  },
});

export const quick = [choose, noneKnown, form, saved];
