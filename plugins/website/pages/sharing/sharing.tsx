/** sharing: the page of who can see what of a record, with its forms: full shares, carenets, their people and kinds. */
import { AppError } from '../../../../core/base/errors';
import { newToken } from '../../../../core/base/ids';
import { idByForm } from '../../../../core/files/form-hash';
import { operations } from '../../http/operations';
import { go, page, type Answer, type PersonVisit, type Shown } from '../../http/page';
import type { Wrong } from '../../parts/form';
import { inRecord, recordBase } from '../../parts/record-frame';
import { circleView } from './circle';
import { tickedKinds } from './kind-ticks';
import { kindsIn, type Kinds } from './kinds';
import { changedFacts } from './single-facts';
import { LISTED, places, sharingView, type Note, type SharingPage } from './view';
import { kindTitle } from '../../words/type-words';
import { askWhetherRight, isSure, personNamed } from './whose-account';

async function readSharing(visit: PersonVisit): Promise<SharingPage> {
  const params = inRecord(visit);
  const carenet = visit.params['CARENET_ID'];
  const [shared, facts, seers, invitations] = await Promise.all([
    visit.ask(operations.carenets.recordSharing, {
      params,
      query: { limit: String(LISTED), ...Object.fromEntries(places.map((name) => [name, visit.query[name] ?? ''])) },
    }),
    carenet === undefined ? undefined : visit.ask(operations.carenets.recordFactKinds, { params, query: { carenet } }),
    visit.ask(operations.carenets.recordWhoSees, { params }),
    carenet === undefined ? visit.ask(operations.records.recordInvitations, { params }) : [],
  ]);
  return { ...shared, facts, seers, invitations };
}

/** The page whose form was sent: that of all who see the record, or that of one circle. */
function render(visit: PersonVisit, shared: SharingPage, wrong?: Wrong, note?: Note): Answer {
  return visit.params['CARENET_ID'] === undefined
    ? sharingView(visit, shared, wrong, note)
    : circleView(visit, shared, wrong, note);
}

async function renderAgain(visit: PersonVisit, field: string, why: string): Promise<Answer> {
  return render(visit, await readSharing(visit), { [field]: why });
}

/** A circle that was deleted has no page to go back to. */
function done(visit: PersonVisit, note: Note): Answer {
  return go(`${note === 'deleted' ? `${recordBase(visit)}sharing` : visit.path}?note=${note}`);
}

/**
 * Runs a change. A mistake that the person can correct is shown at the field. Any other failure leads to the page of
 * failures.
 */
async function atField<V>(
  visit: PersonVisit,
  field: string,
  why: Readonly<Record<string, string>>,
  work: () => Promise<V>,
  noteOf: (value: V) => Note,
): Promise<Answer> {
  try {
    return done(visit, noteOf(await work()));
  } catch (error) {
    if (error instanceof AppError && Object.hasOwn(why, error.code)) {
      return renderAgain(visit, field, why[error.code]!);
    }
    throw error;
  }
}

/** The message for an unknown name. If people cannot make an account themselves, it says who can. */
function nobodyNamed({ settings, words }: PersonVisit): string {
  return words.say(settings.signUp ? 'sharing.nobody-named' : 'sharing.nobody-named-off');
}

async function shareWhole(visit: PersonVisit): Promise<Answer> {
  const { say } = visit.words;
  const who = visit.form.text('who');
  const owner = await visit.ask(operations.records.recordGetOwner, { params: inRecord(visit) });
  const mine = owner.id === visit.person.principal.accountId;
  if (who === '') {
    return renderAgain(visit, 'whole', say('form.missing'));
  }
  // The call of those who may not share the record is refused below, and nobody is looked up for them.
  const person = mine ? await personNamed(visit, who) : undefined;
  if (mine && (person === undefined || person.id === owner.id)) {
    return renderAgain(visit, 'whole', person === undefined ? nobodyNamed(visit) : say('sharing.owner-named'));
  }
  if (person && !isSure(visit, person)) {
    const button = <button class="button first">{say('sharing.whole-do')}</button>;
    return askWhetherRight(visit, { typed: who, person, fields: { what: 'whole', who }, button });
  }
  const body = { account_id: person?.id ?? who };
  const share = () => visit.ask(operations.records.recordShareAdd, { params: inRecord(visit), body, invites: true });
  return atField(visit, 'whole', { invalid_parameter: nobodyNamed(visit) }, share, ({ told }) =>
    told ? 'shared' : 'shared-before',
  );
}

/**
 * Ends every way by which a person sees the record. If the button is pressed twice, the answer to the second press says
 * the same as the first.
 */
async function stopSharing(visit: PersonVisit): Promise<Answer> {
  try {
    await visit.ask(operations.carenets.recordPersonEnd, {
      params: { ...inRecord(visit), ACCOUNT_ID: visit.form.text('account') || '-' },
    });
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') {
      return { ...sharingView(visit, await readSharing(visit), undefined, 'stopped'), status: 404 };
    }
    throw error;
  }
  return done(visit, 'stopped');
}

