/**
 * machine-checks: checks what can be wrong outside the database, such as room on the disk, mail and the public address.
 */
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createTransport } from 'nodemailer';
import { hasHeadFile } from '../audit/outside';
import { SITE, type Config } from '../config/schema';
import { sqliteFile } from '../config/sqlite-url';
import { protection } from '../pipeline/readers/reader-sandbox';
import { findOcr } from '../pipeline/pictures/ocr';
import { fine, problem, warning, type Finding } from './finding';

const MEGABYTE = 1_000_000;
const LITTLE = 1000 * MEGABYTE;
const TOO_LITTLE = 100 * MEGABYTE;

/** The folder itself, or the nearest one above that exists. */
function existing(path: string): string {
  return existsSync(path) ? path : existing(dirname(path));
}

function megabytes(bytes: number): string {
  return `${Math.floor(bytes / MEGABYTE)} MB`;
}

/** A backup and the log of a busy hour each need about as much room as the database. */
async function checkDisk(config: Config): Promise<Finding> {
  const file = sqliteFile(config.databaseUrl);
  const folder = existing(file === undefined ? config.mailDir : dirname(file));
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  const size = file !== undefined && existsSync(file) ? statSync(file).size : 0;
  const found = `${megabytes(free)} free at ${folder}${size > 0 ? `, the database has ${megabytes(size)}` : ''}`;
  const advice = 'make room: a full disk stops every write';
  if (free < TOO_LITTLE) {
    return problem('disk', found, advice);
  }
  return free < LITTLE || free < size ? warning('disk', found, advice) : fine('disk', found);
}

const WAIT = 5000;

async function checkServer({ smtpUrl }: Config): Promise<Finding> {
  const host = new URL(smtpUrl).host;
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: WAIT,
    greetingTimeout: WAIT,
    socketTimeout: WAIT,
  });
  try {
    await transport.verify();
    return fine('mail', `the mail server ${host} answers`);
  } catch (error) {
    return problem(
      'mail',
      `the mail server ${host} does not take mail: ${String((error as { code?: string }).code ?? (error as Error).name)}`,
      'check SVC_SMTP_URL; mails wait in the outbox for three days',
    );
  } finally {
    transport.close();
  }
}

function checkMailFolder({ mailDir }: Config): Finding {
  try {
    accessSync(existing(mailDir), constants.W_OK);
    return warning(
      'mail',
      `mails become files in ${mailDir}`,
      'set SVC_SMTP_URL, or nobody gets the mails about accounts and messages',
    );
  } catch {
    return problem(
      'mail',
      `mails become files in ${mailDir}, which cannot be written`,
      'set SVC_SMTP_URL, or give the service the right to write there',
    );
  }
}

/**
 * If the ends of the audit log are not kept outside the database, a person with access to it may cut the log unnoticed.
 */
function checkHeads(config: Config): Finding {
  if (!hasHeadFile(config)) {
    return fine('audit heads', 'no file of this machine keeps the ends of the audit log');
  }
  const { auditHead: file } = config;
  try {
    accessSync(existing(file), constants.W_OK);
  } catch {
    return problem(
      'audit heads',
      `the ends of the audit log cannot be kept in ${file}`,
      'give the service the right to write there, or name another file in SVC_AUDIT_HEAD',
    );
  }
  return existsSync(file)
    ? fine('audit heads', `the ends of the audit log are kept in ${file}`)
    : warning(
        'audit heads',
        `${file} is not there yet`,
        'the service begins it with the next row; if it was there once, look who removed it, and run svc verify-audit with a copy',
      );
}

/** Mails and manifests have links to pages of the website. */
function checkWebsite({ uiBaseUrl, baseUrl, website }: Config): Finding {
  if (website || (uiBaseUrl !== '' && uiBaseUrl !== baseUrl)) {
    return fine('website', `links in mails lead to ${uiBaseUrl || `the pages below ${SITE}`}`);
  }
  return warning(
    'website',
    'links in mails lead to the service, which has no pages for people with SVC_WEBSITE=0',
    'set SVC_UI_BASE_URL to the address of your website (docs/developing-apps.md, "A website of your own"), or leave SVC_WEBSITE at 1',
  );
}

function isLocal(host: string): boolean {
  return /^(127\.|localhost$|\[?::1\]?$)/.test(host);
}

function checkAddress({ host, baseUrl }: Config): Finding {
  if (baseUrl === '') {
    return isLocal(host)
      ? fine('address', `only this machine reaches ${host}`)
      : problem(
          'address',
          `it listens on ${host} and SVC_BASE_URL is not set`,
          'set SVC_BASE_URL to the public address: signatures are made over it',
        );
  }
  return baseUrl.startsWith('https:') || isLocal(new URL(baseUrl).hostname)
    ? fine('address', `clients use ${baseUrl}`)
    : problem(
        'address',
        `${baseUrl} is not encrypted`,
        'put a proxy with TLS in front, and set SVC_BASE_URL to its https address (docs/operating.md)',
      );
}

/** Behind a proxy that is not trusted, all callers seem to have its address. */
function checkProxies({ baseUrl, trustedProxies }: Config): Finding {
  return trustedProxies.length > 0 || !baseUrl.startsWith('https:')
    ? fine('proxies', `${trustedProxies.length > 0 ? trustedProxies.join(', ') : 'none'}: trusted to name the caller`)
    : warning(
        'proxies',
        'the proxy in front is not named, so that everybody has its address in the audit log and in the limits of wrong tries',
        'set SVC_TRUSTED_PROXIES to its address, and let it set X-Forwarded-For (docs/operating.md, "TLS behind a proxy")',
      );
}

/** Readers process bytes of strangers with native engines, so they need a sandbox. */
function checkReaders(): Finding {
  const { holds, reason } = protection();
  return holds
    ? fine('readers', 'they run without network, and without sight of other processes and of the database (bubblewrap)')
    : warning(
        'readers',
        `who breaks into one has the network and all that the user of the service may read: ${reason ?? ''}`,
        'install bubblewrap, and let this user make namespaces (docs/operating.md, "Readers in a sandbox")',
      );
}

/** Whether scans and photos are read for searches. */
function checkOcr({ ocr: wanted }: Config): Finding {
  const ocr = wanted === false ? undefined : findOcr();
  if (ocr) {
    return fine('text of pictures', `tesseract reads scans and photos for searches (${ocr.languages})`);
  }
  return wanted === true
    ? problem(
        'text of pictures',
        'SVC_OCR asks for it, but tesseract or a language for it is not installed',
        'install tesseract-ocr and the languages of your people (tesseract-ocr-deu, -spa, -ara), or unset SVC_OCR',
      )
    : fine('text of pictures', 'scans and photos are not read: tesseract is not installed, or SVC_OCR is 0');
}

export async function checkMachine(config: Config): Promise<readonly Finding[]> {
  return [
    await checkDisk(config),
    config.smtpUrl === '' ? checkMailFolder(config) : await checkServer(config),
    checkHeads(config),
    checkReaders(),
    checkOcr(config),
    checkAddress(config),
    checkProxies(config),
    checkWebsite(config),
  ];
}
