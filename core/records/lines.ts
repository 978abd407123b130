/** lines: reads what was said in a record or carenet, and makes lines of it; nothing outside the scope counts. */
import { readOnce } from '../access/once';
import { groupedBy } from '../base/grouped-by';
import { groupedInSlices, mapInSlices } from '../base/turns/slices';
import { errors } from '../base/errors';
import { valuesByClock } from '../facts/partial-dates';
import type { Id } from '../base/types';
import type { GivenCode, StoredFact } from '../facts/plans';
import type { ReportScope } from '../sharing/containment';
import type { SentDocument } from '../facts/sent';
import { MODEL_OF_TESTS } from '../facts/kinds';
import { factTables } from '../facts/model/fact-tables';
import type { Model, Models } from '../facts/model/model';
import {
  readSaidBeside,
  readShownStatements,
  readToldFacts,
  readWordRows,
  type ToldFact,
  type NameRow,
  type Newest,
  type WordRow,
  type SaidBeside,
} from '../facts/told-store';
import { measuredOf } from '../lab-tests/measured';
import { namesLoinc } from '../lab-tests/tests';
import { findKeptLines, NOTHING_KEPT } from '../lines/kept-lines';
import { linesInSlices, type Line } from '../lines/lines';
import { VERDICTS, type OwnWord } from '../lines/own-words';
import { nameKeys, saidOfNames, testMeant } from '../lines/test-names';
import type { Told } from '../lines/told';
import type { Services } from '../services';
import { readCurrentScope, type CurrentScope } from './current';

type Reading = Pick<Services, 'database' | 'models' | 'clock' | 'config'> & Partial<Pick<Services, 'once'>>;

/** The model of what the person says, and that of the statements it is about. */
export const OWN_WORD = 'OwnWord';
export const OWN_WORD_ABOUT = 'OwnWordAbout';

type WordsAbout = (model: string) => readonly OwnWord[];

const NO_WORDS: WordsAbout = () => [];

/** What the person says in the scope; words about a model name the statements of that model only. */
async function readOwnWords(services: Reading, current: CurrentScope<ReportScope>): Promise<WordsAbout> {
  const { recordId, carenetId, kinds } = current.scope;
  const read = async () => (await readWordsAndNames(services, current, false)).wordsAbout;
  return readOnce(services, ['own words', recordId, carenetId, kinds ? 'kinds' : undefined], read);
}

/** The same, and if they are wanted the names of results without a code. */
export async function readWordsAndNames(
  { database, models }: Reading,
  { scope }: CurrentScope<ReportScope>,
  withNames = true,
): Promise<Pick<Joined, 'wordsAbout' | 'names'>> {
  const tables = factTables(models());
  const [word, about] = [tables.get(OWN_WORD), tables.get(OWN_WORD_ABOUT)];
  const named = withNames ? tables.get(MODEL_OF_TESTS) : undefined;
  // Names are looked for among all results.
  const on = named ? database.reads.long : database.reads;
  const stored = word && about ? await readWordRows(on, { word, about, named }, scope) : { words: [], names: [] };
  const rows = await asSeen({ database, models }, scope, stored.words);
  const wordsAbout: WordsAbout = (model) => {
    const own = rows.filter((row) => row.model.toLowerCase() === model.toLowerCase());
    return [...groupedBy(own, ({ id }) => id).values()].flatMap(wordOf);
  };
  return { wordsAbout, names: stored.names };
}

/** Words name statements as they are stored; a carenet has names of its own for those that it sees by their kind. */
async function asSeen(
  { database, models }: Pick<Reading, 'database' | 'models'>,
  scope: ReportScope,
  rows: readonly WordRow[],
): Promise<readonly WordRow[]> {
  const byModel = scope.kinds ? groupedBy(rows, ({ model }) => models().find(model)?.name ?? '') : new Map();
  const shown = new Map<Id, Id>();
  for (const [name, own] of byModel as ReadonlyMap<string, readonly WordRow[]>) {
    const plan = factTables(models()).get(name);
    const ids = [...new Set(own.map(({ statement }) => statement.toLowerCase()))];
    const found = plan ? await readShownStatements(database.reads, plan, scope, ids) : new Map<Id, Id>();
    found.forEach((id, stored) => shown.set(stored, id));
  }
  return rows.map((row) => ({ ...row, statement: shown.get(row.statement.toLowerCase()) ?? row.statement }));
}

