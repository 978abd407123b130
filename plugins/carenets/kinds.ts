/** kinds: kinds of facts that a carenet sees, whatever document they came in. */
import { toTimestamp } from '../../core/base/clock';
import { errors } from '../../core/base/errors';
import type { Kind } from '../../core/facts/kinds';
import type { SeenModel } from '../../core/sharing/containment';
import type { Models } from '../../core/facts/model/model';
import type { InRecord } from '../../core/http/inputs';
import { seenByKinds } from '../../core/records/seen';
import type { Call } from '../../core/http/route';
import { changeCarenet, requireCarenet } from '../../core/records/require';
import type { Services } from '../../core/services';
import {
  countKinds,
  deleteKind,
  listKinds as listGiven,
  listWithKinds,
  putKind,
  type GivenKind,
} from '../../core/sharing/kinds-store';
import type { InCarenet } from './service';

type InKind = InCarenet & { KIND: string };

export type ShownKind = Pick<Kind, 'name' | 'ask'>;

/** @throws AppError not_found for a kind that the installation does not have */
function requireKind(services: Services, name: string): Kind {
  const kind = services.models().kinds.find(name);
  if (!kind) {
    throw errors.notFound('kind');
  }
  return kind;
}

/** The kinds that the carenet was given, by name. One that no file defines any more shows nothing, and is not there. */
export async function listKinds({ params, services }: Call<InCarenet>): Promise<readonly ShownKind[]> {
  const { id } = await requireCarenet(services, params.CARENET_ID);
  const { kinds } = services.models();
  return (await listGiven(services.database.reads, id)).flatMap(({ name }) => kinds.find(name) ?? []);
}

/** Gives the carenet all facts of a kind, earlier and later ones: the rule is applied whenever the carenet is read. */
export async function setKind({ params, services }: Call<InKind>): Promise<void> {
  const { name, tests } = requireKind(services, params.KIND);
  await changeCarenet(services, params.CARENET_ID, (trx, { id }) =>
    putKind(trx, id, { name, ...(tests ? { tests } : {}) }, toTimestamp(services.clock.now())),
  );
}

/** Ends that; what the carenet contains as documents stays. */
export async function unsetKind({ params, services }: Call<InKind>): Promise<void> {
  const { name } = requireKind(services, params.KIND);
  await changeCarenet(services, params.CARENET_ID, (trx, { id }) => deleteKind(trx, id, name));
}

/** A kind with what it opens today for each carenet, and whether the carenet was given it. */
type FactKind = ShownKind &
  Pick<Kind, 'words' | 'partOf'> & {
    readonly carenets: readonly {
      readonly id: string;
      readonly given: boolean;
      readonly facts: number;
      readonly papers: number;
      /** Tests that were added to the kind since it was given, which the carenet does not see. */
      readonly added: readonly string[];
    }[];
  };

export type FactKinds = {
  readonly carenets: readonly { readonly id: string; readonly name: string }[];
  /** Those of which the record has facts, or that a carenet was given. */ readonly kinds: readonly FactKind[];
};

/** The page says so when there are more. */
const MOST_CARENETS = 100;

function countedModels(models: Models, { name, tests }: Kind): readonly SeenModel[] {
  return [...seenByKinds(models, [{ name, ...(tests ? { tests } : {}) }]).values()];
}

type CarenetKinds = { readonly kinds: readonly GivenKind[] };

/** The kind with the tests that it had when the carenet was given it. */
function asGiven({ kinds }: CarenetKinds, kind: Kind): Kind {
  const given = kinds.find(({ name }) => name === kind.name);
  return given?.tests ? { ...kind, tests: given.tests } : kind;
}

function addedTests({ kinds }: CarenetKinds, { name, tests = [] }: Kind): readonly string[] {
  const given = kinds.find((one) => one.name === name)?.tests;
  return given ? tests.filter((id) => !given.includes(id)) : [];
}

/** The kinds that a person can give the carenets of a record, or one of them. */
export async function readFactKinds({
  params,
  query,
  services,
}: Call<InRecord, { readonly carenet?: string }>): Promise<FactKinds> {
  const { reads } = services.database;
  const models = services.models();
  const recordId = params.RECORD_ID;
  const all = models.kinds.all.filter((kind) => countedModels(models, kind).length > 0);
  const carenets = (await listWithKinds(reads, recordId))
    .filter(({ id }) => query.carenet === undefined || id === query.carenet)
    .slice(0, MOST_CARENETS);
  const pairs = all.flatMap((kind) => carenets.map((carenet) => ({ carenet, kind })));
  const counts = await countKinds(
    reads.long,
    recordId,
    pairs.map(({ carenet, kind }) => ({
      carenetId: carenet.id,
      models: countedModels(models, asGiven(carenet, kind)),
    })),
  );
  const kinds = all.map((kind, row) => ({
    kind,
    opened: carenets.map((carenet, column) => ({
      id: carenet.id,
      given: carenet.kinds.some(({ name }) => name === kind.name),
      added: addedTests(carenet, kind),
      ...counts[row * carenets.length + column]!,
    })),
  }));
  const shown = kinds.filter(({ opened }) => opened.some(({ given, facts }) => given || facts > 0));
  return {
    carenets: carenets.map(({ id, name }) => ({ id, name })),
    kinds: shown.map(({ kind: { name, ask, words, partOf }, opened }) => ({
      name,
      ask,
      words,
      ...(partOf === undefined ? {} : { partOf }),
      carenets: opened,
    })),
  };
}
