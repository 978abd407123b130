/** take-it-with-you: everything of a record as one archive for its owner, and nothing for anybody else. */
import { gunzipSync } from 'node:zlib';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { databases } from '../../support/databases';
import { direct } from '../../support/direct';
import { formsOf, makeSite, readable, type Site } from '../../support/site';
import { startService, type TestService } from '../../support/server';
import { createAccount, createRecord, PASSWORD, signIn, succeeded } from '../../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const OLGA = 'olga@people.example';
const JONAS = 'jonas@people.example';
const ANNA = 'anna@people.example';

for (const leg of databases) {
  describe(`taking a record along on ${leg.name}`, () => {
    let service: TestService;
    let recordId: string;
    let page: string;

    const enter = async (id: string): Promise<Site> => {
      const one = makeSite(service.running.server);
      await one.submit(await one.open('/my/sign-in'), { username: id, password: PASSWORD });
      return one;
    };
    const exports = async (): Promise<readonly Record<string, unknown>[]> =>
      (await direct(service.services.database)('audit').where({ function_name: 'record_export' })) as Record<
        string,
        unknown
      >[];

    before(async () => {
      service = await startService(leg);
      for (const id of [OLGA, JONAS, ANNA]) {
        await createAccount(service.call, id, id);
      }
      recordId = await createRecord(service.call, OLGA, 'Mira', 'Halvorsen');
      page = `/my/records/${recordId}/export`;
      const olga = await signIn(service.call, OLGA);
      succeeded(await service.call(olga, 'POST', `/records/${recordId}/shares/`, { form: { account_id: JONAS } }));
    });
    after(() => service.stop());

    it('gives the owner the archive of svc export, and writes it down', async () => {
      const site = await enter(OLGA);
      const shown = await site.open(page);
      expect(shown.status).to.equal(200);
      const form = formsOf(shown).find(({ html }) => html.includes('Download everything'))!;
      expect(form.action).to.equal(`${page}/archive.tar.gz`);
      const response = await service.running.server.inject({
        method: 'POST',
        url: form.action,
        headers: {
          cookie: [...site.cookies].map((pair) => pair.join('=')).join('; '),
          'content-type': 'application/x-www-form-urlencoded',
        },
        payload: new URLSearchParams(form.fields).toString(),
      });
      expect([response.statusCode, response.headers['content-type']]).to.equal([200, 'application/gzip']);
      expect(response.headers['content-disposition']).to.match(
        /^attachment; filename\*=UTF-8''record-[\d-]+\.tar\.gz$/,
      );
      const archive = gunzipSync(response.rawPayload).toString('latin1');
      expect(archive).to.contain('record.json').and.to.contain('index.html').and.to.contain('Halvorsen');
      const [row] = await exports();
      expect(row).to.include({ principal_id: OLGA, record_id: recordId, successful: 1, url: `${page}/archive.tar.gz` });
      expect(readable(await site.open(`/my/records/${recordId}/history`))).to.contain(
        'took a copy of the whole record',
      );
    });

    it('gives nothing to a full share, to strangers, to nobody, and to a form that no page made', async () => {
      const jonas = await enter(JONAS);
      const his = await jonas.open(page);
      expect(his.status).to.equal(200);
      expect(readable(his)).to.contain('Only the owner can take everything').and.to.not.contain('Download everything');
      const taken = (await exports()).length;
      for (const id of [JONAS, ANNA]) {
        const site = await enter(id);
        await site.open('/my/account');
        const answer = await site.post(`${page}/archive.tar.gz`, { crumb: site.cookies.get('crumb')! });
        expect(answer.status, id).to.equal(404);
        expect(answer.headers['content-type']).to.equal('text/html; charset=utf-8');
      }
      expect((await (await enter(ANNA)).get(page)).status).to.equal(404);
      const olga = await enter(OLGA);
      expect((await olga.get(`${page}/archive.tar.gz`)).status).to.equal(404);
      expect((await olga.post(`${page}/archive.tar.gz`, { crumb: 'x'.repeat(43) })).status).to.equal(403);
      const nobody = makeSite(service.running.server);
      expect((await nobody.post(`${page}/archive.tar.gz`, {})).status).to.equal(403);
      expect((await exports()).slice(taken).filter(({ successful }) => Number(successful) === 1)).to.equal([]);
    });
  });
}
