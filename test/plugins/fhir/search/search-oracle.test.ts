/**
 * search-oracle: random searches over random facts of all bundled models. The results of the database are compared with
 * those of a plain search through the resources.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { makeSealing } from '../../../../core/auth/sealing';
import { groupedBy } from '../../../../core/base/grouped-by';
import { inProject } from '../../../../core/base/paths';
import { readFacts } from '../../../../core/facts/model/fact';
import { factTables } from '../../../../core/facts/model/fact-tables';
import type { Column, Model } from '../../../../core/facts/model/model';
import { loadModels } from '../../../../core/facts/model/models';
import type { ElementValue, Node } from '../../../../core/facts/model/fhir-map';
import { readSoughtDate } from '../../../../core/fhir/search-dates';
import { resourceText } from '../../../../core/fhir/write';
import type { Filter } from '../../../../plugins/fhir/search/search-query';
import type { Json } from '../../../../core/base/types';
import { applyPlans } from '../../../../core/facts/apply-plan';
import { searchDefinitionsOf, type SearchPath, type Step } from '../../../../core/fhir/search-definitions';
import * as keptStore from '../../../../core/documents/kept-resources-store';
import { makeContents } from '../../../../core/sealing/contents-store';
import { keepResources } from '../../../../core/pipeline/stages/keep';
import { resourcesOfFacts } from '../../../../core/pipeline/resources/of-facts';
import { keptConditions } from '../../../../plugins/fhir/search/kept-search';
import { definedOrders, orderBy } from '../../../../plugins/fhir/search/kept-searches';
import { shortestWay } from '../../../../core/documents/sought-rows-store';
import { readAcross, withNested } from '../../../../core/facts/facts-across';
import { insertFacts } from '../../../../core/facts/store';
import { amount } from '../../../support/amount';
import { databases, openTestDatabase, type OpenDatabase } from '../../../support/databases';
import { direct } from '../../../support/direct';
import { below, pick, randomFrom, type Random } from '../../../support/random';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

/** The number of searches on each database; every run makes other ones. */
const SEARCHES = Number(process.env['SVC_TEST_QUERIES'] ?? amount(300, 2000));
const FACTS = 25;
const seed = Number(process.env['SVC_TEST_SEED'] ?? Math.floor(Math.random() * 1e9));
const BASE = 'https://records.example/fhir';
const RECORD = 'record-a';
const NOW = Date.parse('2026-06-01T00:00:00Z');

const { models } = loadModels([inProject('datamodels')], 'https://svc.example/vocab');
const tables = factTables(models);

const stamps = [
  '2019-12-31T23:59:59.999999Z',
  '2020-01-01T00:00:00.000000Z',
  '2020-01-01T10:20:30.000000Z',
  '2020-02-29T00:00:00.000000Z',
  '2020-02-29T23:30:00.000000Z',
  '2021-03-04T05:06:07.890000Z',
  '2024-05-06T00:00:00.000000Z',
];
const systems = [
  'http://purl.bioontology.org/ontology/SNOMEDCT/',
  'http://snomed.info/sct',
  'http://loinc.org',
  'http://hl7.org/fhir/sid/cvx',
  'urn:oid:1.2.3',
];
const codes = ['1', '22', '39156-5', '8480-6', 'ab', 'AB', 'a b', 'M'];
const wordsOfText = ['Anna', 'anna', 'Berg', 'Bergmann', 'x_y', '50%', 'O’Hara', "d'Arc"];

