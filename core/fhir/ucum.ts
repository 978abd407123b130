/**
 * ucum: brings amounts in units of UCUM to the base units of their dimension, so that `7.5 g/dL` and `75 g/L` are found
 * by each other (pure). Units that nobody converts, such as `[iU]`, are dimensions of their own.
 */

export const UCUM = 'http://unitsofmeasure.org';

/** A unit in base units: `amount * factor + shift`. Two units with the same dimension can be compared. */
type Unit = { readonly factor: number; readonly shift: number; readonly dimension: string };

type Powers = ReadonlyMap<string, number>;
type Product = { readonly factor: number; readonly shift: number; readonly powers: Powers };

const PREFIXES: Readonly<Record<string, number>> = {
  ...{ Y: 1e24, Z: 1e21, E: 1e18, P: 1e15, T: 1e12, G: 1e9, M: 1e6, k: 1e3, h: 1e2, da: 1e1 },
  ...{ d: 1e-1, c: 1e-2, m: 1e-3, u: 1e-6, n: 1e-9, p: 1e-12, f: 1e-15, a: 1e-18, z: 1e-21, y: 1e-24 },
};

/** Units that take prefixes: how many of which base units they are. */
const METRIC: Readonly<Record<string, string>> = {
  ...{
    m: '1 m',
    s: '1 s',
    g: '1 g',
    K: '1 K',
    cd: '1 cd',
    C: '1 C',
    rad: '1',
    mol: '1 mol',
    eq: '1 mol',
    osm: '1 mol',
  },
  ...{ L: '0.001 m3', l: '0.001 m3', t: '1000000 g', Hz: '1 s-1', Bq: '1 s-1', N: '1000 g m s-2' },
  ...{ Pa: '1000 g m-1 s-2', bar: '100000000 g m-1 s-2', 'm[Hg]': '133322000 g m-1 s-2' },
  ...{ 'm[H2O]': '9806650 g m-1 s-2', J: '1000 g m2 s-2', cal: '4184 g m2 s-2', W: '1000 g m2 s-3', A: '1 C s-1' },
  ...{ V: '1000 g m2 s-2 C-1', Ohm: '1000 g m2 s-1 C-2', Gy: '1 m2 s-2', Sv: '1 m2 s-2', kat: '1 mol s-1' },
  ...{ U: '1.6666666666666667e-8 mol s-1', Cel: '1 K', '[iU]': '1 [iU]', '[IU]': '1 [iU]', "[arb'U]": "1 [arb'U]" },
};

const OTHERS: Readonly<Record<string, string>> = {
  ...{ '%': '0.01', '[ppth]': '0.001', '[ppm]': '0.000001', deg: '0.017453292519943295', min: '60 s', h: '3600 s' },
  ...{ d: '86400 s', wk: '604800 s', mo: '2629800 s', a: '31557600 s', '[in_i]': '0.0254 m', '[ft_i]': '0.3048 m' },
  ...{ '[yd_i]': '0.9144 m', '[mi_i]': '1609.344 m', '[lb_av]': '453.59237 g', '[oz_av]': '28.349523125 g' },
  ...{
    '[gr]': '0.06479891 g',
    '[stone_av]': '6350.29318 g',
    '[degF]': '0.5555555555555556 K',
    '[foz_us]': '0.0000295735295625 m3',
  },
};

const KELVIN: Readonly<Record<string, number>> = { Cel: 273.15, '[degF]': 255.3722222222222 };

const ONE: Product = { factor: 1, shift: 0, powers: new Map() };

function readProduct(text: string): Product {
  const [factor, ...parts] = text.split(' ');
  const powers = parts.map((part): [string, number] => {
    const [, name = '', power = '1'] = /^(.*?)(-?\d+)?$/.exec(part) ?? [];
    return [name, Number(power)];
  });
  return { factor: Number(factor), shift: 0, powers: new Map(powers) };
}

