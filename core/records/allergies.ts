/** allergies: the allergies of several whole records, with a fixed number of queries for all of them. */
import { groupedBy } from '../base/grouped-by';
import type { Id } from '../base/types';
import type { StoredFact } from '../facts/plans';
import { readCurrentAcross, readSentAcross } from '../facts/across-records-store';
import { factTables } from '../facts/model/fact-tables';
import { replacedDocuments } from '../lines/newer';
import type { Services } from '../services';
import { OWN_WORD, OWN_WORD_ABOUT } from './lines';

/** The newest so many facts of a record are read. */
const MOST = 50;

/** What counts now as said about allergies, by record. The caller makes sure that its user may read the records. */
export async function readAllergies(
  { database, models }: Pick<Services, 'database' | 'models'>,
  recordIds: readonly Id[],
): Promise<ReadonlyMap<Id, readonly StoredFact[]>> {
  const tables = factTables(models());
  const [plan, word, about] = ['Allergy', OWN_WORD, OWN_WORD_ABOUT].map((name) => tables.get(name));
  if (!plan || recordIds.length === 0) {
    return new Map();
  }
  const sent = groupedBy(await readSentAcross(database, recordIds), ({ recordId }) => recordId);
  const replaced = [...sent.values()].flatMap((own) => [...replacedDocuments(own).keys()]);
  const words = word && about ? { word, about } : undefined;
  const facts = await readCurrentAcross(database, { plan, words, recordIds, replaced, most: MOST });
  return groupedBy(facts, ({ recordId }) => recordId);
}
