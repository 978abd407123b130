/** index: all migrations in order. One that has landed is never edited: a change is a new file with the next number. */
import type { Clock } from '../../base/clock';
import type { Transaction } from '../database';
import type { Dialect } from '../dialect';
import type { ColumnsSpec, IndexSpec, TableSpec } from './tables';
import { principals } from './001-to-020/001-principals';
import { records } from './001-to-020/002-records';
import { sharing } from './001-to-020/003-sharing';
import { tokens } from './001-to-020/004-tokens';
import { messaging } from './001-to-020/005-messaging';
import { audit } from './001-to-020/006-audit';
import { codes } from './001-to-020/007-codes';
import { installation } from './001-to-020/008-installation';
import { outboxOrder } from './001-to-020/009-outbox-order';
import { lockoutEnd } from './001-to-020/010-lockout-end';
import { claimedTokens } from './001-to-020/011-claimed-tokens';
import { accountAddresses, browserSessions } from './001-to-020/012-browser-sessions';
import { auditMarks, auditShortened } from './001-to-020/013-audit-marks';
import { factsOfDocuments } from './001-to-020/014-facts-of-documents';
import { forms } from './001-to-020/015-forms';
import { handovers } from './001-to-020/016-handovers';
import { smartTokenColumns, smartTokenIndexes } from './001-to-020/017-smart-tokens';
import { documentSha1 } from './001-to-020/018-document-sha1';
import { smartGrants } from './001-to-020/019-smart-grants';
import { documentIdentifiers } from './001-to-020/020-document-identifiers';
import { secondFactors, waitingSessions } from './021-to-040/021-second-factor';
import { healthLinks } from './021-to-040/023-health-links';
import { exportTables } from './021-to-040/024-exports';
import { unreadMessages } from './021-to-040/025-unread-messages';
import { sealedContents } from './021-to-040/026-sealed-contents';
import { factorsWithoutApp, passkeys } from './021-to-040/027-passkeys';
import { aboutDocuments } from './021-to-040/028-about-documents';
import { documentDigests } from './021-to-040/029-document-digests';
import { accountLanguage } from './021-to-040/030-account-language';
import { subscriptionAccess, subscriptionAccessIndexes } from './021-to-040/032-subscription-access';
import { exportContents, exportEnds } from './021-to-040/033-export-contents';
import { freedNames, freeWrongNames, unconfirmedAddresses } from './021-to-040/034-own-names';
import { carenetKinds } from './021-to-040/035-carenet-kinds';
import { membershipEnds, ownCircles } from './021-to-040/036-own-circles';
import { undoneDocuments } from './021-to-040/037-undone-documents';
import { exportedFacts } from './021-to-040/038-exported-facts';
import { ownDetails } from './021-to-040/039-own-details';
import { keptSessions } from './021-to-040/040-kept-sessions';
import { documentsFromLinks } from './041-to-060/041-documents-from-links';
import { linkTexts } from './041-to-060/042-link-texts';
import { sentStatements } from './041-to-060/043-sent-statements';
import { documentDetails } from './041-to-060/048-document-details';
import { documentPictures } from './041-to-060/044-document-pictures';
import { describedTables } from './041-to-060/045-described-tables';
import { invitations } from './041-to-060/049-invitations';
import { keptResources } from './041-to-060/046-kept-resources';
import { searchValues } from './041-to-060/047-search-values';
import { documentTexts, readOwnTexts, readStoredFiles } from './041-to-060/050-document-texts';
import { statementCodings } from './041-to-060/051-statement-codings';
import { clinicLinks } from './041-to-060/052-clinic-links';
import { resourceTimes } from './041-to-060/056-resource-times';
import { linkLimits } from './041-to-060/057-link-limits';
import { documentFingerprints } from './041-to-060/060-document-fingerprints';
import { missingResources, noteMissing } from './041-to-060/058-missing-resources';
import { seenChanges } from './062-seen-changes';
import { noteUnsought, searchRows } from './063-search-rows';
import { resourceOrder } from './064-resource-order';
import { systemTokens } from './065-system-tokens';
import { leftOutFacts } from './067-left-out-facts';
import { dropReplaced, searchTests } from './068-search-tests';
import { documentParts } from './069-document-parts';

export type Migration = {
  readonly name: string;
  readonly tables: readonly TableSpec[];
  /** Indexes of tables that earlier migrations made. */ readonly indexes?: readonly IndexSpec[];
  /** Columns to add to tables that earlier migrations made; they may be null. */
  readonly columns?: readonly ColumnsSpec[];
  /** Changes rows after tables and columns were made. Running it twice changes nothing more. */
  readonly change?: (trx: Transaction, clock: Clock, dialect: Dialect) => Promise<void>;
};