/** Texts that mappings compare a column with; random facts use them so that conditions and look-ups match. */
const askedTexts = new Map<string, Set<string>>();
const note = (model: string, column: string, texts: readonly string[]): void => {
  const key = `${model} ${column}`;
  askedTexts.set(key, new Set([...(askedTexts.get(key) ?? []), ...texts]));
};
const walkValue = (model: Model, value: ElementValue): void => {
  for (const condition of [...(value.when ?? []), ...(value.unless ?? [])].flat()) {
    note(model.name, condition.column, condition.values ?? []);
  }
  if (value.kind === 'lookup') {
    note(model.name, value.column, Object.entries(value.codes).flat(2));
  }
  if (value.kind === 'first' || value.kind === 'lines') {
    value.values.forEach((one) => walkValue(model, one));
  }
  if (value.kind === 'node') {
    walkNode(model, value.node);
  }
  if (value.kind === 'each') {
    const child = model.relations.find(({ field }) => field === value.field)?.model;
    walkValue(child === undefined ? model : models.find(child)!, value.value);
  }
};
const walkNode = (model: Model, node: Node): void => {
  for (const element of node) {
    if ('first' in element) {
      element.first.forEach((other) => walkNode(model, other));
    } else {
      element.values.forEach((value) => walkValue(model, value));
    }
  }
};
for (const model of models.all) {
  for (const resource of model.fhir?.resources ?? []) {
    for (const condition of [...(resource.when ?? []), ...(resource.unless ?? [])].flat()) {
      note(model.name, condition.column, condition.values ?? []);
    }
    walkNode(model, resource.elements);
  }
}

const textsFor = (column: string): readonly string[] => {
  if (column.endsWith('_system')) {
    return systems;
  }
  return column.endsWith('_identifier') ? codes : wordsOfText;
};

/** A date whose day is unknown. */
const yearOrMonth = (random: Random): string => pick(random, stamps).slice(0, random() < 0.5 ? 4 : 7);

const valueOf = (random: Random, model: Model, column: Column): string | number | boolean | null => {
  if (column.statement === true) {
    return NAMED;
  }
  if (column.equals !== undefined) {
    return column.equals;
  }
  if (!column.required && random() < 0.35) {
    return null;
  }
  const asked = [...(askedTexts.get(`${model.name} ${column.name}`) ?? [])];
  if (column.values) {
    return pick(random, column.values);
  }
  switch (column.kind) {
    case 'number':
      return pick(random, [0, 1, 36.6, 120, -2.5]);
    case 'integer':
      return below(random, 4);
    case 'boolean':
      return random() < 0.5;
    case 'datetime':
      return random() < 0.3 ? yearOrMonth(random) : pick(random, stamps);
    case 'date':
      return random() < 0.3 ? yearOrMonth(random) : pick(random, stamps).slice(0, 10);
    default: {
      if (column.pattern !== undefined) {
        return column.pattern.includes('@') ? 'a@b.example' : null;
      }
      const list = asked.length > 0 && random() < 0.7 ? asked : textsFor(column.name);
      return pick(random, list).slice(0, column.max ?? 255);
    }
  }
};

/** The label of the one fact of a document that other facts refer to. */
const NAMED = 'named';

type Given = { readonly [name: string]: Json };

const factOf = (random: Random, model: Model, statement: string | undefined): Given => ({
  __modelname__: model.name,
  ...(statement === undefined ? {} : { __statement__: statement }),
  ...Object.fromEntries(model.columns.map((column) => [column.name, valueOf(random, model, column)])),
  ...Object.fromEntries(
    model.relations.map(({ field, model: name, many }) => {
      const count = many ? below(random, 3) : below(random, 2);
      const children = Array.from({ length: count }, () => factOf(random, models.find(name)!, undefined));
      return [field, many ? children : (children[0] ?? null)];
    }),
  ),
});

/** Texts by which a fact becomes one of the resources of its model that not every fact becomes. */
const textsOfResource = (random: Random, { fhir }: Model): Given => {
  const when = fhir!.resources.flatMap((one) => one.when ?? []);
  const named = (when.length === 0 ? [] : pick(random, when)).filter(({ values }) => values !== undefined);
  return Object.fromEntries(named.map(({ column, values }) => [column, pick(random, values!)]));
};

// The oracle below searches resources as JSON. It shares no code with the compiled search except the reading of
// parameters.

