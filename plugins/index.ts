/** index: the areas of the interface, in the order of the specification. */
import type { Area } from '../core/http/area';
import { accounts } from './accounts';
import { routes as accountsBehindDoors } from './accounts/door-routes';
import { routes as secondFactors } from './accounts/factor-routes';
import { apps } from './apps';
import { routes as appsBehindDoors } from './apps/door-routes';
import { audits } from './audits';
import { routes as auditsBehindDoors } from './audits/door-routes';
import { carenets } from './carenets';
import { routes as carenetsBehindDoors } from './carenets/door-routes';
import { codes } from './codes';
import { documents } from './documents';
import { routes as documentsBehindDoors } from './documents/door-routes';
import { routes as documentsRead } from './documents/reading-routes';
import { experimental } from './experimental';
import { fhir } from './fhir';
import { lines } from './lines';
import { messaging } from './messaging';
import { routes as messagingBehindDoors } from './messaging/door-routes';
import { oauth } from './oauth';
import { routes as oauthBehindDoors } from './oauth/door-routes';
import { routes as smartQuestions } from './smart/routes';
import { records } from './records';
import { routes as recordsBehindDoors } from './records/door-routes';
import { routes as handovers } from './records/handover-routes';
import { routes as invitations } from './records/invitation-routes';
import { reports } from './reports';
import { routes as reportsBehindDoors } from './reports/door-routes';
import { routes as links } from './fhir/links/routes';
import { routes as takeout } from './fhir/takeout/routes';
import { routes as papers } from './fhir/paper/routes';
import { resources } from './fhir/area';
import { routes as resourcesBehindDoors } from './fhir/routes';
import { smart } from './smart';
import { system } from './system';
import { website } from './website';

/** Operations that only doors call. */
export const operationsBehindDoors = [
  accountsBehindDoors,
  secondFactors,
  appsBehindDoors,
  auditsBehindDoors,
  carenetsBehindDoors,
  documentsBehindDoors,
  documentsRead,
  messagingBehindDoors,
  oauthBehindDoors,
  smartQuestions,
  handovers,
  invitations,
  recordsBehindDoors,
  reportsBehindDoors,
  resourcesBehindDoors,
  links,
  takeout,
  papers,
].flat();

export const areas: readonly Area[] = [
  accounts,
  apps,
  records,
  documents,
  carenets,
  reports,
  lines,
  audits,
  messaging,
  oauth,
  codes,
  experimental,
  system,
  website,
  smart,
  resources,
  fhir,
];
