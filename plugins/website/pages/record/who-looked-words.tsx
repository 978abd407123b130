/**
 * who-looked-words: puts an entry of the audit log into a sentence: who did what, through which app, and whether it was
 * refused.
 */
import type { ComponentChildren, JSX } from 'preact';
import { WEBSITE_APP } from '../../../../core/apps/website-app';
import type { ValueOf } from '../../../../core/http/route';
import { modelTitle } from '../../words/facts';
import type { operations } from '../../http/operations';
import type { PersonVisit } from '../../http/page';
import { undatedName } from '../../words/kinds';
import { recordBase } from '../../parts/record-frame';
import { inSentence } from '../../words/type-words';
import { FetchedBy } from '../sharing/clinic-parts';
import { comma } from '../../words/words';

export type History = ValueOf<typeof operations.audits.recordHistory>;
export type Entry = History['entries'][number];

/**
 * The end of a text `history.does-…` -> the operations that it describes. A test finds operations on a record that have
 * no text.
 */
const names: Readonly<Record<string, readonly string[]>> = {
  record: [
    'record',
    'record_zone',
    'record_changes',
    'carenet_record',
    'record_get_owner',
    'record_overview',
    'carenet_overview',
    'record_questions',
    'record_lines',
    'record_line',
    'carenet_lines',
    'carenet_line',
    'record_results',
    'carenet_results',
    'record_visits',
    'carenet_visits',
    'record_visit',
    'carenet_visit',
    'record_people',
    'carenet_people',
    'record_person',
    'carenet_person',
  ],
  demographics: [
    'read_demographics',
    'read_demographics_carenet',
    'read_special_document',
    'read_special_document_carenet',
  ],
  documents: [
    'record_document_list',
    'carenet_document_list',
    'get_documents_by_rel',
    'record_document_search',
    'carenet_document_search',
    'record_documents_listed',
  ],
  document: [
    'record_document',
    'record_document_meta',
    'record_document_meta_ext',
    'carenet_document',
    'carenet_document_meta',
    'record_document_read',
    'carenet_document_read',
    'record_document_narrative',
    'carenet_document_narrative',
    'record_document_files',
    'carenet_document_files',
    'record_document_file',
    'carenet_document_file',
    'record_document_picture',
    'carenet_document_picture',
    'record_document_history',
    'document_versions',
    'document_status_history',
    'document_carenets',
    'document_form',
    'document_typed',
    'fhir_content',
  ],
  file: [
    'document_preview',
    'document_kept_file',
    'document_kept_picture',
    'document_incoming',
    'document_incoming_begin',
    'document_incoming_read',
    'document_incoming_keep',
    'document_table',
    'document_table_describe',
    'document_link_receive',
  ],
  summary: ['report_ccr'],
  timeline: ['record_timeline', 'carenet_timeline'],
  search: ['record_find', 'carenet_find'],
  sharing: [
    'record_sharing',
    'record_shares',
    'record_person_named',
    'carenet_list',
    'carenet_account_list',
    'carenet_account_permissions',
    'carenet_app_permissions',
    'record_shared_kinds',
    'record_who_sees',
    'record_fact_kinds',
    'record_word_circles',
    'autoshare_list',
    'autoshare_list_bytype_all',
    'carenet_kinds',
  ],
  history: ['record_history', 'audit_query', 'audit_record_view', 'audit_document_view', 'audit_function_view'],
  apps: ['record_phas', 'record_pha', 'carenet_apps_list', 'record_app_access'],
  add: [
    'document_create',
    'document_create_by_ext_id',
    'document_create_by_rel',
    'document_create_by_rel_with_ext_id',
    'document_incoming_add',
    'account_bring_in_add',
    'account_inbox_message_attachment_accept',
    'fhir_create',
    'fhir_create_bundle',
  ],
  correct: ['document_version', 'document_version_by_ext_id', 'set_demographics', 'save_special_document'],
  label: ['record_document_label', 'record_document_label_ext', 'document_details'],
  status: ['document_set_status'],
  undo: ['document_undo'],
  'take-in': ['document_take_in'],
  seen: ['record_changes_seen'],
  never: ['document_set_nevershare'],
  'not-never': ['document_remove_nevershare'],
  place: ['carenet_document_placement'],
  'keep-out': ['carenet_document_delete'],
  revert: ['autoshare_revert'],
  kinds: ['autoshare_create', 'autoshare_delete', 'record_autoshares_change', 'carenet_kind_set', 'carenet_kind_unset'],
  circle: ['carenet_create'],
  rename: ['carenet_rename'],
  'no-circle': ['carenet_delete'],
  member: ['carenet_account_create'],
  'no-member': ['carenet_account_delete'],
  'person-share': ['record_person_share'],
  'person-end': ['record_person_end'],
  share: ['record_share_add'],
  'no-share': ['record_share_delete'],
  app: [
    'record_pha_enable',
    'record_pha_setup',
    'request_token_approve',
    'request_token_approve_part',
    'smart_question_approve',
    'carenet_apps_create',
  ],
  'no-app': ['pha_record_delete', 'carenet_apps_delete'],
  answer: ['smart_authorize_answer'],
  key: ['autonomous_access_token', 'exchange_token', 'smart_token'],
  open: ['get_connect_credentials', 'smart_launch'],
  subscription: ['subscription_create', 'subscription_delete'],
  'app-look': [
    'record_app_document_list',
    'record_app_specific_document',
    'record_app_document_meta',
    'record_app_document_meta_ext',
    'subscription_list',
  ],
  'app-data': [
    'record_app_document_create',
    'record_app_document_create_or_update',
    'record_app_document_create_or_update_ext',
    'record_app_document_label',
  ],
  'no-app-data': ['record_app_document_delete'],
  message: ['record_send_message', 'record_message_attach', 'record_notify'],
  relate: ['document_rels'],
  'no-delete': ['documents_delete', 'update_document_meta'],
  owner: ['record_set_owner'],
  offered: ['record_handover'],
  offer: ['record_handover_offer'],
  invitations: ['record_invitations'],
  invite: ['record_invite'],
  'invite-again': ['record_invitation_again'],
  'invite-end': ['record_invitation_take_back'],
  'invite-answer': ['record_invitation_answer'],
  withdraw: ['record_handover_withdraw'],
  accept: ['record_handover_accept'],
  decline: ['record_handover_decline'],
  begin: ['record_create', 'record_create_ext'],
  export: ['record_export'],
  files: ['record_files', 'record_resources'],
  import: ['record_import'],
  links: ['record_links', 'record_clinic'],
  paper: ['record_paper', 'carenet_paper'],
  'paper-file': ['record_paper_print', 'carenet_paper_print'],
  card: ['record_card', 'record_card_print'],
  'card-change': ['record_card_save'],
  'clinic-link': ['record_clinic_create'],
  fetched: ['link_fetch'],
  link: ['record_link_create'],
  'no-link': ['record_link_end'],
  opened: ['health_link_open'],
  'opened-summary': ['health_link_summary'],
  'opened-document': ['health_link_document'],
};