type Thing = { readonly [name: string]: unknown };
const isThing = (value: unknown): value is Thing =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const atPath = (value: unknown, [step, ...rest]: readonly Step[]): readonly unknown[] => {
  if (Array.isArray(value)) {
    return value.flatMap((one) => atPath(one, step ? [step, ...rest] : []));
  }
  if (step === undefined) {
    return value === undefined ? [] : [value];
  }
  const inside = isThing(value) ? [value[step.name] ?? []].flat() : [];
  return inside
    .filter((one) => step.system === undefined || (isThing(one) && one['system'] === step.system))
    .filter((one) => step.url === undefined || (isThing(one) && one['url'] === step.url))
    .flatMap((one) => atPath(one, rest));
};

/** What a search parameter looks at in a resource. The kind of a contact is no system of codes. */
const valuesAt = (resource: Thing, { steps, target, type }: SearchPath): readonly unknown[] =>
  atPath(resource, steps)
    .filter(
      (value) => target === undefined || (isThing(value) && String(value['reference'] ?? '').startsWith(`${target}/`)),
    )
    .map((value) => (type === 'ContactPoint' && isThing(value) ? { value: value['value'] } : value));

const aliases: Readonly<Record<string, string>> = {
  'http://purl.bioontology.org/ontology/SNOMEDCT/': 'http://snomed.info/sct',
};
const systemOf = (system: unknown): unknown => aliases[String(system)] ?? system;

const tokenMeets = (value: unknown, wanted: string): boolean => {
  const [first = '', second] = wanted.split('|');
  const [system, code] = second === undefined ? [undefined, first] : [first, second];
  const coded = isThing(value) ? ((value['coding'] as Thing[] | undefined) ?? [value]) : [];
  const pairs: readonly { system?: unknown; code: unknown; plain?: boolean }[] = isThing(value)
    ? coded.map((one) => ({ system: one['system'], code: one['code'] ?? one['value'] }))
    : [{ code: String(value), plain: true }];
  return pairs.some((pair) => {
    if (pair.code === undefined) {
      return false;
    }
    if (pair.plain) {
      return pair.code === code && (system === undefined || system === '' || system.startsWith('http://hl7.org/fhir/'));
    }
    const [given, sought] = [systemOf(pair.system), systemOf(system)];
    const fits = system === undefined || (system === '' ? pair.system === undefined : given === sought);
    return fits && (code === '' || pair.code === code);
  });
};

type Interval = { readonly from: number; readonly to: number };
const instant = (text: string): Interval => {
  if (text.length < 10) {
    const [year, month] = [Number(text.slice(0, 4)), text.length === 4 ? undefined : Number(text.slice(5, 7))];
    const to = month === undefined ? Date.UTC(year + 1, 0) : Date.UTC(year, month);
    return { from: Date.UTC(year, (month ?? 1) - 1) * 1000, to: to * 1000 };
  }
  if (text.length === 10) {
    const from = Date.parse(`${text}T00:00:00Z`) * 1000;
    return { from, to: from + 86_400_000_000 };
  }
  const micros = Number((/\.(\d+)/.exec(text)?.[1] ?? '').padEnd(6, '0').slice(3, 6));
  const from = Date.parse(text) * 1000 + micros;
  return { from, to: from };
};
const intervalOf = (value: unknown): Interval | undefined => {
  if (typeof value === 'string' && /^\d{4}/.test(value)) {
    return instant(value);
  }
  if (isThing(value) && (value['start'] !== undefined || value['end'] !== undefined)) {
    return {
      from: value['start'] === undefined ? -Infinity : instant(String(value['start'])).from,
      to: value['end'] === undefined ? Infinity : instant(String(value['end'])).to,
    };
  }
  return undefined;
};
const isMoment = ({ from, to }: Interval): boolean => from === to;

