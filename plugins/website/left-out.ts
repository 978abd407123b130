/** left-out: why something of a document became no fact, in the words of the person. */
import { splitName } from './facts';
import type { Words } from './words';

/** Reasons that the formats of this service give, in words; another one is said as it is written. */
const reasons = [
  'cancelled',
  'conflicting',
  'entered_in_error',
  'narrative_only',
  'negated',
  'no_category',
  'no_code',
  'no_date',
  'no_information',
  'no_medication',
  'no_value',
  'not_structured',
  'not_supported',
  'other_person',
  'panel',
  'planned',
  'repeated',
  'unknown_reading',
];

export const leftOutReason = (reason: string, { say }: Words): string =>
  reasons.includes(reason) ? say(`document.left-${reason.replaceAll('_', '-')}`) : splitName(reason);
