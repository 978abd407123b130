/** scope: whose facts a report call asks for. */
import { requireCarenet } from '../../core/records/require';
import type { Services } from '../../core/services';
import type { ReportScope } from '../../core/storage/plans';

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
