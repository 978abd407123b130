/** sign-in: strangers at the sign-in form, who know no password and perhaps a user name. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import type { Answer } from '../support/client';
import { databases } from '../support/databases';
import { admin, startService, ui, usualHashes, type TestService } from '../support/server';
import { createAccount, signIn, succeeded } from '../support/world';
import { direct } from '../support/direct';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const ANN = 'ann@example.org';
const BEN = 'ben@example.org';

describe('strangers at a log-in form', () => {
  let service: TestService;
  before(async () => {
    service = await startService(databases[0]!, { SVC_RATE_CONSUMER_PER_MINUTE: '20' }, {}, usualHashes);
    await createAccount(service.call, ANN);
    await createAccount(service.call, BEN);
  });
  after(() => service.stop());

  const tryAs = (username: string, password = 'a guess of mine'): Promise<Answer> =>
    service.call(ui, 'POST', '/oauth/internal/session_create', { form: { username, password } });

  it('meet the whole work of a hash, which a service does unless a test spares it', async () => {
    const { accounts } = service.services.stores;
    const login = await accounts.findLogin(direct(service.services.database), 'password', ANN);
    expect(login?.passwordHash).to.match(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  it('are refused themselves and stop nobody else, however many names they invent', async () => {
    const { rateConsumerPerMinute } = service.services.config;
    const statuses = new Set<number>();
    for (let number = 0; number < 6 * rateConsumerPerMinute; number += 20) {
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, one) => tryAs(`invented${number + one}@x.example`)),
      );
      answers.forEach(({ status }) => statuses.add(status));
    }
    expect([...statuses].sort()).to.equal([403, 429]);
    await signIn(service.call, ANN);
    succeeded(await service.call(ui, 'POST', `/accounts/${encodeURIComponent(ANN)}/forgot-password`));
    await signIn(service.call, ANN);
  });

  it('are not waited for: whoever comes during a flood signs in before it is over', async () => {
    let answered = 0;
    const flood = Array.from({ length: 200 }, async (_, one) => {
      await tryAs(`flood${one}@x.example`);
      answered += 1;
    });
    while (answered === 0) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    await signIn(service.call, ANN);
    expect(answered).to.be.below(100);
    await Promise.all(flood);
  });

  it('who know a name shut out its password for a while, and nothing that is open', async () => {
    const session = await signIn(service.call, BEN);
    await Promise.all(Array.from({ length: 20 }, () => tryAs(BEN)));
    expect((await service.call(session, 'GET', `/accounts/${encodeURIComponent(BEN)}`)).status).to.equal(200);
    expect([403, 429]).to.include((await tryAs(BEN, 'a wrong one')).status);
    succeeded(
      await service.call(admin, 'POST', `/accounts/${encodeURIComponent(BEN)}/set-state`, {
        form: { state: 'active' },
      }),
    );
    // The attempts are still counted, but no longer lock him out.
    await signIn(service.call, BEN);
  });

  it('who know a name find its password by no number of tries at once', async () => {
    const name = 'many@example.org';
    await createAccount(service.call, name);
    await Promise.all(Array.from({ length: 40 }, (_, number) => tryAs(name, `guess number ${number}`)));
    const { accounts } = service.services.stores;
    const row = await accounts.findAccount(direct(service.services.database), name);
    expect([row?.state, row?.failedLoginCount]).to.equal(['disabled', service.services.config.lockoutFailures]);
  });
});
