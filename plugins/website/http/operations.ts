/** operations: finds the operations of areas by name. They are the only way from a page to anybody's data. */
import { keepLookups } from '../../../core/access/lookups';
import type { Principal } from '../../../core/auth/principal';
import { operate, type Asked, type Page } from '../../../core/http/operation';
import type { RouteSpec, ValueOf } from '../../../core/http/route';
import type { Services } from '../../../core/services';
import { routes as accountsBehindDoors } from '../../accounts/door-routes';
import { routes as secondFactors } from '../../accounts/factor-routes';
import { routes as accounts } from '../../accounts/routes';
import { routes as apps } from '../../apps/routes';
import { routes as appsBehindDoors } from '../../apps/door-routes';
import { bindingRoutes as bindings } from '../../apps/binding-routes';
import { routes as auditsBehindDoors } from '../../audits/door-routes';
import { routes as audits } from '../../audits/routes';
import { autoshareRoutes as autoshares } from '../../carenets/autoshare-routes';
import { routes as carenetsBehindDoors } from '../../carenets/door-routes';
import { kindRoutes as carenetKinds } from '../../carenets/kind-routes';
import { routes as carenets } from '../../carenets/routes';
import { contentRoutes as carenetContent } from '../../carenets/content-routes';
import { routes as codes } from '../../codes/routes';
import { routes as documents } from '../../documents/routes';
import { routes as documentsBehindDoors } from '../../documents/door-routes';
import { routes as documentsRead } from '../../documents/reading-routes';
import { routes as messagingBehindDoors } from '../../messaging/door-routes';
import { routes as messaging } from '../../messaging/routes';
import { routes as oauth } from '../../oauth/routes';
import { routes as oauthBehindDoors } from '../../oauth/door-routes';
import { routes as smartQuestions } from '../../smart/routes';
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

const every = [
  ...accounts,
  ...accountsBehindDoors,
  ...secondFactors,
  ...apps,
  ...appsBehindDoors,
  ...audits,
  ...auditsBehindDoors,
  ...autoshares,
  ...bindings,
  ...carenetContent,
  ...carenetKinds,
  ...carenets,
  ...carenetsBehindDoors,
  ...codes,
  ...documents,
  ...documentsBehindDoors,
  ...documentsRead,
  ...messaging,
  ...messagingBehindDoors,
  ...oauth,
  ...oauthBehindDoors,
  ...smartQuestions,
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

type Every = (typeof every)[number];

/** The operations whose names the compiler knows. Those of routes that a function makes are called with `askAny`. */
type KnownName<S> = S extends { readonly name: infer N extends string } ? (string extends N ? never : N) : never;
type OperationName = KnownName<Every>;
type SpecOf<N extends string> = Extract<Every, RouteSpec & { readonly name: N }>;
export type ValueOfOperation<N extends OperationName> = ValueOf<SpecOf<N>>;

export type Input = Omit<Asked, 'principal'>;
export type Ask = {
  <N extends OperationName>(name: N, input?: Input): Promise<ValueOfOperation<N>>;
  /** An operation whose name is only known at run time; the caller says what it answers. */
  readonly any: <V>(name: string, input?: Input) => Promise<V>;
};

/** The operations by name. Of two with the same name, it has the one that is not deprecated. */
const byName = new Map<string, RouteSpec>(
  [...every].filter((spec: RouteSpec) => !spec.deprecated).map((spec) => [spec.name, spec as RouteSpec]),
);

/** Operations to which a file is sent for a preview. They change nothing in a record. */
const looksAtFiles: readonly string[] = [
  'document_preview',
  'document_incoming_begin',
  'document_incoming_read',
  'document_table_describe',
  'document_link_receive',
];

/** The names of the operations that change something, or of those that only read, for the history of a record. */
export const operationNames = (changing: boolean): readonly string[] => [
  ...new Set(
    [...every]
      .filter(({ method, name }: RouteSpec) => (method !== 'GET' && !looksAtFiles.includes(name)) === changing)
      .map((spec) => spec.name as string),
  ),
];

/** Calls operations for one principal and one page. After an operation that changes something, rights are looked up anew. */
export const asking = (principal: Principal, page: Page, services: Services): Ask => {
  const keptAnew = (): Services => ({ ...services, lookups: keepLookups(services.lookups) });
  let kept = keptAnew();
  const any = async <V>(name: string, input: Input = {}): Promise<V> => {
    const spec = byName.get(name);
    if (!spec) {
      throw new Error(`there is no operation ${name}`);
    }
    try {
      return (await operate(spec, { ...input, principal }, page, kept)) as V;
    } finally {
      kept = spec.method === 'GET' ? kept : keptAnew();
    }
  };
  return Object.assign(any as Ask, { any });
};
