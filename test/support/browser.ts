/**
 * browser: opens pages in Debian's Chromium, as a telephone or a wide screen, light or dark, and checks them with axe.
 */
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@hapi/code';
import { chromium, type Browser, type Page } from 'playwright-core';
import { PASSWORD } from './world';

/** The first is the same browser without windows, which needs a fifth less processor time. */
const programs = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** Path of the browser, undefined when none is installed. */
export const findBrowser = (): string | undefined => programs.find((program) => existsSync(program));

/** True when tests with a browser must be skipped. It prints that, and throws where a browser is required. */
export const browserMissing = (): boolean => {
  const missing = findBrowser() === undefined;
  if (missing && process.env['SVC_REQUIRE_BROWSER'] === '1') {
    throw new Error('SVC_REQUIRE_BROWSER=1, but no Chromium is installed: apt-get install chromium-headless-shell');
  }
  if (missing) {
    process.stdout.write('\nskipped: tests in a browser, because no Chromium is installed\n');
  }
  return missing;
};

export type Look = {
  readonly width?: number;
  readonly dark?: boolean;
  readonly language?: string;
  readonly script?: boolean;
};

/** Each width is in one of these both light and dark, and each language is in one of them. */
export const everyLook: readonly Look[] = [
  { width: 1280 },
  { width: 320, language: 'de' },
  { width: 390, dark: true, language: 'ar' },
  { width: 1280, dark: true, language: 'es' },
];

/** The name of a look in pictures and cases: `390-dark-en`. */
export const nameOfLook = ({ width, dark, language }: Look): string =>
  [width, dark ? 'dark' : 'light', language ?? 'en'].join('-');

export const openChromium = (): Promise<Browser> =>
  chromium.launch({
    executablePath: findBrowser()!,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  });

const WAIT_MILLISECONDS = 240_000;

/** A browser context of one person, with one page. */
export const openPage = async (
  browser: Browser,
  { width = 1280, dark = false, language = 'en', script = true }: Look = {},
): Promise<Page> => {
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    colorScheme: dark ? 'dark' : 'light',
    locale: language,
    javaScriptEnabled: script,
  });
  // On a busy machine a page may take longer than the library's half minute.
  context.setDefaultTimeout(WAIT_MILLISECONDS);
  return context.newPage();
};

const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

type Found = {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
};

/** WCAG 2.2 A and AA, and axe's best practices. */
const ALL = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * What axe finds wrong with the page. It waits for the page to load, because a click returns when the next page has
 * begun, which may still be empty. The window is as high as the page meanwhile: a bar that stays in place would cover a
 * part of whatever the page is scrolled to, and a covered link looks too small.
 * @param runOnly tags of rules, or names of single rules
 */
export const axeFinds = async (page: Page, runOnly = ALL): Promise<readonly string[]> => {
  await page.waitForLoadState();
  const window = page.viewportSize();
  if (window) {
    const height = await page.evaluate<number>('document.documentElement.scrollHeight');
    await page.setViewportSize({ ...window, height: Math.max(window.height, height) });
  }
  await page.evaluate(axe);
  // Leaves out results that nobody reads: passed rules, and a selector for each element.
  const options = { runOnly, resultTypes: ['violations'], selectors: false, preload: false };
  const { violations } = await page.evaluate<{ violations: readonly Found[] }>(
    `axe.run(document, ${JSON.stringify(options)})`,
  );
  if (window) {
    await page.setViewportSize(window);
  }
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
};

/** The visible text of the page, once it has loaded. */
export const mainText = async (page: Page): Promise<string> => {
  await page.waitForLoadState();
  return page.locator('main').innerText();
};

/** The number of pixels by which the page is wider than its window. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');

/** With `SVC_TEST_PICTURES` a screenshot of every inspected page is kept in that folder. */
const pictures = process.env['SVC_TEST_PICTURES'];

export const keepPicture = async (page: Page, name: string): Promise<void> => {
  if (pictures !== undefined) {
    mkdirSync(pictures, { recursive: true });
    await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
  }
};

/** Inspects a page: axe finds nothing, and nothing is wider than the window. */
export const inspect = async (page: Page, name: string): Promise<void> => {
  await page.waitForLoadState();
  await keepPicture(page, name);
  expect(await axeFinds(page), name).to.equal([]);
  expect(await overflow(page), name).to.equal(0);
};

/** Fills in and sends the sign-in form of the page; resolves when the next page has loaded. */
export const sendSignIn = async (page: Page, username: string, password = PASSWORD): Promise<void> => {
  await page.locator('[name=username]').fill(username);
  await page.locator('[name=password]').fill(password);
  await page.locator('main button').click();
  await page.waitForLoadState();
};
