/** search: the facts of every model that contain all words of a search, the newest first. */
import { saysForm } from '../../core/base/words/folded-text';
import { factTables } from '../../core/facts/model/fact-tables';
import type { Model } from '../../core/facts/model/model';
import { dateColumn } from '../../core/facts/model/table-plan';
import type { Call } from '../../core/http/route';
import { metBy, type SearchWord } from '../../core/documents/search-store';
import { allOf, anyOf, type Condition } from '../../core/db/condition';
import type { LabTests } from '../../core/lab-tests/tests';
import type { Dialect } from '../../core/db/dialect';
import type { TablePlan } from '../../core/facts/plans';
import { countYears, readTimeline, type Dated } from '../../core/facts/timeline';
import { toldOf } from '../../core/records/current';
import { searchWords } from '../../core/records/search-words';
import type { SdmjFact } from './narrowed';
import { openScope, readWrongOf, type InScope } from './scope';
import { sdmj } from './series';

export type SearchQuery = {
  readonly q: string;
  /**
   * For words of the person's language, the words that sources write for the same: `blutzucker*blood glucose`, several
   * with `|` between them.
   */
  readonly means?: string;
  readonly language: string;
  readonly zone?: string;
  readonly limit: number;
};

export type FoundFacts = {
  readonly facts: readonly SdmjFact[];
  /** How many facts of each model are found, those that are not read included. */
  readonly counts: Readonly<Record<string, number>>;
};

/** Nested models that are found by themselves. */
const FOUND_NESTED = ['Encounter'];

/** Types of fields whose label says what was measured, such as "Weight". */
const READINGS = ['VitalSign', 'BloodPressure'];

const SHORTEST_LABEL = 3;

/** The condition that a fact has a reading whose label, in any language, contains the word: "Weight", "Gewicht". */
function hasReading({ fields, words }: Model, { text, forms = [text] }: SearchWord): readonly Condition[] {
  const languages = Object.values(words?.languages ?? {});
  return fields
    .filter(({ type }) => READINGS.includes(type) && text.length >= SHORTEST_LABEL)
    .filter(({ name }) => languages.some((said) => saysForm(said.fields[name]?.label ?? '', forms)))
    .flatMap(({ columns }) => columns.filter((name) => name.endsWith('_value')))
    .map((name) => ({ text: `fact.\`${name}\` is not null`, values: [] }));
}

const RESULT = 'LabResult';

/** The condition that a result is one of a known test whose name, in any language, contains the word. */
function isOfTest(
  { name }: Model,
  { tests, codes }: LabTests,
  { text, forms = [text] }: SearchWord,
): readonly Condition[] {
  const meant = new Set(
    tests.filter(({ names, aliases }) => [...Object.values(names), ...aliases].some((one) => saysForm(one, forms))),
  );
  const wanted = [...codes.values()].filter(({ test }) => meant.has(test)).map(({ code }) => code);
  return name !== RESULT || text.length < SHORTEST_LABEL || wanted.length === 0
    ? []
    : [{ text: `fact.\`test_name_identifier\` in (${wanted.map(() => '?').join(', ')})`, values: wanted }];
}

function meaningsOf(means: string, { text }: SearchWord): readonly SearchWord[] {
  return means.split('|').flatMap((one) => {
    const [typed, written = ''] = one.split('*');
    return typed === text && written !== '' ? [{ text: written, models: [] }] : [];
  });
}

type Sought = { readonly words: readonly SearchWord[]; readonly means: string; readonly labTests: LabTests };

function foundBy(dialect: Dialect, model: Model, plan: TablePlan, { words, means, labTests }: Sought): Condition {
  return allOf(
    words.map((word) =>
      anyOf([
        metBy(dialect, plan, word),
        ...meaningsOf(means, word).map((meaning) => metBy(dialect, plan, meaning)),
        ...hasReading(model, word),
        ...isOfTest(model, labTests, word),
      ]),
    ),
  );
}

/** Reads with four statements at most, whatever the record holds. Without words nothing is found. */
export async function searchFacts({
  params,
  query: { q, means = '', language, zone = 'UTC', limit },
  services,
}: Call<InScope, SearchQuery>): Promise<FoundFacts> {
  const { reads, dialect } = services.database;
  const models = services.models();
  const tables = factTables(models);
  const open = await openScope(services, params, { status: 'active' });
  const { scope } = open;
  const words = searchWords(q, language, zone, models);
  if (words.length === 0) {
    return { facts: [], counts: {} };
  }
  const found = models.all
    .filter(({ builtin, parent, name }) => !builtin && (!parent || FOUND_NESTED.includes(name)))
    .map((model): Dated => {
      const plan = tables.get(model.name)!;
      const where = foundBy(dialect, model, plan, { words, means, labTests: models.labTests });
      return { plan, date: dateColumn(model), where, isNested: model.parent !== undefined };
    });
  const [{ rows }, years, wrong] = await Promise.all([
    readTimeline(reads.long, dialect, tables, scope, found, { zone, limit }),
    countYears(reads.long, dialect, scope, found, { zone }),
    readWrongOf(services, open),
  ]);
  const counts: Record<string, number> = {};
  for (const { model, count } of years) {
    counts[model] = (counts[model] ?? 0) + count;
  }
  const facts = rows.map((fact): SdmjFact => ({
    ...sdmj(services, fact),
    __id__: fact.id,
    ...toldOf(fact, new Map(), new Map(), wrong),
  }));
  return { facts, counts };
}
