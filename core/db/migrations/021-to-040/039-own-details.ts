/** 039-own-details: what people add to their demographics: blood group, emergency contacts and insurance. */
import type { ColumnsSpec } from '../tables';

export const ownDetails: readonly ColumnsSpec[] = [
  {
    table: 'demographics',
    columns: {
      blood_group: 'text:40?',
      /** One contact a line. */ emergency_contacts: 'text:2000?',
      insurance: 'text:255?',
    },
  },
];
