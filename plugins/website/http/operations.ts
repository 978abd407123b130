/** operations: the operations of areas. They are the only way from a page to anybody's data. */
import { keepLookups } from '../../../core/access/lookups';
import type { Principal } from '../../../core/auth/principal';
import { makeOnce } from '../../../core/access/once';
import { operate, type Asked, type Page } from '../../../core/http/operation';
import type { RouteSpec, ValueOf } from '../../../core/http/route';
import type { Services } from '../../../core/services';
import { operations as accountsBehindDoors } from '../../accounts/door-routes';
import { operations as secondFactors } from '../../accounts/factor-routes';
import { operations as accounts } from '../../accounts/routes';
import { operations as bindings } from '../../apps/binding-routes';
import { operations as appsBehindDoors } from '../../apps/door-routes';
import { operations as apps } from '../../apps/routes';
import { operations as auditsBehindDoors } from '../../audits/door-routes';
import { operations as audits } from '../../audits/routes';
import { operations as autoshares } from '../../carenets/autoshare-routes';
import { operations as carenetContent } from '../../carenets/content-routes';
import { operations as carenetsBehindDoors } from '../../carenets/door-routes';
import { operations as carenetKinds } from '../../carenets/kind-routes';
import { operations as carenets } from '../../carenets/routes';
import { operations as codes } from '../../codes/routes';
import { operations as documentsBehindDoors } from '../../documents/door-routes';
import { operations as documentsRead } from '../../documents/reading-routes';
import { operations as documents } from '../../documents/routes';
import { operations as links } from '../../fhir/links/routes';
import { operations as papers } from '../../fhir/paper/routes';
import { operations as takeout } from '../../fhir/takeout/routes';
import { operations as lines } from '../../lines/routes';
import { operations as messagingBehindDoors } from '../../messaging/door-routes';
import { operations as messaging } from '../../messaging/routes';
import { operations as oauthBehindDoors } from '../../oauth/door-routes';
import { operations as oauth } from '../../oauth/routes';
import { operations as recordsBehindDoors } from '../../records/door-routes';
import { operations as handovers } from '../../records/handover-routes';
import { operations as invitations } from '../../records/invitation-routes';
import { operations as records } from '../../records/routes';
import { operations as reportsBehindDoors } from '../../reports/door-routes';
import { operations as reports } from '../../reports/routes';
import { operations as smart } from '../../smart/routes';

/** The operations of areas: a page asks for `operations.accounts.accountInfo`, whose definition says what handles it. */
export const operations = {
  accounts: { ...accounts, ...accountsBehindDoors, ...secondFactors },
  apps: { ...apps, ...appsBehindDoors, ...bindings },
  audits: { ...audits, ...auditsBehindDoors },
  carenets: { ...carenets, ...carenetContent, ...carenetKinds, ...autoshares, ...carenetsBehindDoors },
  codes,
  documents: { ...documents, ...documentsBehindDoors, ...documentsRead },
  lines,
  links,
  messaging: { ...messaging, ...messagingBehindDoors },
  oauth: { ...oauth, ...oauthBehindDoors },
  papers,
  records: { ...records, ...recordsBehindDoors, ...handovers, ...invitations },
  reports: { ...reports, ...reportsBehindDoors },
  smart,
  takeout,
};

export type Input = Omit<Asked, 'principal'>;
export type Ask = <S extends RouteSpec>(operation: S, input?: Input) => Promise<ValueOf<S>>;

/** The names of the operations that change something, or of those that only read, for the history of a record. */
export function operationNames(changing: boolean): readonly string[] {
  const every = Object.values(operations).flatMap((area) => Object.values<RouteSpec>(area));
  const chosen = every.filter(({ method, onlyLooks = false }) => (method !== 'GET' && !onlyLooks) === changing);
  return [...new Set(chosen.map(({ name }) => name))];
}

/**
 * Calls operations for one principal and one page. After an operation that changes something, rights and what several
 * operations read alike are looked up anew.
 */
export function asking(principal: Principal, page: Page, services: Services): Ask {
  const keptAnew = (): Services => ({ ...services, lookups: keepLookups(services.lookups), once: makeOnce() });
  let kept = keptAnew();
  return async (operation, input = {}) => {
    try {
      return await operate(operation, { ...input, principal }, page, kept);
    } finally {
      kept = operation.method === 'GET' ? kept : keptAnew();
    }
  };
}
