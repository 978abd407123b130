/**
 * rules: who may make a call. A rule is a value with a name and a sentence; rules are combined with anyOf only.
 * `callers` lists the kinds of principals that can ever pass: all others are refused before any query.
 */
import type { AccessTokenPrincipal, Principal, SmartPrincipal } from '../auth/principal';
import { allows, type ScopeLetter } from '../tokens/smart-scopes';
import type { Id } from '../base/types';
import type { Lookups } from './lookups';

export type CallerKind =
  'anonymous' | 'account' | 'admin_app' | 'user_app' | 'account_token' | 'app_token' | 'request_token';

export type AccessQuestion = {
  readonly principal: Principal;
  /** Decoded path parameters; account ids are lower case already. */
  readonly params: Readonly<Record<string, string>>;
  readonly lookups: Lookups;
};

export type AccessRule = {
  readonly name: string;
  /** The rule in words, for the API reference. */
  readonly says: string;
  readonly callers: readonly CallerKind[];
  /** True: credentials are not checked at all. */
  readonly ignoresCredentials?: boolean;
  readonly test: (question: AccessQuestion) => boolean | Promise<boolean>;
};

function callerKind(principal: Principal): CallerKind {
  switch (principal.kind) {
    case 'app':
      return principal.app.kind === 'user' ? 'user_app' : 'admin_app';
    case 'access_token':
      return principal.accountId === null ? 'app_token' : 'account_token';
    default:
      return principal.kind;
  }
}

/**
 * Whether the principal may make the call: the rule names its kind as a caller, and its test holds. If the test throws,
 * the call fails.
 */
export async function permits(rule: AccessRule, question: AccessQuestion): Promise<boolean> {
  return rule.callers.includes(callerKind(question.principal)) && (await rule.test(question));
}

function rule(name: string, says: string, callers: readonly CallerKind[], test: AccessRule['test']): AccessRule {
  return {
    name,
    says,
    callers,
    test,
  };
}

/** Any one of the rules suffices. */
export function anyOf(...rules: readonly AccessRule[]): AccessRule {
  return {
    name: rules.map(({ name }) => name).join(' or '),
    says: rules.map(({ says }) => says).join('; or '),
    callers: [...new Set(rules.flatMap(({ callers }) => callers))],
    test: async (question) => {
      for (const one of rules) {
        if (await permits(one, question)) {
          return true;
        }
      }
      return false;
    },
  };
}

const everyone: readonly CallerKind[] = [
  'anonymous',
  'account',
  'admin_app',
  'user_app',
  'account_token',
  'app_token',
  'request_token',
];

/** The specification's ANYBODY: no credentials needed. */
export const anybody = rule('anybody', 'anybody, credentials are not needed', everyone, () => true);

/** For the codes calls, which are open to all: credentials that come along are ignored. */
export const anybodyUnchecked: AccessRule = { ...anybody, name: 'anybody_unchecked', ignoresCredentials: true };

/** The specification's ANY: valid credentials of any kind. */
export const anyPrincipal = rule(
  'any',
  'any caller with valid credentials',
  everyone.filter((kind) => kind !== 'anonymous'),
  () => true,
);

/** Documented endpoints that nobody may call. */
export const nobody = rule('nobody', 'nobody: this call is not implemented', [], () => false);

/** ADM: an admin app, or a UI app without a session. */
export const adminApp = rule('admin', 'an admin app, or a UI app acting without a session', ['admin_app'], () => true);

export const uiApp = rule(
  'ui',
  'a UI app acting without a session',
  ['admin_app'],
  ({ principal }) => principal.kind === 'app' && principal.app.kind === 'ui',
);

export const userApp = rule('user_app', 'a user app signing with its own key', ['user_app'], () => true);

/** The app of the path itself, two-legged. */
export const sameApp = rule(
  'same_app',
  'the user app named in the path, signing with its own key',
  ['user_app'],
  ({ principal, params }) =>
    principal.kind === 'app' && principal.app.id === (params['PHA_EMAIL'] ?? params['pha_email']),
);

export const autonomousSameApp = rule(
  'autonomous_same_app',
  'the autonomous user app named in the path, signing with its own key',
  ['user_app'],
  ({ principal, params }) =>
    principal.kind === 'app' && principal.app.autonomous && principal.app.id === params['PHA_EMAIL'],
);

/** The autonomous app of the path while it is enabled on the record. */
export const autonomousEnabledApp = rule(
  'autonomous_enabled_app',
  'the autonomous user app named in the path while it is enabled on the record',
  ['user_app'],
  ({ principal, params, lookups }) =>
    principal.kind === 'app' &&
    principal.app.autonomous &&
    principal.app.id === params['PHA_EMAIL'] &&
    lookups.enabled(principal.app.id, params['RECORD_ID'] ?? ''),
);