/** Shows kinds of facts to somebody who has an account, once it is sure whose account it is. */
async function addByKinds(visit: PersonVisit): Promise<Answer> {
  const { say } = visit.words;
  const who = visit.form.text('who');
  const kinds = tickedKinds(visit);
  const params = inRecord(visit);
  const owner = await visit.ask(operations.records.recordGetOwner, { params });
  const person = await personNamed(visit, who);
  const wrong: Wrong = {
    ...(who === '' ? { person: say('form.missing') } : {}),
    ...(who !== '' && person === undefined ? { person: nobodyNamed(visit) } : {}),
    ...(person && person.id === owner.id ? { person: say('sharing.owner-named') } : {}),
    ...(kinds.length === 0 ? { kind: say('person.nothing-ticked') } : {}),
  };
  if (!person || Object.keys(wrong).length > 0) {
    return sharingView(visit, await readSharing(visit), wrong);
  }
  if (!isSure(visit, person)) {
    const fields = [['what', 'person'], ['who', who], ...visit.form.all('kind').map((kind) => ['kind', kind] as const)];
    const button = <button class="button first">{say('person.share')}</button>;
    return askWhetherRight(visit, { typed: who, person, fields: fields as [string, string][], button });
  }
  const before = await visit.ask(operations.carenets.recordWhoSees, {
    params: inRecord(visit),
    query: { account: person.id },
  });
  const own = before.people[0]?.circles.find((circle) => circle.own);
  const { told } = await visit.ask(operations.carenets.recordPersonShare, {
    params: { ...inRecord(visit), ACCOUNT_ID: person.id },
    body: {
      kinds: [...new Set([...(own?.kinds ?? []), ...kinds])].join(' '),
      documents: 'kept',
      last_day: own?.lastDay ?? '',
    },
  });
  return done(visit, told ? 'person' : 'saved');
}

function naming(visit: PersonVisit) {
  return {
    missing_parameter: visit.words.say('sharing.name-wrong'),
    invalid_parameter: visit.words.say('sharing.name-wrong'),
    duplicate: visit.words.say('sharing.name-taken'),
  };
}

/**
 * Makes a carenet. If the button is pressed twice, the answer is that of the first press. A name that another carenet
 * has is reported at the field.
 */
async function createCircle(visit: PersonVisit): Promise<Answer> {
  const params = inRecord(visit);
  const name = visit.form.text('name');
  const token = visit.form.text('form') || newToken();
  const why: Readonly<Record<string, string>> = naming(visit);
  try {
    await visit.ask(operations.carenets.carenetCreate, { params, body: { name }, form: { token } });
  } catch (error) {
    if (!(error instanceof AppError) || !Object.hasOwn(why, error.code)) {
      throw error;
    }
    const shared = await readSharing(visit);
    const made = idByForm(visit.person.principal, params.RECORD_ID, token, name);
    if (!shared.carenets.some(({ id }) => id === made)) {
      return render(visit, shared, { new: why[error.code]! });
    }
  }
  return done(visit, 'created');
}

/** The carenet of the form, which must be one of the record whose page this is; its name, and the record's owner. */
async function readCarenet(visit: PersonVisit): Promise<{
  readonly params: { CARENET_ID: string };
  readonly ownerId: string | null;
  readonly name: string;
}> {
  const id = visit.form.text('carenet') || '-';
  const record = await visit.ask(operations.carenets.carenetRecord, { params: { CARENET_ID: id } });
  return {
    params: { CARENET_ID: record.id === visit.params['RECORD_ID'] ? id : '-' },
    ownerId: record.ownerId,
    name: record.carenetName,
  };
}

async function carenetOf(visit: PersonVisit): Promise<{ CARENET_ID: string }> {
  return (await readCarenet(visit)).params;
}

async function rename(visit: PersonVisit): Promise<Answer> {
  const params = await carenetOf(visit);
  const work = () => visit.ask(operations.carenets.carenetRename, { params, body: { name: visit.form.text('name') } });
  return atField(visit, `rename-${params.CARENET_ID}`, naming(visit), work, () => 'saved');
}

/**
 * Deletes a carenet. For a carenet that does not exist, the page does not exist either, unless this form has deleted
 * it.
 */
async function remove(visit: PersonVisit): Promise<Answer> {
  const form = visit.form.text('form') || newToken();
  try {
    await visit.ask(operations.carenets.carenetDelete, { params: await carenetOf(visit), form: { token: form } });
  } catch (error) {
    const { documentId: deleted } = await visit.ask(operations.documents.documentForm, {
      params: inRecord(visit),
      query: { form },
    });
    if (deleted === null) {
      throw error;
    }
  }
  return done(visit, 'deleted');
}

