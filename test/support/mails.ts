/** mails: reads the mails that the service sent, as a person's mail program does. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export type ReadMail = {
  readonly to: string;
  readonly from: string;
  readonly subject: string;
  readonly text: string;
  /** Every address in the text. */ readonly links: readonly string[];
};

const decodeBody = (body: string, encoding: string): string => {
  if (encoding === 'base64') {
    return Buffer.from(body, 'base64').toString('utf8');
  }
  if (encoding !== 'quoted-printable') {
    return body;
  }
  const bytes = body
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
};

/** Encoded words of headers (RFC 2047). */
const decodeHeader = (value: string): string =>
  value.replace(/=\?utf-8\?([QB])\?([^?]*)\?=(\s+(?==\?))?/gi, (_all, kind: string, text: string) =>
    kind.toUpperCase() === 'B'
      ? Buffer.from(text, 'base64').toString('utf8')
      : decodeBody(text.replaceAll('_', ' '), 'quoted-printable'),
  );

export const readMail = (source: string): ReadMail => {
  const split = /\r?\n\r?\n/.exec(source)!;
  const headers = source.slice(0, split.index).replace(/\r?\n[ \t]+/g, ' ');
  const header = (name: string): string =>
    decodeHeader(new RegExp(`^${name}: (.*)$`, 'im').exec(headers)?.[1]?.trim() ?? '');
  const text = decodeBody(
    source.slice(split.index + split[0].length),
    header('Content-Transfer-Encoding').toLowerCase(),
  ).replaceAll('\r\n', '\n');
  return {
    to: header('To'),
    from: header('From'),
    subject: header('Subject'),
    text,
    links: text.match(/https?:\/\/\S+/g) ?? [],
  };
};

/** Mails in a folder of .eml files, the oldest first. */
export const mailsIn = (folder: string): readonly ReadMail[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => name.endsWith('.eml'))
        .sort()
        .map((name) => readMail(readFileSync(join(folder, name), 'utf8')))
    : [];

/** Waits until a mail to the address with this subject has arrived, and resolves to the latest one. */
export const waitForMail = async (folder: string, to: string, subject: string, count = 1): Promise<ReadMail> => {
  const end = Date.now() + 240_000;
  for (;;) {
    const found = mailsIn(folder).filter((mail) => mail.to.includes(to) && mail.subject === subject);
    if (found.length >= count) {
      return found.at(-1)!;
    }
    if (Date.now() > end) {
      throw new Error(
        `no mail "${subject}" to ${to}; there are: ${mailsIn(folder)
          .map((mail) => `${mail.to}: ${mail.subject}`)
          .join('; ')}`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};
