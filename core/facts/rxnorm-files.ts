/**
 * rxnorm-files: makes relations from NLM's RxNorm files (RXNCONSO.RRF, RXNREL.RRF): which brand is which clinical drug,
 * and of which ingredient a drug is.
 */
import { createReadStream, existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** Kinds of terms by which concepts are told apart. */
const TYPES = ['SBD', 'SCD', 'BPCK', 'GPCK', 'SCDC', 'BN', 'IN', 'PIN', 'MIN'] as const;
type TermType = (typeof TYPES)[number];

const TYPE_PLACE = { concept: 0, source: 11, type: 12, suppressed: 16 } as const;
const RELATION_PLACE = { one: 0, other: 4, name: 7, source: 10, suppressed: 14 } as const;

/** The names of the relations that are read, in both directions. */
const NAMES: ReadonlySet<string> = new Set([
  'tradename_of',
  'has_tradename',
  'consists_of',
  'constitutes',
  'has_ingredient',
  'ingredient_of',
  'has_ingredients',
  'ingredients_of',
  'form_of',
  'has_form',
]);

async function eachRow(file: string, work: (row: readonly string[]) => void): Promise<void> {
  const lines = createInterface({ input: createReadStream(file, 'utf8'), crlfDelay: Infinity });
  for await (const line of lines) {
    work(line.split('|'));
  }
}

function isUnsuppressed(suppressed: string | undefined): boolean {
  return suppressed === undefined || ['', 'N'].includes(suppressed);
}

async function readTypes(file: string): Promise<ReadonlyMap<string, TermType>> {
  const found = new Map<string, TermType>();
  await eachRow(file, (row) => {
    const type = TYPES.find((one) => one === row[TYPE_PLACE.type]);
    if (type && row[TYPE_PLACE.source] === 'RXNORM' && isUnsuppressed(row[TYPE_PLACE.suppressed])) {
      found.set(row[TYPE_PLACE.concept]!, type);
    }
  });
  return found;
}

/** From a concept of one type to those of another, whichever way the file says it. */
type Links = ReadonlyMap<string, ReadonlySet<string>>;

const PAIRS: readonly (readonly [TermType, TermType])[] = [
  ['SBD', 'SCD'],
  ['BPCK', 'GPCK'],
  ['SCD', 'SCDC'],
  ['SCD', 'MIN'],
  ['SCDC', 'IN'],
  ['BN', 'IN'],
  ['BN', 'MIN'],
  ['PIN', 'IN'],
];

function pairName(from: TermType, to: TermType): string {
  return `${from} ${to}`;
}

async function readLinks(file: string, types: ReadonlyMap<string, TermType>): Promise<ReadonlyMap<string, Links>> {
  const known = new Set(PAIRS.map(([from, to]) => pairName(from, to)));
  const found = new Map<string, Map<string, Set<string>>>();
  const add = (from: string, to: string): void => {
    const [one, other] = [types.get(from), types.get(to)];
    const name = one && other ? pairName(one, other) : '';
    if (known.has(name)) {
      const links = found.get(name) ?? new Map<string, Set<string>>();
      found.set(name, links.set(from, (links.get(from) ?? new Set()).add(to)));
    }
  };
  await eachRow(file, (row) => {
    const { one, other, name, source, suppressed } = RELATION_PLACE;
    if (row[source] === 'RXNORM' && isUnsuppressed(row[suppressed]) && NAMES.has(row[name] ?? '')) {
      add(row[one]!, row[other]!);
      add(row[other]!, row[one]!);
    }
  });
  return found;
}

type Row = readonly [from: string, to: string];

/** A relation, and the codes that lead to several and so to none. */
export type MadeRelation = { readonly text: string; readonly rows: number; readonly double: readonly string[] };

const HEAD = [
  '# source: RxNorm, courtesy of the U.S. National Library of Medicine, which does not endorse this product',
  '# licence: terms of service of RxNorm; what has the source RXNORM is free of copyright',
];

function made(kind: string, release: string, all: ReadonlyMap<string, ReadonlySet<string>>): MadeRelation {
  const single = [...all].flatMap(([from, to]): readonly Row[] => (to.size === 1 ? [[from, [...to][0]!]] : []));
  const rows = single.sort(([one], [other]) => Number(one) - Number(other));
  const lines = rows.map(([from, to]) => ['RxNorm', from, 'RxNorm', to].join('\t'));
  const text = [...HEAD, `# release: ${release}`, `# kind: ${kind}`, ...lines, ''].join('\n');
  return { text, rows: rows.length, double: [...all].flatMap(([from, to]) => (to.size > 1 ? [from] : [])) };
}

/** What the targets of the first relation lead to in the second. */
function chained(one: Links, other: Links): Links {
  return new Map(
    [...one].flatMap(([from, middle]) => {
      const to = new Set([...middle].flatMap((code) => [...(other.get(code) ?? [])]));
      return to.size === 0 ? [] : [[from, to] as const];
    }),
  );
}

/** The release that the files say they are. */
async function releaseOf(folder: string): Promise<string> {
  const file = join(folder, 'RXNSAB.RRF');
  let release = '';
  if (existsSync(file)) {
    await eachRow(file, (row) => {
      release = row[3] === 'RXNORM' ? (row[2] ?? '') : release;
    });
  }
  return release === '' ? 'not named in the files' : release;
}

/** The files that a folder lacks. */
export function missingFiles(folder: string): readonly string[] {
  return ['RXNCONSO.RRF', 'RXNREL.RRF'].filter((name) => !existsSync(join(folder, name)));
}

/** The relations of the files in a folder, by the name of their file. A code with two targets is in none. */
export async function readRxnorm(folder: string): Promise<Readonly<Record<string, MadeRelation>>> {
  const types = await readTypes(join(folder, 'RXNCONSO.RRF'));
  const links = await readLinks(join(folder, 'RXNREL.RRF'), types);
  const of = (from: TermType, to: TermType): Links => links.get(pairName(from, to)) ?? new Map();
  const products = new Map([...of('SBD', 'SCD'), ...of('BPCK', 'GPCK')]);
  // A drug of several ingredients is one of their mixture.
  const drugs = new Map([...chained(of('SCD', 'SCDC'), of('SCDC', 'IN')), ...of('SCD', 'MIN')]);
  const ingredients = new Map([
    ...drugs,
    ...chained(of('SBD', 'SCD'), drugs),
    ...of('BN', 'IN'),
    ...of('BN', 'MIN'),
    ...of('PIN', 'IN'),
  ]);
  const release = await releaseOf(folder);
  return {
    'rxnorm-products': made('same-product', release, products),
    'rxnorm-ingredients': made('ingredient', release, ingredients),
  };
}
