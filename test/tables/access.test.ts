/**
 * access: who may make which call. Every route has a row, every kind of caller a column; `x` passes, `-` is refused
 * with 403. Requests go through the real server up to the access rule; what handlers do with permitted calls is tested
 * elsewhere.
 */
import type { Server } from '@hapi/hapi';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { area } from '../../core/http/area';
import { routeTable, type TableRow } from '../../core/http/table';
import { buildServer } from '../../core/server/build';
import { areas } from '../../core/server/plugins';
import { AppError } from '../../core/base/errors';
import { APP, BACKGROUND, callerNames, makeCallers, people, type CallerName, type Callers } from '../support/callers';
import { injectClient, type Client } from '../support/client';
import { databases } from '../support/databases';
import { admin, startService, type TestService } from '../support/server';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

// Columns, in threes: nobody, bad signature, stranger | owner, full share, member | removed member, admin app, creating
// admin app | UI app, user app two-legged, app with a record token | app whose account lost access, app with a carenet
// token, autonomous app with a token | autonomous app two-legged, another app with a record token, request token. An
// app in the path is the app of the caller, except for `another app`. An account in the path is the owner
// (ACCOUNT_EMAIL) or the member (ACCOUNT_ID).
const table: Readonly<Record<string, string>> = {
  // accounts
  account_create: '--- --- -xx x-- --- ---',
  account_search: '--- --- -xx x-- --- ---',
  account_info: '--- x-- -xx x-- --- ---',
  account_authsystem_add: '--- --- -xx x-- --- ---',
  account_password_change: '--- x-- --- --- --- ---',
  account_password_set: '--- --- -xx x-- --- ---',
  account_username_set: '--- x-- -xx x-- --- ---',
  account_check_secrets: '--- --- -xx x-- --- ---',
  account_forgot_password: '--- --- -xx x-- --- ---',
  account_info_set: '--- x-- -xx x-- --- ---',
  account_initialize: '--- --- --- x-- --- ---',
  account_primary_secret: '--- --- -xx x-- --- ---',
  account_reset: '--- --- -xx x-- --- ---',
  account_secret: '--- --- -xx x-- --- ---',
  account_resend_secret: '--- --- -xx x-- --- ---',
  account_set_state: '--- --- -xx x-- --- ---',
  // apps
  all_phas: '--x xxx xxx xxx -xx xxx',
  all_manifests: '--x xxx xxx xxx -xx xxx',
  pha: '--x xxx xxx xxx -xx xxx',
  app_manifest: '--x xxx xxx xxx -xx xxx',
  pha_delete: '--- --- --- -x- --- x--',
  app_record_list: '--- --- --- --- --- x--',
  autonomous_access_token: '--- --- --- --- --- x--',
  get_user_preferences: '--- x-- --- --x --- ---',
  set_user_preferences: '--- x-- --- --x --- ---',
  delete_user_preferences: '--- x-- --- --x --- ---',
  record_phas: '--- xx- -xx x-- --- ---',
  record_pha: '--- xx- -xx x-- --- ---',
  record_pha_enable: '--- xx- -xx x-- --- ---',
  pha_record_delete: '--- xx- -xx x-- --- ---',
  record_pha_setup: '--- --- -xx x-- --- ---',
  app_document_list: '--- --- --- -x- --- x--',
  app_document_create: '--- --- --- -x- --- x--',
  app_document: '--- --- --- -x- --- x--',
  app_document_meta: '--- --- --- -x- --- x--',
  app_document_label: '--- --- --- -x- --- x--',
  app_document_delete: '--- --- --- -x- --- x--',
  app_document_meta_ext: '--- --- --- -x- --- x--',
  app_document_create_or_update_ext: '--- --- --- -x- --- x--',
  app_document_create_or_update: '--- --- --- -x- --- x--',
  record_app_document_list: '--- --- --- -xx --x x--',
  record_app_document_create: '--- --- --- -xx --x x--',
  record_app_specific_document: '--- --- --- -xx --x x--',
  record_app_document_meta: '--- --- --- -xx --x x--',
  record_app_document_label: '--- --- --- -xx --x x--',
  record_app_document_delete: '--- --- --- -xx --x x--',
  record_app_document_meta_ext: '--- --- --- -xx --x x--',
  record_app_document_create_or_update_ext: '--- --- --- -xx --x x--',
  // records
  record_create: '--- --- -xx x-- --- ---',
  record_create_ext: '--- --- --x --- --- ---',
  record_search: '--- --- -xx x-- --- ---',
  record: '--- xx- -xx x-x --x -x-',
  record_list: '--- x-- -xx x-- --- ---',
  record_get_owner: '--- xx- -xx x-- --- ---',
  record_set_owner: '--- --- -xx x-- --- ---',
  read_demographics: '--- xx- -xx x-x --x -x-',
  set_demographics: '--- xx- -xx x-x --x -x-',
  record_shares: '--- x-- -xx x-- --- ---',
  record_share_add: '--- x-- -xx x-- --- ---',
  record_share_delete: '--- x-- -xx x-- --- ---',
  // documents
  record_document_list: '--- xx- --- --x --x -x-',
  document_create: '--- xx- --x --x --x -x-',
  documents_delete: '--- --- --- --- --- ---',
  document_create_by_ext_id: '--- --- --- --x --x ---',
  record_document_label_ext: '--- --- --- --x --x ---',
  record_document_meta_ext: '--- --- --- --x --x ---',
  read_special_document: '--- xx- -xx x-x --x -x-',
  save_special_document: '--- xx- -xx x-x --x -x-',
  record_document: '--- xx- --- --x --x -x-',
  record_document_meta: '--- xx- --- --x --x -x-',
  update_document_meta: '--- --- --- --- --- ---',
  record_document_label: '--- xx- --- --x --x -x-',
  document_versions: '--- xx- --- --x --x -x-',
  document_version: '--- xx- --x --x --x -x-',
  document_version_by_ext_id: '--- --- --- --x --x ---',
  document_set_status: '--- xx- --- --x --x -x-',
  document_status_history: '--- xx- --- --x --x -x-',
  document_set_nevershare: '--- xx- --- --- --- ---',
  document_remove_nevershare: '--- xx- --- --- --- ---',
  document_rels: '--- xx- --- --x --x -x-',
  get_documents_by_rel: '--- xx- --- --x --x -x-',
  document_create_by_rel: '--- xx- --- --x --x -x-',
  document_create_by_rel_with_ext_id: '--- --- --- --x --x ---',
  // carenets
  carenet_list: '--- xx- -xx x-- --- ---',
  carenet_create: '--- xx- -xx x-- --- ---',
  account_permissions: '--- x-- --- --- --- ---',
  carenet_rename: '--- xx- --- --- --- ---',
  carenet_delete: '--- xx- --- --- --- ---',
  carenet_record: '--- xxx -xx x-- -x- ---',
  carenet_account_list: '--- xxx -xx x-- -x- ---',
  carenet_account_create: '--- xx- --- --- --- ---',
  carenet_account_delete: '--- xx- --- --- --- ---',
  carenet_account_permissions: '--- xxx -xx x-- -x- ---',
  carenet_apps_list: '--- xxx -xx x-- -x- ---',
  carenet_apps_create: '--- xx- --- --- --- ---',
  carenet_apps_delete: '--- xx- --- --- --- ---',
  carenet_app_permissions: '--- --- --- --- --- ---',
  autoshare_list: '--- xx- --- --- --- ---',
  autoshare_list_bytype_all: '--- xx- --- --- --- ---',
  autoshare_create: '--- xx- --- --- --- ---',
  autoshare_delete: '--- xx- --- --- --- ---',
  carenet_kinds: '--- xx- --- --- --- ---',
  carenet_kind_set: '--- xx- --- --- --- ---',
  carenet_kind_unset: '--- xx- --- --- --- ---',
  document_carenets: '--- xx- --- --x --x -x-',
  carenet_document_placement: '--- xx- --- --- --- ---',
  carenet_document_delete: '--- xx- --- --- --- ---',
  autoshare_revert: '--- xx- --- --- --- ---',
  carenet_document_list: '--- xxx --- --x -xx -x-',
  read_special_document_carenet: '--- xxx -xx x-x -xx -x-',
  carenet_document: '--- xxx --- --x -xx -x-',
  carenet_document_meta: '--- xxx --- --x -xx -x-',
  read_demographics_carenet: '--- xxx -xx x-x -xx -x-',
  // reports
  problem_list: '--- xx- --- --x --x -x-',
  carenet_problem_list: '--- xxx --- --x -xx -x-',
  procedure_list: '--- xx- --- --x --x -x-',
  carenet_procedure_list: '--- xxx --- --x -xx -x-',
  allergy_list: '--- xx- --- --x --x -x-',
  carenet_allergy_list: '--- xxx --- --x -xx -x-',
  medication_list: '--- xx- --- --x --x -x-',
  carenet_medication_list: '--- xxx --- --x -xx -x-',
  immunization_list: '--- xx- --- --x --x -x-',
  carenet_immunization_list: '--- xxx --- --x -xx -x-',
  lab_list: '--- xx- --- --x --x -x-',
  carenet_lab_list: '--- xxx --- --x -xx -x-',
  equipment_list: '--- xx- --- --x --x -x-',
  carenet_equipment_list: '--- xxx --- --x -xx -x-',
  simple_clinical_notes_list: '--- xx- --- --x --x -x-',
  carenet_simple_clinical_notes_list: '--- xxx --- --x -xx -x-',
  measurement_list: '--- xx- --- --x --x -x-',
  carenet_measurement_list: '--- xxx --- --x -xx -x-',
  vitals_list: '--- xx- --- --x --x -x-',
  carenet_vitals_list: '--- xxx --- --x -xx -x-',
  vitals_category_list: '--- xx- --- --x --x -x-',
  carenet_vitals_category_list: '--- xxx --- --x -xx -x-',
  generic_list: '--- xx- --- --x --x -x-',
  carenet_generic_list: '--- xxx --- --x -xx -x-',
  record_lines: '--- xx- --- --x --x -x-',
  record_line: '--- xx- --- --x --x -x-',
  carenet_lines: '--- xxx --- --x -xx -x-',
  carenet_line: '--- xxx --- --x -xx -x-',
  report_ccr: '--- xx- --- --x --x -x-',
  smart_allergies: '--- xx- --- --x --x -x-',
  smart_allergies_instance: '--- xx- --- --x --x -x-',
  smart_generic: '--- xx- --- --x --x -x-',
  smart_generic_instance: '--- xx- --- --x --x -x-',
  smart_ontology: '--x xxx xxx xxx -xx xxx',
  // audits
  audit_record_view: '--- xx- --- --x --x -x-',
  audit_document_view: '--- xx- --- --x --x -x-',
  audit_function_view: '--- xx- --- --x --x -x-',
  audit_query: '--- xx- --- --x --x -x-',
  // messaging
  account_inbox: '--- x-- --- --- --- ---',
  account_send_message: '--- --- -xx x-- --- ---',
  account_inbox_message: '--- x-- --- --- --- ---',
  account_message_archive: '--- x-- --- --- --- ---',
  account_inbox_message_attachment_accept: '--- x-- --- --- --- ---',
  account_notifications: '--- x-- --- --- --- ---',
  record_send_message: '--- --- -xx x-x --x -x-',
  record_message_attach: '--- --- -xx x-x --x -x-',
  record_notify: '--- --- -xx x-x --x -x-',
  // oauth
  request_token: '--- --- --- -x- --- x--',
  exchange_token: '--- --- --- --- --- --x',
  request_token_claim: '--x xxx x-- --- --- ---',
  request_token_info: '--x xxx x-- --- --- ---',
  request_token_approve: '--x xxx x-- --- --- ---',
  session_create: '--- --- --- x-- --- ---',
  surl_verify: '--x xxx x-- --- --- ---',
  get_connect_credentials: '--- x-- --- --- --- ---',
  // codes
  coding_systems_list: 'xxx xxx xxx xxx xxx xxx',
  coding_system_query: 'xxx xxx xxx xxx xxx xxx',
  // experimental
  subscription_create: '--- --- --- -xx -xx x--',
  subscription_list: '--- --- --- -xx -xx x--',
  subscription_delete: '--- --- --- -xx -xx x--',
  // system
  version: 'x-x xxx xxx xxx -xx xxx',
  capabilities: 'x-x xxx xxx xxx -xx xxx',
  health_live: 'x-x xxx xxx xxx -xx xxx',
  health_ready: 'x-x xxx xxx xxx -xx xxx',
  metrics: 'x-x xxx xxx xxx -xx xxx',
  openapi: 'x-x xxx xxx xxx -xx xxx',
  start_page: 'x-x xxx xxx xxx -xx xxx',
  api_reference: 'x-x xxx xxx xxx -xx xxx',
  api_reference_file: 'x-x xxx xxx xxx -xx xxx',
};

