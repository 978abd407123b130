/** site-browser: Debian's Chromium looking at the website, as a telephone or a wide screen, light or dark, with axe beside it. */
import { readFileSync } from 'node:fs';
import { chromium, type Browser, type Page } from 'playwright-core';
import { findBrowser } from './browser';

export type Look = {
  readonly width?: number;
  readonly dark?: boolean;
  readonly language?: string;
  readonly script?: boolean;
};

export const openChromium = (): Promise<Browser> =>
  chromium.launch({
    executablePath: findBrowser()!,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  });

/** A person's own browser with one page. */
export const openPage = async (
  browser: Browser,
  { width = 1280, dark = false, language = 'en', script = true }: Look = {},
): Promise<Page> => {
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    colorScheme: dark ? 'dark' : 'light',
    locale: language,
    javaScriptEnabled: script,
    // The policy of the pages lets no script in: axe is put there past it.
    bypassCSP: script,
  });
  return context.newPage();
};

const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

type Found = {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
};

/** What axe finds wrong with the page: WCAG 2.2 A and AA, and what it holds for good practice. */
export const axeFinds = async (page: Page): Promise<readonly string[]> => {
  await page.evaluate(axe);
  const { violations } = await page.evaluate<{ violations: readonly Found[] }>(
    "axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })",
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
};

/** By how many points the page is wider than its window. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