export const doing = new Map(
  Object.entries(names).flatMap(([does, list]) => list.map((name) => [name, does] as const)),
);

/** The beginning of the name of a report -> the model that it reports. */
const reports: Readonly<Record<string, string>> = {
  problem: 'Problem',
  procedure: 'Procedure',
  allergy: 'Allergy',
  medication: 'Medication',
  immunization: 'Immunization',
  lab: 'LabResult',
  equipment: 'Equipment',
  simple_clinical_notes: 'SimpleClinicalNote',
  measurement: 'Measurement',
  vitals: 'VitalSigns',
};

function modelIn({ function_name: name, url }: Entry): string | undefined {
  const report = /^(?:carenet_)?(\w+?)(?:_category)?_list$/.exec(name)?.[1];
  if (report !== undefined && Object.hasOwn(reports, report)) {
    return reports[report];
  }
  return /generic|_facts$|_series$|_lines?$/.test(name)
    ? /\/(?:reports|data|generic|lines|list)\/(?:minimal\/)?(\w+)/.exec(url)?.[1]
    : undefined;
}

/** Whether an operation is a report or a read of the FHIR door. */
export function saysFacts(name: string): boolean {
  return /_list$|^smart_|^fhir_|generic|_facts$|_series$|_measured$|_lines?$|_results$/.test(name);
}

function changes(entry: Entry): boolean {
  return !['GET', 'HEAD'].includes(entry.method);
}

