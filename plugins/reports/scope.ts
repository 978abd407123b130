/** scope: finds the record or carenet whose facts a report asks for. */
import { errors } from '../../core/base/errors';
import type { Model } from '../../core/facts/model/model';
import { readCurrentScope } from '../../core/records/current';
import { requireCarenet } from '../../core/records/require';
import type { Services } from '../../core/services';
import type { ReportPlan, ReportScope } from '../../core/db/plans';

/** Path parameters with either RECORD_ID or CARENET_ID. */
export type InScope = Readonly<Record<string, string>>;

/** @throws AppError not_found for an unknown carenet */
export const scopeOf = async (services: Services, params: InScope): Promise<ReportScope> => {
  const { RECORD_ID: recordId, CARENET_ID: carenetId = '' } = params;
  if (recordId !== undefined) {
    return { recordId };
  }
  const carenet = await requireCarenet(services, carenetId);
  return { recordId: carenet.recordId, carenetId: carenet.id };
};

/** The same scope with only what counts now. Facts of documents that are no longer active count for nothing. */
export async function currentScopeOf(
  services: Services,
  params: InScope,
  { status }: Pick<ReportPlan, 'status'>,
): Promise<ReportScope> {
  const scope = await scopeOf(services, params);
  return status === 'active' ? (await readCurrentScope(services, scope)).scope : scope;
}

/** A model that has a report. @throws AppError not_found */
export const requireModel = (services: Services, name: string): Model => {
  const model = services.models().find(name);
  if (!model || model.builtin) {
    throw errors.notFound('data model');
  }
  return model;
};
