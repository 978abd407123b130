/** left-out: why something of a document became no fact, and where it stands, in the words of the person. */
import { BARE_CODE, splitName } from './facts';
import { resourceKindName } from './resource-kinds';
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

/** The place as a format names it, in words; what a format of others calls a place stays as it is. */
export const leftOutPlace = (where: string, words: Words): string => {
  const { say } = words;
  const title = /^section (.+)$/.exec(where)?.[1];
  if (title !== undefined) {
    return BARE_CODE.test(title) ? say('document.where-untitled') : say('document.where-section', { title });
  }
  if (where === 'body' || where === 'header') {
    return say(`document.where-${where}`);
  }
  const kind = resourceKindName(where, words);
  return kind === undefined ? where : kind.charAt(0).toLocaleUpperCase(words.locale) + kind.slice(1);
};
