/** scope: finds the record or carenet whose facts a report asks for. */
import { errors } from '../../core/base/errors';
import type { Id } from '../../core/base/types';
import type { Model } from '../../core/facts/model/model';
import { readCurrentScope, readMissing, readSaidIn, toldOf } from '../../core/records/current';
import { readCalledWrong } from '../../core/records/lines';
import { requireSeen } from '../../core/records/seen';
import { requireCarenet } from '../../core/records/require';
import type { Services } from '../../core/services';
import type { ReportPlan, StoredFact } from '../../core/facts/plans';
import type { ReportScope } from '../../core/sharing/containment';
import type { SentDocument } from '../../core/facts/sent';

/** Path parameters with either RECORD_ID or CARENET_ID. */
export type InScope = Readonly<Record<string, string>>;

/**
 * The facts of documents only, without those that a carenet sees by their kind.
 * @throws AppError not_found for an unknown carenet
 */
export async function documentsScopeOf(services: Services, params: InScope): Promise<ReportScope> {
  const { RECORD_ID: recordId, CARENET_ID: carenetId = '' } = params;
  if (recordId !== undefined) {
    return { recordId };
  }
  const carenet = await requireCarenet(services, carenetId);
  return { recordId: carenet.recordId, carenetId: carenet.id };
}

/** @throws AppError not_found for an unknown carenet */
export async function scopeOf(services: Services, params: InScope): Promise<ReportScope> {
  const { RECORD_ID: recordId, CARENET_ID: carenetId = '' } = params;
  return recordId === undefined ? (await requireSeen(services, carenetId)).scope : { recordId };
}

/** A scope, and what its documents say of themselves. */
type OpenScope = { readonly scope: ReportScope; readonly documents: readonly SentDocument[] };

/** The scope with only what counts now. Facts of documents that are no longer active count for nothing. */
export async function openScope(
  services: Services,
  params: InScope,
  { status }: Pick<ReportPlan, 'status'>,
  find = scopeOf,
): Promise<OpenScope> {
  const scope = await find(services, params);
  return status === 'active' ? readCurrentScope(services, scope) : { scope, documents: [] };
}

/**
 * What is told of facts beside what they say: who says it too, which newer list of its sender lacks it, and that the person
 * calls it wrong.
 */
export async function tellerOf(
  services: Services,
  { scope, documents }: OpenScope,
  facts: readonly StoredFact[],
): Promise<{
  readonly told: (fact: StoredFact) => ReturnType<typeof toldOf>;
  /** Whether the person calls anything wrong, whatever its model. */ readonly hasWrong: boolean;
}> {
  const [saidIn, missing, wrong] = await Promise.all([
    scope.current === undefined ? new Map<Id, readonly Id[]>() : readSaidIn(services, scope, facts),
    readMissingOf(services, { scope, documents }, facts),
    readWrongOf(services, { scope, documents }),
  ]);
  return { told: (fact) => toldOf(fact, saidIn, missing, wrong), hasWrong: wrong.size > 0 };
}

/** Which of the facts the newest list of their sender does not have any more. */
export async function readMissingOf(
  services: Services,
  { scope, documents }: OpenScope,
  facts: readonly StoredFact[],
): Promise<Awaited<ReturnType<typeof readMissing>>> {
  const { current } = scope;
  const models = [...new Set(facts.map(({ model }) => model))];
  return current === undefined || models.length === 0
    ? new Map()
    : readMissing(services, { scope: { ...scope, current }, documents }, models);
}

/** What the person calls wrong; nothing where all that was ever said is asked for. */
export async function readWrongOf(services: Services, { scope, documents }: OpenScope): Promise<ReadonlySet<Id>> {
  const { current } = scope;
  return current === undefined ? new Set() : readCalledWrong(services, { scope: { ...scope, current }, documents });
}

/** A model that has a report. @throws AppError not_found */
export function requireModel(services: Services, name: string): Model {
  const model = services.models().find(name);
  if (!model || model.builtin) {
    throw errors.notFound('data model');
  }
  return model;
}
