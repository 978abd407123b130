/** encoded-bodies: a gzip body is decompressed while it is read, up to a limit for the decompressed size. */
import { deflateSync, gzipSync } from 'node:zlib';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { databases } from '../../support/databases';
import { issueOf, startFhir, type FhirGround, type Read } from '../../support/fhir';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const MOST = 100_000;

for (const leg of databases) {
  describe(`packed bodies at /fhir on ${leg.name}`, () => {
    let ground: FhirGround;
    before(async () => {
      ground = await startFhir(leg, { SVC_MAX_DOCUMENT_BYTES: String(MOST) });
    });
    after(() => ground.service.stop());

    const condition = (words: string): Buffer =>
      Buffer.from(
        JSON.stringify({
          resourceType: 'Condition',
          code: { text: words },
          subject: { reference: `Patient/${ground.recordId}` },
        }),
      );
    const send = async (encoding: string, payload: Buffer, token = ground.token) => {
      const {
        statusCode,
        payload: text,
        headers,
      } = await ground.service.running.server.inject({
        method: 'POST',
        url: '/fhir/Condition',
        headers: {
          ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
          'content-type': 'application/fhir+json',
          'content-encoding': encoding,
        },
        payload,
      });
      return { status: statusCode, text, headers, bytes: Buffer.alloc(0) };
    };
    const count = async (): Promise<number> => (await ground.get('/Condition?_summary=count'))['total'] as number;

    it('are taken as what they unpack to', async () => {
      for (const [encoding, pack] of [
        ['gzip', gzipSync],
        ['deflate', deflateSync],
        ['identity', (bytes: Buffer) => bytes],
      ] as const) {
        const answer = await send(encoding, pack(condition(`Packed by ${encoding}`)));
        expect([encoding, answer.status]).to.equal([encoding, 201]);
        expect((JSON.parse(answer.text) as Read)['code'].text).to.equal(`Packed by ${encoding}`);
      }
      const form = await ground.service.running.server.inject({
        method: 'POST',
        url: '/fhir/Condition/_search',
        headers: {
          authorization: `Bearer ${ground.token}`,
          'content-type': 'application/x-www-form-urlencoded',
          'content-encoding': 'gzip',
        },
        payload: gzipSync('_summary=count'),
      });
      expect([form.statusCode, (JSON.parse(form.payload) as Read)['total']]).to.equal([200, 3]);
    });

    it('are refused beyond the limit, however small they are packed, and where nobody may write', async () => {
      const before = await count();
      const large = await send('gzip', gzipSync(condition('x'.repeat(MOST))));
      expect([large.status, issueOf(large)['code']]).to.equal([413, 'too-long']);
      // A gigabyte of zeros, compressed to a megabyte.
      const bomb = Buffer.concat(Array.from({ length: 64 }, () => gzipSync(Buffer.alloc(16 * 1024 * 1024))));
      expect(bomb.length).to.be.above(MOST);
      expect((await send('gzip', bomb)).status).to.equal(413);
      const small = gzipSync(Buffer.alloc(64 * 1024 * 1024));
      expect(small.length).to.be.below(MOST);
      expect((await send('gzip', small)).status).to.equal(413);
      expect((await send('gzip', small, '')).status).to.equal(401);
      expect(await count()).to.equal(before);
    });

    it('are refused where they are not what their encoding says, or have an encoding that is not known here', async () => {
      const before = await count();
      for (const broken of [condition('Not packed'), gzipSync(condition('Cut off')).subarray(0, 40)]) {
        const answer = await send('gzip', broken);
        expect([answer.status, issueOf(answer)['diagnostics']]).to.equal([
          400,
          'The request body is not valid: it is not in the form that its Content-Encoding says.',
        ]);
      }
      for (const encoding of ['br', 'gzip, gzip', 'x-unknown']) {
        const answer = await send(encoding, condition('Unknown'));
        expect([encoding, answer.status, issueOf(answer)['code']]).to.equal([encoding, 415, 'not-supported']);
        expect(answer.headers['accept-encoding']).to.equal('gzip, deflate');
      }
      expect(await count()).to.equal(before);
    });
  });
}
