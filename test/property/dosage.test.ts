/** dosage: some hundreds of random dosages, each of which is read back from its words; the rest is in the other part. */
import * as Lab from '@hapi/lab';
import { tryDosages } from './dosage-trial';

export const lab = Lab.script();

lab.test('words about a dosage say all of it', () => tryDosages(400));
