/** told-store: what lines are made of: all facts of a model in a scope, when they were said, and what documents are one. */
import type { Id } from '../base/types';
import { ALWAYS, allOf, marks, type Condition } from '../db/condition';
import { inParts } from '../db/in-parts';
import type { Database, Reads } from '../db/database';
import type { GivenCode, StoredFact, TablePlan } from './plans';
import { type ReportScope, lineageInUse } from '../sharing/containment';
import { flatMapInSlices, groupedInSlices } from '../base/turns/slices';
import { readAcross } from './facts-across';
import { factsFrom, inSeenScope, olderColumn } from './facts-in-scope';
import { IS_BY_KIND, seenTable, shownId, STORED_COLUMNS } from './seen-by-kind';

type CountingScope = ReportScope & Required<Pick<ReportScope, 'current'>>;

/** A fact, and whether its sender says something newer in its place. */
export type ToldFact = {
  readonly fact: StoredFact;
  readonly isOlder: boolean;
  /** Of its document, if the scope contains that. */ readonly digest: string | undefined;
};

/** More facts than any record has. */
const ALL = 1_000_000_000;

/** A table, how many of its facts are read, and the column by whose dates they are the newest. */
export type Newest = { readonly plan: TablePlan; readonly limit: number; readonly by: string };

type ToldFacts = {
  /** By model, in the order of insertion. */ readonly told: ReadonlyMap<string, readonly ToldFact[]>;
  /** The newest facts of another table that count. */ readonly newest: readonly StoredFact[];
};

/** All facts of these tables in the scope, without nested ones, and the newest of another table: one statement. */
export async function readToldFacts(
  { reads, dialect }: Pick<Database, 'reads' | 'dialect'>,
  plans: readonly TablePlan[],
  scope: CountingScope,
  newest?: Newest,
): Promise<ToldFacts> {
  const { current: _current, ...all } = scope;
  const branches = plans.map((plan) => {
    const { text: where, values } = inSeenScope(plan, all);
    return { plan, where, values, limit: ALL, from: seenTable(plan, all), older: olderColumn(plan, scope) };
  });
  const beside = newest ? [newestBranch(newest, scope)] : [];
  const facts = await readAcross(reads.long, dialect, [...branches, ...beside]);
  const told = await flatMapInSlices(facts, (fact): readonly ToldFact[] => {
    const { isOlder, digest } = fact;
    return isOlder === undefined ? [] : [{ fact, isOlder, digest }];
  });
  return {
    told: await groupedInSlices(told, ({ fact }) => fact.model),
    newest: newest ? facts.filter(({ isOlder }) => isOlder === undefined) : [],
  };
}

function newestBranch({ plan, limit, by }: Newest, scope: CountingScope) {
  const { text: where, values } = inSeenScope(plan, scope);
  return { plan, where, values, limit, newest: by, from: seenTable(plan, scope) };
}

/** Codes by the column that they belong to. */
type CodesByColumn = Readonly<Record<string, readonly GivenCode[]>>;

/** What senders say of statements beside their facts, by statement. */
export type SaidBeside = {
  /** When it was said, and the sender's id. */
  readonly saidAt: ReadonlyMap<
    Id,
    { readonly said: string; readonly system: string | null; readonly value: string | null }
  >;
  /** Codes beside those in the facts. */ readonly alsoOf: ReadonlyMap<Id, CodesByColumn>;
};

type BesideRow = {
  readonly statement_id: Id;
  readonly said: string | null;
  readonly system: string | null;
  readonly value: string | null;
  /** Filled for a code. */ readonly field: string | null;
};

function besideOf(rows: readonly BesideRow[]): SaidBeside {
  const saidAt = new Map<Id, { said: string; system: string | null; value: string | null }>();
  const alsoOf = new Map<Id, Record<string, GivenCode[]>>();
  for (const { statement_id: id, said, system, value, field } of rows) {
    if (field === null) {
      // Of a statement with a version, the date stands after the number of the version.
      saidAt.set(id, { said: said?.split(' ').at(-1) ?? '', system, value });
    } else {
      const own = alsoOf.get(id) ?? {};
      (own[field] ??= []).push({ system: system ?? '', code: value ?? '' });
      alsoOf.set(id, own);
    }
  }
  return { saidAt, alsoOf };
}

/** When senders said statements of these models, their ids for them, and further codes in them. */
export async function readSaidBeside(on: Reads, scope: ReportScope, models: readonly string[]): Promise<SaidBeside> {
  if (models.length === 0) {
    return besideOf([]);
  }
  const { text, values } = lineageInUse('lineage', scope);
  const from = (table: string): string =>
    `from ${table} as one join document_lineage as lineage on lineage.id = one.lineage_id ` +
    `where one.record_id = ? and one.model in (${marks(models)}) and ${text}`;
  const asked = [scope.recordId, ...models, ...values];
  const rows = await on.rows<BesideRow>(
    `select one.statement_id, one.said, one.system, one.value, null as field ${from('sent_statement')} union all ` +
      `select one.statement_id, null as said, one.system, one.code as value, one.field ${from('statement_coding')}`,
    [...asked, ...asked],
  );
  return besideOf(rows);
}

/** A statement that a word of the person is about. */
export type WordRow = {
  readonly id: Id;
  readonly documentId: Id;
  readonly verdict: string;
  readonly date: string;
  /** Of `is-test`; null for other words. */ readonly test: string | null;
  readonly model: string;
  readonly statement: string;
};

/** A name without a code, in one document. */
export type NameRow = { readonly title: string; readonly documentId: Id; readonly statement: Id };

const NAMED_ALONE: Condition = {
  text: "coalesce(fact.`test_name_identifier`, '') = '' and coalesce(fact.`test_name_title`, '') <> ''",
  values: [],
};

