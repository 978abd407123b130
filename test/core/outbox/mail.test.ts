/** mail: to a real SMTP server on loopback, or as .eml files. */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { SMTPServer } from 'smtp-server';
import type { Json } from '../../../core/base/types';
import { loadConfig } from '../../../core/config/load';
import { mailKind, type Mail } from '../../../core/outbox/mail';
import { mailsIn, readMail } from '../../support/mails';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const written = (payload: Json): Promise<Mail> => Promise.resolve(payload as Mail);

const mail: Mail = {
  to: { name: 'Zoë "Z" Lee, Dr.', address: 'zoe@example.org' },
  subject: 'Grüße',
  text: `Dear Zoë,\n\n${'a long line '.repeat(30)}\nhttps://ui.example/accounts/zoe%40example.org/init/abc_-123\n`,
};

describe('mail', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-mail-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  it('becomes one file that only its owner may read', async () => {
    const config = loadConfig({
      SVC_MAIL_DIR: join(folder, 'deep', 'mail'),
      SVC_MAIL_FROM: 'Records <records@svc.example>',
    });
    await mailKind(config, written).deliver(mail, 'id-1');
    expect(readdirSync(config.mailDir)).to.equal(['id-1.eml']);
    expect(statSync(join(config.mailDir, 'id-1.eml')).mode & 0o777).to.equal(0o600);
    const [read] = mailsIn(config.mailDir);
    expect(read!.to).to.contain('zoe@example.org');
    expect(read!.from).to.contain('records@svc.example');
    expect(read!.subject).to.equal('Grüße');
    expect(read!.text).to.equal(mail.text);
    expect(read!.links).to.equal(['https://ui.example/accounts/zoe%40example.org/init/abc_-123']);
    await mailKind(config, written).deliver(mail, 'id-1');
    expect(readdirSync(config.mailDir)).to.equal(['id-1.eml']);
  });

  it('cannot be bent by what people call themselves', async () => {
    const config = loadConfig({ SVC_MAIL_DIR: join(folder, 'bent') });
    await mailKind(config, written).deliver(
      {
        ...mail,
        to: { name: 'X\r\nBcc: all@example.org', address: 'x@example.org' },
        subject: 'S\r\nBcc: all@example.org',
      },
      'id-2',
    );
    const [read] = mailsIn(config.mailDir);
    expect(read!.to).to.contain('x@example.org');
    const headers = (await import('node:fs'))
      .readFileSync(join(config.mailDir, 'id-2.eml'), 'utf8')
      .split('\r\n\r\n')[0]!;
    expect(headers).to.not.match(/^bcc:/im);
  });

  it('goes to the SMTP server of the settings, and fails when that refuses', async () => {
    const got: { from: string; to: string[]; source: string }[] = [];
    let refuse = false;
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      logger: false,
      onData: (stream, session, done) => {
        let source = '';
        stream.on('data', (chunk: Buffer) => {
          source += chunk.toString('utf8');
        });
        stream.on('end', () => {
          if (refuse) {
            done(Object.assign(new Error('full'), { responseCode: 452 }));
            return;
          }
          got.push({
            from: session.envelope.mailFrom === false ? '' : session.envelope.mailFrom.address,
            to: session.envelope.rcptTo.map(({ address }) => address),
            source,
          });
          done();
        });
      },
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    try {
      const { port } = server.server.address() as { port: number };
      const kind = mailKind(
        loadConfig({ SVC_SMTP_URL: `smtp://127.0.0.1:${port}`, SVC_MAIL_FROM: 'records@svc.example' }),
        written,
      );
      await kind.deliver(mail, 'id-3');
      expect(got).to.have.length(1);
      expect(got[0]!.from).to.equal('records@svc.example');
      expect(got[0]!.to).to.equal(['zoe@example.org']);
      expect(readMail(got[0]!.source).text.trim()).to.equal(mail.text.trim());
      expect(got[0]!.source).to.contain('Message-ID: <id-3@svc.example>');
      refuse = true;
      await expect(kind.deliver(mail, 'id-4')).to.reject();
    } finally {
      await new Promise<void>((resolve) => {
        server.close(resolve);
      });
    }
  });

  it('is tried again after 5, 10, 20 seconds and so on up to an hour', () => {
    const { retryAfterSeconds, giveUpAfterSeconds } = mailKind(loadConfig({}), written);
    expect([1, 2, 3, 4].map(retryAfterSeconds)).to.equal([5, 10, 20, 40]);
    expect(retryAfterSeconds(40)).to.equal(3600);
    expect(giveUpAfterSeconds).to.equal(3 * 24 * 3600);
  });
});