function What({ visit, history, entry }: { visit: PersonVisit; history: History; entry: Entry }): JSX.Element {
  const { words, models } = visit;
  const { say, rich } = words;
  const base = recordBase(visit);
  const named = (known: string | undefined, else_: string): ComponentChildren =>
    known === undefined ? say(else_) : <bdi>{known}</bdi>;
  const document = (): ComponentChildren => {
    const found = entry.document_id === null ? undefined : history.documents.get(entry.document_id);
    return found ? (
      <a href={`${base}documents/${encodeURIComponent(entry.document_id!)}`}>
        <bdi>{undatedName(found, visit)}</bdi>
      </a>
    ) : (
      say('history.some-document')
    );
  };
  const does = doing.get(entry.function_name);
  if (does !== undefined) {
    return (
      <>
        {rich(`history.does-${does}`, {
          document: document(),
          carenet: named(history.carenets.get(entry.carenet_id ?? ''), 'history.some-carenet'),
          person: named(history.names.get(entry.account_id ?? ''), 'history.some-person'),
          app: named(history.names.get(entry.app_id ?? ''), 'history.some-app'),
        })}
      </>
    );
  }
  const model = models.find(modelIn(entry) ?? '');
  if (model) {
    return <>{say('history.does-facts', { facts: inSentence(modelTitle(model, words), words) })}</>;
  }
  if (saysFacts(entry.function_name)) {
    return <>{say('history.does-some-facts')}</>;
  }
  return <>{say(changes(entry) ? 'history.does-change' : 'history.does-look')}</>;
}

function whoIn(
  visit: PersonVisit,
  { names: known }: History,
  { principal_id: id, recipient }: Entry,
): ComponentChildren {
  if (id === null) {
    return recipient === null ? visit.words.say('history.somebody') : <bdi>{recipient}</bdi>;
  }
  return id === visit.person.principal.accountId ? visit.words.say('history.you') : <bdi>{known.get(id) ?? id}</bdi>;
}

/** Says through what it was done (the website, an app, an app by itself, the operator), and in which circle. */
function Through({ visit, history, entry }: { visit: PersonVisit; history: History; entry: Entry }): JSX.Element {
  const { say, rich } = visit.words;
  const appName = (id: string): ComponentChildren => <bdi>{history.names.get(id) ?? id}</bdi>;
  const through = (): ComponentChildren => {
    if (entry.method === 'SVC') {
      return say('history.by-operator');
    }
    if (entry.proxy_id === WEBSITE_APP || entry.principal_id === WEBSITE_APP) {
      return say('history.by-website');
    }
    if (entry.proxy_id !== null) {
      return rich('history.by-app', { app: appName(entry.proxy_id) });
    }
    return '';
  };
  const carenet = history.carenets.get(entry.carenet_id ?? '');
  const parts: ComponentChildren[] = [
    through(),
    ...(carenet === undefined ? [] : [rich('history.in-carenet', { carenet: <bdi>{carenet}</bdi> })]),
    ...(entry.repeats === null ? [] : [say('history.repeats', { count: Number(entry.repeats) })]),
    ...(entry.imported_by === null ? [] : [say('history.imported')]),
  ].filter((part) => part !== '');
  return (
    <span class="by">
      {parts.map((part, index) => (
        <>
          {index > 0 && comma(visit.words)}
          {part}
        </>
      ))}
    </span>
  );
}

function SignOf() {
  return (
    <svg class="ic" viewBox="0 0 20 20" aria-hidden="true">
      <circle cx="10" cy="10" r="7.5" />
      <path d="m5 5 10 10" />
    </svg>
  );
}

/** @param props `children`: more below the words */
export function EntryRow(props: {
  visit: PersonVisit;
  history: History;
  entry: Entry;
  children?: ComponentChildren;
}): JSX.Element {
  const { visit, history, entry, children } = props;
  const { say, rich } = visit.words;
  const refused = Number(entry.successful) !== 1;
  const values = {
    who: whoIn(visit, history, entry),
    what: <What {...props} />,
    b: (chunks: ComponentChildren) => <b>{chunks}</b>,
  };
  return (
    <li>
      <time datetime={entry.requested_at}>{visit.words.date(entry.requested_at, 'clock')}</time>
      <div>
        {refused && (
          <>
            <span class="tag alert">
              <SignOf />
              {say('history.refused')}
            </span>{' '}
          </>
        )}
        {entry.recipient !== null && !refused ? (
          <FetchedBy visit={visit} by={entry.recipient} at={entry.requested_at} />
        ) : (
          rich(refused ? 'history.tried' : 'history.did', values)
        )}
      </div>
      <Through {...props} />
      {children}
    </li>
  );
}
