/** index: the areas of the interface, in the order of the specification. */
import type { Area } from '../core/http/area';
import { accounts } from './accounts';
import { carenets } from './carenets';
import { documents } from './documents';
import { experimental } from './experimental';
import { oauth } from './oauth';
import { records } from './records';
import { system } from './system';

export const areas: readonly Area[] = [accounts, records, documents, carenets, oauth, experimental, system];
