/** 035-carenet-kinds: kinds of facts that a carenet sees, whatever document they came in. */
import type { TableSpec } from '../tables';

export const carenetKinds: readonly TableSpec[] = [
  {
    table: 'carenet_kind',
    columns: {
      carenet_id: 'id',
      kind: 'text:60',
      /** JSON: ids of the tests that the kind had when it was given; null: it is no kind of some tests. */
      tests: 'long?',
      created_at: 'stamp',
    },
    primary: ['carenet_id', 'kind'],
  },
];
