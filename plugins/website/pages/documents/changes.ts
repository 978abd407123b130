/** changes: handles the forms of a document's page: label, status, sharing and notes. */
import { AppError } from '../../../../core/base/errors';
import { operations } from '../../http/operations';
import { writeNote } from './notes';
import { go, type Answer, type PersonVisit } from '../../http/page';
import type { Wrong } from '../../parts/form';

export type Wrongs = { readonly wrong: Wrong; readonly status: number };

type Look = (visit: PersonVisit, failure: Wrongs) => Promise<Answer>;
type Change = (visit: PersonVisit, look: Look) => Promise<Answer>;

function paramsOf({ params }: PersonVisit) {
  return {
    RECORD_ID: params['RECORD_ID'] ?? '',
    DOCUMENT_ID: params['DOCUMENT_ID'] ?? '',
  };
}

function done({ path }: PersonVisit, note: string): Answer {
  return go(`${path}?note=${note}`);
}

const LONGEST_LABEL = 100;
const LONGEST_REASON = 1000;

/** What is wrong with the title; undefined if it can be kept. */
function wrongTitle({ form, words }: PersonVisit): Wrongs | undefined {
  const text = form.text('label');
  const isWrong = [...text].length > LONGEST_LABEL || /\p{Cc}/u.test(text);
  return isWrong ? { wrong: { label: words.say('document.label-wrong') }, status: 400 } : undefined;
}

function saveTitle(visit: PersonVisit): Promise<unknown> {
  return visit.ask(operations.documents.recordDocumentLabel, {
    params: paramsOf(visit),
    body: Buffer.from(visit.form.text('label')),
    mediaType: 'text/plain',
  });
}

const label: Change = async (visit, look) => {
  const wrong = wrongTitle(visit);
  if (wrong) {
    return look(visit, wrong);
  }
  await saveTitle(visit);
  return done(visit, 'saved');
};

/** Fields of the operation -> those of the form, with the text that says what is wrong. */
const OWN_FIELDS: Readonly<Record<string, readonly [field: string, text: string]>> = {
  date: ['own_date', 'document.own-date-wrong'],
  kind: ['own_kind', 'document.own-kind-wrong'],
  tags: ['tags', 'document.tags-wrong'],
};

/** The parameter of an operation that was refused. */
function wrongOne({ message }: AppError): string | undefined {
  return /^The parameter (\w+) /.exec(message)?.[1];
}

const details: Change = async (visit, look) => {
  const { text } = visit.form;
  const body = { date: text('own_date'), kind: text('own_kind'), tags: text('tags') };
  const wrong = wrongTitle(visit);
  if (wrong) {
    return look(visit, wrong);
  }
  try {
    await visit.ask(operations.documents.documentDetails, { params: paramsOf(visit), body });
  } catch (error) {
    const name = error instanceof AppError && error.code === 'invalid_parameter' ? wrongOne(error) : undefined;
    const [field, words] = OWN_FIELDS[name ?? ''] ?? [];
    if (field === undefined || words === undefined) {
      throw error;
    }
    return look(visit, { wrong: { [field]: visit.words.say(words) }, status: 400 });
  }
  if (visit.form.all('label').length > 0) {
    await saveTitle(visit);
  }
  return done(visit, 'saved');
};

const note: Change = async (visit, look) => {
  const wrong = await writeNote(visit, paramsOf(visit).DOCUMENT_ID);
  return wrong === undefined ? done(visit, 'noted') : look(visit, { wrong: { note: wrong }, status: 400 });
};

const status: Change = async (visit, look) => {
  const reason = visit.form.text('reason');
  if (reason === '' || [...reason].length > LONGEST_REASON) {
    return look(visit, { wrong: { reason: visit.words.say('document.reason-wrong') }, status: 400 });
  }
  // The second button of the form has a status of its own, in place of that of the first.
  const wanted = visit.form.text('instead') || visit.form.text('status');
  try {
    await visit.ask(operations.documents.documentSetStatus, {
      params: paramsOf(visit),
      body: { status: wanted, reason },
    });
  } catch (error) {
    // The document was archived after the page was made, and an archived one cannot be declared void.
    if (error instanceof AppError && error.code === 'invalid_state') {
      return look(visit, { wrong: { reason: visit.words.say('document.status-changed') }, status: 400 });
    }
    throw error;
  }
  return done(visit, wanted);
};

const never: Change = async (visit) => {
  await visit.ask(operations.documents.documentSetNevershare, { params: paramsOf(visit) });
  return done(visit, 'never');
};

const again: Change = async (visit) => {
  await visit.ask(operations.documents.documentRemoveNevershare, { params: paramsOf(visit) });
  return done(visit, 'again');
};

/** Takes in a fact that was left out. */
const takeIn: Change = async (visit) => {
  try {
    await visit.ask(operations.documents.documentTakeIn, {
      params: paramsOf(visit),
      body: { fact: visit.form.text('fact') || '-' },
    });
  } catch (error) {
    // It was taken in already, or the document has been replaced since the page was made.
    if (error instanceof AppError && error.code === 'invalid_state') {
      return done(visit, 'not-out');
    }
    throw error;
  }
  return done(visit, 'in');
};

const { carenetDocumentPlacement, carenetDocumentDelete } = operations.carenets;

function placement(operation: typeof carenetDocumentPlacement | typeof carenetDocumentDelete, note: string): Change {
  return async (visit) => {
    await visit.ask(operation, { params: { ...paramsOf(visit), CARENET_ID: visit.form.text('carenet') || '-' } });
    return done(visit, note);
  };
}

const changes: Readonly<Record<string, Change>> = {
  label,
  details,
  note,
  status,
  never,
  again,
  in: takeIn,
  place: placement(carenetDocumentPlacement, 'placed'),
  take: placement(carenetDocumentDelete, 'taken'),
};

/** @param look shows the page again with the mistake */
export function changeDocument(look: (visit: PersonVisit, failure?: Wrongs) => Promise<Answer>) {
  return (visit: PersonVisit): Promise<Answer> => {
    const what = visit.form.text('what');
    return Object.hasOwn(changes, what) ? changes[what]!(visit, look) : look(visit);
  };
}
