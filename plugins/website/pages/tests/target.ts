/**
 * target: what a person wants their readings to be. It is a Goal in a document of its own: its code is the id of the
 * measure, its target is written as "110–135 mm[Hg]", "≥ 110 mm[Hg]" or "≤ 135 mm[Hg]", and that of both values of a
 * pair as "110–135 / ≤ 85 mm[Hg]", with a dash for one that has none. The newest one counts, and one without a target
 * takes those before it back.
 */
import { errors } from '../../../../core/base/errors';
import { newToken } from '../../../../core/base/ids';
import type { BodyMeasure } from '../../../../core/lab-tests/tests';
import { element, writeXml } from '../../../../core/xml/write';
import { operations } from '../../http/operations';
import type { PersonVisit } from '../../http/page';
import type { Wrong } from '../../parts/form';
import { inRecord } from '../../parts/record-frame';
import { text, type Fact } from '../../words/facts';

const MODEL = 'Goal';

/** Where the values should be; an open end is absent. */
export type Ends = { readonly low?: number; readonly high?: number };

export type Target =
  | {
      /** One for each value of a reading: the upper and the lower one of a pair; empty where any value will do. */
      readonly ends: readonly Ends[];
      readonly unit: string;
    }
  | undefined;

export function isTarget(target: Target): target is NonNullable<Target> {
  return target !== undefined;
}

function systemOf({ settings }: PersonVisit): string {
  return `${settings.vocabBase}/codes/body#`;
}

const NUMBER = '\\d+(?:\\.\\d+)?';
const NONE = '–';
const ENDS = `(${NUMBER}–${NUMBER}|[≥≤] ${NUMBER}|${NONE})`;
const WRITTEN = new RegExp(`^${ENDS}(?: / ${ENDS})? (\\S+)$`);

function endsIn(written: string): Ends {
  if (written === NONE) {
    return {};
  }
  const [low, high] = written.split('–');
  if (high !== undefined) {
    return { low: Number(low), high: Number(high) };
  }
  const end = Number(written.slice(2));
  return written.startsWith('≥') ? { low: end } : { high: end };
}

function targetIn(written: string): Target {
  const [, upper, lower, unit = ''] = WRITTEN.exec(written) ?? [];
  return upper === undefined ? undefined : { ends: [upper, ...(lower === undefined ? [] : [lower])].map(endsIn), unit };
}

function writtenEnds({ low, high }: TypedEnds): string {
  if (low !== '' && high !== '') {
    return `${low}–${high}`;
  }
  if (low === '' && high === '') {
    return NONE;
  }
  return low === '' ? `≤ ${high}` : `≥ ${low}`;
}

/** The target as it is kept; empty for none. */
function writtenAs(typed: readonly TypedEnds[], unit: string): string {
  const written = typed.map(writtenEnds);
  const kept = written.at(-1) === NONE ? written.slice(0, -1) : written;
  return kept.every((one) => one === NONE) ? '' : `${kept.join(' / ')} ${unit}`;
}

/** The target of the record for a measure. */
export async function readTarget(visit: PersonVisit, { id }: BodyMeasure): Promise<Target> {
  if (!visit.models.find(MODEL)) {
    return undefined;
  }
  const { facts } = await visit.ask(operations.reports.recordFacts, {
    params: { ...inRecord(visit), DATA_MODEL: MODEL },
    query: { description_identifier: id, description_system: systemOf(visit), order_by: '-start', limit: '1' },
  });
  return targetIn(text((facts[0] as Fact | undefined)?.['target']));
}

const LONGEST = 10;

/** The number as a text with a point; undefined for what is none. Arabic digits and a comma are read, too. */
function typedNumber(typed: string): string | undefined {
  const plain = typed
    .replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x660))
    .replace(/[,٫]/, '.')
    .trim();
  return plain === '' || (plain.length <= LONGEST && /^\d+(?:\.\d+)?$/.test(plain)) ? plain : undefined;
}

/** The names of the fields of the form, for each value of a reading. */
export const TARGET_FIELDS = [
  { low: 'low', high: 'high' },
  { low: 'lower_low', high: 'lower_high' },
] as const;

/** What was typed for one value, as numbers with a point; empty where nothing was. */
type TypedEnds = { readonly low: string; readonly high: string };

/** How many values a reading of the measure has. */
export function valueCount({ field }: BodyMeasure): number {
  return field === 'bp' ? 2 : 1;
}

function wrongTarget({ form, words: { say } }: PersonVisit): Wrong | undefined {
  const wrong = Object.assign(
    {},
    ...TARGET_FIELDS.map((names) => {
      const [low, high] = [typedNumber(form.text(names.low)), typedNumber(form.text(names.high))];
      return {
        ...(low === undefined ? { [names.low]: say('body.number') } : {}),
        ...(high === undefined ? { [names.high]: say('body.number') } : {}),
        ...(low && high && Number(low) >= Number(high) ? { [names.high]: say('body.order') } : {}),
      };
    }),
  ) as Wrong;
  return Object.keys(wrong).length > 0 ? wrong : undefined;
}

function field(name: string, value: string) {
  return element('Field', { name }, value);
}

/**
 * Stores what was typed as the target. @returns what is wrong with it
 * @throws AppError not_found for an unknown measure
 */
export async function storeTarget(visit: PersonVisit, measure: BodyMeasure | undefined): Promise<Wrong | undefined> {
  if (!measure || !visit.models.find(MODEL)) {
    throw errors.notFound('test');
  }
  const wrong = wrongTarget(visit);
  if (wrong) {
    return wrong;
  }
  const { form, words } = visit;
  const typed = TARGET_FIELDS.slice(0, valueCount(measure)).map(({ low, high }) => ({
    low: typedNumber(form.text(low))!,
    high: typedNumber(form.text(high))!,
  }));
  const target = writtenAs(typed, measure.unit);
  const isNone = target === '';
  const name = measure.names[words.language];
  const goal = element('Model', { name: MODEL }, [
    field('description_title', name),
    field('description_identifier', measure.id),
    field('description_system', systemOf(visit)),
    ...(isNone ? [] : [field('target', target)]),
    field('start', new Date(visit.now).toISOString()),
    field('status_title', isNone ? 'cancelled' : 'active'),
    field('status_identifier', isNone ? 'cancelled' : 'active'),
    field('status_system', 'http://hl7.org/fhir/goal-status'),
  ]);
  const xml = element('Models', { xmlns: `${visit.settings.vocabBase}/xml/documents#` }, [goal]);
  await visit.ask(operations.documents.documentCreate, {
    params: inRecord(visit),
    body: Buffer.from(writeXml(xml)),
    mediaType: 'application/xml',
    form: { token: form.text('form') || newToken(), label: words.say('body.target-of', { name }) },
  });
  return undefined;
}
