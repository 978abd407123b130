/** browser: Debian's Chromium, headless, driven over its own debugging pipe, for pages that people look at. */
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';

/** The first is the same browser without a window of its own, which needs a fifth less of a processor. */
const programs = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** Path of the browser, undefined when none is installed. */
export const findBrowser = (): string | undefined => programs.find((program) => existsSync(program));

/** True when tests with a browser must be skipped; says so aloud, and fails where a browser is demanded. */
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

type Message = {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly message: string };
};

export type Browser = {
  readonly open: (url: string) => Promise<void>;
  /** The value of an expression in the page; promises are awaited. */
  readonly evaluate: <T>(expression: string) => Promise<T>;
  /** Waits until an expression is true; fails after a minute with what it was. */
  readonly until: (expression: string) => Promise<void>;
  /** Puts the focus on an element and types as a keyboard does. */
  readonly type: (selector: string, text: string) => Promise<void>;
  /** Presses the mouse in the middle of the first element of the selector. */
  readonly click: (selector: string) => Promise<void>;
  /** Presses a key, such as Tab or Enter. */
  readonly press: (key: string) => Promise<void>;
  /** From now on the page is seen so wide, and by somebody who prefers these colours. */
  readonly seenBy: (person: { readonly width: number; readonly dark?: boolean }) => Promise<void>;
  readonly screenshot: (file: string) => Promise<void>;
  /** Addresses that the page asked for, in order. */
  readonly requested: () => readonly string[];
  /** What the page wrote to its console as an error, and exceptions that nobody caught. */
  readonly complaints: () => readonly string[];
  readonly close: () => Promise<void>;
};

type Send = (method: string, params?: object) => Promise<Record<string, unknown>>;

const talk = (child: ChildProcess, hear: (message: Message) => void): ((message: object) => void) => {
  const [write, read] = [child.stdio[3] as Writable, child.stdio[4] as Readable];
  let open = '';
  read.on('data', (chunk: Buffer) => {
    const parts = (open + chunk.toString()).split('\0');
    open = parts.pop() ?? '';
    parts.forEach((part) => hear(JSON.parse(part) as Message));
  });
  return (message) => write.write(`${JSON.stringify(message)}\0`);
};

const WAIT = 120_000;
const [WIDTH, HEIGHT] = [1280, 1000];
const keyCodes: Readonly<Record<string, number>> = { Tab: 9, Enter: 13 };

const makePage = (
  send: Send,
  requested: readonly string[],
  complaints: readonly string[],
  end: () => Promise<void>,
  // eslint-disable-next-line max-lines-per-function -- its inner functions share the state at its top
): Browser => {
  const evaluate = async <T>(expression: string): Promise<T> => {
    const { result, exceptionDetails } = (await send('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
    })) as { result: { value: T }; exceptionDetails?: { exception?: { description?: string } } };
    if (exceptionDetails) {
      throw new Error(`${expression}: ${exceptionDetails.exception?.description ?? 'failed'}`);
    }
    return result.value;
  };
  const until = async (expression: string): Promise<void> => {
    const end_ = Date.now() + WAIT;
    for (let value: unknown; ; await new Promise((resolve) => setTimeout(resolve, 50))) {
      value = await evaluate(expression);
      if (value) {
        return;
      }
      if (Date.now() > end_) {
        throw new Error(`waited in vain for ${expression}: ${JSON.stringify(value)}`);
      }
    }
  };
  const find = (selector: string): string => `document.querySelector(${JSON.stringify(selector)})`;
  const click = async (selector: string): Promise<void> => {
    await until(`${find(selector)} !== null`);
    const { x, y } = await evaluate<{ x: number; y: number }>(
      `(() => { const e = ${find(selector)}; e.scrollIntoView({ block: 'center' }); const b = ` +
        'e.getBoundingClientRect(); return { x: b.x + b.width / 2, y: b.y + b.height / 2 }; })()',
    );
    for (const type of ['mousePressed', 'mouseReleased']) {
      await send('Input.dispatchMouseEvent', { type, x, y, button: 'left', clickCount: 1 });
    }
  };
  return {
    open: async (url) => {
      await send('Page.navigate', { url });
      await until("document.readyState === 'complete'");
    },
    evaluate,
    until,
    click,
    type: async (selector, text) => {
      await click(selector);
      await evaluate(`${find(selector)}.select && ${find(selector)}.select()`);
      await send('Input.insertText', { text });
    },
    press: async (key) => {
      const text = key === 'Enter' ? { text: '\r' } : {};
      for (const type of ['keyDown', 'keyUp']) {
        await send('Input.dispatchKeyEvent', {
          type,
          key,
          code: key,
          windowsVirtualKeyCode: keyCodes[key],
          ...(type === 'keyDown' ? text : {}),
        });
      }
    },
    seenBy: async ({ width, dark = false }) => {
      await send('Emulation.setDeviceMetricsOverride', {
        width,
        height: HEIGHT,
        deviceScaleFactor: 1,
        mobile: width < 600,
      });
      await send('Emulation.setEmulatedMedia', {
        features: [{ name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' }],
      });
    },
    screenshot: async (file) => {
      const { data } = (await send('Page.captureScreenshot', { format: 'png' })) as { data: string };
      writeFileSync(file, Buffer.from(data, 'base64'));
    },
    requested: () => requested,
    complaints: () => complaints,
    close: end,
  };
};

/** Starts a browser with one page of 1280 by 1000 points. */
// eslint-disable-next-line max-lines-per-function -- its inner functions share the state at its top
export const openBrowser = async (): Promise<Browser> => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-browser-'));
  const child = spawn(
    findBrowser()!,
    [
      '--headless=new',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--no-first-run',
      '--remote-debugging-pipe',
      `--user-data-dir=${folder}`,
      `--window-size=${WIDTH},${HEIGHT}`,
      'about:blank',
    ],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'], env: { ...process.env, HOME: folder } },
  );
  const waiting = new Map<
    number,
    { resolve: (result: Record<string, unknown>) => void; reject: (error: Error) => void }
  >();
  const [requested, complaints]: [string[], string[]] = [[], []];
  const say = talk(child, ({ id, method, params, result, error }) => {
    if (id !== undefined) {
      const asked = waiting.get(id);
      waiting.delete(id);
      if (error) {
        asked?.reject(new Error(error.message));
      } else {
        asked?.resolve(result ?? {});
      }
    } else if (method === 'Network.requestWillBeSent') {
      requested.push((params?.['request'] as { url: string }).url);
    } else if (
      method === 'Runtime.exceptionThrown' ||
      (method === 'Log.entryAdded' && (params?.['entry'] as { level: string }).level === 'error')
    ) {
      complaints.push(JSON.stringify(params));
    }
  });
  let last = 0;
  const sender =
    (sessionId?: string): Send =>
    (method, params = {}) =>
      new Promise((resolve, reject) => {
        last += 1;
        waiting.set(last, { resolve, reject });
        say({ id: last, method, params, ...(sessionId ? { sessionId } : {}) });
      });
  const browser = sender();
  const { targetId } = await browser('Target.createTarget', { url: 'about:blank' });
  const { sessionId } = (await browser('Target.attachToTarget', { targetId, flatten: true })) as { sessionId: string };
  const send = sender(sessionId);
  for (const domain of ['Page', 'Runtime', 'Network', 'Log']) {
    await send(`${domain}.enable`);
  }
  const page = makePage(send, requested, complaints, async () => {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    void browser('Browser.close').catch(() => undefined);
    await ended;
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  await page.seenBy({ width: WIDTH });
  return page;
};
