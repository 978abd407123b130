/** index: the areas of the interface, in the order of the specification. */
import type { Area } from '../core/http/area';
import { documents } from './documents';
import { records } from './records';
import { system } from './system';

export const areas: readonly Area[] = [records, documents, system];