export const creatingAdminOfPath = rule(
  'admin_in_path',
  'the admin app named in the path',
  ['admin_app'],
  ({ principal, params }) => principal.kind === 'app' && principal.app.id === params['PRINCIPAL_EMAIL'],
);

export const anyAccount = rule('account', 'any account, signed in', ['account'], () => true);

/** OWN: the account of the path, signed in; an app's token is not enough. */
export const sameAccount = rule(
  'same_account',
  'the account named in the path, signed in',
  ['account'],
  ({ principal, params }) => principal.kind === 'account' && principal.accountId === params['ACCOUNT_EMAIL'],
);

/** For an app's preferences: the app of the path, with a token of the account of the path. */
export const ownAppForAccount = rule(
  'own_app_for_account',
  'the app named in the path, with a token of the account named in the path',
  ['account_token'],
  ({ principal, params }) =>
    principal.kind === 'access_token' &&
    principal.accountId === params['ACCOUNT_EMAIL'] &&
    principal.app.id === params['PHA_EMAIL'],
);

/** FC: the account owns the record or has a full share of it (specification 5.8). */
export const fullControl = rule(
  'full_control',
  'an account that owns the record or has a full share of it',
  ['account'],
  ({ principal, params, lookups }) =>
    principal.kind === 'account' && lookups.fullControl(principal.accountId, params['RECORD_ID'] ?? ''),
);

export const recordOwner = rule(
  'record_owner',
  'the account that owns the record',
  ['account'],
  ({ principal, params, lookups }) =>
    principal.kind === 'account' && lookups.owns(principal.accountId, params['RECORD_ID'] ?? ''),
);

export const creatingAdmin = rule(
  'creating_admin',
  'the admin app that created the record',
  ['admin_app'],
  ({ principal, params, lookups }) =>
    principal.kind === 'app' && lookups.created(principal.app.id, params['RECORD_ID'] ?? ''),
);

/**
 * Whether a token opens a whole record. The rights of its account were read together with the token, so this needs no
 * query.
 */
function opensRecord({ principal }: AccessQuestion, recordId: string): boolean {
  if (principal.kind !== 'access_token' || principal.carenetId !== null || principal.recordId !== recordId) {
    return false;
  }
  return principal.accountId === null ? principal.app.autonomous : principal.accountInControl;
}

/** UAR: a record-wide access token whose account still has full control, or one of an autonomous app. */
export const appWithAccess = rule(
  'app_with_access',
  'a user app with an access token for the whole record, while its account has full control of it, or of an autonomous app',
  ['account_token', 'app_token'],
  (question) => opensRecord(question, question.params['RECORD_ID'] ?? ''),
);

/** UAR-ID: as appWithAccess, and the app is the one in the path. */
export const sameAppWithAccess = rule(
  'same_app_with_access',
  'the user app named in the path, with access to the record',
  ['account_token', 'app_token'],
  (question) =>
    question.principal.kind === 'access_token' &&
    question.principal.app.id === question.params['PHA_EMAIL'] &&
    opensRecord(question, question.params['RECORD_ID'] ?? ''),
);

/**
 * For record-app storage: the app of the path with a token for the record, whose account is still in control; or the
 * app itself while it is enabled there.
 */
export const recordAppStorage = rule(
  'record_app_storage',
  'the user app named in the path: with a token for the record, or signing with its own key while it is enabled there',
  ['user_app', 'account_token', 'app_token'],
  ({ principal, params, lookups }) => {
    const recordId = params['RECORD_ID'] ?? params['record_id'] ?? '';
    const appId = params['PHA_EMAIL'] ?? params['pha_email'];
    if (principal.kind === 'app') {
      return principal.app.id === appId && lookups.enabled(principal.app.id, recordId);
    }
    return (
      principal.kind === 'access_token' &&
      principal.app.id === appId &&
      principal.recordId === recordId &&
      principal.carenetId === null &&
      (principal.accountId === null || principal.accountInControl)
    );
  },
);

function carenetInParams({ params }: AccessQuestion): string {
  return params['CARENET_ID'] ?? '';
}

/** Whether the app is placed in the carenet, and the account is a member of it or in control of the record. */
async function opensCarenet(
  lookups: Lookups,
  carenetId: Id,
  { accountId, app }: Pick<AccessTokenPrincipal, 'accountId' | 'app'>,
): Promise<boolean> {
  const standing = await lookups.carenet(carenetId, accountId, app.id);
  return standing !== undefined && standing.appPlaced && (standing.member || standing.fullControl);
}

function standingInCarenet(question: AccessQuestion) {
  return question.principal.kind === 'account'
    ? question.lookups.carenet(carenetInParams(question), question.principal.accountId, null)
    : undefined;
}

