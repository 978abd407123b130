/**
 * state-words: names the state of a fact in the person's language. Formats give the usual states English names. In
 * English, and for words of a source, a state is shown as it is written.
 */
import type { Words } from './words';

/** English names of states that have a text of the website, in small letters with hyphens. */
const known: ReadonlySet<string> = new Set([
  'abnormal',
  'above-high-threshold',
  'active',
  'amended',
  'appended',
  'arrived',
  'below-low-threshold',
  'cancelled',
  'completed',
  'confirmed',
  'corrected',
  'correction',
  'declined',
  'differential',
  'dose-given',
  'draft',
  'encounter-diagnosis',
  'entered-in-error',
  'final',
  'finished',
  'health-concern',
  'high',
  'in-preparation',
  'in-progress',
  'inactive',
  'intended',
  'low',
  'mild',
  'mild-to-moderate',
  'moderate',
  'moderate-to-severe',
  'new',
  'normal',
  'not-administered',
  'not-done',
  'not-taken',
  'obsolete',
  'on-hold',
  'on-leave',
  'order',
  'partial',
  'patient-objection',
  'patient-or-parent-refused',
  'plan',
  'preliminary',
  'problem-list-item',
  'provisional',
  'recurrence',
  'refuted',
  'registered',
  'relapse',
  'remission',
  'resolved',
  'severe',
  'sitting',
  'standing',
  'stopped',
  'triaged',
  'unconfirmed',
  'unknown',
]);

export const stateWords = (said: string, { language, say }: Words): string => {
  const name = said.toLowerCase().replaceAll(' ', '-');
  return language !== 'en' && known.has(name) ? say(`states.${name}`) : said;
};
