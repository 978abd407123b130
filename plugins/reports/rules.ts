/** rules: who may read the facts of a record, and those that a carenet contains. */
import {
  anyOf,
  appInCarenet,
  appWithAccess,
  appWithAccessToCarenetRecord,
  carenetFullControl,
  carenetMember,
  fullControl,
} from '../../core/access/rules';

export const mayReadRecord = anyOf(appWithAccess, fullControl);
export const mayReadCarenet = anyOf(carenetMember, appInCarenet, appWithAccessToCarenetRecord, carenetFullControl);
