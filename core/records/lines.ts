/** lines: reads what was said in a record or carenet, and makes lines of it; nothing outside the scope counts. */
import { groupedBy } from '../base/grouped-by';
import { errors } from '../base/errors';
import { valuesByClock } from '../facts/partial-dates';
import type { Id } from '../base/types';
import type { ReportScope, StoredFact } from '../db/plans';
import type { SentDocument } from '../db/sent';
import { withNested } from '../facts/facts-across';
import { factTables } from '../facts/model/fact-tables';
import type { Model } from '../facts/model/model';
import { readDigests, readSaidAt, readToldFacts, type ToldFact } from '../facts/told-store';
import { linesOf, type Line } from '../lines/lines';
import { VERDICTS, type OwnWord, type Verdict } from '../lines/own-words';
import type { Told } from '../lines/told';
import type { Services } from '../services';
import { readCurrentScope, type CurrentScope } from './current';

type Reading = Pick<Services, 'database' | 'models' | 'clock'>;

/** The model of what the person says, and that of the statements it is about. */
export const OWN_WORD = 'OwnWord';
const ABOUT = 'about';

const textOf = (fact: StoredFact, column: string): string => String(fact.values[column] ?? '');

/** What the person says in the scope; words about a model name the statements of that model only. */
async function readOwnWords({ database, models }: Reading, { scope }: CurrentScope<ReportScope>) {
  const tables = factTables(models());
  const plan = tables.get(OWN_WORD);
  if (!plan) {
    return () => [];
  }
  const told = await readToldFacts(database, plan, scope);
  const facts =
    told.length === 0
      ? []
      : await withNested(
          database.reads,
          database.dialect,
          tables,
          told.map(({ fact }) => fact),
        );
  return (model: string): readonly OwnWord[] => facts.flatMap((fact) => wordAbout(fact, model));
}

function wordAbout(fact: StoredFact, model: string): readonly OwnWord[] {
  const verdict = VERDICTS.find((one) => one === textOf(fact, 'verdict'));
  const about = [fact.children[ABOUT] ?? []]
    .flat()
    .filter((one): one is StoredFact => textOf(one as StoredFact, 'model').toLowerCase() === model.toLowerCase())
    .map((one) => textOf(one, 'statement').toLowerCase());
  const { statementId: id, documentId } = fact;
  return verdict !== undefined && about.length > 0
    ? [{ id, documentId, verdict: verdict as Verdict, date: textOf(fact, 'date'), about }]
    : [];
}

/** Documents that are one: those with one id of their sender, and those with the same bytes. */
function sourceReader(documents: readonly SentDocument[], digests: ReadonlyMap<Id, string>): (id: Id) => string {
  const own = new Map(documents.map(({ documentId, source }) => [documentId, source]));
  return (id) => {
    const source = own.get(id);
    return source?.id === undefined ? (digests.get(id) ?? id) : `${(source.sender ?? '').toLowerCase()} ${source.id}`;
  };
}

type Context = {
  readonly saidAt: Awaited<ReturnType<typeof readSaidAt>>;
  readonly saidOf: ReadonlyMap<Id, string>;
  readonly sourceOf: (documentId: Id) => string;
};

/** The facts of one statement are told as one: the first value of each column counts. */
function toldOf(facts: readonly ToldFact[], { saidAt, saidOf, sourceOf }: Context): Told {
  const [first] = facts as readonly [ToldFact, ...ToldFact[]];
  const { statementId: id, documentId } = first.fact;
  const sent = saidAt.get(id);
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
    ...(sent?.value ? { sent: { system: sent.system ?? '', value: sent.value } } : {}),
  };
}

function mergedValues(all: readonly StoredFact['values'][]): StoredFact['values'] {
  const filled = all.flatMap((values) => Object.entries(values).filter(([, value]) => value !== null));
  return Object.fromEntries([...filled].reverse());
}

/** The lines of each of these models in the scope, with a fixed number of statements for each model. */
export async function readLines(
  services: Reading,
  current: CurrentScope<ReportScope>,
  models: readonly Model[],
): Promise<ReadonlyMap<string, readonly Line[]>> {
  const { database, clock } = services;
  const { scope, documents } = current;
  const tables = factTables(services.models());
  const names = models.map(({ name }) => name);
  const [wordsAbout, saidAt, ...facts] = await Promise.all([
    readOwnWords(services, current),
    readSaidAt(database.reads, scope, names),
    ...names.map((name) => readToldFacts(database, tables.get(name)!, scope)),
  ]);
  const documentIds = [...new Set(facts.flat().map(({ fact }) => fact.documentId))];
  const context: Context = {
    saidAt,
    saidOf: new Map(documents.map(({ documentId, said }) => [documentId, said])),
    sourceOf: sourceReader(documents, await readDigests(database.reads, documentIds)),
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

/** The lines of one model. @throws AppError not_found for a model that has no facts of its own */
export async function readLinesOf(services: Reading, scope: ReportScope, name: string): Promise<readonly Line[]> {
  const model = services.models().find(name);
  if (!model || model.builtin) {
    throw errors.notFound('data model');
  }
  const current = await readCurrentScope(services, scope);
  return (await readLines(services, current, [model])).get(model.name)!;
}
