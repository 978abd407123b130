/** audit-message: writes an audit row as the audit message of DICOM PS3.15 A.5, which IHE's ATNA uses, too (pure). */
import { element, writeXml, type XmlElement } from '../xml/write';
import { wireTime } from '../base/clock';
import type { ChainRow } from '../audit/store';

type Code = readonly [code: string, meaning: string];

/** Context group 400: kinds of events. */
const events = {
  application: ['110100', 'Application Activity'],
  audit: ['110101', 'Audit Log Used'],
  export: ['110106', 'Export'],
  import: ['110107', 'Import'],
  record: ['110110', 'Patient Record'],
  security: ['110113', 'Security Alert'],
  authentication: ['110114', 'User Authentication'],
} as const satisfies Record<string, Code>;

function rowText(value: ChainRow[string] | undefined): string {
  return value === null || value === undefined ? '' : String(value);
}

const SIGN_IN = /^(session|request_token|access_token|exchange_token|oauth|connect)/;
const SECURITY = /^(account_|app_|pha_|user_app|refused_calls)/;

function eventOf(row: ChainRow): Code {
  const name = rowText(row['function_name']);
  if (row['imported_by'] || name === 'record_import') {
    return events.import;
  }
  const fixed: Readonly<Record<string, Code>> = { record_export: events.export };
  const byName = fixed[name] ?? (name.startsWith('audit_') ? events.audit : undefined);
  if (byName) {
    return byName;
  }
  if (SIGN_IN.test(name)) {
    return events.authentication;
  }
  if (row['record_id'] || row['carenet_id']) {
    return events.record;
  }
  return SECURITY.test(name) ? events.security : events.application;
}

const actions: Readonly<Record<string, string>> = { POST: 'C', GET: 'R', HEAD: 'R', PUT: 'U', DELETE: 'D' };

/** 0: success; 4: the caller's failure; 8: ours. */
function outcomeOf(status: number): string {
  if (status < 400) {
    return '0';
  }
  return status < 500 ? '4' : '8';
}

function codedElement(name: string, [code, meaning]: Code, system = 'DCM'): XmlElement {
  return element(name, { 'csd-code': code, codeSystemName: system, originalText: meaning });
}

function participant(attributes: Readonly<Record<string, string | undefined>>, role?: Code): XmlElement {
  return element('ActiveParticipant', attributes, [role !== undefined && codedElement('RoleIDCode', role)]);
}

const SOURCE: Code = ['110153', 'Source Role ID'];
const DESTINATION: Code = ['110152', 'Destination Role ID'];
const APPLICATION: Code = ['110150', 'Application'];

function participants(row: ChainRow, host: string): readonly XmlElement[] {
  const address = rowText(row['ip_address']);
  const where = address === '' ? {} : { NetworkAccessPointID: address, NetworkAccessPointTypeCode: '2' };
  const apps = [...new Set([rowText(row['proxy_id']), rowText(row['ui_app_id'])])].filter((id) => id !== '');
  return [
    participant(
      {
        UserID: rowText(row['principal_id']) || rowText(row['domain']) || 'anonymous',
        UserIsRequestor: 'true',
        ...where,
      },
      SOURCE,
    ),
    ...apps.map((id) => participant({ UserID: id, UserIsRequestor: 'false' }, APPLICATION)),
    participant({ UserID: 'svc', AlternativeUserID: host, UserIsRequestor: 'false' }, DESTINATION),
  ];
}

/** RFC-3881: 2 patient number, 9 report number, 11 user identifier, 12 URI. */
type Thing = {
  readonly id: string;
  readonly type: string;
  readonly role: string;
  readonly code: Code;
  readonly details?: Readonly<Record<string, string>>;
};

function thingElement({ id, type, role, code, details = {} }: Thing): XmlElement {
  return element(
    'ParticipantObjectIdentification',
    { ParticipantObjectID: id, ParticipantObjectTypeCode: type, ParticipantObjectTypeCodeRole: role },
    [
      codedElement('ParticipantObjectIDTypeCode', code, 'RFC-3881'),
      ...Object.entries(details)
        .filter(([, value]) => value !== '')
        .map(([name, value]) =>
          element('ParticipantObjectDetail', { type: name, value: Buffer.from(value).toString('base64') }),
        ),
    ],
  );
}

function things(row: ChainRow): readonly Thing[] {
  const of = (name: string): string => rowText(row[name]);
  const details = {
    method: of('method'),
    status: of('status'),
    carenet: of('carenet_id'),
    app: of('app_id'),
    external_id: of('external_id'),
    message: of('message_id'),
    repeats: of('repeats'),
    imported_by: of('imported_by'),
    recipient: of('recipient'),
    chain: `${of('writer_id')} ${of('writer_seq')} ${of('hash')}`,
  };
  return [
    { id: of('record_id'), type: '1', role: '1', code: ['2', 'Patient Number'] as const },
    { id: of('document_id'), type: '2', role: '3', code: ['9', 'Report Number'] as const },
    { id: of('account_id'), type: '1', role: '6', code: ['11', 'User Identifier'] as const },
    { id: of('url') || of('function_name'), type: '2', role: '13', code: ['12', 'URI'] as const, details },
  ].filter(({ id }) => id !== '');
}

/** @param host the machine that sends */
export function auditMessage(row: ChainRow, host: string): string {
  const name = rowText(row['function_name']);
  return writeXml(
    element('AuditMessage', {}, [
      element(
        'EventIdentification',
        {
          EventActionCode: actions[rowText(row['method'])] ?? 'E',
          EventDateTime: wireTime(rowText(row['requested_at'])),
          EventOutcomeIndicator: outcomeOf(Number(row['status'])),
        },
        [codedElement('EventID', eventOf(row)), codedElement('EventTypeCode', [name, name], 'SVC')],
      ),
      ...participants(row, host),
      element('AuditSourceIdentification', { AuditSourceID: 'svc', AuditEnterpriseSiteID: host }, [
        // An application server process.
        codedElement('AuditSourceTypeCode', ['4', 'Application Server'], 'DCM'),
      ]),
      ...things(row).map(thingElement),
    ]),
  );
}
