/** stores: all stores by name. Each of their functions gets the connection or transaction that it uses. */
import * as accounts from './accounts/store';
import * as appAccess from './apps/access-store';
import * as appDocuments from './apps/documents-store';
import * as apps from './apps/store';
import * as audit from './audit/store';
import * as browserSessions from './tokens/browser-sessions-store';
import * as codes from './codes/store';
import * as documentIdentifiers from './documents/identifiers-store';
import * as documentReferences from '../plugins/fhir/read/document-references-store';
import * as documents from './documents/store';
import * as exportJobs from '../plugins/fhir/bulk/store';
import * as forms from './records/forms-store';
import * as handovers from './records/handovers-store';
import * as healthLinks from './sharing/health-links-store';
import * as holdings from './records/holdings-store';
import * as messages from './messages/store';
import * as passkeys from './tokens/passkeys-store';
import * as preferences from './apps/preferences-store';
import * as principals from './accounts/principals-store';
import * as records from './records/store';
import * as relations from './documents/relations-store';
import * as secondFactors from './tokens/second-factors-store';
import * as sharing from './sharing/store';
import * as smart from '../plugins/smart/store';
import * as subscriptions from './outbox/subscriptions-store';
import * as tokens from './tokens/store';

export const stores = {
  accounts,
  appAccess,
  appDocuments,
  apps,
  audit,
  browserSessions,
  codes,
  documentIdentifiers,
  documentReferences,
  documents,
  exportJobs,
  forms,
  handovers,
  healthLinks,
  holdings,
  messages,
  passkeys,
  preferences,
  principals,
  records,
  relations,
  secondFactors,
  sharing,
  smart,
  subscriptions,
  tokens,
};

export type Stores = typeof stores;