const dateMeets = (value: unknown, wanted: string): boolean => {
  const target = intervalOf(value);
  if (!target) {
    return false;
  }
  const { prefix, start, end } = readSoughtDate('date', wanted, NOW);
  const [from, to] = [instant(start).from, instant(end).from];
  // A moment ends at itself, so it has to end before the searched interval ends.
  const endsBy = (stamp: number): boolean =>
    typeof value === 'string' && isMoment(target) ? target.to < stamp : target.to <= stamp;
  const endsAfter = (stamp: number): boolean => !endsBy(stamp);
  const endsOf = (stamp: number): boolean =>
    isThing(value) && value['end'] !== undefined && String(value['end']).length > 10
      ? instant(String(value['end'])).from < stamp
      : endsBy(stamp);
  const ends = isThing(value) ? endsOf : endsBy;
  const contained = target.from >= from && ends(to);
  switch (prefix) {
    case 'eq':
      return contained;
    case 'ne':
      return !contained;
    case 'gt':
      return !ends(to);
    case 'lt':
      return target.from < from;
    case 'ge':
      return !ends(to) || contained;
    case 'le':
      return target.from < from || contained;
    case 'sa':
      return target.from >= to;
    case 'eb':
      return ends(from);
    case 'ap':
      return target.from < to && (isThing(value) ? !ends(from) : endsAfter(from));
  }
};

const stringMeets = (name: string, value: unknown, wanted: string, modifier: string): boolean => {
  const names: Readonly<Record<string, readonly string[]>> = {
    family: ['family'],
    given: ['given'],
    'address-city': ['city'],
    'address-state': ['state'],
    'address-postalcode': ['postalCode'],
    'address-country': ['country'],
  };
  const texts: readonly string[] = isThing(value)
    ? (
        names[name] ?? [
          'family',
          'given',
          'prefix',
          'suffix',
          'text',
          'name',
          'line',
          'city',
          'state',
          'postalCode',
          'country',
        ]
      )
        .flatMap((part) => [value[part] ?? []].flat())
        .map(String)
    : [String(value)];
  return texts.some((text) => {
    if (modifier === 'exact') {
      return text === wanted;
    }
    const plain = (one: string): string => one.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
    const [whole, part] = [plain(text), plain(wanted)];
    return modifier === 'contains' ? whole.includes(part) : whole.startsWith(part);
  });
};

const referenceMeets = (value: unknown, wanted: string): boolean => {
  const reference = isThing(value) ? String(value['reference'] ?? '') : '';
  return reference !== '' && (reference === wanted || reference.split('/')[1] === wanted);
};

/** The ends of what was measured; those of a range, or of an amount with a comparator, may be open. */
const measuredIn = (
  value: unknown,
): { readonly low: number; readonly high: number; readonly of: Thing } | undefined => {
  if (!isThing(value)) {
    return value === undefined ? undefined : { low: Number(value), high: Number(value), of: {} };
  }
  const ends = [value['low'], value['high']].map((end) => (isThing(end) ? end : undefined));
  const [low, high] = ends.map((end) => (end?.['value'] === undefined ? undefined : Number(end['value'])));
  if (low !== undefined || high !== undefined) {
    return { low: low ?? -Infinity, high: high ?? Infinity, of: ends.find((end) => end?.['value'] !== undefined)! };
  }
  if (value['value'] === undefined) {
    return undefined;
  }
  const [number, sign] = [Number(value['value']), String(value['comparator'] ?? '')];
  return {
    low: sign.startsWith('<') ? -Infinity : number,
    high: sign.startsWith('>') ? Infinity : number,
    of: value,
  };
};

const amountMeets = (value: unknown, wanted: string): boolean => {
  const [amount = '', system = '', unit = ''] = wanted.split('|');
  const [, prefix = 'eq', digits = ''] = /^([a-z]{2})?(.*)$/.exec(amount) ?? [];
  const measured = measuredIn(value);
  if (!measured) {
    return false;
  }
  const { low, high, of } = measured;
  const isUnit = unit === '' || [of['code'], of['unit']].includes(unit);
  if (!isUnit || (system !== '' && of['system'] !== system)) {
    return false;
  }
  const number = Number(digits);
  const half = 0.5 * 10 ** -(digits.split('.')[1] ?? '').length;
  const inside = low >= number - half && high < number + half;
  switch (prefix) {
    case 'ne':
      return !inside;
    case 'gt':
      return high > number;
    case 'lt':
      return low < number;
    case 'ge':
      return high >= number;
    case 'le':
      return low <= number;
    case 'sa':
      return low > number;
    case 'eb':
      return high < number;
    case 'ap':
      return low <= number + Math.abs(number) / 10 && high >= number - Math.abs(number) / 10;
    default:
      return inside;
  }
};

