/** index: every table family's store by name; each function takes the connection or transaction that it shall use. */
import * as accounts from './accounts';
import * as apps from './apps';
import * as documents from './documents';
import * as principals from './principals';
import * as records from './records';
import * as relations from './relations';
import * as sharing from './sharing';
import * as subscriptions from './subscriptions';
import * as tokens from './tokens';

export const stores = { accounts, apps, documents, principals, records, relations, sharing, subscriptions, tokens };

export type Stores = typeof stores;
