/** lines: reads what was said in a record or carenet, and makes lines of it; nothing outside the scope counts. */
import { groupedBy } from '../base/grouped-by';
import { errors } from '../base/errors';
import { valuesByClock } from '../facts/partial-dates';
import type { Id } from '../base/types';
import type { ReportScope, StoredFact } from '../db/plans';
import type { SentDocument } from '../db/sent';
import { factTables } from '../facts/model/fact-tables';
import type { Model } from '../facts/model/model';
import {
  readDigests,
  readSaidBeside,
  readToldFacts,
  readWordRows,
  type ToldFact,
  type WordRow,
  type SaidBeside,
} from '../facts/told-store';
import { linesOf, type Line } from '../lines/lines';
import { VERDICTS, type OwnWord } from '../lines/own-words';
import type { Told } from '../lines/told';
import type { Services } from '../services';
import { readCurrentScope, type CurrentScope } from './current';

type Reading = Pick<Services, 'database' | 'models' | 'clock'>;

/** The model of what the person says, and that of the statements it is about. */
export const OWN_WORD = 'OwnWord';
const OWN_WORD_ABOUT = 'OwnWordAbout';

type WordsAbout = (model: string) => readonly OwnWord[];

/** What the person says in the scope; words about a model name the statements of that model only. */
async function readOwnWords({ database, models }: Reading, { scope }: CurrentScope<ReportScope>): Promise<WordsAbout> {
  const tables = factTables(models());
  const [word, about] = [tables.get(OWN_WORD), tables.get(OWN_WORD_ABOUT)];
  const rows = word && about ? await readWordRows(database.reads, { word, about }, scope) : [];
  return (model) => {
    const own = rows.filter((row) => row.model.toLowerCase() === model.toLowerCase());
    return [...groupedBy(own, ({ id }) => id).values()].flatMap(wordOf);
  };
}

function wordOf(rows: readonly WordRow[]): readonly OwnWord[] {
  const { id, documentId, date, ...first } = rows[0]!;
  const verdict = VERDICTS.find((one) => one === first.verdict);
  const about = rows.map(({ statement }) => statement.toLowerCase());
  return verdict === undefined ? [] : [{ id, documentId, verdict, date, about }];
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

/** The facts of one statement are told as one: the first value of each column counts. */
function toldOf(facts: readonly ToldFact[], { saidAt, alsoOf, saidOf, sourceOf }: Context): Told {
  const [first] = facts as readonly [ToldFact, ...ToldFact[]];
  const { statementId: id, documentId } = first.fact;
  const sent = saidAt.get(id);
  const also = alsoOf.get(id);
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

function mergedValues(all: readonly StoredFact['values'][]): StoredFact['values'] {
  const filled = all.flatMap((values) => Object.entries(values).filter(([, value]) => value !== null));
  return Object.fromEntries([...filled].reverse());
}

/** What the caller knows already, and whether it asks how many sources say something. */
type Known = { readonly wordsAbout?: WordsAbout; readonly countsSources?: boolean };

/** The lines of each of these models in the scope, with a fixed number of statements for each model. */
export async function readLines(
  services: Reading,
  current: CurrentScope<ReportScope>,
  models: readonly Model[],
  known: Known = {},
): Promise<ReadonlyMap<string, readonly Line[]>> {
  const { database, clock } = services;
  const { scope, documents } = current;
  const tables = factTables(services.models());
  const names = models.map(({ name }) => name);
  const [wordsAbout, beside, ...facts] = await Promise.all([
    known.wordsAbout ?? readOwnWords(services, current),
    readSaidBeside(database.reads, scope, names),
    ...names.map((name) => readToldFacts(database, tables.get(name)!, scope)),
  ]);
  const documentIds = [...new Set(facts.flat().map(({ fact }) => fact.documentId))];
  const context: Context = {
    ...beside,
    saidOf: new Map(documents.map(({ documentId, said }) => [documentId, said])),
    sourceOf: sourceReader(
      documents,
      known.countsSources === false ? new Map() : await readDigests(database.reads, documentIds),
    ),
  };
  return new Map(
    models.map((model, at) => {
      const statements = groupedBy(facts[at]!, ({ fact }) => fact.statementId);
      const input = {
        model,
        codes: services.models().codes,
        statements: [...statements.values()].map((own) => toldOf(own, context)),
        words: wordsAbout(model.name),
        now: clock.now(),
      };
      return [model.name, linesOf(input)] as const;
    }),
  );
}

const MEDICINE = 'Medication';

/**
 * The statements that the person takes out of lists of what is so: those called wrong, and medicines that are over
 * because the person says so. Where the person says nothing of that, nothing more is read.
 */
export async function readTakenOut(services: Reading, current: CurrentScope<ReportScope>): Promise<ReadonlySet<Id>> {
  const wordsAbout = await readOwnWords(services, current);
  const words = services.models().all.flatMap(({ name }) => wordsAbout(name));
  const wrong = words.filter(({ verdict }) => verdict === 'wrong').flatMap(({ about }) => about);
  const model = services.models().find(MEDICINE);
  if (!model || words.every(({ verdict }) => verdict !== 'stopped')) {
    return new Set(wrong);
  }
  const lines = await readLines(services, current, [model], { wordsAbout, countsSources: false });
  const stopped = [...lines.values()]
    .flat()
    .filter(({ standing, ownWords }) => standing === 'over' && ownWords.some(({ verdict }) => verdict === 'stopped'));
  return new Set([...wrong, ...stopped.flatMap(({ says }) => says.map(({ told }) => told.id))]);
}

/** The lines of one model. @throws AppError not_found for a model that has no facts of its own */
export async function readLinesOf(services: Reading, scope: ReportScope, name: string): Promise<readonly Line[]> {
  const model = services.models().find(name);
  if (!model || model.builtin) {
    throw errors.notFound('data model');
  }
  const current = await readCurrentScope(services, scope);
  return (await readLines(services, current, [model])).get(model.name)!;
}
