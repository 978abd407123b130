/** start: a service that cannot start, or cannot close, leaves nothing open. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { sqliteFile } from '../../support/databases';
import { direct } from '../../support/direct';
import { startService } from '../../support/server';

export const lab = Lab.script();
const { describe, it } = lab;

const listening = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'TCPServerWrap').length;

describe('start', () => {
  it('closes everything else although one part cannot be closed, and says so', async () => {
    const { running, services } = await startService(sqliteFile);
    const { database, outbox } = services;
    Object.assign(outbox, { stop: () => Promise.reject(new Error('the outbox hangs')) });
    await expect(running.stop()).to.reject('the outbox hangs');
    await expect(database.reads('account').first('id')).to.reject();
  });

  it('listens nowhere when the code for the first account cannot be read', async () => {
    const { url, drop } = await sqliteFile.create();
    const leg = { name: 'kept', create: () => Promise.resolve({ url, drop: () => Promise.resolve() }) };
    const first = await startService(leg);
    await direct(first.services.database)('installation')
      .where({ name: 'welcome_code' })
      .update({ content: 'no sealed text' });
    await first.stop();
    const before = listening();
    await expect(startService(leg)).to.reject();
    expect(listening()).to.equal(before);
    await drop();
  });
});
