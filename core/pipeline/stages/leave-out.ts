/** leave-out: what a document is stored without, because its person left it out of the record. */
import type { Id } from '../../base/types';
import { putLeftOut, readLeftOut, type LeftOutFact } from '../../documents/left-out-store';
import { lockStatus } from '../../documents/store';
import type { Models } from '../../facts/model/model';
import type { Transaction } from '../../db/database';
import type { Contents, Sealer } from '../../sealing/contents-store';
import type { FactOwner } from '../resources/of-facts';
import { asLeftOut, recognizedAgain, saidAgain, untickedFacts, withoutFacts, type Unticked } from '../leaving-out';
import type { ReadDocument } from '../steps';

/** Which facts are not stored. */
export type Leaving =
  | Unticked
  /**
   * What was left out of the same document in another record, from which it was brought. What is not found in it is not
   * kept, because anybody may have written it.
   */
  | { readonly before: readonly LeftOutFact[] };

/** A reading of a document as it is stored, and what is kept of it as left out. */
type Left = { readonly read: ReadDocument; readonly kept: readonly LeftOutFact[] };

/** The version that a new one replaces, and whether something was left out of it. */
type Former = { readonly id: Id; readonly lineageId: Id; readonly leavesOut?: boolean };

type Under = { readonly contents: Contents; readonly models: Models };

/** What was left out of the former version; nobody takes any of it in until the transaction ends. */
async function readFormer(
  trx: Transaction,
  contents: Contents,
  { id, lineageId }: Former,
): Promise<readonly LeftOutFact[]> {
  await lockStatus(trx, lineageId);
  return readLeftOut(trx, contents, id);
}

/**
 * A new document without what its person left out. Where they said nothing, that is what was left out of the version
 * that it replaces and is said again the same.
 * @throws errors.invalidBody for the name of no fact of the document
 */
export async function leaveOut(
  trx: Transaction,
  { contents, models }: Under,
  read: ReadDocument,
  { leaving, replaces }: { readonly leaving?: Leaving; readonly replaces?: Former },
): Promise<Left> {
  if (leaving && 'before' in leaving) {
    const { out } = recognizedAgain(read.facts, leaving.before);
    return { read: withoutFacts(models, read, out), kept: asLeftOut(out) };
  }
  const before = leaving || replaces?.leavesOut !== true ? [] : await readFormer(trx, contents, replaces);
  const out = leaving ? untickedFacts(read.facts, leaving) : saidAgain(read.facts, before);
  return { read: withoutFacts(models, read, out), kept: asLeftOut(out) };
}

/**
 * A document that was read anew without what was left out of it. What is kept of that is renewed, so that it is
 * recognized the next time, too.
 * @param takesIn chooses those that are not left out any longer, if they are found
 */
export async function leaveOutAgain(
  trx: Transaction,
  { contents, models, sealer }: Under & { readonly sealer: Sealer },
  owner: FactOwner,
  read: ReadDocument,
  takesIn: (one: LeftOutFact) => boolean = () => false,
): Promise<ReadDocument> {
  const before = await readLeftOut(trx, contents, owner.documentId);
  if (before.length === 0) {
    return read;
  }
  const stays = before.filter((one) => !takesIn(one) || recognizedAgain(read.facts, [one]).out.size === 0);
  const { out, kept } = recognizedAgain(read.facts, stays);
  await putLeftOut(trx, sealer, owner, kept);
  return withoutFacts(models, read, out);
}