function wordOf(rows: readonly WordRow[]): readonly OwnWord[] {
  const { id, documentId, date, test, ...first } = rows[0]!;
  const verdict = VERDICTS.find((one) => one === first.verdict);
  const about = rows.map(({ statement }) => statement.toLowerCase());
  return verdict === undefined ? [] : [{ id, documentId, verdict, date, ...(test ? { test } : {}), about }];
}

/** Documents that are one: those with one id of their sender, and those with the same bytes. */
function sourceReader(documents: readonly SentDocument[], digests: ReadonlyMap<Id, string>): (id: Id) => string {
  const own = new Map(documents.map(({ documentId, source }) => [documentId, source]));
  return (id) => {
    const source = own.get(id);
    return source?.id === undefined ? (digests.get(id) ?? id) : `${(source.sender ?? '').toLowerCase()} ${source.id}`;
  };
}

type Context = SaidBeside & {
  readonly saidOf: ReadonlyMap<Id, string>;
  readonly sourceOf: (documentId: Id) => string;
};

/** A code beside those of the statement. */
type CodeOf = (fact: StoredFact) => GivenCode | undefined;

const NO_CODE: CodeOf = () => undefined;

/** The column of the code by which a result is known, and the one of its name. */
const [TEST_CODE, TEST_TITLE] = ['test_name_identifier', 'test_name_title'];

/** The codes of results that have none, but a name of which a test is known: by the person, or because it is sure. */
function codesOfNames(
  { labTests }: Models,
  facts: readonly StoredFact[],
  words: readonly OwnWord[],
  { documents }: CurrentScope<ReportScope>,
): CodeOf {
  const keyOf = nameKeys(documents);
  const named = ({ values, documentId }: StoredFact) => ({ title: String(values[TEST_TITLE] ?? ''), documentId });
  const factsById = new Map(facts.map((fact) => [fact.statementId, fact]));
  const said = saidOfNames(labTests, words, (statement) => {
    const fact = factsById.get(statement);
    return fact && keyOf(named(fact));
  });
  const codes = groupedBy(labTests.codes.values(), ({ test }) => test.id);
  return (fact) => {
    const { title } = named(fact);
    const isAlone = title !== '' && (fact.values[TEST_CODE] ?? '') === '';
    const test = isAlone ? testMeant(labTests, title, said.get(keyOf(named(fact)))) : undefined;
    const own = (test && codes.get(test.id)) ?? [];
    const main = own.find(({ series }) => series === '') ?? own[0];
    return main && { system: 'LOINC', code: main.code };
  };
}

/** The facts of one statement are told as one: the first value of each column counts. */
function toldOf(facts: readonly ToldFact[], { saidAt, alsoOf, saidOf, sourceOf }: Context, codeOf: CodeOf): Told {
  const [first] = facts as readonly [ToldFact, ...ToldFact[]];
  const { statementId: id, documentId } = first.fact;
  const sent = saidAt.get(id);
  const code = codeOf(first.fact);
  const given = alsoOf.get(id);
  const also = code ? { ...given, [TEST_CODE]: [...(given?.[TEST_CODE] ?? []), code] } : given;
  const all = facts.map(({ fact }) => valuesByClock(fact));
  const values = all.length === 1 ? all[0]! : mergedValues(all);
  return {
    id,
    documentId,
    source: sourceOf(documentId),
    values,
    facts: facts.map(({ fact }) => fact),
    said: sent?.said || (saidOf.get(documentId) ?? ''),
    isOlder: facts.every(({ isOlder }) => isOlder),
    ...(also ? { also } : {}),
    ...(sent?.value ? { sent: { system: sent.system ?? '', value: sent.value } } : {}),
  };
}

