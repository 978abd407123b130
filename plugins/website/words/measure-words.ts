/**
 * measure-words: names measurements in the person's language. Formats of this service give them English names, such as
 * a phone's "Steps". In English, and for names that people wrote themselves, the name is shown as it is written.
 */
import { inOrder } from '../../../core/paper/paper';
import type { Words } from './words';

/** English names that have a text of the website, in small letters with hyphens. */
const known: ReadonlySet<string> = new Set([
  'active-energy',
  'alcoholic-drinks',
  'atrial-fibrillation',
  'attachment',
  'audiograms',
  'basal-body-temperature',
  'birthday-and-sex',
  'blood-alcohol-content',
  'blood-glucose',
  'blood-pressure',
  'body-fat',
  'body-mass',
  'body-mass-index',
  'body-temperature',
  'breathing-disturbances',
  'c-cda-of-the-phone',
  'cycling-cadence',
  'cycling-power',
  'cycling-speed',
  'days-of-rings',
  'dietary-caffeine',
  'dietary-calcium',
  'dietary-carbohydrates',
  'dietary-cholesterol',
  'dietary-energy',
  'dietary-fat-total',
  'dietary-fiber',
  'dietary-iron',
  'dietary-potassium',
  'dietary-protein',
  'dietary-sodium',
  'dietary-sugar',
  'dietary-water',
  'distance-cycling',
  'distance-downhill',
  'distance-on-foot',
  'distance-skating',
  'distance-skiing',
  'distance-swimming',
  'distance-wheelchair',
  'double-support',
  'ecg',
  'electrodermal-activity',
  'estimated-effort',
  'exercise-time',
  'falls',
  'fev1',
  'files',
  'flights-climbed',
  'fvc',
  'ground-contact-time',
  'heart-rate',
  'heart-rate-recovery',
  'heart-rate-variability',
  'heart-rate-walking',
  'height',
  'high-heart-rate-event',
  'inhaler-usage',
  'insulin-delivery',
  'irregular-heart-rhythm-event',
  'lean-body-mass',
  'lines',
  'low-heart-rate-event',
  'menstrual-flow',
  'mindful-session',
  'monounsaturated-fat',
  'move-time',
  'other-files',
  'others',
  'oxygen-saturation',
  'peak-flow',
  'perfusion-index',
  'physical-effort',
  'polyunsaturated-fat',
  'respiratory-rate',
  'resting-energy',
  'resting-heart-rate',
  'rows',
  'running-power',
  'running-speed',
  'running-stride-length',
  'sheet',
  'six-minute-walk',
  'sleep-analysis',
  'sound-around',
  'sound-of-headphones',
  'sound-reduction',
  'stair-ascent-speed',
  'stair-descent-speed',
  'stand-hour',
  'stand-time',
  'steps',
  'swimming-stroke-count',
  'time-in-daylight',
  'underwater-depth',
  'uv-exposure',
  'values',
  'vertical-oscillation',
  'vision-prescriptions',
  'vo2-max',
  'waist-circumference',
  'walking-asymmetry',
  'walking-speed',
  'walking-steadiness',
  'walking-step-length',
  'water-temperature',
  'workout-routes',
  'workouts',
  'wrist-temperature-asleep',
]);

/** Measurements of which a single reading has a meaning. */
const ofHealth: ReadonlySet<string> = new Set([
  'basal-body-temperature',
  'blood-glucose',
  'blood-pressure',
  'body-fat',
  'body-mass',
  'body-mass-index',
  'body-temperature',
  'fev1',
  'fvc',
  'heart-rate',
  'height',
  'lean-body-mass',
  'oxygen-saturation',
  'peak-flow',
  'respiratory-rate',
  'resting-heart-rate',
  'waist-circumference',
]);

function wordKey(said: string): string {
  return said.toLowerCase().replaceAll(',', '').replaceAll(' ', '-');
}

/**
 * Whether a phone counts this all day, such as steps. A single reading of it says nothing about the person's health.
 */
export function isEveryday(said: string): boolean {
  return known.has(wordKey(said)) && !ofHealth.has(wordKey(said));
}

export function measureWords(said: string, { language, say }: Words): string {
  const name = wordKey(said);
  return language !== 'en' && known.has(name) ? say(`measures.${name}`) : said;
}

/**
 * Joins the numbers of a pair: the upper one stands at the left in every language. Arabic digits would turn what stands
 * between them around, even in a text from left to right.
 */
export function joinNumbers(numbers: readonly string[], { dir }: Pick<Words, 'dir'>): string {
  return dir === 'rtl' && numbers.length > 1 ? inOrder(numbers.join(' \u200e/\u200e '), dir) : numbers.join(' / ');
}