function ownText(table: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

function atom(name: string): Product | undefined {
  const plain = ownText(METRIC, name) ?? ownText(OTHERS, name);
  if (plain !== undefined) {
    return { ...readProduct(plain), shift: KELVIN[name] ?? 0 };
  }
  const prefix = Object.keys(PREFIXES).find(
    (one) => name.startsWith(one) && ownText(METRIC, name.slice(one.length)) !== undefined,
  );
  if (prefix !== undefined) {
    const product = readProduct(METRIC[name.slice(prefix.length)]!);
    return { ...product, factor: product.factor * PREFIXES[prefix]! };
  }
  return /^\[[^[\]]{1,20}\]$/.test(name) ? { factor: 1, shift: 0, powers: new Map([[name, 1]]) } : undefined;
}

function raised({ factor, powers }: Product, power: number): Product {
  return {
    factor: factor ** power,
    shift: 0,
    powers: new Map([...powers].map(([name, one]) => [name, one * power])),
  };
}

function multiplied(one: Product, other: Product): Product {
  const powers = new Map(one.powers);
  other.powers.forEach((power, name) => powers.set(name, (powers.get(name) ?? 0) + power));
  return { factor: one.factor * other.factor, shift: 0, powers };
}

/** One factor: a number, a power of ten, or a unit with or without an exponent. */
function factorOf(text: string): Product | undefined {
  if (/^\d{1,9}$/.test(text)) {
    return { ...ONE, factor: Number(text) };
  }
  const [, ten] = /^10[*^]([+-]?\d{1,2})$/.exec(text) ?? [];
  if (ten !== undefined) {
    return { ...ONE, factor: 10 ** Number(ten) };
  }
  const plain = atom(text);
  const [, name = '', power = ''] = /^(.+?)([+-]?\d)$/.exec(text) ?? [];
  const base = plain || name === '' ? undefined : atom(name);
  return plain ?? (base && raised(base, Number(power)));
}

function productOf(text: string): Product | undefined {
  const factors = text.startsWith('/') ? text : `.${text}`;
  const found = [...factors.matchAll(/([./])([^./]+)/g)];
  if (found.map(([whole]) => whole).join('') !== factors) {
    return undefined;
  }
  if (found.length === 1 && factors.startsWith('.')) {
    return factorOf(found[0]![2]!);
  }
  return found.reduce<Product | undefined>((product, [, sign, one]) => {
    const factor = factorOf(one!);
    return product && factor && multiplied(product, raised(factor, sign === '/' ? -1 : 1));
  }, ONE);
}

const known = new Map<string, Unit | undefined>();
/** So many units are remembered; senders use far fewer. */
const MOST_KNOWN = 1000;

function readUnit(code: string): Unit | undefined {
  if (!/^[!-~]{1,60}$/.test(code) || code.includes('(')) {
    return undefined;
  }
  // What stands in braces says nothing about the amount.
  const product = productOf(
    code
      .replace(/\{[^{}]*\}/g, '{}')
      .replace(/(^|[./])\{\}/g, '$11')
      .replaceAll('{}', ''),
  );
  if (!product) {
    return undefined;
  }
  const powers = [...product.powers]
    .filter(([, power]) => power !== 0)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return {
    factor: product.factor,
    shift: product.shift,
    dimension: powers.length === 0 ? '1' : powers.map(([name, power]) => `${name}${power}`).join('.'),
  };
}

function knownUnit(code: string): Unit | undefined {
  if (!known.has(code)) {
    if (known.size >= MOST_KNOWN) {
      known.clear();
    }
    known.set(code, readUnit(code));
  }
  return known.get(code);
}

/** So many digits are compared, because the way through other units costs the last ones. */
const DIGITS = 12;

/**
 * A function that brings amounts of a unit to base units, with the dimension in which they can be compared; undefined
 * for a unit that is not understood.
 */
export function inBaseUnits(
  code: string,
): { readonly dimension: string; readonly of: (amount: number) => number } | undefined {
  const unit = knownUnit(code);
  return (
    unit && {
      dimension: unit.dimension,
      of: (amount) =>
        Math.abs(amount) === Number.MAX_VALUE
          ? amount
          : Number((amount * unit.factor + unit.shift).toPrecision(DIGITS)),
    }
  );
}
