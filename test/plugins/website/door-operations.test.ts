/**
 * door operations: who may call the operations that have no address in the interface: each has a row. The website calls
 * no more as itself than its list says.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import type { Lookups } from '../../../core/access/lookups';
import { permits } from '../../../core/access/rules';
import { anonymous, type Principal } from '../../../core/auth/principal';
import { projectRoot } from '../../../core/base/paths';
import { areas } from '../../../plugins';
import type { RouteSpec } from '../../../core/http/route';
import { asItself } from '../../../plugins/website/http/as-itself';
import { operations } from '../../../plugins/website/http/operations';
import { operationsBehindDoors } from '../../support/operations-behind-doors';

export const lab = Lab.script();
const { describe, it } = lab;

const OLGA = 'olga@people.example';
const PAUL = 'paul@people.example';
const app = { id: 'app@apps.example', kind: 'user' as const, autonomous: true };
const account = (accountId: string): Principal => ({
  kind: 'account',
  accountId,
  uiAppId: 'ui@apps.svc.example',
  sessionHash: 'x',
});

/**
 * Columns: anonymous, the account of the path, another account, a UI app, an admin app, a user app, an app with a token
 * of the account.
 */
const callers: readonly Principal[] = [
  anonymous,
  account(OLGA),
  account(PAUL),
  { kind: 'app', app: { id: 'ui@apps.svc.example', kind: 'ui', autonomous: false } },
  { kind: 'app', app: { id: 'admin@apps.svc.example', kind: 'admin', autonomous: false } },
  { kind: 'app', app },
  {
    kind: 'access_token',
    app,
    accountId: OLGA,
    recordId: 'r',
    carenetId: null,
    tokenHash: 'x',
    accountInControl: true,
  },
];

/** Olga owns the record of the path and its carenet, of which Paul is a member; the app is enabled on the record. */
const lookups = {
  owns: (accountId: string, recordId: string) => Promise.resolve(accountId === OLGA && recordId === 'r'),
  fullControl: (accountId: string, recordId: string) => Promise.resolve(accountId === OLGA && recordId === 'r'),
  enabled: (appId: string, recordId: string) => Promise.resolve(appId === app.id && recordId === 'r'),
  carenet: (carenetId: string, accountId: string | null) =>
    Promise.resolve(
      carenetId === 'c'
        ? { recordId: 'r', member: accountId === PAUL, fullControl: accountId === OLGA, appPlaced: false }
        : undefined,
    ),
} as unknown as Lookups;

