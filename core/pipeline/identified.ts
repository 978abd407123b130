/**
 * identified: finds the statements that the parts of a FHIR document became, and the senders' identifiers by which they
 * are known (pure).
 */
import { sha256 } from '../base/ids';
import type { OutlinePart } from '../fhir/outline';
import { childrenIn, type Fact } from '../facts/plans';
import type { IdentifiedDocument } from '../documents/identifiers-store';
import { statementId } from '../facts/store';
import type { ReadDocument } from './steps';

/** A part of a received document, with the ids of the statements that were made from it. */
export type StoredPart = { readonly part: OutlinePart; readonly statements: readonly string[] };

/** The hash under which an identifier is stored. */
export function identifierHash(type: string, system: string, value: string): string {
  return sha256(JSON.stringify([type, system, value]));
}

const SOURCE = 'source:';

/** The source's key of a statement; a part of the statement has the same key with a number after it. */
export function keyIn({ statement }: Fact): string | undefined {
  return statement.startsWith(SOURCE) ? statement.slice(SOURCE.length).replace(/#\d+$/, '') : undefined;
}

/** A fact with all facts nested in it. */
export function everyFact(fact: Fact): readonly Fact[] {
  return [
    fact,
    ...Object.keys(fact.children).flatMap((field) => childrenIn(fact, field).flatMap((inside) => everyFact(inside))),
  ];
}

/** The key that a stylesheet gives a resource: its full address, or else its type and id. */
function outlineKey({ fullUrl, type, id }: OutlinePart): string | undefined {
  if (fullUrl !== '') {
    return fullUrl;
  }
  return id === '' ? undefined : `${type}/${id}`;
}

/** The statements that each part of a document became. */
export function statementsByPart(
  parts: readonly OutlinePart[],
  { facts }: Pick<ReadDocument, 'facts'>,
  lineageId: string,
): readonly StoredPart[] {
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
    const key = outlineKey(part);
    const named = key === undefined ? [] : (byKey.get(key) ?? []);
    return { part, statements: [...new Set([...named, ...(byPart.get(index + 1) ?? [])])] };
  });
}

/** The identifiers by which the parts of a document are known. */
export function identifiedBy(parts: readonly StoredPart[], documentId: string): readonly IdentifiedDocument[] {
  return parts.flatMap(({ part, statements }) =>
    part.identifiers.map(({ system, value }) => ({
      identifierHash: identifierHash(part.type, system, value),
      documentId,
      statementId: statements[0] ?? null,
    })),
  );
}
