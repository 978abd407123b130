/** scope: finds the record or carenet whose facts a report asks for. */
import { errors } from '../../core/base/errors';
import type { Model } from '../../core/facts/model/model';
import { requireCarenet } from '../../core/records/require';
import type { Services } from '../../core/services';
import type { ReportScope } from '../../core/db/plans';

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

/** A model that has a report. @throws AppError not_found */
export const requireModel = (services: Services, name: string): Model => {
  const model = services.models().find(name);
  if (!model || model.builtin) {
    throw errors.notFound('data model');
  }
  return model;
};
