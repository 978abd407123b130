/** index: the areas of the interface, in the order of the specification. */
import type { Area } from '../core/http/area';
import { accounts } from './accounts';
import { apps } from './apps';
import { audits } from './audits';
import { carenets } from './carenets';
import { codes } from './codes';
import { documents } from './documents';
import { experimental } from './experimental';
import { messaging } from './messaging';
import { oauth } from './oauth';
import { records } from './records';
import { reports } from './reports';
import { system } from './system';
import { website } from './website';

/** Operations that only doors call. */
export { routes as operationsBehindDoors } from './accounts/door-routes';

export const areas: readonly Area[] = [
  accounts,
  apps,
  records,
  documents,
  carenets,
  reports,
  audits,
  messaging,
  oauth,
  codes,
  experimental,
  system,
  website,
];