/** Whether a value of a date parameter has a date; one in words compares with nothing, so it counts as missing. */
const isDated = (value: unknown): boolean => /"\d{4}(?:-|")/.test(JSON.stringify(value));

const meets = (
  resource: Thing,
  paths: readonly SearchPath[],
  { name, modifier, values, parameter }: Filter,
): boolean => {
  // An element that only gives the reason for its absent value counts as missing.
  const found = paths
    .flatMap((path) => valuesAt(resource, path))
    .filter((value) => !isThing(value) || Object.keys(value).some((name) => name !== 'extension'))
    .filter((value) => parameter.type !== 'date' || isDated(value))
    .filter((value) => parameter.type !== 'quantity' || measuredIn(value) !== undefined);
  const test = (value: unknown, wanted: string): boolean => {
    switch (parameter.type) {
      case 'token':
        return tokenMeets(value, wanted);
      case 'date':
        return dateMeets(value, wanted);
      case 'reference':
        return referenceMeets(value, wanted);
      case 'number':
      case 'quantity':
        return amountMeets(value, wanted);
      case 'uri':
        return value === wanted;
      default:
        return stringMeets(name, value, wanted, modifier);
    }
  };
  if (modifier === 'missing') {
    return (found.length === 0) === (values[0] === 'true');
  }
  const any = values.some((wanted) => found.some((value) => test(value, wanted)));
  return modifier === 'not' ? !any : any;
};

const soughtDates = [
  '2020',
  '2020-01',
  '2020-01-01',
  '2020-02-29',
  '2020-01-01T10:20:30Z',
  '2021-03-04T05:06Z',
  '2024-05-06',
  '2019-12-31T23:00:00-01:00',
];
const prefixes = ['', '', 'eq', 'ne', 'gt', 'lt', 'ge', 'le', 'sa', 'eb', 'ap'];

/** A value that some resource has, so that searches find something. */
const tokenOf = (random: Random, value: unknown): string => {
  const one = isThing(value) ? pick(random, (value['coding'] as Thing[] | undefined) ?? [value]) : undefined;
  const code = String((one ? (one['code'] ?? one['value']) : value) ?? 'none');
  const system = one ? String(one['system'] ?? '') : '';
  return pick(random, [code, `${system}|${code}`, `|${code}`, ...(system === '' ? [] : [`${system}|`]), 'none']);
};

const SEARCHED: readonly string[] = ['token', 'date', 'reference', 'string', 'number', 'quantity', 'uri'];

/** An amount near one that some resource has, with its unit or without. */
const amountOf = (random: Random, value: unknown): string => {
  const { low, high, of } = measuredIn(value) ?? { low: 36.6, high: 36.6, of: {} as Thing };
  const number = String(Number.isFinite(low) ? low : high);
  const unit = String(of['code'] ?? of['unit'] ?? '');
  const near = pick(random, [number, number, String(Math.round(Number(number))), '100']);
  return `${pick(random, prefixes)}${near}${unit !== '' && random() < 0.4 ? `||${unit.replace(/[\\$,|]/g, '\\$&')}` : ''}`;
};

type Sought = { readonly filter: Filter; readonly paths: readonly SearchPath[] };

