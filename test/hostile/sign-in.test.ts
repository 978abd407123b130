/** sign-in: strangers at the sign-in form, who know no password and perhaps a user name. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import type { Answer } from '../support/client';
import { databases } from '../support/databases';
import { admin, startService, ui, usualHashes, type TestService } from '../support/server';
import { until } from '../support/receiver';
import { makeSite } from '../support/site';
import { createAccount, PASSWORD, signIn, succeeded } from '../support/world';
import { direct } from '../support/direct';
import * as accountStore from '../../core/accounts/store';

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
    const login = await accountStore.findLogin(direct(service.services.database), 'password', ANN);
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
    const row = await accountStore.findAccount(direct(service.services.database), name);
    expect([row?.state, row?.failedLoginCount]).to.equal(['disabled', service.services.config.lockoutFailures]);
  });
});

describe('a flood of sign-ins', () => {
  let service: TestService;
  before(async () => {
    service = await startService(databases[0]!, { SVC_TRUSTED_PROXIES: '127.0.0.0/8' }, {}, usualHashes);
    await createAccount(service.call, ANN);
  });
  after(() => service.stop());

  /** A sign-in at the website, from a network. */
  const tryFrom = async (network: string, username: string, password: string): Promise<number> => {
    const site = makeSite(service.running.server);
    site.headers['x-forwarded-for'] = network;
    await site.open('/my/sign-in');
    return (await site.post('/my/sign-in', { crumb: site.cookies.get('crumb')!, username, password })).status;
  };

  /** Begins many wrong tries, each followed by others as long as it lasts, and waits until they queue. */
  const flood = async (
    nameOf: (number: number) => string,
  ): Promise<{ answered: () => number; end: () => Promise<void> }> => {
    let answered = 0;
    let over = false;
    const keepTrying = async (number: number): Promise<void> => {
      while (!over) {
        await tryFrom('198.51.100.7', nameOf(number), 'a guess of mine');
        answered += 1;
      }
    };
    const tries = Array.from({ length: 60 }, (_, number) => keepTrying(number));
    await until(() => answered > 10);
    return {
      answered: () => answered,
      end: async () => {
        over = true;
        await Promise.all(tries);
      },
    };
  };

  it('from one network delays nobody in another, however many names it has', async () => {
    const running = await flood((number) => `invented${number}@x.example`);
    const before = running.answered();
    expect(await tryFrom('203.0.113.9', ANN, PASSWORD)).to.equal(303);
    expect(running.answered() - before).to.be.below(40);
    await running.end();
  });

  it('for one name delays nobody else in the same network', async () => {
    const running = await flood(() => 'one@x.example');
    const before = running.answered();
    expect(await tryFrom('198.51.100.7', ANN, PASSWORD)).to.equal(303);
    expect(running.answered() - before).to.be.below(40);
    await running.end();
  });
});