const table: Readonly<Record<string, string>> = {
  installation_is_new: 'xxxxxxx',
  installation_welcome: 'xxxxxxx',
  account_forgotten: '---x---',
  account_sign_up: '---x---',
  account_mailed_link: 'xxxxxxx',
  account_sessions: '-x-----',
  account_bring_in: '-x-----',
  account_bring_in_read: '-x-----',
  account_bring_in_add: '-x-----',
  account_session_end: '-x-----',
  account_email_ask: '-x-----',
  account_email_confirm: '-x-----',
  account_second_factor: '-x-----',
  account_second_factor_offer: '-x-----',
  account_second_factor_start: '-x-----',
  account_second_factor_check: '-x-----',
  account_second_factor_codes: '-x-----',
  account_second_factor_end: '-x-----',
  account_passkey_offer: '-x-----',
  account_passkey_add: '-x-----',
  account_passkey_ask: '-x-----',
  account_passkey_check: '-x-----',
  account_passkey_remove: '-x-----',
  record_app_access: '-x-----',
  record_history: '-x-----',
  record_sharing: '-x-----',
  record_shared_kinds: '-x-----',
  record_fact_kinds: '-x-----',
  record_who_sees: '-x-----',
  record_word_circles: '-x-----',
  record_person_share: '-x-----',
  record_person_end: '-x-----',
  record_autoshares_change: '-x-----',
  record_document_search: '-x----x',
  carenet_document_search: '-xx---x',
  record_documents_listed: '-x----x',
  record_document_read: '-x----x',
  carenet_document_read: '-xx---x',
  record_document_narrative: '-x----x',
  carenet_document_narrative: '-xx---x',
  record_document_files: '-x----x',
  carenet_document_files: '-xx---x',
  record_document_file: '-x----x',
  carenet_document_file: '-xx---x',
  record_document_picture: '-x----x',
  carenet_document_picture: '-xx---x',
  record_document_history: '-x-----',
  record_timeline: '-x----x',
  record_find: '-x----x',
  carenet_find: '-xx---x',
  carenet_timeline: '-xx---x',
  account_letters: '-x-----',
  account_letters_waiting: '-x-----',
  account_records: '-x-----',
  account_letter_facts: '-x-----',
  request_token_choices: '-xx----',
  smart_question: '-xx----',
  smart_question_approve: '-xx----',
  smart_question_refuse: '-xx----',
  smart_launch: '-x-----',
  request_token_approve_part: '-xx----',
  request_token_refuse: '-xx----',
  record_invitations: '-x-----',
  record_invite: '-x-----',
  record_invitation_again: '-x-----',
  record_invitation_take_back: '-x-----',
  record_invitation_answer: '-x-----',
  invitation_look: 'xxxxxxx',
  invitation_come: '-xx----',
  invitation_join: 'xxxxxxx',
  record_person_named: '-x-----',
  record_handover: '-x-----',
  record_handover_offer: '-x-----',
  record_handover_withdraw: '-x-----',
  account_handovers: '-x-----',
  record_handover_accept: '-x-----',
  record_handover_decline: '-x-----',
  document_preview: '-x-----',
  document_kept_file: '-x-----',
  document_kept_picture: '-x-----',
  document_form: '-x-----',
  document_incoming: '-x-----',
  document_incoming_begin: '-x-----',
  document_incoming_read: '-x-----',
  document_incoming_add: '-x-----',
  document_incoming_keep: '-x-----',
  document_table: '-x-----',
  document_table_describe: '-x-----',
  document_typed: '-x-----',
  document_undo: '-x-----',
  document_take_in: '-x-----',
  document_details: '-x-----',
  record_zone: '-x-----',
  record_changes: '-x-----',
  record_changes_seen: '-x-----',
  record_export: '-x-----',
  record_files: '-x-----',
  record_resources: '-x-----',
  record_facts: '-x----x',
  carenet_facts: '-xx---x',
  record_series: '-x----x',
  carenet_series: '-xx---x',
  record_measured: '-x----x',
  carenet_measured: '-xx---x',
  record_overview: '-x----x',
  carenet_overview: '-xx---x',
  record_questions: '-x----x',
  record_results: '-x----x',
  carenet_results: '-xx---x',
  record_people: '-x----x',
  carenet_people: '-xx---x',
  record_person: '-x----x',
  carenet_person: '-xx---x',
  record_visits: '-x----x',
  carenet_visits: '-xx---x',
  record_visit: '-x----x',
  carenet_visit: '-xx---x',
  fhir_metadata: 'xxxxxxx',
  // Only SMART tokens may call these.
  fhir_read: '-------',
  fhir_content: '-------',
  fhir_vread: '-------',
  fhir_history: '-------',
  fhir_search: '-------',
  fhir_everything: '-------',
  fhir_docref: '-------',
  fhir_export: '-------',
  fhir_export_status: '-------',
  fhir_export_end: '-------',
  fhir_export_file: '-------',
  fhir_summary: '-------',
  fhir_create: '-------',
  fhir_create_bundle: '-------',
  record_links: '-x-----',
  record_link_create: '-x-----',
  record_link_end: '-x-----',
  document_link_receive: '-x-----',
  record_clinic: '-x-----',
  record_clinic_create: '-x-----',
  record_paper: '-x----x',
  record_paper_print: '-x----x',
  record_card: '-x-----',
  record_card_print: '-x-----',
  record_card_save: '-x-----',
  carenet_paper: '-xx---x',
  carenet_paper_print: '-xx---x',
  // Anybody with the link may call these; the link decides what can be seen.
  link_fetch: 'xxxxxxx',
  health_link: 'xxxxxxx',
  health_link_open: 'xxxxxxx',
  health_link_summary: 'xxxxxxx',
  health_link_document: 'xxxxxxx',
};

