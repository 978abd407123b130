/** dosage: 10,000 random dosages, each of which is read back from its words. */
import * as Lab from '@hapi/lab';
import { tryDosages } from './dosage-trial';

export const lab = Lab.script();

lab.test('words about a dosage say all of it, 10,000 times', { timeout: 900_000 }, () => tryDosages(10_000));
