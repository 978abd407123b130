/**
 * invitations: a person who is given access to a record gets a mail, if the access still exists, and at most the
 * allowed number a minute.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { toTimestamp } from '../../../core/base/clock';
import { mailIn, type Invitation } from '../../../core/outbox/invitations';
import { deleteShares, putMember, putShare } from '../../../core/sharing/store';
import { updateAccount } from '../../../core/accounts/store';
import { addAccount } from '../../support/cast';
import { databases } from '../../support/databases';
import { direct } from '../../support/direct';
import { startService, type TestService } from '../../support/server';
import { createAccount, createRecord } from '../../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const [OWNER, GUEST] = ['owner@people.example', 'guest@people.example'];
const NOW = Date.parse('2026-03-01T10:00:20Z');
const AT = toTimestamp(NOW);
const LINK = 'https://r.example/my/';

for (const leg of databases) {
  describe(`invitations on ${leg.name}`, () => {
    let service: TestService;
    let recordId: string;
    let now = NOW;
    const invitation = (given: Invitation['given'], at = AT): { invitation: Invitation } => ({
      invitation: { from: OWNER, to: GUEST, given, at, link: LINK },
    });
    const read = (payload: { invitation: Invitation }) =>
      mailIn(
        {
          config: { ...service.services.config, language: 'es', rateAccountPerMinute: 3 },
          database: service.services.database,
          clock: { now: () => now },
        },
        payload,
      );

    before(async () => {
      service = await startService(leg);
      await createAccount(service.call, OWNER, 'Olga Owner');
      await addAccount(service.services, GUEST, 'Gil Guest');
      recordId = await createRecord(service.call, OWNER, 'Mira', 'Halvorsen');
    });
    after(() => service.stop());

    it('say who shares all of a record, in the language of the reader, and not whose record it is', async () => {
      await service.services.database.transaction((trx) => putShare(trx, recordId, GUEST, undefined, AT));
      const mail = await read(invitation({ recordId }));
      expect(mail?.to).to.equal({ name: 'Gil Guest', address: GUEST });
      expect(mail?.text).to.contain(['Hola, Gil Guest:', 'Olga Owner comparte', 'entera', LINK]);
      expect(mail?.text).to.not.contain('Halvorsen');
      await service.services.database.write((trx) => updateAccount(trx, GUEST, { spokenLanguage: 'de' }));
      expect((await read(invitation({ recordId })))?.text).to.contain('Olga Owner teilt eine ganze Gesundheitsakte');
    });

    it('are not written for a share of another time, nor for one that has ended', async () => {
      expect(await read(invitation({ recordId }, toTimestamp(NOW + 1)))).to.be.undefined();
      await service.services.database.transaction((trx) => deleteShares(trx, recordId, GUEST));
      expect(await read(invitation({ recordId }))).to.be.undefined();
      const row = await direct(service.services.database)('carenet').where({ record_id: recordId }).first('id');
      const { id: carenetId } = row as { id: string };
      expect(await read(invitation({ carenetId }))).to.be.undefined();
      await service.services.database.transaction((trx) => putMember(trx, carenetId, GUEST, false, AT));
      expect((await read(invitation({ carenetId })))?.text).to.contain('einen Teil einer Gesundheitsakte');
    });

    it('are no more than the limit from one person to another in a minute', async () => {
      const row = await direct(service.services.database)('carenet').where({ record_id: recordId }).first('id');
      const { id: carenetId } = row as { id: string };
      // The cases above wrote three in this minute.
      expect(await read(invitation({ carenetId }))).to.be.undefined();
      now += 60_000;
      expect(await read(invitation({ carenetId }))).to.not.be.undefined();
    });
  });
}