const filterFor = (random: Random, type: string, made: readonly Thing[]): Sought => {
  const all = searchDefinitionsOf(type).filter((one) => SEARCHED.includes(one.type) && !one.name.startsWith('_'));
  const present = all.filter(({ paths }) => made.some((one) => paths.some((path) => valuesAt(one, path).length > 0)));
  const { name, type: kind, paths } = pick(random, random() < 0.9 && present.length > 0 ? present : all);
  const having = made.flatMap((resource) => paths.flatMap((path) => valuesAt(resource, path)));
  const sample = having.length > 0 && random() < 0.9 ? pick(random, having) : undefined;
  const value = (): string => {
    switch (kind) {
      case 'token':
        return sample === undefined ? pick(random, codes) : tokenOf(random, sample);
      case 'date':
        return `${pick(random, prefixes)}${pick(random, soughtDates)}`;
      case 'reference':
        return isThing(sample) && sample['reference'] !== undefined && random() < 0.9
          ? pick(random, [String(sample['reference']), String(sample['reference']).split('/')[1]!])
          : pick(random, ['Patient/other', 'nobody', `Patient/${RECORD}`, 'Organization/x-y']);
      case 'number':
      case 'quantity':
        return amountOf(random, sample);
      case 'uri':
        return sample === undefined ? 'urn:none' : String(sample);
      default:
        return pick(random, ['an', 'Anna', 'berg', 'x_', '50%', 'O’', 'nn']);
    }
  };
  const modifiers: Readonly<Record<string, readonly string[]>> = { token: ['not'], string: ['exact', 'contains'] };
  const modifier = random() < 0.75 ? '' : pick(random, ['missing', ...(modifiers[kind] ?? [])]);
  const values =
    modifier === 'missing' ? [pick(random, ['true', 'false'])] : Array.from({ length: 1 + below(random, 2) }, value);
  return {
    filter: {
      name,
      modifier,
      values,
      parameter: { name, type: kind as Filter['parameter']['type'], modifiers: [], says: '' },
    },
    paths,
  };
};

