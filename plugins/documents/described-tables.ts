/**
 * described-tables: a table that no format knows. A person says what its columns are; then it is read like any other
 * file of many documents, and what was said is kept for the next file with the same heads.
 */
import { toTimestamp } from '../../core/base/clock';
import { errors } from '../../core/base/errors';
import { isObject } from '../../core/base/json';
import type { PrincipalId } from '../../core/base/types';
import { effectiveId } from '../../core/auth/principal';
import { findDescribedTable, putDescribedTable } from '../../core/documents/described-tables-store';
import { readPieces, writeState } from '../../core/files/incoming';
import type { InRecord } from '../../core/http/inputs';
import type { Call } from '../../core/http/route';
import { describedIntake, headsDigest, lookAtFile } from '../../core/pipeline/intake/intake';
import type { TableLook } from '../../core/pipeline/intake/table-look';
import {
  guessRoles,
  planTable,
  ROLES,
  type TableAnswers,
  type TableProblem,
  type TableQuestion,
} from '../../core/pipeline/intake/table-roles';
import { inTurn, incomingKeyOf, requireState, type Incoming, type OfIncoming } from './incoming';

/** A table, what its columns are or may be, and what has to be asked. */
export type TableSeen = {
  readonly name: string;
  readonly look: TableLook;
  readonly answers: TableAnswers;
  /** Whether the answers are those that this person gave for an earlier file. */ readonly remembered: boolean;
  readonly questions: readonly TableQuestion[];
  readonly problems: readonly TableProblem[];
  /** Whether the table can be read as it is described. */ readonly settled: boolean;
  /** Whether another sheet of the workbook was chosen, whose columns nobody has described yet. */
  readonly otherSheet: boolean;
};

/** `answers`: TableAnswers in JSON. */
export type Describing = OfIncoming & { readonly answers: string };

const SEQUENCES = ['ymd', 'dmy', 'mdy', 'unix', 'excel', 'excel1904'] as const;
const DECIMALS = ['.', ','] as const;

/** @throws AppError invalid_parameter for what is no JSON */
function readGiven(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value as never) ? (value as Record<string, unknown>) : {};
  } catch {
    throw errors.invalidParameter('answers', 'it is no JSON');
  }
}

/** The sheet of a workbook that was chosen, and the one whose columns the answers are about. */
function sheetsIn(text: string): { readonly sheet?: string; readonly shown?: string } {
  const { sheet, shown } = readGiven(text);
  return {
    ...(typeof sheet === 'string' && sheet !== '' ? { sheet } : {}),
    ...(typeof shown === 'string' && shown !== '' ? { shown } : {}),
  };
}

/** Answers as a page or an earlier release has written them; what is unknown in them is left out. */
function readAnswers(text: string, { columns }: TableLook): TableAnswers {
  const { roles, sequence, year, decimal, units, person } = readGiven(text);
  const given: readonly unknown[] = Array.isArray(roles) ? roles : [];
  const named = Object.entries((units ?? {}) as Record<string, unknown>).slice(0, columns.length);
  return {
    roles: columns.map((_, at) => ROLES.find((role) => role === given[at]) ?? 'none'),
    sequence: SEQUENCES.find((one) => one === sequence),
    decimal: DECIMALS.find((one) => one === decimal),
    year: typeof year === 'string' ? year : undefined,
    person: typeof person === 'string' ? person : undefined,
    units: Object.fromEntries(
      named.filter((entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1].length <= 20),
    ),
  };
}

function stillOpen({ phase }: Incoming): boolean {
  return ['sent', 'read', 'refused'].includes(phase);
}

/** @throws AppError not_found for a file that is no table, or is being added */
async function requireTable(call: Call<InRecord>, form: string): Promise<Incoming> {
  const state = await requireState(call.services, incomingKeyOf(call, form));
  if (!state.isTable || !stillOpen(state)) {
    throw errors.notFound('table');
  }
  return state;
}

/** @throws AppError invalid_document for a file that is no table */
async function lookAtTable(call: Call<InRecord>, form: string, state: Incoming, sheet?: string): Promise<TableLook> {
  const { services } = call;
  const chunks = readPieces(services, incomingKeyOf(call, form), 'file');
  return inTurn(call, state.size, () => lookAtFile({ name: state.name, chunks }, services.config, sheet));
}

function seenAs(
  { services }: Call<InRecord>,
  { name }: Incoming,
  look: TableLook,
  answers: TableAnswers,
  remembered: boolean,
) {
  const { columns, questions, problems } = planTable(look, answers, services.models());
  const settled = columns !== undefined;
  const seen: TableSeen = { name, look, answers, remembered, questions, problems, settled, otherSheet: false };
  return { seen, columns };
}

function requireAccount({ principal }: Pick<Call<InRecord>, 'principal'>): PrincipalId {
  const accountId = effectiveId(principal);
  if (accountId === null) {
    throw errors.notFound('table');
  }
  return accountId;
}

/** What the table looks like, and what this person said about an earlier one with the same heads. */
export async function readTable(call: Call<InRecord, OfIncoming>): Promise<TableSeen> {
  const { query } = call;
  const state = await requireTable(call, query.form);
  const look = await lookAtTable(call, query.form, state);
  return firstSeen(call, state, look);
}

/** A table with the answers that were given for an earlier one with these heads, or with what its columns look like. */
async function firstSeen(call: Call<InRecord>, state: Incoming, look: TableLook): Promise<TableSeen> {
  const { services } = call;
  const known = await findDescribedTable(services.database.reads, {
    accountId: requireAccount(call),
    heads: headsDigest(look),
  });
  const answers = known === undefined ? { roles: guessRoles(look), units: {} } : readAnswers(known, look);
  return seenAs(call, state, look, answers, known !== undefined).seen;
}

/**
 * Takes what a person says about the columns. If nothing is open, the file waits to be read as it was described, and
 * the answers are kept for the next file with the same heads.
 */
export async function describeTable(call: Call<InRecord, unknown, Describing>): Promise<TableSeen> {
  const { services, body } = call;
  const state = await requireTable(call, body.form);
  const { sheet, shown } = sheetsIn(body.answers);
  const look = await lookAtTable(call, body.form, state, sheet);
  if (sheet !== shown) {
    return { ...(await firstSeen(call, state, look)), settled: false, otherSheet: true };
  }
  const { seen, columns } = seenAs(call, state, look, readAnswers(body.answers, look), false);
  if (columns) {
    const at = { accountId: requireAccount(call), heads: headsDigest(look) };
    // Whose rows they are, and of which year, is asked each time: the next file may be another person's, and of another.
    const answers = JSON.stringify({ ...seen.answers, person: undefined, year: undefined });
    await services.database.transaction((trx) =>
      putDescribedTable(trx, at, answers, toTimestamp(services.clock.now())),
    );
    const described = describedIntake(look, columns);
    await writeState(services, incomingKeyOf(call, body.form), { ...state, phase: 'sent', refusal: null, described });
  }
  return seen;
}
