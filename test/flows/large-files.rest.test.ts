/** large-files: the largest file that a person may add, at every door. */
import * as Lab from '@hapi/lab';
import { MOST_FILE_BYTES } from '../../core/files/envelope';
import { databases } from '../support/databases';
import { isUnharmed, passThrough, pdfOfSize, shareIt, takeAlong } from '../support/large-files';
import { makeSiteRecord } from '../support/site-record';
import { startService } from '../support/server';

export const lab = Lab.script();
const { describe, it } = lab;

for (const leg of databases) {
  describe(`the largest file on ${leg.name}`, { timeout: 600_000 }, () => {
    it('is the same at each door, in a circle, and after it was taken along', async () => {
      const service = await startService(leg);
      try {
        const of = await makeSiteRecord(service);
        const bytes = pdfOfSize(MOST_FILE_BYTES, 'margay');
        const id = await passThrough(service, of, bytes);
        await shareIt(service, of, id, bytes);
        await takeAlong(service, of, bytes);
        await isUnharmed(service);
      } finally {
        await service.stop();
      }
    });
  });
}