for (const leg of databases) {
  describe(`searches of FHIR on ${leg.name}, seed ${seed}`, () => {
    let open: OpenDatabase;
    const made = new Map<string, Thing[]>();
    const ids = new Map<number, string>();
    const scope = { recordId: RECORD };
    const sealer = makeContents(makeSealing(['0'.repeat(64)])).under(null);

    before(async () => {
      open = await openTestDatabase(leg);
      const { database } = open;
      const random = randomFrom(seed);
      await applyPlans(database, [...tables.values()]);
      const mapped = models.all.filter(({ fhir, parent, builtin }) => fhir && !parent && !builtin);
      const readable = (facts: readonly Json[]): boolean => {
        try {
          return readFacts(models, facts, 'all').length > 0;
        } catch {
          return false;
        }
      };
      const result = (): Given => {
        const fact = { ...factOf(random, models.find('LabResult')!, undefined), __label__: NAMED };
        return readable([fact]) ? fact : result();
      };
      let document = 0;
      for (const model of mapped) {
        for (let number = 0; number < FACTS; number += 1) {
          document += 1;
          const status = random() < 0.1 ? 'void' : 'active';
          const recordId = random() < 0.1 ? 'record-b' : RECORD;
          await direct(database)('document_lineage').insert({
            id: `lineage-${document}`,
            record_id: recordId,
            type: `type-${document}`,
            latest_id: `document-${document}`,
            latest_created_at: stamps[0],
            status,
            nevershare: 0,
            created_at: stamps[0],
          });
          const count = model.fhir!.together ? 1 + below(random, 3) : 1;
          const refers = model.name === 'LabPanel' || model.columns.some(({ statement }) => statement === true);
          const named = refers ? [result()] : [];
          const given: Json[] = [];
          while (given.length < count) {
            // A random fact may lack a required field of its model.
            const fact = {
              ...factOf(random, model, model.fhir!.together ? 'one' : undefined),
              ...(random() < 0.5 ? textsOfResource(random, model) : {}),
            };
            given.push(...(readable([fact, ...named]) ? [fact] : []));
          }
          const owner = {
            recordId,
            documentId: `document-${document}`,
            lineageId: `lineage-${document}`,
            createdAt: pick(random, stamps),
          };
          const read = readFacts(models, [...given, ...named], 'all');
          await insertFacts(direct(database), tables, owner, read);
          await keepResources(direct(database), { models, sealer }, owner, { facts: read }, true);
        }
      }
      const inUse = new Set(
        (await database.reads.rows<{ id: string }>(`select id from document_lineage where status = 'active'`, [])).map(
          ({ id }) => id,
        ),
      );
      const plain = await readAcross(
        database.reads,
        database.dialect,
        [...tables.values()].map((plan) => ({ plan, where: 'fact._record_id = ?', values: [RECORD], limit: 100_000 })),
      );
      const facts = (await withNested(database.reads, database.dialect, tables, plain)).filter(({ lineageId }) =>
        inUse.has(lineageId),
      );
      for (const ofDocument of groupedBy(facts, ({ documentId }) => documentId).values()) {
        const tops = ofDocument.filter(({ parentId }) => parentId === null);
        for (const resource of await resourcesOfFacts(models, tops)) {
          const text = JSON.parse(resourceText(resource)) as Thing;
          made.set(resource.resourceType, [...(made.get(resource.resourceType) ?? []), text]);
        }
      }
      for (const { seq, id } of await database.reads.rows<{ seq: number; id: string }>(
        'select seq, id from fhir_resource',
        [],
      )) {
        ids.set(Number(seq), id);
      }
    });

    after(() => open.drop());

    it('has resources of every mapped type', () => {
      const types = new Set(models.all.flatMap(({ fhir }) => (fhir?.resources ?? []).map(({ resource }) => resource)));
      expect([...types].filter((type) => !made.has(type))).to.equal([]);
    });

    it(`finds what a plain look finds, page by page, ${SEARCHES} times`, async () => {
      const random = randomFrom(seed + 1);
      const { reads } = open.database;
      const reading = {
        base: BASE,
        recordId: RECORD,
        dateOf: (name: string, value: string) => readSoughtDate(name, value, NOW),
      };
      let found = 0;
      for (let number = 0; number < SEARCHES; number += 1) {
        const type = pick(random, [...made.keys()]);
        const all = made.get(type)!;
        const sought = Array.from({ length: 1 + below(random, 3) }, () => filterFor(random, type, all));
        const expected = all
          .filter((resource) => sought.every(({ filter, paths }) => meets(resource, paths, filter)))
          .map((resource) => String(resource['id']))
          .sort();
        const filters = sought.map(({ filter }) => filter);
        const conditions = keptConditions(type, filters, reading);
        const usual = { types: [type], conditions };
        const few = pick(random, [undefined, 0, 2, 10_000]);
        const search = few === undefined ? usual : { ...usual, ...(await shortestWay(reads, conditions, few)) };
        const orders = Array.from({ length: pick(random, [1, 2, 3]) }, (): keptStore.ResourceOrder => {
          const descending = random() < 0.5;
          const by = pick(random, ['stored', 'updated', 'id', 'date', 'date'] as const);
          return by === 'date'
            ? orderBy(type, pick(random, ['_id', ...definedOrders(type)]), descending)
            : { by, descending };
        });
        const limit = pick(random, [3, 10, 1000]);
        const seqs: number[] = [];
        let after: keptStore.ResourceKey | undefined;
        for (;;) {
          const keys = await keptStore.searchResources(reads, scope, search, orders, after, limit);
          seqs.push(...keys.map(({ seq }) => seq));
          after = keys.at(-1);
          if (keys.length < limit) {
            break;
          }
        }
        const whole = await keptStore.searchResources(reads, scope, usual, orders, undefined, 100_000);
        const asked = JSON.stringify(filters.map(({ name, modifier, values }) => [name, modifier, values]));
        const got = seqs.map((seq) => ids.get(seq)!).sort();
        expect(got, `${type} ${asked}, search ${number} of seed ${seed}`).to.equal(expected);
        // Every way keeps the order.
        expect(seqs, `the order of search ${number} of seed ${seed}`).to.equal(whole.map(({ seq }) => seq));
        expect(await keptStore.countResources(reads, scope, search)).to.equal(expected.length);
        const most = below(random, expected.length + 2);
        const bounded = await keptStore.countResources(reads, scope, search, most);
        expect(bounded).to.equal(expected.length > most ? undefined : expected.length);
        found += expected.length;
      }
      expect(found).to.be.above(SEARCHES);
    });
  });
}