export const migrations: readonly Migration[] = [
  { name: '001-principals', tables: principals },
  { name: '002-records', tables: records },
  { name: '003-sharing', tables: sharing },
  { name: '004-tokens', tables: tokens },
  { name: '005-messaging', tables: messaging },
  { name: '006-audit', tables: audit },
  { name: '007-codes', tables: codes },
  { name: '008-installation', tables: installation },
  { name: '009-outbox-order', tables: [], indexes: outboxOrder },
  { name: '010-lockout-end', tables: [], indexes: lockoutEnd },
  { name: '011-claimed-tokens', tables: [], indexes: claimedTokens },
  { name: '012-browser-sessions', tables: browserSessions, indexes: accountAddresses },
  { name: '013-audit-marks', tables: auditShortened, columns: auditMarks },
  { name: '014-facts-of-documents', tables: [], columns: factsOfDocuments },
  { name: '015-forms', tables: forms },
  { name: '016-handovers', tables: handovers },
  { name: '017-smart-tokens', tables: [], columns: smartTokenColumns, indexes: smartTokenIndexes },
  { name: '018-document-sha1', tables: [], columns: documentSha1 },
  { name: '019-smart-grants', tables: smartGrants },
  { name: '020-document-identifiers', tables: documentIdentifiers },
  { name: '021-second-factor', tables: secondFactors, columns: waitingSessions },
  { name: '023-health-links', tables: healthLinks },
  { name: '024-exports', tables: exportTables },
  { name: '025-unread-messages', tables: [], indexes: unreadMessages },
  { name: '026-sealed-contents', tables: [], columns: sealedContents },
  { name: '027-passkeys', tables: passkeys, columns: factorsWithoutApp },
  { name: '028-about-documents', tables: [], columns: aboutDocuments },
  { name: '029-document-digests', tables: [], indexes: documentDigests },
  { name: '030-account-language', tables: [], columns: accountLanguage },
  { name: '032-subscription-access', tables: [], columns: subscriptionAccess, indexes: subscriptionAccessIndexes },
  { name: '033-export-contents', tables: exportContents, indexes: exportEnds },
  { name: '034-own-names', tables: freedNames, columns: unconfirmedAddresses, change: freeWrongNames },
  { name: '035-carenet-kinds', tables: carenetKinds },
  { name: '036-own-circles', tables: [], columns: ownCircles, indexes: membershipEnds },
  { name: '037-undone-documents', tables: [], columns: undoneDocuments },
  { name: '038-exported-facts', tables: exportedFacts },
  { name: '039-own-details', tables: [], columns: ownDetails },
  { name: '040-kept-sessions', tables: [], columns: keptSessions },
  { name: '041-documents-from-links', tables: [], columns: documentsFromLinks },
  { name: '042-link-texts', tables: [], columns: linkTexts },
  { name: '043-sent-statements', tables: sentStatements },
  { name: '044-document-pictures', tables: documentPictures },
  { name: '045-described-tables', tables: describedTables },
  { name: '046-kept-resources', tables: keptResources },
  { name: '047-search-values', tables: searchValues },
  { name: '048-document-details', tables: [], columns: documentDetails },
  { name: '049-invitations', tables: invitations },
  { name: '050-document-texts', tables: documentTexts, change: readStoredFiles },
  { name: '051-statement-codings', tables: statementCodings },
  { name: '052-clinic-links', tables: [], columns: clinicLinks },
  { name: '056-resource-times', tables: [], indexes: resourceTimes },
  { name: '057-link-limits', tables: [], columns: linkLimits },
  {
    name: '058-missing-resources',
    tables: missingResources,
    change: (trx, _clock, dialect) => noteMissing(trx, dialect),
  },
  { name: '060-document-fingerprints', tables: [], indexes: documentFingerprints },
  { name: '062-seen-changes', tables: seenChanges },
  { name: '063-search-rows', tables: searchRows, change: (trx, _clock, dialect) => noteUnsought(trx, dialect) },
  { name: '064-resource-order', tables: [], indexes: resourceOrder },
  { name: '065-system-tokens', tables: systemTokens },
  { name: '066-own-texts', tables: [], change: readOwnTexts },
  { name: '067-left-out-facts', tables: leftOutFacts },
  {
    name: '068-search-tests',
    tables: [],
    indexes: searchTests,
    change: (trx, _clock, dialect) => dropReplaced(trx, dialect),
  },
  { name: '069-document-parts', tables: documentParts },
];
