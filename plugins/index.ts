/** index: the areas of the interface, in the order of the specification. */
import type { Area } from '../core/http/area';
import { carenets } from './carenets';
import { documents } from './documents';
import { experimental } from './experimental';
import { records } from './records';
import { system } from './system';

export const areas: readonly Area[] = [records, documents, carenets, experimental, system];