export const carenetMember = rule(
  'carenet_member',
  'an account in the carenet',
  ['account'],
  async (question) => (await standingInCarenet(question))?.member ?? false,
);

/** FC of the record that the carenet of the path belongs to. */
export const carenetFullControl = rule(
  'carenet_full_control',
  'an account with full control of the record that the carenet belongs to',
  ['account'],
  async (question) => (await standingInCarenet(question))?.fullControl ?? false,
);

/**
 * A token for a carenet. Each call checks that the app is still placed there, and that the account is still a member or
 * in control.
 */
export const appInCarenet = rule(
  'app_in_carenet',
  'a user app with an access token for this carenet, while the app is placed in it and its account is in it',
  ['account_token'],
  async (question) => {
    const { principal } = question;
    if (principal.kind !== 'access_token' || principal.carenetId !== carenetInParams(question)) {
      return false;
    }
    return opensCarenet(question.lookups, principal.carenetId, principal);
  },
);

/**
 * For subscriptions to reports, which an app may also make with a token for a carenet of the record. What it is told of
 * is decided at each change.
 */
export const subscribingApp = rule(
  'subscribing_app',
  'the user app named in the path: with a token for the record or a carenet of it, or signing with its own key while it is enabled there',
  ['user_app', 'account_token', 'app_token'],
  async (question) => {
    const { principal, params, lookups } = question;
    if (principal.kind !== 'access_token' || principal.carenetId === null) {
      return recordAppStorage.test(question);
    }
    return (
      principal.recordId === params['record_id'] &&
      principal.app.id === params['pha_email'] &&
      opensCarenet(lookups, principal.carenetId, principal)
    );
  },
);

/** A record-wide token of the record that the carenet of the path belongs to. */
const appWithAccessToCarenetRecord = rule(
  'app_with_access_to_carenet_record',
  'a user app with an access token for the whole record that the carenet belongs to',
  ['account_token', 'app_token'],
  async (question) => {
    const { principal } = question;
    if (principal.kind !== 'access_token' || principal.carenetId !== null) {
      return false;
    }
    const standing = await question.lookups.carenet(carenetInParams(question), principal.accountId, principal.app.id);
    return standing !== undefined && opensRecord(question, standing.recordId);
  },
);

/** Who may read the documents and facts of a record. */
export const mayReadRecord = anyOf(appWithAccess, fullControl);
/** Who may read the documents and facts that a carenet contains. */
export const mayReadCarenet = anyOf(carenetMember, appInCarenet, appWithAccessToCarenetRecord, carenetFullControl);

export const requestToken = rule(
  'request_token',
  'a user app signing with a request token',
  ['request_token'],
  () => true,
);

/** A token of SMART, which opens the FHIR door. */
function isSmart(principal: Principal): principal is SmartPrincipal {
  return principal.kind === 'access_token' && 'scopes' in principal;
}

type SmartQuestion = AccessQuestion & { readonly principal: SmartPrincipal };

/**
 * Whether a SMART token still opens its record or carenet: its account still has its rights, and for a carenet, the app
 * is still placed there. For a token of an app itself, the record must still be shared with the app.
 */
async function opensOwnPlace({ principal, params, lookups }: SmartQuestion, letter: ScopeLetter): Promise<boolean> {
  if (principal.accountId === null) {
    // A search for Patients that names none lists those of the app.
    return principal.recordId === ''
      ? letter === 's' && params['TYPE'] === 'Patient'
      : lookups.shared(principal.app.id, principal.recordId);
  }
  return principal.carenetId === null
    ? principal.accountInControl
    : opensCarenet(lookups, principal.carenetId, principal);
}

/**
 * A SMART token whose scopes allow this action for the type of the path (`TYPE`). For the type `*`, at least one type
 * must allow it.
 */
function scoped(letter: ScopeLetter, does: string, wholeRecord = false): AccessRule {
  return rule(
    `smart_${does}`,
    `a user app with a SMART token${wholeRecord ? ' for the whole record' : ''} whose scopes let it ${does} the type`,
    wholeRecord ? ['account_token'] : ['account_token', 'app_token'],
    async ({ principal, params, lookups }) =>
      isSmart(principal) &&
      (principal.carenetId === null || !wholeRecord) &&
      (params['TYPE'] === '*'
        ? principal.scopes.some(({ letters }) => letters.has(letter))
        : allows(principal.scopes, params['TYPE'] ?? '', letter)) &&
      opensOwnPlace({ principal, params, lookups }, letter),
  );
}

export const smartRead = scoped('r', 'read');
export const smartSearch = scoped('s', 'search');
/** Tokens for a carenet only read. */
export const smartCreate = scoped('c', 'create', true);