async function addPerson(visit: PersonVisit): Promise<Answer> {
  const { say } = visit.words;
  const { params, ownerId, name } = await readCarenet(visit);
  const field = `add-${params.CARENET_ID}`;
  const who = visit.form.text('who');
  // Another record's carenet is refused below.
  const person = params.CARENET_ID === '-' ? { id: '-', name: '' } : await personNamed(visit, who);
  if (person === undefined) {
    return renderAgain(visit, field, who === '' ? say('form.missing') : nobodyNamed(visit));
  }
  if (person.id === ownerId) {
    return renderAgain(visit, field, say('sharing.owner-in-circle'));
  }
  if (params.CARENET_ID !== '-' && !isSure(visit, person)) {
    const button = (
      <button class="button first">
        {say('sharing.add')} {say('sharing.add-rest', { name })}
      </button>
    );
    const fields = { what: 'add', carenet: params.CARENET_ID, who };
    return askWhetherRight(visit, { typed: who, person, fields, button });
  }
  const body = { account_id: person.id, write: 'false' };
  const add = () => visit.ask(operations.carenets.carenetAccountCreate, { params, body, invites: true });
  return atField(visit, field, { invalid_parameter: nobodyNamed(visit) }, add, ({ told }) =>
    told ? 'added' : 'added-before',
  );
}

/**
 * Takes a person out of a carenet. If the button is pressed twice, the answer to the second press says the same as the
 * first.
 */
async function takeOut(visit: PersonVisit): Promise<Answer> {
  const params = { ...(await carenetOf(visit)), ACCOUNT_ID: visit.form.text('account') || '-' };
  try {
    await visit.ask(operations.carenets.carenetAccountDelete, { params });
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') {
      return { ...(render(visit, await readSharing(visit), undefined, 'out') as Shown), status: 404 };
    }
    throw error;
  }
  return done(visit, 'out');
}

type Change = { readonly carenet: string; readonly type: string };

/**
 * Finds the carenet and the types of a box; none if the carenet or the kind does not exist any more, because others may
 * change them while the page is open.
 */
function boxReader(shared: Kinds, visit: PersonVisit): (box: string) => readonly Change[] {
  const own = new Set(shared.carenets.map(({ id }) => id));
  const typesOf = new Map(kindsIn(shared, visit).map(({ title, types }) => [title, types]));
  return (box) => {
    // The first type of a kind names its box. The record may no longer have that type, so the kind is found by its
    // title.
    const [carenet = '', type = ''] = box.split(' ', 2);
    const types = typesOf.get(kindTitle(type, visit.models, visit.words)) ?? [];
    return own.has(carenet) ? types.map((one) => ({ carenet, type: one })) : [];
  };
}

/** Stores the boxes that were ticked or unticked since the page was shown. */
async function saveKinds(visit: PersonVisit): Promise<Answer> {
  const read = boxReader(await visit.ask(operations.carenets.recordSharedKinds, { params: inRecord(visit) }), visit);
  const [before, after] = [new Set(visit.form.all('was')), new Set(visit.form.all('share'))];
  const ticked = [...after].filter((box) => !before.has(box)).map(read);
  const unticked = [...before].filter((box) => !after.has(box)).map(read);
  await visit.ask(operations.carenets.recordAutosharesChange, {
    params: inRecord(visit),
    body: { set: JSON.stringify(ticked.flat()), unset: JSON.stringify(unticked.flat()) },
  });
  return done(visit, ticked.some(({ length }) => length === 0) ? 'saved-but' : 'saved');
}

/** Whether a change was made; false where its kind or its circle is gone meanwhile. */
async function isDone(work: Promise<void>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') {
      return false;
    }
    throw error;
  }
}

/** Gives circles the kinds of facts that were ticked, and ends those that were unticked, since the page was shown. */
async function saveFacts(visit: PersonVisit): Promise<Answer> {
  const { set, unset } = changedFacts(visit);
  const inCircle = ({ carenet, kind }: (typeof set)[number]) => ({ CARENET_ID: carenet, KIND: kind });
  let all = true;
  // What is ended goes first, so that a failure in between leaves nobody with more than was meant.
  for (const one of unset) {
    await isDone(visit.ask(operations.carenets.carenetKindUnset, { params: inCircle(one) }));
  }
  for (const one of set) {
    all = (await isDone(visit.ask(operations.carenets.carenetKindSet, { params: inCircle(one) }))) && all;
  }
  return done(visit, all ? 'saved' : 'saved-but');
}

const actions: Readonly<Record<string, (visit: PersonVisit) => Promise<Answer>>> = {
  person: addByKinds,
  whole: shareWhole,
  stop: stopSharing,
  create: createCircle,
  rename,
  delete: remove,
  add: addPerson,
  'take-out': takeOut,
  kinds: saveKinds,
  facts: saveFacts,
};

async function showSharing(visit: PersonVisit): Promise<Answer> {
  return render(visit, await readSharing(visit));
}

function submit(visit: PersonVisit): Promise<Answer> {
  const what = visit.form.text('what');
  return Object.hasOwn(actions, what) ? actions[what]!(visit) : showSharing(visit);
}

export const sharing = page({ path: '/records/{RECORD_ID}/sharing', show: showSharing, submit });

/** One circle, with the forms of the page of sharing that are about it. */
export const circle = page({ path: '/records/{RECORD_ID}/sharing/circles/{CARENET_ID}', show: showSharing, submit });
