/** stored-facts: the facts of a fixture as they are stored, with the ids of the facts that they refer to. */
import type { Database } from '../../core/db/database';
import { idReference, type Fact } from '../../core/facts/plans';
import { referredStatement } from '../../core/facts/store';
import { direct } from './direct';

const inLineage = (lineageId: string, fact: Fact): Fact => {
  const within = (child: Fact): Fact => inLineage(lineageId, child);
  // The columns of the type Statement.
  const references = Object.entries(fact.values).flatMap(([name, value]): readonly [string, string][] => {
    const meant =
      ['result', 'encounter'].includes(name) && value !== null
        ? referredStatement(lineageId, String(value))
        : undefined;
    return meant ? [[name, idReference(meant.model, meant.id)]] : [];
  });
  return {
    ...fact,
    values: { ...fact.values, ...Object.fromEntries(references) },
    children: Object.fromEntries(
      Object.entries(fact.children).map(([field, inside]) => {
        if (inside === null) {
          return [field, null];
        }
        return [field, Array.isArray(inside) ? (inside as readonly Fact[]).map(within) : within(inside as Fact)];
      }),
    ),
  };
};

export const storedFacts = async (
  database: Database,
  documentId: string,
  facts: readonly Fact[],
): Promise<readonly Fact[]> => {
  const rows: readonly { id: string }[] = await direct(database)('document_lineage')
    .where('latest_id', documentId)
    .select('id')
    .limit(1);
  return facts.map((fact) => inLineage(rows[0]!.id, fact));
};
