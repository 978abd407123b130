/**
 * reference-words: what the API reference says of parameters by their names, and the words by which people search for
 * calls (pure).
 */

type Words = Readonly<Record<string, string>>;

const account = 'Id of an account, an e-mail address';
const app = 'Id of an app: the `id` of its manifest';

/** Descriptions of path parameters, for all routes that have them. */
export const pathWords: Words = {
  ACCOUNT_EMAIL: account,
  ACCOUNT_ID: account,
  OTHER_ACCOUNT_ID: `${account}: the one that the record is shared with`,
  APP_ID: app,
  PHA_EMAIL: app,
  pha_email: app,
  PRINCIPAL_EMAIL: `${app}: the one that calls`,
  RECORD_ID: 'Id of a record',
  record_id: 'Id of a record',
  CARENET_ID: 'Id of a carenet: `/records/{RECORD_ID}/carenets/` lists those of a record',
  DOCUMENT_ID: 'Id of a document, of any of its versions',
  DOCUMENT_ID_0: 'Id of the document that the other one is about',
  DOCUMENT_ID_1: 'Id of the document that says something about the other one',
  EXTERNAL_ID: 'An id that the app chooses; only this app sees it',
  MESSAGE_ID: 'An id that the sender chooses, or the id of a message',
  ATTACHMENT_NUM: 'Number of an attachment, from 1 on',
  PRIMARY_SECRET: 'The secret in the link of the mail',
  REQTOKEN_ID: 'The `oauth_token` that `POST /oauth/request_token` answered',
  REL: 'Kind of the relation',
  DATA_MODEL: 'Name of a data model: the schemas at the end of this page have its fields',
  MODEL: 'Name of a data model, such as `Medication`',
  KIND: 'Name of a kind of facts, such as `labs`: those of the installation stand in `datamodels/kinds.yaml`',
  LINE_ID: 'Id of a line, or of one of its statements',
  MODEL_NAME: 'Plural name of a kind of fact in small letters with underscores, such as `problems` or `lab_results`',
  MODEL_ID: 'Id of a fact',
  LAB_CODE: 'A code, such as `HBA1C`; ignoring case',
  CATEGORY: 'What was measured, by name or code, such as `blood_pressure_systolic`; ignoring case',
  SYSTEM_SHORT_NAME: 'Short name of a coding system, such as `loinc`',
  FUNCTION_NAME: 'Audit name of a call; it stands with each call here',
  NAME: 'Name of the special document',
  FILE: 'Name of a file of this page',
  subscription_id: 'Id of a subscription',
};

export const pathValues: Readonly<Record<string, readonly string[]>> = {
  REL: ['annotation', 'followup', 'interpretation'],
  NAME: ['demographics'],
};

/** Descriptions of query parameters that have no description of their own. */
export const queryWords: Words = {
  limit: 'How many at most, 100 if not given; the installation may lower it',
  offset: 'How many to pass over first, 0 if not given',
  order_by: 'A field, descending with - in front; an unknown one has no effect',
  status: 'Status of the documents; active if not given',
  fullname: 'A part of the full name, ignoring case',
  contact_email: 'The contact address',
  secondary_secret: 'The code that the website showed',
  include_archive: '1: archived messages, too',
  type: 'A document type: a bare name such as `Lab`, or a whole type address',
  q: 'Words of a name, or the beginning of a code',
  url: 'The whole signed address',
  label: 'A part of the label, ignoring case',
  standing: 'Lines that go on (open, with those of which that is not clear), are over, or were never so (undone)',
  response_format: 'Form of the answer; application/xml if not given',
};

