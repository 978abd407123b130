/**
 * target: what a person wants their readings to be. It is a Goal in a document of its own: its code is the id of the
 * measure, its target is written as "110–135 mm[Hg]", "≥ 110 mm[Hg]" or "≤ 135 mm[Hg]". The newest one counts, and one
 * without a target takes those before it back.
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

export type Target =
  { readonly ends: { readonly low?: number; readonly high?: number }; readonly unit: string } | undefined;

export function isTarget(target: Target): target is NonNullable<Target> {
  return target !== undefined;
}

function systemOf({ settings }: PersonVisit): string {
  return `${settings.vocabBase}/codes/body#`;
}

const NUMBER = '(\\d+(?:\\.\\d+)?)';
const WRITTEN = new RegExp(`^(?:${NUMBER}–${NUMBER}|([≥≤]) ${NUMBER}) (\\S+)$`);

function targetIn(written: string): Target {
  const [, low, high, sign, end, unit = ''] = WRITTEN.exec(written) ?? [];
  if (unit === '') {
    return undefined;
  }
  const ends = sign === '≥' ? { low: Number(end) } : { high: Number(end) };
  return { ends: low === undefined ? ends : { low: Number(low), high: Number(high) }, unit };
}

function writtenAs(low: string, high: string, unit: string): string {
  if (low !== '' && high !== '') {
    return `${low}–${high} ${unit}`;
  }
  return low === '' ? `≤ ${high} ${unit}` : `≥ ${low} ${unit}`;
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

function wrongTarget({ form, words: { say } }: PersonVisit): Wrong | undefined {
  const [low, high] = [typedNumber(form.text('low')), typedNumber(form.text('high'))];
  const wrong = {
    ...(low === undefined ? { low: say('body.number') } : {}),
    ...(high === undefined ? { high: say('body.number') } : {}),
    ...(low && high && Number(low) >= Number(high) ? { high: say('body.order') } : {}),
  };
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
  const [low, high] = [typedNumber(form.text('low'))!, typedNumber(form.text('high'))!];
  const isNone = low === '' && high === '';
  const name = measure.names[words.language];
  const goal = element('Model', { name: MODEL }, [
    field('description_title', name),
    field('description_identifier', measure.id),
    field('description_system', systemOf(visit)),
    ...(isNone ? [] : [field('target', writtenAs(low, high, measure.unit))]),
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
