/** codings: codes as they are compared: by system and code, with what relations lead them to (pure). */
import type { CodeSystem, CodeTables } from '../facts/code-tables';
import type { CodeColumns } from '../facts/model/same';

export type Coding = { readonly system: string; readonly code: string; readonly isCoarse: boolean };

export type Values = Readonly<Record<string, unknown>>;

/** What has codes: in columns, and more of them beside, by the column whose code they say in other systems. */
export type Coded = {
  readonly values: Values;
  readonly also?: Readonly<Record<string, readonly { readonly system: string; readonly code: string }[]>> | undefined;
};

function trimmedText(value: unknown): string {
  return value === null || value === undefined ? '' : String(value).trim();
}

/** Forms of one code. Leading zeros of CVX mean nothing, and a package of NDC is written with hyphens or without. */
function normalized(system: string, code: string): string {
  if (system === 'CVX') {
    return code.replace(/^0+(?=\d)/, '');
  }
  return system === 'NDC' ? ndcOf(code) : code;
}

/** The eleven digits of a package. Ten digits without hyphens could be three packages, so they stay as they are. */
function ndcOf(code: string): string {
  const parts = /^(\d{4,5})-(\d{3,4})-(\d{1,2})$/.exec(code);
  return parts ? `${parts[1]!.padStart(5, '0')}${parts[2]!.padStart(4, '0')}${parts[3]!.padStart(2, '0')}` : code;
}

export type CodeReader = {
  readonly codingsIn: (coded: Coded, columns: readonly CodeColumns[]) => readonly Coding[];
  /** What a relation leads a code to: its target, or itself where it is one. */
  readonly target: (relation: string, coding: Coding) => string | undefined;
};

export function codingKey({ system, code }: Coding): string {
  return `${system}|${code}`;
}

function addressKey(address: string): string {
  return address
    .toLowerCase()
    .replace(/[/#]+$/, '')
    .replace(/^urn:oid:/, '');
}

function unknownSystem(address: string): CodeSystem {
  return { name: address, addresses: [], isCoarse: false };
}

const readers = new WeakMap<CodeTables, CodeReader>();

/** Reads codes by the tables of an installation, which are read once: relations have tens of thousands of rows. */
export function codeReader(tables: CodeTables): CodeReader {
  const found = readers.get(tables) ?? newCodeReader(tables);
  readers.set(tables, found);
  return found;
}

/** As many addresses of systems are remembered; documents may name any. */
const SYSTEMS_KEPT = 1000;

function newCodeReader({ systems, relations }: CodeTables): CodeReader {
  const byAddress = new Map<string, CodeSystem>();
  for (const system of systems) {
    [system.name, ...system.addresses].forEach((address) => byAddress.set(addressKey(address), system));
  }
  const normal = new Map(
    Object.entries(relations).map(([name, { targets }]) => {
      const key = (text: string): string => {
        const [system = '', code = ''] = text.split('|');
        return `${system}|${normalized(system, code)}`;
      };
      const rows = new Map(Object.entries(targets).map(([from, to]) => [key(from), key(to)]));
      return [name, { rows, ends: new Set(rows.values()) }] as const;
    }),
  );
  // The same few systems come again and again.
  const known = new Map<string, CodeSystem>();
  const systemOf = (address: string): CodeSystem => {
    const found = known.get(address) ?? byAddress.get(addressKey(address)) ?? unknownSystem(address);
    if (known.size < SYSTEMS_KEPT) {
      known.set(address, found);
    }
    return found;
  };
  const read = (code: string, address: string): Coding => {
    const { name: system, isCoarse } = systemOf(address);
    return { system, code: normalized(system, code), isCoarse };
  };
  return {
    codingsIn: ({ values, also }, columns) => {
      const found = columns.flatMap((pair) => {
        const code = trimmedText(values[pair.code]);
        const own = code === '' ? [] : [read(code, pair.system === undefined ? '' : trimmedText(values[pair.system]))];
        const others = also?.[pair.code];
        return others === undefined ? own : [...own, ...others.map((one) => read(one.code, one.system))];
      });
      return found.length < 2 ? found : [...new Map(found.map((coding) => [codingKey(coding), coding])).values()];
    },
    target: (relation, coding) => {
      const table = normal.get(relation);
      const key = codingKey(coding);
      return table?.rows.get(key) ?? (table?.ends.has(key) ? key : undefined);
    },
  };
}

/** Whether two codes of ICD say different sides of the same thing: 1 is right, 2 left, 3 both. */
export function differInSide(one: Coding, other: Coding): boolean {
  if (!one.system.startsWith('ICD-10') || one.system !== other.system || one.code === other.code) {
    return false;
  }
  const letters = [one, other].map(({ code }) => /^(.*\d)\s*([RLB])$/i.exec(code));
  if (letters[0] && letters[1]) {
    return letters[0][1] === letters[1][1] && letters[0][2]!.toUpperCase() !== letters[1][2]!.toUpperCase();
  }
  const [a, b] = [one.code.replace('.', ''), other.code.replace('.', '')];
  const places = a.length === b.length ? [...a].flatMap((sign, at) => (sign === b[at] ? [] : [at])) : [];
  const [at] = places;
  return places.length === 1 && at! >= 4 && /[123]/.test(a[at!]!) && /[123]/.test(b[at!]!);
}
