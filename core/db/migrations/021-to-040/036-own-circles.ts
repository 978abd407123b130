/** 036-own-circles: what one person sees of a record, as a carenet of their own, and the end of a membership. */
import type { ColumnsSpec, IndexSpec } from '../tables';

export const ownCircles: readonly ColumnsSpec[] = [
  /** The person for whom the page of sharing made the carenet; null: it is one that people share. */
  { table: 'carenet', columns: { person_id: 'principal?' } },
  /** When the membership ends; null: it has no end. */
  { table: 'carenet_account', columns: { ends_at: 'stamp?' } },
];

export const membershipEnds: readonly IndexSpec[] = [{ table: 'carenet_account', indexes: [['ends_at']] }];