/** A result of a known test with its value in the units of the test. */
function withMeasured({ labTests }: Models, told: Told): Told {
  const { values, also } = told;
  const text = (name: string): string => String(values[name] ?? '');
  const given = namesLoinc(text('test_name_system')) ? text(TEST_CODE) : '';
  const code = given || (also?.[TEST_CODE]?.find(({ system }) => namesLoinc(system))?.code ?? '');
  const value = 'quantitative_result_value';
  const measured = measuredOf(labTests, code, text(`${value}_value`), text(`${value}_unit`));
  return measured ? { ...told, measured } : told;
}

function mergedValues(all: readonly StoredFact['values'][]): StoredFact['values'] {
  const filled = all.flatMap((values) => Object.entries(values).filter(([, value]) => value !== null));
  return Object.fromEntries([...filled].reverse());
}

/** What the caller knows already, and the facts that it may see, if these are not all of the scope. */
type Known = { readonly wordsAbout?: WordsAbout; readonly isMeant?: ((fact: StoredFact) => boolean) | undefined };

/** Lines by model, and facts that were read beside them. */
type LinesRead = { readonly lines: ReadonlyMap<string, readonly Line[]>; readonly newest: readonly StoredFact[] };

/** The lines of each of these models in the scope, with a fixed number of statements for each model. */
async function readLines(
  services: Reading,
  current: CurrentScope<ReportScope>,
  models: readonly Model[],
  known: Known & Beside = {},
): Promise<LinesRead> {
  const { database } = services;
  const now = services.clock.now();
  // Lines of some facts only are made for one answer.
  const { found, keep } = known.isMeant
    ? NOTHING_KEPT
    : findKeptLines({ of: services.config, models: services.models(), now }, current, models);
  const left = models.filter(({ name }) => !found.has(name));
  const names = left.map(({ name }) => name);
  const tables = factTables(services.models());
  const [wordsAbout, beside, { told, newest }] = await Promise.all([
    known.wordsAbout ?? (left.length > 0 ? readOwnWords(services, current) : NO_WORDS),
    readSaidBeside(database.reads, current.scope, names),
    readToldFacts(
      database,
      names.map((name) => tables.get(name)!),
      current.scope,
      known.newest,
    ),
  ]);
  const context = lineContext(current, beside, [...told.values()].flat());
  const isMeant = known.isMeant ?? ((): boolean => true);
  const made = new Map<string, readonly Line[]>();
  for (const model of left) {
    const all = told.get(model.name) ?? [];
    const words = wordsAbout(model.name);
    const codeOf =
      model.name === MODEL_OF_TESTS
        ? codesOfNames(
            services.models(),
            all.map(({ fact }) => fact),
            words,
            current,
          )
        : NO_CODE;
    const own = all.filter(({ fact }) => isMeant(fact));
    const statements = await groupedInSlices(own, ({ fact }) => fact.statementId);
    const lines = await linesInSlices({
      model,
      codes: services.models().codes,
      statements: await mapInSlices(statements.values(), (some) => {
        const one = toldOf(some, context, codeOf);
        return model.name === MODEL_OF_TESTS ? withMeasured(services.models(), one) : one;
      }),
      words,
      now,
    });
    keep(model, lines);
    made.set(model.name, lines);
  }
  return { lines: new Map(models.map(({ name }) => [name, found.get(name) ?? made.get(name)!])), newest };
}

function lineContext({ documents }: CurrentScope<ReportScope>, beside: SaidBeside, told: readonly ToldFact[]): Context {
  const digests = new Map(told.map(({ fact, digest }) => [fact.documentId, digest ?? fact.documentId]));
  return {
    ...beside,
    saidOf: new Map(documents.map(({ documentId, said }) => [documentId, said])),
    sourceOf: sourceReader(documents, digests),
  };
}

const MEDICINE = 'Medication';

function isStopped({ standing, ownWords }: Line): boolean {
  return standing === 'over' && ownWords.some(({ verdict }) => verdict === 'stopped');
}

function statementsOf(lines: readonly Line[]): readonly Id[] {
  return lines.flatMap(({ says }) => says.map(({ told }) => told.id));
}

