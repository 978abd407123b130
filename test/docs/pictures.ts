/**
 * pictures: `npm run tool pictures`: makes the pictures of README and docs anew. It starts a service with the demo person
 * and opens its pages in Chromium. WebP keeps each picture below 60 kB.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { projectRoot } from '../../core/base/paths';
import { openChromium, openPage } from '../support/browser';
import { serve, svc } from '../support/svc';

const FOLDER = join(projectRoot, 'docs', 'images');
const [WIDTH, HEIGHT] = [1120, 800];
const PERSON = 'mira@demo.example';
const QUALITY = 80;
const MOST_BYTES = 60_000;

/** Name of the picture -> path below the record. */
const pictures = {
  overview: '',
  'blood-pressure': 'data/VitalSigns',
  sharing: 'sharing',
  history: 'history',
} as const;

const picture = async (page: Page, name: string): Promise<void> => {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY });
  const bytes = Buffer.from(data, 'base64');
  if (bytes.length > MOST_BYTES) {
    throw new Error(`${name}.webp has ${bytes.length} bytes, and may have ${MOST_BYTES}`);
  }
  writeFileSync(join(FOLDER, `${name}.webp`), bytes);
  process.stdout.write(`${name}.webp ${(bytes.length / 1000).toFixed(0)} kB\n`);
};

const look = async (url: string, password: string): Promise<void> => {
  const browser = await openChromium();
  try {
    const page = await openPage(browser, { width: WIDTH });
    await page.setViewportSize({ width: WIDTH, height: HEIGHT });
    await page.goto(`${url}/my/sign-in`);
    await page.getByLabel('User name').fill(PERSON);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.goto(`${url}/my/?all=1`);
    const record = await page.locator('a[href*="/my/records/"]').first().getAttribute('href');
    for (const [name, path] of Object.entries(pictures)) {
      await page.goto(new URL(`${record}${path}`, url).href);
      await picture(page, name);
    }
  } finally {
    await browser.close();
  }
};

const main = async (): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-pictures-'));
  mkdirSync(FOLDER, { recursive: true });
  const settings = { SVC_DATABASE_URL: `sqlite:${join(folder, 'svc.sqlite')}`, SVC_MAIL_DIR: join(folder, 'mail') };
  const served = await serve(settings);
  try {
    const demo = await svc(['demo'], { ...settings, SVC_BASE_URL: served.url });
    const password = new RegExp(`account\\s+${PERSON}\\s+password (\\S+)`).exec(demo.stdout)?.[1];
    if (password === undefined) {
      throw new Error(`svc demo told no password: ${demo.stdout}${demo.stderr}`);
    }
    await look(served.url, password);
  } finally {
    await served.stop();
    rmSync(folder, { recursive: true, force: true });
  }
};

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${String((error as Error).stack ?? error)}\n`);
    process.exit(1);
  },
);
