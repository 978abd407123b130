/** index: every table family's store by name; each function takes the connection or transaction that it shall use. */
import * as accounts from './accounts';
import * as appAccess from './app-access';
import * as appDocuments from './app-documents';
import * as apps from './apps';
import * as audit from './audit';
import * as browserSessions from './browser-sessions';
import * as codes from './codes';
import * as documents from './documents';
import * as forms from './forms';
import * as handovers from './handovers';
import * as messages from './messages';
import * as preferences from './preferences';
import * as principals from './principals';
import * as records from './records';
import * as relations from './relations';
import * as sharing from './sharing';
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
  documents,
  forms,
  handovers,
  messages,
  preferences,
  principals,
  records,
  relations,
  sharing,
  subscriptions,
  tokens,
};

export type Stores = typeof stores;