const PASSED = 418;

const pathOf = ({ spec }: TableRow, { recordId, carenetId }: Callers, caller: CallerName): string => {
  const values: Record<string, string> = {
    RECORD_ID: recordId,
    record_id: recordId,
    CARENET_ID: carenetId,
    ACCOUNT_EMAIL: people.owner,
    ACCOUNT_ID: people.member,
    PRINCIPAL_EMAIL: admin!.consumer.key,
  };
  const app = caller.startsWith('autonomous') ? BACKGROUND : APP;
  return spec.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(values[name] ?? (/PHA_EMAIL|APP_ID|pha_email/.test(name) ? app : 'x')),
  );
};

const passes = (): Promise<never> =>
  Promise.reject(new AppError(PASSED, 'passed', 'The access rule let the call pass.'));

for (const leg of databases) {
  describe(`access on ${leg.name}`, () => {
    const rows = routeTable(areas);
    let service: TestService;
    let server: Server;
    let client: Client;
    let callers: Callers;

    before(async () => {
      service = await startService(leg);
      callers = await makeCallers(service);
      server = await buildServer(
        { config: service.services.config, services: () => service.services },
        areas.map(({ name, routes }) =>
          area({ about: 'For tests', name, routes: routes.map((spec) => ({ ...spec, handle: passes })) }),
        ),
      );
      client = injectClient(server, service.services.baseUrl());
    });
    after(() => service.stop());

    const rowOf = async (row: TableRow): Promise<string> => {
      const answers = await Promise.all(
        callerNames.map((name) => client(callers.credentials[name], row.spec.method, pathOf(row, callers, name))),
      );
      return answers
        .map(({ status }) => (status === 403 ? '-' : 'x'))
        .join('')
        .replace(/(...)(?=.)/g, '$1 ');
    };

    it('has a row for every route, and no other', () => {
      const names = [...new Set(rows.map(({ spec }) => spec.name))].sort();
      expect(Object.keys(table).sort()).to.equal(names);
    });

    for (const row of rows) {
      it(`${row.spec.method} ${row.spec.path} (${row.spec.name})`, async () => {
        expect(await rowOf(row)).to.equal(table[row.spec.name] ?? 'no row');
      });
    }
  });
}