describe('operations behind doors', () => {
  const behindDoors = operationsBehindDoors();

  it('have a row for every one, and no other', () => {
    expect(behindDoors.map(({ name }) => name).sort()).to.equal(Object.keys(table).sort());
  });

  for (const spec of behindDoors) {
    it(`${spec.name} is for whom the row says`, async () => {
      const passed = await Promise.all(
        callers.map((principal) =>
          permits(spec.access, {
            principal,
            params: { ACCOUNT_EMAIL: OLGA, RECORD_ID: 'r', CARENET_ID: 'c' },
            lookups,
          }),
        ),
      );
      expect(passed.map((one) => (one ? 'x' : '-')).join('')).to.equal(table[spec.name]!);
    });
  }

  it('have no address in the interface, and names of their own', () => {
    const served = areas.flatMap(({ routes }) => routes);
    for (const spec of behindDoors) {
      expect(served.filter(({ name, path }) => name === spec.name || path === spec.path)).to.equal([]);
    }
  });
});

describe('the website', () => {
  const folder = join(projectRoot, 'plugins', 'website');
  const sources = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => ({ name: entry.name, text: readFileSync(join(entry.parentPath, entry.name), 'utf8') }));

  it('calls as itself what its short list says, and nothing else', () => {
    const called = sources.flatMap(({ text }) =>
      [...text.matchAll(/askAsItself\(\s*operations\.(\w+)\.(\w+)/g)].map(([, area, key]) => [area!, key!]),
    );
    const areasOfPages: Readonly<Record<string, Readonly<Record<string, RouteSpec>>>> = operations;
    const allowed: readonly RouteSpec[] = asItself;
    expect(called.length).to.be.above(5);
    expect(called.filter(([area, key]) => !allowed.includes(areasOfPages[area!]![key!]!))).to.equal([]);
  });

  it('has each operation of an area under one key', () => {
    // An area is spread from several files, and of two equal keys the later would hide the earlier one.
    const reachable = new Set(Object.values(operations).flatMap((area) => Object.values<RouteSpec>(area)));
    const hidden = operationsBehindDoors().filter((spec) => !spec.path.startsWith('/fhir') && !reachable.has(spec));
    expect(hidden.map(({ name }) => name)).to.equal([]);
  });

  it('gives its pages no way to data but operations', () => {
    // Types may be imported from anywhere, but code may not be imported from storage. Services are used only in the
    // files that make a visit.
    const door = [
      'as-itself.ts',
      'forgery.ts',
      'index.ts',
      'operations.ts',
      'receive.ts',
      'serve.tsx',
      'session-scheme.ts',
      'visit.ts',
    ];
    const pages = sources.filter(({ name }) => !door.includes(name));
    expect(pages.length).to.be.above(15);
    const values = (text: string): readonly string[] =>
      [...text.matchAll(/^import (?!type)[^;]*? from '([^']+)';/gm)].map((match) => match[1]!);
    const reaching = pages.filter(({ text }) =>
      values(text).some((path) => /core\/(storage\/(?!db-errors)|services|server|records|pipeline|outbox)/.test(path)),
    );
    expect(reaching.map(({ name }) => name)).to.equal([]);
    expect(pages.filter(({ text }) => /\bservices\b|\bknex\b/.test(text)).map(({ name }) => name)).to.equal([]);
  });
});
