/** 008-installation: facts about this installation itself: keys, and how far a long job has come. */
import type { TableSpec } from '../tables';

export const installation: readonly TableSpec[] = [
  {
    table: 'installation',
    columns: { name: 'text:100', content: 'long', changed_at: 'stamp' },
    primary: ['name'],
  },
];
