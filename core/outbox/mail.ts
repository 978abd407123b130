/** mail: sends mails to the SMTP server of the settings, or else writes each to an .eml file. */
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import type { Json } from '../base/types';
import type { Config } from '../config/schema';
import type { Transaction } from '../db/database';
import type { Outbox } from './kind';
import type { Kind } from './kind';

export type Mail = {
  readonly to: { readonly name: string; readonly address: string };
  readonly subject: string;
  /** Plain text. */
  readonly text: string;
};

/** Adds mails in the transaction of their cause; they are sent when it is committed. */
export function addMail(outbox: Outbox, trx: Transaction, ...mails: readonly Mail[]): Promise<void> {
  return outbox.add(trx, ...mails.map((mail) => ({ kind: 'mail', payload: mail })));
}

const WAIT = 8_000;
const THREE_DAYS = 259_200;
const HOUR = 3_600;

type Envelope = Mail & { readonly messageId: string };

function nodemailerForm({ mailFrom }: Config, { to, subject, text, messageId }: Envelope) {
  return {
    from: mailFrom,
    to,
    subject,
    text,
    messageId,
    disableFileAccess: true,
    disableUrlAccess: true,
    headers: { 'Auto-Submitted': 'auto-generated' },
  };
}

type Send = (mail: Envelope, id: string) => Promise<void>;

function toServer(config: Config): Send {
  const transport = createTransport({
    url: config.smtpUrl,
    connectionTimeout: WAIT,
    greetingTimeout: WAIT,
    socketTimeout: WAIT,
  });
  return async (mail) => {
    await transport.sendMail(nodemailerForm(config, mail));
  };
}

/**
 * Writes the mail under another name first, so that a program that watches the folder never reads half a mail. The mail
 * may hold secrets, so its mode is 0600.
 */
function toFile(config: Config): Send {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  return async (mail, id) => {
    const { message } = await transport.sendMail(nodemailerForm(config, mail));
    await mkdir(config.mailDir, { recursive: true, mode: 0o700 });
    const file = join(config.mailDir, `${id}.eml`);
    await writeFile(`${file}.part`, message as Buffer, { mode: 0o600 });
    await rename(`${file}.part`, file);
  };
}

/**
 * Mails are tried again after 5, 10, 20 seconds and so on up to an hour, and given up after three days.
 * @param mailIn makes the mail for a payload; undefined when there is nothing to send any more
 */
export function mailKind(config: Config, mailIn: (payload: Json) => Promise<Mail | undefined>): Kind {
  const send = config.smtpUrl === '' ? toFile(config) : toServer(config);
  const domain = /@([A-Za-z0-9.-]+)/.exec(config.mailFrom)?.[1] ?? 'localhost';
  return {
    // The same Message-ID at every attempt lets a mailbox drop a mail that arrived twice.
    deliver: async (payload, id) => {
      const mail = await mailIn(payload);
      if (mail) {
        await send({ ...mail, messageId: `<${id}@${domain}>` }, id);
      }
    },
    retryAfterSeconds: (attempts) => Math.min(HOUR, 5 * 2 ** (attempts - 1)),
    giveUpAfterSeconds: THREE_DAYS,
  };
}
