/**
 * clinic-links: somebody guesses the addresses of links for clinics, keeps one when the record or the circle is no longer
 * its maker's, or gives a name that pretends to be something else.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { operations } from '../../plugins/website/http/operations';
import { addSession } from '../support/cast';
import { fetchAs, scanned, type ClinicPayload } from '../support/clinic';
import { databases } from '../support/databases';
import { direct } from '../support/direct';
import { startFhir, type FhirGround } from '../support/fhir';
import { askingAs } from '../support/links';
import { mailsIn, waitForMail } from '../support/mails';
import { admin } from '../support/server';
import { succeeded } from '../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const ALICE = 'alice@example.org';
const BOB = 'bob@example.org';
const MOST = 5;

for (const leg of databases) {
  describe(`links for clinics in the wrong hands on ${leg.name}`, () => {
    let ground: FhirGround;
    before(async () => {
      ground = await startFhir(leg, { SVC_RATE_ADDRESS_PER_MINUTE: String(MOST) });
    });
    after(() => ground.service.stop());

    const inRecord = () => ({ RECORD_ID: ground.recordId });
    const as = async (account: string) =>
      askingAs(ground.service, account, await addSession(ground.service.services, account));
    const make = async (account = ALICE, wish: Readonly<Record<string, string>> = {}): Promise<ClinicPayload> => {
      const ask = await as(account);
      const body = { kinds: 'problems', openings: '100', ...wish };
      const id = await ask(operations.links.recordClinicCreate, { params: inRecord(), body });
      const { links } = await ask(operations.links.recordClinic, { params: inRecord() });
      return scanned(links.find((link) => link.id === id)!.shlink);
    };
    const statusOf = async (link: ClinicPayload): Promise<number> => (await fetchAs(ground.service, link, 'x')).status;
    const guess = ({ url }: ClinicPayload, number: number, method: 'GET' | 'HEAD' = 'GET') =>
      fetchAs(ground.service, { url: `${url.slice(0, -3)}${String(number).padStart(3, '0')}` }, 'x', method);

    it('get 429 for wrong secrets, by HEAD too, while a right one is answered as always', async () => {
      const link = await make();
      const statuses: number[] = [];
      for (let number = 0; number < MOST + 3; number += 1) {
        statuses.push((await guess(link, number, number % 2 === 0 ? 'GET' : 'HEAD')).status);
      }
      expect(statuses).to.equal([...Array.from({ length: MOST }, () => 404), 429, 429, 429]);
      const refused = await guess(link, 99);
      expect([refused.status, refused.headers['access-control-allow-origin']]).to.equal([429, '*']);
      expect(Number(refused.headers['retry-after'])).to.be.between(0, 61);
      expect(await statusOf(link)).to.equal(200);
    });

    it('find nothing of the secret in the audit or in the row of the link, and no name in the row', async () => {
      const link = await make();
      const secret = link.url.slice(-43);
      expect((await fetchAs(ground.service, link, 'Klinik Irgendwo')).status).to.equal(200);
      const knex = direct(ground.service.services.database);
      const links = JSON.stringify(await knex('health_link').select());
      const rows = JSON.stringify(await knex('audit').select());
      expect([links.includes(secret), links.includes(link.key), links.includes('Irgendwo')]).to.equal([
        false,
        false,
        false,
      ]);
      expect([rows.includes(secret), rows.includes('Klinik Irgendwo')]).to.equal([false, true]);
    });

    it('are told by mail once, without a name and without a link', async () => {
      const link = await make(ALICE, { tells: 'true' });
      expect(await statusOf(link)).to.equal(200);
      expect((await fetchAs(ground.service, link, 'Again')).status).to.equal(200);
      await waitForMail(ground.service.mailDir, ALICE, 'Your code was fetched');
      const mails = mailsIn(ground.service.mailDir).filter(({ subject }) => subject === 'Your code was fetched');
      expect(mails.length).to.equal(1);
      expect(mails[0]!.links).to.equal([]);
      expect(mails[0]!.text).to.not.contain('Again').and.not.contain('shlink');
    });

    it('end with the circle', async () => {
      const link = await make(ALICE, { carenet: ground.carenetId });
      expect(await statusOf(link)).to.equal(200);
      const path = `/carenets/${ground.carenetId}`;
      succeeded(await ground.service.call(ground.alice, 'DELETE', path));
      expect(await statusOf(link)).to.not.equal(200);
    });

    it('end when the record gets another owner, and with a full share', async () => {
      const [own, shared] = [await make(), await make(BOB)];
      expect([await statusOf(own), await statusOf(shared)]).to.equal([200, 200]);
      const share = `/records/${ground.recordId}/shares/${BOB}`;
      succeeded(await ground.service.call(ground.alice, 'DELETE', share));
      expect([await statusOf(own), (await statusOf(shared)) === 200]).to.equal([200, false]);
      succeeded(await ground.service.call(admin, 'PUT', `/records/${ground.recordId}/owner`, { body: BOB }));
      expect((await statusOf(own)) === 200).to.equal(false);
    });
  });
}
