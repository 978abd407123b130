/** mails on demand: strangers who ask for the mails of others, for mails without end, and for letters with their words. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { MAILS_A_DAY } from '../../core/auth/attempts';
import { watchStatements } from '../../core/db/watch';
import { databases } from '../support/databases';
import { direct } from '../support/direct';
import { mailsIn, waitForMail, type ReadMail } from '../support/mails';
import { until } from '../support/receiver';
import { startService, ui, type TestService } from '../support/server';
import { makeSite, readable, type SitePage } from '../support/site';
import { createAccount, signIn, succeeded } from '../support/world';
import * as accountStore from '../../core/accounts/store';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const ANN = 'ann@people.example';
const BEN = 'ben@people.example';
const LURE = 'Win a prize at evil.example';

for (const leg of databases) {
  describe(`mails on demand on ${leg.name}`, () => {
    let service: TestService;

    const visitor = () => makeSite(service.running.server);
    const forget = async (name: string): Promise<SitePage> => {
      const site = visitor();
      return site.submit(await site.open('/my/forgot-password'), { name });
    };
    const signUp = async (email: string, name = LURE): Promise<SitePage> => {
      const site = visitor();
      return site.submit(await site.open('/my/sign-up'), { given: name, family: 'Newcomer', email });
    };
    const codeOf = (page: SitePage): string => /\b\d{6}\b/.exec(readable(page))![0];
    const mailsTo = (address: string): readonly ReadMail[] =>
      mailsIn(service.mailDir).filter(({ to }) => to.includes(address));
    const pathOf = ({ links }: ReadMail, page: string): string =>
      links.find((link) => link.includes(`/${page}/`))!.replace(service.services.baseUrl(), '');
    /** Waits until everything that was asked for has been looked at. */
    const quiet = (): Promise<void> =>
      until(async () => {
        const [row] = (await direct(service.services.database)('outbox')
          .whereNull('sent_at')
          .whereNull('dead_at')
          .count({ n: '*' })) as { n: number }[];
        return Number(row!.n) === 0;
      });

    before(async () => {
      service = await startService(leg, { SVC_SIGN_UP: '1', SVC_RATE_ADDRESS_PER_MINUTE: '1000' });
      await createAccount(service.call, ANN, 'Ann');
      await createAccount(service.call, BEN, 'Ben');
    });
    after(() => service.stop());

    it('keep the link of a person, whoever asks after them and however often', async () => {
      const shown = codeOf(await forget(ANN));
      const first = pathOf(await waitForMail(service.mailDir, ANN, 'Your password'), 'reset_password');
      for (let round = 0; round < 5; round += 1) {
        expect(codeOf(await forget(round % 2 === 0 ? ANN.toUpperCase() : ANN))).to.equal(shown);
      }
      const last = await waitForMail(service.mailDir, ANN, 'Your password', 6);
      expect(pathOf(last, 'reset_password')).to.equal(first);
      // A UI app that asks by the interface gets the same link, too.
      succeeded(await service.call(ui, 'POST', `/accounts/${encodeURIComponent(ANN)}/forgot-password`));
      const site = visitor();
      const done = await site.submit(await site.open(first), { code: shown, password: 'another good password' });
      expect([done.status, done.path]).to.equal([200, '/my/']);
      expect((await visitor().open(first)).status).to.equal(404);
    });

    it('lead a person in while a stranger locks the account out', async () => {
      const guess = async (): Promise<number> =>
        (
          await service.call(ui, 'POST', '/oauth/internal/session_create', {
            form: { username: BEN, password: 'a guess of mine' },
          })
        ).status;
      const session = await signIn(service.call, BEN);
      for (let round = 0; round < 4; round += 1) {
        expect([403, 429]).to.include(await guess());
      }
      const state = async (): Promise<string> =>
        (await accountStore.findAccount(service.services.database.reads, BEN))!.state;
      expect(await state()).to.equal('disabled');
      succeeded(await service.call(session, 'GET', `/accounts/${encodeURIComponent(BEN)}`));
      const code = codeOf(await forget(BEN));
      const link = pathOf(await waitForMail(service.mailDir, BEN, 'Your password'), 'reset_password');
      const site = visitor();
      const done = await site.submit(await site.open(link), { code, password: 'another good password' });
      expect([done.status, done.path, await state()]).to.equal([200, '/my/', 'active']);
    });

    it('show a code that tells nothing: the same each time, whether there is such an account or not', async () => {
      for (const ask of [forget, (name: string) => signUp(name, 'Nora')]) {
        const seen = new Set<string>();
        for (const name of [ANN, 'nobody@people.example']) {
          const [one, two] = [await ask(name), await ask(name)];
          expect(codeOf(one)).to.equal(codeOf(two));
          seen.add(readable(one).replace(codeOf(one), 'CODE'));
        }
        expect([...seen]).to.have.length(1);
      }
      expect(codeOf(await forget(ANN))).to.not.equal(codeOf(await forget('nobody@people.example')));
    });

    it('have no word of who asked for them, in no header either', async () => {
      await signUp('target@people.example');
      const mail = await waitForMail(service.mailDir, 'target@people.example', 'Activate your account');
      expect(`${mail.to} ${mail.text}`).to.not.contain('evil');
      expect(mail.text).to.startWith('Dear target@people.example,');
      // The next one who asks for this address gets the same link and sees the same code.
      const code = codeOf(await signUp('target@people.example', 'Tara'));
      const again = await waitForMail(service.mailDir, 'target@people.example', 'Activate your account', 2);
      expect(pathOf(again, 'init')).to.equal(pathOf(mail, 'init'));
      const site = visitor();
      const told = await site.open(pathOf(mail, 'send_secret'));
      expect([told.status, told.text.includes(code)]).to.equal([200, false]);
      const done = await site.submit(await site.open(pathOf(mail, 'init')), {
        code,
        password: 'another good password',
      });
      expect([done.status, done.path]).to.equal([200, '/my/']);
    });

    it('are a limited number a day for one address', async () => {
      const address = 'flooded@people.example';
      for (let round = 0; round < MAILS_A_DAY + 5; round += 1) {
        await signUp(address);
      }
      await quiet();
      await until(() => mailsTo(address).length >= MAILS_A_DAY);
      expect(mailsTo(address)).to.have.length(MAILS_A_DAY);
      expect((await forget(address)).status).to.equal(200);
    });
  });

  describe(`mails on demand from one network on ${leg.name}`, () => {
    it('are asked for by the same statements, whether there is such an account or not', async () => {
      const service = await startService(leg, { SVC_SIGN_UP: '1' });
      try {
        await createAccount(service.call, ANN, 'Ann');
        // What the mail needs is done later, by the outbox.
        await service.services.outbox.stop();
        const site = makeSite(service.running.server);
        const asked = async (path: string, fields: Readonly<Record<string, string>>): Promise<readonly string[]> => {
          const form = await site.open(path);
          const seen: string[] = [];
          const leave = watchStatements(({ sql }) => void seen.push(sql));
          await site.submit(form, fields);
          leave();
          return seen;
        };
        for (const [path, field] of [
          ['/my/forgot-password', { name: ANN }],
          ['/my/sign-up', { given: 'Nora', family: 'Newcomer', email: ANN }],
        ] as const) {
          const other = Object.fromEntries(
            Object.entries(field).map(([name, value]) => [name, value.replace(ANN, 'no@people.example')]),
          );
          const known = await asked(path, field);
          expect(await asked(path, other), path).to.equal(known);
          expect(known.length, path).to.be.above(2);
          expect(known.join('\n'), path).to.not.match(/`account(_auth_system)?`/);
        }
      } finally {
        await service.stop();
      }
    });

    it('are a limited number a day, and the pages stay the same', async () => {
      const service = await startService(leg, { SVC_SIGN_UP: '1', SVC_RATE_ADDRESS_PER_MINUTE: '3' });
      try {
        const texts = new Set<string>();
        for (let number = 0; number < 6; number += 1) {
          const site = makeSite(service.running.server);
          const email = `victim${number}@people.example`;
          const page = await site.submit(await site.open('/my/sign-up'), { given: 'Nora', family: 'Newcomer', email });
          texts.add(`${page.status} ${readable(page).replace(/\d{6}/, '')}`);
        }
        expect([...texts]).to.have.length(1);
        await until(() => mailsIn(service.mailDir).length >= 3);
        await until(
          async () =>
            (await direct(service.services.database)('outbox').whereNull('sent_at').first('id')) === undefined,
        );
        expect(mailsIn(service.mailDir)).to.have.length(3);
      } finally {
        await service.stop();
      }
    });
  });
}