/** In the place of a verdict in rows of names. */
const NAME = 'name';

/** The names of results without a code: each once a document, with the first statement that has it. */
function namesAlone(plan: TablePlan, scope: ReportScope): Condition {
  const from = factsFrom(plan, scope, NAMED_ALONE);
  return {
    text:
      `select null, fact._document_id, '${NAME}', null, fact.\`test_name_title\`, null, min(fact._statement), 0 ` +
      `${from.text} group by fact.\`test_name_title\`, fact._document_id`,
    values: from.values,
  };
}

/**
 * What the words of the person in the scope are about: a row for each statement that one names. One statement reads the
 * names of results without a code as well, if their table is given.
 */
export async function readWordRows(
  on: Reads,
  {
    word,
    about,
    named,
  }: { readonly word: TablePlan; readonly about: TablePlan; readonly named?: TablePlan | undefined },
  scope: ReportScope,
): Promise<{ readonly words: readonly WordRow[]; readonly names: readonly NameRow[] }> {
  const { current: _current, ...all } = scope;
  const from = factsFrom(word, all, ALWAYS);
  const names = named ? namesAlone(named, scope) : undefined;
  const rows = await on.rows<WordRow>(
    'select word.id, word.documentId, word.verdict, word.date, word.test, about.model, about.statement, about._seq as place ' +
      'from (select fact._id as own, fact._statement as id, fact._document_id as documentId, fact.verdict, ' +
      `fact.\`date\` as date, fact.test ${from.text}) as word join \`${about.table}\` as about on about._parent_id = word.own ` +
      `${names ? `union all ${names.text} ` : ''}order by place`,
    [...from.values, ...(names?.values ?? [])],
  );
  return {
    words: rows.filter(({ verdict }) => verdict !== NAME),
    names: rows.flatMap(({ verdict, test, documentId, statement }) =>
      verdict === NAME && test !== null ? [{ title: test, documentId, statement }] : [],
    ),
  };
}

/** What the scope calls these statements of a model; those that it does not see by their kind are not in it. */
export async function readShownStatements(
  on: Reads,
  plan: TablePlan,
  scope: ReportScope,
  statements: readonly Id[],
): Promise<ReadonlyMap<Id, Id>> {
  const from = seenTable(plan, scope);
  if (!from || statements.length === 0) {
    return new Map();
  }
  const { statement } = STORED_COLUMNS;
  const rows: { readonly own: Id; readonly shown: string }[] = [];
  for (const some of inParts(statements)) {
    rows.push(
      ...(await on.rows<(typeof rows)[number]>(
        `select distinct ${statement} as own, fact._statement as shown from ${from.text} where ${statement} in (${marks(some)})`,
        [...from.values, ...some],
      )),
    );
  }
  return new Map(rows.map(({ own, shown }) => [own, shownId(shown)]));
}

/** These statements as the rows of the scope name them. */
export async function readRowNames(
  on: Reads,
  plan: TablePlan,
  scope: ReportScope,
  statements: ReadonlySet<Id>,
): Promise<readonly string[]> {
  const from = seenTable(plan, scope);
  if (!from || statements.size === 0) {
    return [...statements];
  }
  const rows = await on.rows<{ readonly shown: string }>(`select distinct fact._statement as shown from ${from.text}`, [
    ...from.values,
  ]);
  return rows.map(({ shown }) => shown).filter((shown) => statements.has(shownId(shown)));
}

/** When the senders of closed documents said them, by the name of the document in the scope. One statement reads all. */
export async function readPaperDates(
  on: Reads,
  plans: readonly TablePlan[],
  scope: ReportScope,
): Promise<ReadonlyMap<Id, string>> {
  const branches = plans.flatMap((plan) => {
    const from = seenTable(plan, scope);
    return from
      ? [
          {
            text:
              `select distinct fact._document_id as shown, sent.said as said from ${from.text} join sent_document as ` +
              `sent on sent.document_id = ${STORED_COLUMNS.document} where ${IS_BY_KIND}`,
            values: from.values,
          },
        ]
      : [];
  });
  if (branches.length === 0) {
    return new Map();
  }
  const rows = await on.rows<{ readonly shown: string; readonly said: string }>(
    branches.map(({ text }) => text).join(' union '),
    branches.flatMap(({ values }) => values),
  );
  return new Map(rows.filter(({ said }) => said !== '').map(({ shown, said }) => [shownId(shown), said]));
}

/** The facts of these tables that the scope sees by their kind alone, in the order in which they are seen. */
export function readFactsByKind(
  { reads, dialect }: Pick<Database, 'reads' | 'dialect'>,
  plans: readonly TablePlan[],
  scope: ReportScope,
): Promise<readonly StoredFact[]> {
  const branches = plans.flatMap((plan) => {
    const from = seenTable(plan, scope);
    const { text, values } = inSeenScope(plan, scope);
    return from ? [{ plan, where: `${text} and ${IS_BY_KIND}`, values, limit: ALL, from }] : [];
  });
  return readAcross(reads, dialect, branches);
}

/** The names without a code of these statements. */
export async function readNamesOf(
  on: Reads,
  plan: TablePlan,
  scope: ReportScope,
  statements: readonly Id[],
): Promise<readonly NameRow[]> {
  const rows: NameRow[] = [];
  for (const some of inParts(statements)) {
    const from = factsFrom(
      plan,
      scope,
      allOf([NAMED_ALONE, { text: `fact._statement in (${marks(some)})`, values: some }]),
    );
    rows.push(
      ...(await on.rows<NameRow>(
        `select fact.\`test_name_title\` as title, fact._document_id as documentId, fact._statement as statement ${from.text}`,
        [...from.values],
      )),
    );
  }
  return rows;
}
