/** units: the UCUM units of laboratory results as exact factors and dimensions (pure). */
import { exactOf, over, powerOfTen, readExact, times, toPower, type Exact } from '../base/exact';

/** A unit: how many of its base units it is, and the power of each of these. */
export type Unit = { readonly factor: Exact; readonly dimensions: Readonly<Record<string, number>> };

const PREFIXES: Readonly<Record<string, number>> = { k: 3, d: -1, c: -2, m: -3, u: -6, n: -9, p: -12, f: -15 };

function unit(factor: Exact, dimensions: Readonly<Record<string, number>> = {}): Unit {
  return { factor, dimensions };
}
function base(name: string): Unit {
  return unit(exactOf(1n), { [name]: 1 });
}

/** Units that take a prefix. International and arbitrary units are dimensions of their own: their mass depends on the assay. */
const METRIC: Readonly<Record<string, Unit>> = {
  g: base('g'),
  mol: base('mol'),
  eq: base('eq'),
  osm: base('osm'),
  L: base('L'),
  m: base('m'),
  s: base('s'),
  Pa: base('Pa'),
  'm[Hg]': unit(readExact('133322.387415')!, { Pa: 1 }),
  kat: unit(exactOf(1n), { mol: 1, s: -1 }),
  // The enzyme unit turns over one micromole a minute.
  U: unit(over(powerOfTen(-6), exactOf(60n)), { mol: 1, s: -1 }),
  '[IU]': base('[IU]'),
  "[arb'U]": base("[arb'U]"),
};

const OTHERS: Readonly<Record<string, Unit>> = {
  '%': unit(powerOfTen(-2)),
  '[ppth]': unit(powerOfTen(-3)),
  '[pH]': base('[pH]'),
  '[HPF]': base('[HPF]'),
  '[LPF]': base('[LPF]'),
  min: unit(exactOf(60n), { s: 1 }),
  h: unit(exactOf(3600n), { s: 1 }),
  d: unit(exactOf(86_400n), { s: 1 }),
  '[lb_av]': unit(readExact('453.59237')!, { g: 1 }),
  // Degrees begin at different places, so these two convert by a formula.
  Cel: base('Cel'),
  '[degF]': base('[degF]'),
  '[in_i]': unit(readExact('0.0254')!, { m: 1 }),
};

const ATOM = /^(?:10\*(-?\d+)|(\d+)|\{([^{}]*)\}|([A-Za-z_%[\]']+)(\d?))(?:\{([^{}]*)\})?/;

function own(table: Readonly<Record<string, Unit>>, name: string): Unit | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

function namedUnit(name: string): Unit | undefined {
  const whole = own(OTHERS, name) ?? own(METRIC, name);
  const [prefix = '', rest = ''] = [name.slice(0, 1), name.slice(1)];
  const metric = own(METRIC, rest);
  if (whole || !metric || !Object.hasOwn(PREFIXES, prefix)) {
    return whole;
  }
  return unit(times(powerOfTen(PREFIXES[prefix]!), metric.factor), metric.dimensions);
}

function multiplied(one: Unit, other: Unit, power: 1 | -1): Unit {
  const dimensions: Record<string, number> = { ...one.dimensions };
  for (const [name, exponent] of Object.entries(other.dimensions)) {
    dimensions[name] = (dimensions[name] ?? 0) + exponent * power;
  }
  return {
    factor: times(one.factor, toPower(other.factor, power)),
    dimensions: Object.fromEntries(Object.entries(dimensions).filter(([, exponent]) => exponent !== 0)),
  };
}

/** Annotations say what is counted (`{1.73_m2}`, `{FEU}`), so units with different ones are not converted. */
function annotated(words: string | undefined): Unit {
  return words === undefined || words === '' ? unit(exactOf(1n)) : base(`{${words}}`);
}

type Piece = { readonly unit: Unit; readonly length: number };

function readPiece(text: string): Piece | undefined {
  const match = ATOM.exec(text);
  if (!match) {
    return undefined;
  }
  const [all, ten, number, lone, name, exponent, words] = match;
  if (name !== undefined) {
    const found = namedUnit(name);
    const raised = found && {
      factor: toPower(found.factor, Number(exponent || 1)),
      dimensions: Object.fromEntries(
        Object.entries(found.dimensions).map(([key, power]) => [key, power * Number(exponent || 1)]),
      ),
    };
    return raised && { unit: multiplied(raised, annotated(words), 1), length: all.length };
  }
  const amount = ten === undefined ? exactOf(BigInt(number ?? '1')) : powerOfTen(Number(ten));
  return Number(number ?? 1) === 0 || Math.abs(Number(ten ?? 0)) > 30
    ? undefined
    : { unit: multiplied(unit(amount), annotated(lone ?? words), 1), length: all.length };
}

/** The unit that a UCUM text means; undefined for text that is none of those that laboratories use. */
export function readUnit(text: string): Unit | undefined {
  let whole = unit(exactOf(1n));
  let power: 1 | -1 = 1;
  // `g/(24.h)`: what stands in brackets is below the line as a whole.
  let rest = text.replace(/\/\(([^()./]+)\.([^()./]+)\)/g, '/$1/$2');
  while (rest !== '') {
    if (rest.startsWith('/')) {
      power = -1;
      rest = rest.slice(1);
    } else if (rest.startsWith('.')) {
      power = 1;
      rest = rest.slice(1);
    }
    const piece = readPiece(rest);
    if (!piece) {
      return undefined;
    }
    whole = multiplied(whole, piece.unit, power);
    rest = rest.slice(piece.length);
    if (rest !== '' && !/^[/.]/.test(rest)) {
      return undefined;
    }
  }
  return whole;
}

function dimensionKey({ dimensions }: Unit): string {
  return Object.entries(dimensions)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, power]) => `${name}^${power}`)
    .join(' ');
}

export function isSameDimension(one: Unit, other: Unit): boolean {
  return dimensionKey(one) === dimensionKey(other);
}
