/** index: all stores by name. Each of their functions gets the connection or transaction that it uses. */
import * as accounts from './accounts';
import * as appAccess from './app-access';
import * as appDocuments from './app-documents';
import * as apps from './apps';
import * as audit from './audit';
import * as browserSessions from './browser-sessions';
import * as codes from './codes';
import * as documentIdentifiers from './document-identifiers';
import * as documentReferences from './document-references';
import * as documents from './documents';
import * as exportJobs from './export-jobs';
import * as forms from './forms';
import * as handovers from './handovers';
import * as healthLinks from './health-links';
import * as holdings from './holdings';
import * as messages from './messages';
import * as passkeys from './passkeys';
import * as preferences from './preferences';
import * as principals from './principals';
import * as records from './records';
import * as relations from './relations';
import * as secondFactors from './second-factors';
import * as sharing from './sharing';
import * as smart from './smart';
import * as subscriptions from './subscriptions';
import * as tokens from './tokens';

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
