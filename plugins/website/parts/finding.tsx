/**
 * finding: how a result lies to the range of its laboratory: the mark that the laboratory set, or else where the value
 * lies in the range that it gave. The form of the sign tells it without colour.
 */
import type { JSX } from 'preact';
import type { Model } from '../../../core/facts/model/model';
import { normalRange, text, type Fact } from '../words/facts';
import type { Words } from '../words/words';

/** The columns of a model that a mark is made of. */
export function rangeColumns(model: Model): readonly string[] {
  return model.columns.map(({ name }) => name).filter((name) => /_normal_range_(min|max)_(value|unit)$/.test(name));
}

const signs = {
  up: 'M6 1 11.5 11H.5z',
  down: 'M6 11 11.5 1H.5z',
  'up-far': 'M6 0 11 6H1zM6 6l5 6H1z',
  'down-far': 'M6 12 1 6h10zM6 6 1 0h10z',
} as const;

type Mark = { readonly words: string; readonly sign?: keyof typeof signs };

const marks: Readonly<Record<string, Mark>> = {
  n: { words: 'normal' },
  normal: { words: 'normal' },
  a: { words: 'abnormal' },
  abnormal: { words: 'abnormal' },
  aa: { words: 'aa', sign: 'up-far' },
  critical: { words: 'critical', sign: 'up-far' },
  h: { words: 'h', sign: 'up' },
  high: { words: 'h', sign: 'up' },
  hh: { words: 'hh', sign: 'up-far' },
  l: { words: 'l', sign: 'down' },
  low: { words: 'l', sign: 'down' },
  ll: { words: 'll', sign: 'down-far' },
  pos: { words: 'pos' },
  neg: { words: 'neg' },
};

/** A number, also one that is written as text; `<5` is none. */
function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : Number.parseFloat(/^-?[\d.]+$/.test(text(value)) ? text(value) : '');
}

/** Where the value lies in the range that stands beside it; undefined unless both have the same unit. */
function placeInRange(fact: Fact, field: string): 'h' | 'l' | undefined {
  const [value, unit] = [numberOf(fact[`${field}_value_value`]), text(fact[`${field}_value_unit`])];
  const end = (name: 'min' | 'max'): number => {
    const range = `${field}_normal_range_${name}`;
    return text(fact[`${range}_unit`]) === unit ? numberOf(fact[`${range}_value`]) : Number.NaN;
  };
  if (value > end('max')) {
    return 'h';
  }
  return value < end('min') ? 'l' : undefined;
}

/** The mark of a result; undefined when nothing is said. */
export function findingMark(fact: Fact, field: string): Mark | undefined {
  const said = ['identifier', 'title']
    .map((part) => text(fact[`abnormal_interpretation_${part}`]).toLowerCase())
    .filter((one) => one !== '');
  if (said.length > 0) {
    return said.map((one) => marks[one]).find((mark) => mark !== undefined);
  }
  const place = placeInRange(fact, field);
  return place && marks[place];
}

/** Whether the laboratory marked it as out of the ordinary, or it lies outside the range that stands beside it. */
export function isMarked(fact: Fact, field: string): boolean {
  const mark = findingMark(fact, field);
  return mark !== undefined && (mark.sign !== undefined || mark.words === 'abnormal');
}

type Of = { readonly model: Model; readonly fact: Fact; readonly field: string; readonly words: Words };

/** The mark alone, where the range stands in a column of its own. */
export function FindingMark({ fact, field, words }: Omit<Of, 'model'>): JSX.Element | null {
  const mark = findingMark(fact, field);
  const far = mark?.sign?.endsWith('far') === true;
  return mark === undefined ? null : (
    <p class={['mk', far ? 'crit' : '', mark.sign ? '' : 'in'].filter(Boolean).join(' ')}>
      {mark.sign && (
        <svg viewBox="0 0 12 12" aria-hidden="true">
          <path d={signs[mark.sign]} />
        </svg>
      )}
      {words.say(`summary.finding-${mark.words}`)}
    </p>
  );
}

export function Finding({ model, fact, field, words }: Of): JSX.Element {
  const range = normalRange(model, fact, field, words);
  return (
    <>
      <FindingMark fact={fact} field={field} words={words} />
      {range !== '' && <p class="by">{words.say('overview.range', { range })}</p>}
    </>
  );
}
