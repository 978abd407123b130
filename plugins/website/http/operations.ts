/** operations: finds the operations of areas by name. They are the only way from a page to anybody's data. */
import { keepLookups } from '../../../core/access/lookups';
import type { Principal } from '../../../core/auth/principal';
import { operate, type Asked, type Page } from '../../../core/http/operation';
import type { RouteSpec, ValueOf } from '../../../core/http/route';
import type { Services } from '../../../core/services';
import { operations as accountsBehindDoors } from '../../accounts/door-routes';
import { operations as secondFactors } from '../../accounts/factor-routes';
import { operations as accounts } from '../../accounts/routes';
import { operations as apps } from '../../apps/routes';
import { operations as appsBehindDoors } from '../../apps/door-routes';
import { operations as bindings } from '../../apps/binding-routes';
import { operations as auditsBehindDoors } from '../../audits/door-routes';
import { operations as audits } from '../../audits/routes';
import { autoshareRoutes as autoshares } from '../../carenets/autoshare-routes';
import { routes as carenetsBehindDoors } from '../../carenets/door-routes';
import { kindRoutes as carenetKinds } from '../../carenets/kind-routes';
import { routes as carenets } from '../../carenets/routes';
import { contentRoutes as carenetContent } from '../../carenets/content-routes';
import { operations as codes } from '../../codes/routes';
import { routes as documents } from '../../documents/routes';
import { routes as documentsBehindDoors } from '../../documents/door-routes';
import { routes as documentsRead } from '../../documents/reading-routes';
import { operations as messagingBehindDoors } from '../../messaging/door-routes';
import { operations as messaging } from '../../messaging/routes';
import { operations as oauth } from '../../oauth/routes';
import { operations as oauthBehindDoors } from '../../oauth/door-routes';
import { operations as smartQuestions } from '../../smart/routes';
import { routes as recordsBehindDoors } from '../../records/door-routes';
import { routes as records } from '../../records/routes';
import { routes as handovers } from '../../records/handover-routes';
import { routes as invitations } from '../../records/invitation-routes';
import { routes as reportsBehindDoors } from '../../reports/door-routes';
import { routes as reports } from '../../reports/routes';
import { routes as lines } from '../../lines/routes';
import { routes as links } from '../../fhir/links/routes';
import { routes as takeout } from '../../fhir/takeout/routes';
import { routes as papers } from '../../fhir/paper/routes';

/** The operations of areas: a page asks for `operations.accounts.accountInfo`, whose definition says what handles it. */
export const operations = {
  accounts: { ...accounts, ...accountsBehindDoors, ...secondFactors },
  apps: { ...apps, ...appsBehindDoors, ...bindings },
  audits: { ...audits, ...auditsBehindDoors },
  codes,
  messaging: { ...messaging, ...messagingBehindDoors },
  oauth: { ...oauth, ...oauthBehindDoors },
  smart: smartQuestions,
};

/** Those that pages still call by their names. */
const named = [
  ...autoshares,
  ...carenetContent,
  ...carenetKinds,
  ...carenets,
  ...carenetsBehindDoors,
  ...documents,
  ...documentsBehindDoors,
  ...documentsRead,
  ...records,
  ...handovers,
  ...invitations,
  ...recordsBehindDoors,
  ...reports,
  ...reportsBehindDoors,
  ...lines,
  ...links,
  ...takeout,
  ...papers,
] as const;

type Areas = typeof operations;
type OfArea<A extends keyof Areas> = Areas[A][keyof Areas[A]];
/** Every operation that a page may ask for. */
type Operation = { [A in keyof Areas]: OfArea<A> }[keyof Areas] | (typeof named)[number];

const every: readonly RouteSpec[] = [
  ...named,
  ...Object.values(operations).flatMap((area) => Object.values<RouteSpec>(area)),
];

/** The operations whose names the compiler knows. Those of routes that a function makes are called with `askAny`. */
type KnownName<S> = S extends { readonly name: infer N extends string } ? (string extends N ? never : N) : never;
type OperationName = KnownName<Operation>;
type SpecOf<N extends string> = Extract<Operation, RouteSpec & { readonly name: N }>;
export type ValueOfOperation<N extends OperationName> = ValueOf<SpecOf<N>>;

export type Input = Omit<Asked, 'principal'>;
export type Ask = {
  <S extends Operation>(operation: S, input?: Input): Promise<ValueOf<S>>;
  <N extends OperationName>(name: N, input?: Input): Promise<ValueOfOperation<N>>;
  /** An operation whose name is only known at run time; the caller says what it answers. */
  readonly any: <V>(name: string, input?: Input) => Promise<V>;
};

/** The operations by name. Of two with the same name, it has the one that is not deprecated. */
const byName = new Map<string, RouteSpec>(every.filter((spec) => !spec.deprecated).map((spec) => [spec.name, spec]));

/** Operations to which a file is sent for a preview. They change nothing in a record. */
const looksAtFiles: readonly string[] = [
  'document_preview',
  'document_incoming_begin',
  'document_incoming_read',
  'document_table_describe',
  'document_link_receive',
];

/** The names of the operations that change something, or of those that only read, for the history of a record. */
export function operationNames(changing: boolean): readonly string[] {
  return [
    ...new Set(
      every
        .filter(({ method, name }) => (method !== 'GET' && !looksAtFiles.includes(name)) === changing)
        .map(({ name }) => name),
    ),
  ];
}

/** Calls operations for one principal and one page. After an operation that changes something, rights are looked up anew. */
export function asking(principal: Principal, page: Page, services: Services): Ask {
  const keptAnew = (): Services => ({ ...services, lookups: keepLookups(services.lookups) });
  let kept = keptAnew();
  const run = async (spec: RouteSpec, input: Input): Promise<unknown> => {
    try {
      return await operate(spec, { ...input, principal }, page, kept);
    } finally {
      kept = spec.method === 'GET' ? kept : keptAnew();
    }
  };
  const any = async (name: string, input: Input = {}): Promise<unknown> => {
    const spec = byName.get(name);
    if (!spec) {
      throw new Error(`there is no operation ${name}`);
    }
    return run(spec, input);
  };
  const ask = (operation: RouteSpec | string, input: Input = {}): Promise<unknown> =>
    typeof operation === 'string' ? any(operation, input) : run(operation, input);
  return Object.assign(ask, { any }) as Ask;
}
