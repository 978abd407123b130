/**
 * seen: what a carenet sees by the kinds of facts that it was given, as a part of the scope of a read. A door that does
 * not ask for it shows the documents that the carenet contains, and nothing by kind.
 */
import { errors } from '../base/errors';
import type { Id } from '../base/types';
import type { ReportScope, ResultsOf, SeenModel } from '../sharing/containment';
import { isDate } from '../facts/plans';
import { MODEL_OF_TESTS, type Kind } from '../facts/kinds';
import type { Models } from '../facts/model/model';
import { readOnce } from '../access/once';
import type { Services } from '../services';
import { findWithKinds, type GivenKind, type KindsOfCarenet } from '../sharing/kinds-store';

type Given = { readonly kind: Kind; readonly tests: readonly string[] | undefined };

const LOINC = 'LOINC';

/** The names of the system LOINC as sources write them. */
function namesOfLoinc({ codes }: Models): readonly string[] {
  const system = codes?.systems.find(({ name }) => name === LOINC);
  const plain = [LOINC, ...(system?.addresses ?? ['http://loinc.org'])].map((name) =>
    name.toLowerCase().replace(/[/#]+$/, ''),
  );
  return [...plain, ...plain.map((name) => `${name}/`)];
}

/** The results of tests: by their codes, and by their names where no code says what they are. */
function resultsOf({ labTests }: Models, ids: readonly string[]): ResultsOf {
  const own = labTests.tests.filter(({ id }) => ids.includes(id));
  return {
    codes: [...labTests.codes.values()].filter(({ test }) => ids.includes(test.id)).map(({ code }) => code),
    words: [...new Set(own.flatMap(({ names, aliases }) => [...Object.values(names), ...aliases]))].map((word) =>
      word.toLowerCase(),
    ),
  };
}

/**
 * What the kind of all results leaves out, because it is asked for by its own name, and was not: tests, and what is taken
 * for one of them by a word or a code.
 */
function notAskedFor(models: Models, whole: Kind, given: readonly Given[]): ResultsOf {
  const named = new Set(given.map(({ kind }) => kind.name));
  const asking = models.kinds.all.filter(({ name, partOf, ask }) => ask && partOf === whole.name && !named.has(name));
  const seen = new Set(given.flatMap(({ kind, tests }) => (kind.partOf === whole.name ? (tests ?? []) : [])));
  const own = resultsOf(
    models,
    asking.flatMap(({ tests = [] }) => tests.filter((id) => !seen.has(id))),
  );
  return {
    codes: [...own.codes, ...asking.flatMap(({ also }) => also.codes)],
    words: [...own.words, ...asking.flatMap(({ also }) => also.words)],
  };
}

/** Which codes are seen by kinds that are given together; undefined: all facts are. */
function codedOf(name: string, covering: readonly Given[]): SeenModel['coded'] {
  const coded = covering.map(({ kind }) => kind.coded.get(name));
  const isAll = coded.some((one) => one === undefined);
  const only = coded.flatMap((one) => (one?.isOnly ? one.codes : []));
  const not = coded.filter((one) => one?.isOnly === false).map((one) => one!.codes);
  const [first] = coded;
  if (isAll || !first) {
    return undefined;
  }
  const hidden = (not[0] ?? []).filter((code) => !only.includes(code) && not.every((codes) => codes.includes(code)));
  return not.length === 0
    ? { column: first.column, codes: only, isOnly: true }
    : { column: first.column, codes: hidden, isOnly: false };
}

function seenModel(models: Models, name: string, given: readonly Given[]): SeenModel | undefined {
  const model = models.find(name);
  const covering = given.filter(({ kind }) => kind.models.includes(name));
  if (!model || model.builtin || covering.length === 0) {
    return undefined;
  }
  const whole = covering.find(({ tests }) => tests === undefined);
  const except = whole && name === MODEL_OF_TESTS ? notAskedFor(models, whole.kind, given) : undefined;
  const coded = codedOf(name, covering);
  const single = covering.flatMap(({ tests }) => tests ?? []);
  return {
    table: model.table,
    columns: model.columns.map((column) => column.name),
    dates: model.columns.filter(isDate).map((column) => column.name),
    hidden: new Set(covering.flatMap(({ kind }) => [...(kind.hidden.get(name) ?? [])])),
    ...(whole ? {} : { only: resultsOf(models, single) }),
    ...(except && except.codes.length + except.words.length > 0 ? { except } : {}),
    ...(coded ? { coded } : {}),
    systems: namesOfLoinc(models),
  };
}

/** What kinds that were given mean by the models in force now. A kind that no file defines any more shows nothing. */
export function seenByKinds(models: Models, rows: readonly GivenKind[]): ReadonlyMap<string, SeenModel> {
  const given = rows.flatMap(({ name, tests }): readonly Given[] => {
    const kind = models.kinds.find(name);
    return kind && (kind.tests === undefined) === (tests === undefined) ? [{ kind, tests }] : [];
  });
  const names = [...new Set(given.flatMap(({ kind }) => kind.models))];
  return new Map(
    names.flatMap((name) => {
      const seen = seenModel(models, name, given);
      return seen ? [[name, seen] as const] : [];
    }),
  );
}

/**
 * A carenet, and the scope of what it sees, with facts by their kinds. It takes one statement.
 * @throws AppError not_found
 */
export async function requireSeen(
  services: Pick<Services, 'database' | 'models' | 'once'>,
  carenetId: Id,
): Promise<{ readonly carenet: KindsOfCarenet; readonly scope: ReportScope }> {
  const find = () => findWithKinds(services.database.reads, carenetId);
  const carenet = await readOnce(services, ['carenet', carenetId], find);
  if (!carenet) {
    throw errors.notFound('carenet');
  }
  const kinds = seenByKinds(services.models(), carenet.kinds);
  const scope = { recordId: carenet.recordId, carenetId: carenet.id };
  return { carenet, scope: kinds.size === 0 ? scope : { ...scope, kinds } };
}
