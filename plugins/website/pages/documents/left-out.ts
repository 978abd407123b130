/** left-out: says which parts of a document became no fact, why, and where they are, in the language of the person. */
import type { Models } from '../../../../core/facts/model/model';
import { BARE_CODE, modelName, splitName } from '../../words/facts';
import { resourceKindName } from '../../words/resource-kinds';
import type { Words } from '../../words/words';

/** Reasons of the formats of this service that have a text. Any other reason is shown as it is written. */
const reasons = [
  'by_person',
  'cancelled',
  'code_left',
  'conflicting',
  'contained',
  'document_inside',
  'entered_in_error',
  'fhir_converted',
  'fhir_older',
  'fhir_r5',
  'fhir_r5_converted',
  'inside',
  'mended',
  'mended_ampersands',
  'mended_characters',
  'mended_code',
  'mended_encoding',
  'mended_entities',
  'mended_namespace',
  'mended_prefixes',
  'mended_start',
  'mended_strangers',
  'mended_value',
  'mended_western',
  'modifier_extension',
  'more_pages',
  'narrative_only',
  'negated',
  'no_category',
  'no_code',
  'no_date',
  'no_information',
  'no_medication',
  'no_value',
  'not_structured',
  'not_valid',
  'not_supported',
  'odd_date',
  'older_version',
  'other_person',
  'panel',
  'planned',
  'repeated',
  'sender_warning',
  'unknown_reading',
  'unreadable_negation',
];

export function leftOutReason(reason: string, { say }: Words): string {
  return reasons.includes(reason) ? say(`document.left-${reason.replaceAll('_', '-')}`) : splitName(reason);
}

/** Parts of documents that are not data models but have a text. */
const parts = [
  'advance-directive',
  'assessment',
  'assessment-and-plan',
  'attachment',
  'care-plan',
  'care-team',
  'chief-complaint',
  'claim',
  'clinical-document',
  'coverage',
  'discharge-instructions',
  'discharge-physical',
  'encounter',
  'explanation-of-benefit',
  'family-history',
  'functional-status',
  'goal',
  'health-concern',
  'history-of-present-illness',
  'hospital-course',
  'instructions',
  'mental-status',
  'nutrition',
  'other-section',
  'physical-exam',
  'plan-of-treatment',
  'reason-for-referral',
  'reason-for-visit',
  'review-of-systems',
  'social-history',
];

function capitalized(text: string, { locale }: Words): string {
  return text.charAt(0).toLocaleUpperCase(locale) + text.slice(1);
}

/** The name of a part that was left out. A format gives a data model, a part of a document, or a type of FHIR. */
export function leftOutName(name: string, models: Models, words: Words, modelWords = modelName): string {
  const model = models.find(name);
  if (model?.words) {
    return modelWords(model, words);
  }
  const part = name.replace(/([a-z])([A-Z])/g, '$1-$2').toLowerCase();
  if (parts.includes(part)) {
    return words.say(`left-out.${part}`);
  }
  const kind = resourceKindName(name, words);
  return kind === undefined ? splitName(name) : capitalized(kind, words);
}

/** Whether the file itself was mended before it was read, so that it is not kept as it came. */
export function isMendOfFile({ reason }: { readonly reason: string }): boolean {
  return reason.startsWith('mended_') && !['mended_code', 'mended_value'].includes(reason);
}

/** Whether the place is a line or an entry, by which one thing of many of its kind is found. */
export function isExactPlace(where: string | undefined): where is string {
  return where !== undefined && /^(?:line|entry) \d/.test(where);
}

/** The place that a format names, in words. A place of a format that is not ours is shown as it is. */
export function leftOutPlace(where: string, words: Words): string {
  const { say } = words;
  const title = /^section (.+)$/.exec(where)?.[1];
  if (title !== undefined) {
    return BARE_CODE.test(title) ? say('document.where-untitled') : say('document.where-section', { title });
  }
  if (where === 'body' || where === 'header') {
    return say(`document.where-${where}`);
  }
  const [, line] = /^line (\d+)$/.exec(where) ?? [];
  if (line !== undefined) {
    return say('document.where-line', { line });
  }
  const [, entry, element] = /^entry (\d+)(?:, (\w+))?$/.exec(where) ?? [];
  if (entry !== undefined) {
    return element === undefined
      ? say('document.where-entry', { entry })
      : say('document.where-element', { entry, element });
  }
  const kind = resourceKindName(where, words);
  return kind === undefined ? where : capitalized(kind, words);
}