/** What the person calls wrong, of all models. */
function wrongOf(services: Reading, wordsAbout: WordsAbout): readonly Id[] {
  return services
    .models()
    .all.flatMap(({ name }) => wordsAbout(name))
    .filter(({ verdict }) => verdict === 'wrong')
    .flatMap(({ about }) => about);
}

/**
 * The statements that the person takes out of lists of what is so: those called wrong, and medicines that are over
 * because the person says so. Where the person says nothing of that, nothing more is read.
 */
export async function readTakenOut(services: Reading, current: CurrentScope<ReportScope>): Promise<ReadonlySet<Id>> {
  const wordsAbout = await readOwnWords(services, current);
  const wrong = wrongOf(services, wordsAbout);
  const model = services.models().find(MEDICINE);
  if (!model || wordsAbout(MEDICINE).every(({ verdict }) => verdict !== 'stopped')) {
    return new Set(wrong);
  }
  const { lines } = await readLines(services, current, [model], { wordsAbout });
  return new Set([...wrong, ...statementsOf((lines.get(model.name) ?? []).filter(isStopped))]);
}

/** The lines of some models, for doors that show one entry a line. */
export type Joined = {
  /** By model. */ readonly lines: ReadonlyMap<string, readonly Line[]>;
  /** By statement. */ readonly lineOf: ReadonlyMap<Id, Line>;
  /** What the person takes out of lists of what is so. */ readonly out: ReadonlySet<Id>;
  /** The facts that were asked for beside lines. */ readonly newest: readonly StoredFact[];
  /** What the person says of a model. */ readonly wordsAbout: WordsAbout;
  /** Names of results without a code, if they were asked for. */ readonly names: readonly NameRow[];
};

/** The newest facts of another model, which the same statement reads. */
type Beside = { readonly newest?: Newest | undefined };

/** Lines of these models, as far as they are models of this installation. */
export async function readJoined(
  services: Reading,
  current: CurrentScope<ReportScope>,
  names: readonly string[],
  { withNames = false, ...wanted }: Pick<Known, 'isMeant'> & Beside & { readonly withNames?: boolean } = {},
): Promise<Joined> {
  const { wordsAbout, names: alone } = await readWordsAndNames(services, current, withNames);
  const models = names.flatMap((name) => services.models().find(name) ?? []);
  const { lines, newest } = await readLines(services, current, models, { ...wanted, wordsAbout });
  const all = [...lines.values()].flat();
  return {
    lines,
    lineOf: new Map(all.flatMap((line) => line.says.map(({ told }) => [told.id, line] as const))),
    out: new Set([...wrongOf(services, wordsAbout), ...statementsOf((lines.get(MEDICINE) ?? []).filter(isStopped))]),
    newest,
    wordsAbout,
    names: alone,
  };
}

/** The statements in these lines that a corrected one takes the place of: they are history. */
export function formerIn(lines: readonly Line[]): readonly Id[] {
  return lines.flatMap(({ says }) => says.flatMap(({ isFormer, told }) => (isFormer ? [told.id] : [])));
}

/** The statements of a model that a corrected one takes the place of. */
export async function readFormer(
  services: Reading,
  current: CurrentScope<ReportScope>,
  model: Model,
): Promise<ReadonlySet<Id>> {
  const { lines } = await readLines(services, current, [model]);
  return new Set(formerIn(lines.get(model.name) ?? []));
}

/** The statements that the person calls wrong: they stay where they stand, and count for nothing. */
export async function readCalledWrong(services: Reading, current: CurrentScope<ReportScope>): Promise<ReadonlySet<Id>> {
  return new Set(wrongOf(services, await readOwnWords(services, current)));
}

/** The lines of one model. @throws AppError not_found for a model that has no facts of its own */
export async function readLinesOf(services: Reading, scope: ReportScope, name: string): Promise<readonly Line[]> {
  const model = services.models().find(name);
  if (!model || model.builtin) {
    throw errors.notFound('data model');
  }
  const current = await readCurrentScope(services, scope);
  return (await readLines(services, current, [model])).lines.get(model.name)!;
}
