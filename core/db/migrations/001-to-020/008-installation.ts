/** 008-installation: values of this installation itself: keys, and the progress of a long job. */
import type { TableSpec } from '../tables';

export const installation: readonly TableSpec[] = [
  {
    table: 'installation',
    columns: { name: 'text:100', content: 'long', changed_at: 'stamp' },
    primary: ['name'],
  },
];
