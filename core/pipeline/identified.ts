/**
 * identified: which statements the parts of a FHIR document became, and by which identifiers of their sender they are
 * known (pure).
 */
import { sha256 } from '../base/ids';
import type { OutlinePart } from '../fhir/outline';
import { childrenIn, type Fact } from '../storage/plans';
import type { IdentifiedDocument } from '../storage/stores/document-identifiers';
import { statementId } from '../storage/stores/facts';
import type { ReadDocument } from './steps';

/** A part of what came, and the ids of the statements that were made of it. */
export type StoredPart = { readonly part: OutlinePart; readonly statements: readonly string[] };

/** An identifier as it is noted. */
export const identifierHash = (type: string, system: string, value: string): string =>
  sha256(JSON.stringify([type, system, value]));

const SOURCE = 'source:';

/** What the source calls a statement; a part of it has the same name with a number behind. */
const keyIn = ({ statement }: Fact): string | undefined =>
  statement.startsWith(SOURCE) ? statement.slice(SOURCE.length).replace(/#\d+$/, '') : undefined;

const everyFact = (fact: Fact): readonly Fact[] => [
  fact,
  ...Object.keys(fact.children).flatMap((field) => childrenIn(fact, field).flatMap((inside) => everyFact(inside))),
];

/** What a stylesheet calls a resource: by its full address, else by its type and id. */
const keyOf = ({ fullUrl, type, id }: OutlinePart): string | undefined => {
  if (fullUrl !== '') {
    return fullUrl;
  }
  return id === '' ? undefined : `${type}/${id}`;
};

/** The statements that each part of a document became. */
export const statementsByPart = (
  parts: readonly OutlinePart[],
  { facts }: Pick<ReadDocument, 'facts'>,
  lineageId: string,
): readonly StoredPart[] => {
  const every = facts.flatMap(everyFact);
  const idOf = (fact: Fact): string => statementId(lineageId, fact);
  const [only] = parts;
  if (parts.length === 1 && only) {
    return [{ part: only, statements: [...new Set(facts.map(idOf))] }];
  }
  const byKey = new Map<string, Set<string>>();
  const byPart = new Map<number, Set<string>>();
  for (const fact of every) {
    const key = keyIn(fact);
    if (key !== undefined) {
      byKey.set(key, (byKey.get(key) ?? new Set()).add(idOf(fact)));
    }
    for (const number of fact.parts ?? []) {
      byPart.set(number, (byPart.get(number) ?? new Set()).add(idOf(fact)));
    }
  }
  return parts.map((part, index) => {
    const key = keyOf(part);
    const named = key === undefined ? [] : (byKey.get(key) ?? []);
    return { part, statements: [...new Set([...named, ...(byPart.get(index + 1) ?? [])])] };
  });
};

/** Under which identifiers the parts of a document are known. */
export const identifiedBy = (parts: readonly StoredPart[], documentId: string): readonly IdentifiedDocument[] =>
  parts.flatMap(({ part, statements }) =>
    part.identifiers.map(({ system, value }) => ({
      identifierHash: identifierHash(part.type, system, value),
      documentId,
      statementId: statements[0] ?? null,
    })),
  );
