/** sharing: who can see what of a record, and what its forms do: full shares, carenets, their people and kinds. */
import { AppError } from '../../core/base/errors';
import { go, page, type Answer, type PersonVisit } from './page';
import { boxOf, kindsIn, type Sharing } from './sharing-kinds';
import { DECIDED, offsetOf, view, type Note } from './sharing-view';
import type { Kind } from './type-words';

const inRecord = ({ params }: PersonVisit) => ({ RECORD_ID: params['RECORD_ID']! });

const read = (visit: PersonVisit): Promise<Sharing> =>
  visit.ask('record_sharing', {
    params: inRecord(visit),
    query: { limit: String(DECIDED), offset: String(offsetOf(visit)) },
  });

const again = async (visit: PersonVisit, field: string, why: string): Promise<Answer> =>
  view(visit, await read(visit), { [field]: why });

const done = (visit: PersonVisit, note: Note): Answer => go(`${visit.path}?note=${note}`);

/** The account that the form names; undefined when there is none. */
const named = async (visit: PersonVisit): Promise<string | undefined> => {
  const name = visit.form.text('who');
  return name === '' || [...name].length > 300
    ? undefined
    : ((await visit.ask('account_named', { query: { name } })) ?? undefined);
};

/** What the person can put right is said at the field; all else is for the page of failures. */
const atField = async (
  visit: PersonVisit,
  field: string,
  why: Readonly<Record<string, string>>,
  work: () => Promise<unknown>,
  note: Note,
): Promise<Answer> => {
  try {
    await work();
  } catch (error) {
    if (error instanceof AppError && Object.hasOwn(why, error.code)) {
      return again(visit, field, why[error.code]!);
    }
    throw error;
  }
  return done(visit, note);
};

const shareWhole = async (visit: PersonVisit): Promise<Answer> => {
  const { say } = visit.words;
  const { mine, owner } = await read(visit);
  const account = mine ? await named(visit) : undefined;
  if (mine && (account === undefined || account === owner?.id)) {
    return again(visit, 'whole', say(account === undefined ? 'sharing.nobody-named' : 'sharing.owner-named'));
  }
  const share = () =>
    visit.ask('record_share_add', { params: inRecord(visit), body: { account_id: account ?? visit.form.text('who') } });
  return atField(visit, 'whole', { invalid_parameter: say('sharing.nobody-named') }, share, 'shared');
};

const stopSharing = async (visit: PersonVisit): Promise<Answer> => {
  const account = visit.form.text('account') || '-';
  await visit.ask('record_share_delete', { params: { ...inRecord(visit), OTHER_ACCOUNT_ID: account } });
  return done(visit, 'stopped');
};

const naming = (visit: PersonVisit) => ({
  missing_parameter: visit.words.say('sharing.name-wrong'),
  invalid_parameter: visit.words.say('sharing.name-wrong'),
  duplicate: visit.words.say('sharing.name-taken'),
});

const create = (visit: PersonVisit): Promise<Answer> =>
  atField(
    visit,
    'new',
    naming(visit),
    () => visit.ask('carenet_create', { params: inRecord(visit), body: { name: visit.form.text('name') } }),
    'created',
  );

/** The carenet of the form, which must be one of the record whose page this is. */
const carenetOf = async (visit: PersonVisit): Promise<{ CARENET_ID: string }> => {
  const id = visit.form.text('carenet');
  const { carenets } = await read(visit);
  return { CARENET_ID: carenets.some((carenet) => carenet.id === id) ? id : '-' };
};

const rename = async (visit: PersonVisit): Promise<Answer> => {
  const params = await carenetOf(visit);
  const work = () => visit.ask('carenet_rename', { params, body: { name: visit.form.text('name') } });
  return atField(visit, `rename-${params.CARENET_ID}`, naming(visit), work, 'saved');
};

const remove = async (visit: PersonVisit): Promise<Answer> => {
  await visit.ask('carenet_delete', { params: await carenetOf(visit) });
  return done(visit, 'deleted');
};

const addPerson = async (visit: PersonVisit): Promise<Answer> => {
  const params = await carenetOf(visit);
  const field = `add-${params.CARENET_ID}`;
  const nobody = visit.words.say('sharing.nobody-named');
  const account = params.CARENET_ID === '-' ? '-' : await named(visit);
  if (account === undefined) {
    return again(visit, field, nobody);
  }
  const add = () => visit.ask('carenet_account_create', { params, body: { account_id: account, write: 'false' } });
  return atField(visit, field, { invalid_parameter: nobody }, add, 'added');
};

const takeOut = async (visit: PersonVisit): Promise<Answer> => {
  const account = visit.form.text('account') || '-';
  await visit.ask('carenet_account_delete', { params: { ...(await carenetOf(visit)), ACCOUNT_ID: account } });
  return done(visit, 'out');
};

/** Ticks that were made, and those that were taken away, since the page was shown. */
const saveKinds = async (visit: PersonVisit): Promise<Answer> => {
  const sharing = await read(visit);
  const kinds = kindsIn(sharing, visit);
  const boxes = new Map(
    sharing.carenets.flatMap((carenet) =>
      kinds.map((kind): [string, { carenet: string; kind: Kind }] => [
        boxOf(carenet, kind),
        { carenet: carenet.id, kind },
      ]),
    ),
  );
  const [before, after] = [new Set(visit.form.all('was')), new Set(visit.form.all('share'))];
  const changes = (some: Set<string>, others: Set<string>): string =>
    JSON.stringify(
      [...some]
        .filter((box) => !others.has(box))
        .flatMap((box) => {
          const known = boxes.get(box);
          return known ? known.kind.types.map((type) => ({ carenet: known.carenet, type })) : [];
        }),
    );
  await visit.ask('record_autoshares_change', {
    params: inRecord(visit),
    body: { set: changes(after, before), unset: changes(before, after) },
  });
  return done(visit, 'saved');
};

const actions: Readonly<Record<string, (visit: PersonVisit) => Promise<Answer>>> = {
  whole: shareWhole,
  stop: stopSharing,
  create,
  rename,
  delete: remove,
  add: addPerson,
  'take-out': takeOut,
  kinds: saveKinds,
};

const show = async (visit: PersonVisit): Promise<Answer> => view(visit, await read(visit));

export const sharing = page({
  path: '/records/{RECORD_ID}/sharing',
  show,
  submit: (visit) => {
    const what = visit.form.text('what');
    return Object.hasOwn(actions, what) ? actions[what]!(visit) : show(visit);
  },
});