/** Descriptions of the fields of forms. */
export const formWords: Words = {
  account_id: account,
  app_url: 'An address, or a path of the app, to which the notification leads',
  body: 'The text; `[no body]` if not given',
  body_type: 'How the text is written; plaintext if not given',
  callback: 'Where the pings go: an http or https address of the origin of the app’s `oauth_callback_url` or `index`',
  carenet_id: 'Id of a carenet; or give a record',
  contact_email: 'Contact address; the account’s id if not given',
  content: 'The text of the notification',
  document_id: 'Id of the document that it is about',
  full_name: 'Full name of the person',
  language: 'Language in which the person is spoken to: en, de, es or ar. Mails are written in it',
  message_id: 'An id that the sender chooses; a second message with it is refused',
  name: 'Name of the carenet',
  new: 'The new password',
  num_attachments: 'How many documents will be attached, each by a call of its own; 0 if not given',
  oauth_callback: 'Where the person comes back to; `oob` if not given. Better in the Authorization header',
  oauth_verifier: 'What the app got with the person’s yes. Better in the Authorization header',
  old: 'The present password',
  password: 'The password',
  primary_secret_p: '1: make a primary secret and mail the link with it',
  reason: 'Why: it stands in the history',
  record_id: 'Id of a record; or give a carenet',
  role_label: 'What the other person is to the record, such as `guardian`',
  secondary_secret: 'The code that the website showed, where the account has one',
  secondary_secret_p: '1: make a secondary secret, too, a code that the website shows',
  severity: 'low if not given',
  state: 'The new state; retired is for ever',
  status: 'The new status',
  subject: 'The subject; `[no subject]` if not given',
  svc_carenet_id: 'Id of a carenet that the app asks for; or give a record, or neither, and the person chooses',
  svc_record_id: 'Id of a record that the app asks for; or give a carenet, or neither, and the person chooses',
  system: 'Name of the system by which the person signs in; `password` is the service’s own',
  type: 'A document type: a bare name such as `Lab`, or a whole type address',
  url: 'A report, relative to the record, such as `reports/minimal/medications/`',
  username: 'The name with which the person signs in',
  write: 'Accepted without effect',
};

const statistics = 'average mean sum total maximum minimum count statistics trend filter by day week month year';

const kinds: readonly (readonly [RegExp, string])[] = [
  [
    /vitals/,
    'blood pressure pulse heart rate weight height temperature oxygen saturation respiration body mass index bmi',
  ],
  [/labs|measurements/, 'laboratory tests results blood sugar glucose cholesterol hba1c'],
  [/medications/, 'medicines drugs prescriptions pills doses'],
  [/allerg/, 'allergies intolerances'],
  [/problems/, 'diagnoses conditions illnesses diseases'],
  [/immunizations/, 'vaccines vaccinations'],
  [/procedures/, 'operations surgery treatments'],
  [/equipment/, 'devices implants'],
  [/simple-clinical-notes/, 'doctor visits encounters notes'],
  [/\/ccr /, 'continuity of care record summary export download'],
];

const subjects: readonly (readonly [RegExp, string])[] = [
  [/session_create/, 'log in login sign in password'],
  [/^\/oauth\//, 'authorize token dance consent'],
  [/\/demographics |special/, 'name birth date address sex gender person'],
  [/\/audits\//, 'who looked access log history'],
  [/\/inbox\//, 'mail messages'],
  [/subscriptions/, 'webhook callback push notify changes'],
  [/^\/codes\//, 'terminology vocabulary loinc snomed rxnorm icd'],
  [/\/documents\/ |\/replace /, 'upload store save xml'],
];

/**
 * Words by which people may search for a call, in addition to its own names.
 * @param call path and short name, with a space between them
 * @param aggregates whether it accepts aggregate_by
 * @param models names of the data models and their fields, for a call that accepts any of them
 */
export function wordsFor(call: string, aggregates: boolean, models: string): string {
  return [
    ...(aggregates ? [statistics] : []),
    ...kinds.filter(([at]) => at.test(call) || models !== '').map(([, words]) => words),
    ...subjects.filter(([at]) => at.test(call)).map(([, words]) => words),
    models,
  ]
    .filter((words) => words !== '')
    .join(' ');
}
