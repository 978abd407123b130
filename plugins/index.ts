/** index: the areas of the interface, in the order of the specification. */
import type { Area } from '../core/http/area';
import { accounts } from './accounts';
import { apps } from './apps';
import { audits } from './audits';
import { carenets } from './carenets';
import { codes } from './codes';
import { documents } from './documents';
import { experimental } from './experimental';
import { fhir } from './fhir';
import { lines } from './lines';
import { messaging } from './messaging';
import { oauth } from './oauth';
import { records } from './records';
import { reports } from './reports';
import { resources } from './fhir/area';
import { smart } from './smart';
import { system } from './system';
import { website } from './website';

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
