/**
 * ocr: has a program (tesseract) read the words in a picture, shut in like readers: without network, without sight of
 * the database, with limits of memory and processor time. One picture at a time is the caller's care.
 */
import { spawn, spawnSync } from 'node:child_process';
import { accessSync, constants as access } from 'node:fs';
import { setPriority } from 'node:os';
import { delimiter, join } from 'node:path';
import { programPath } from '../../config/environment';
import { keepGroup, killGroup } from '../readers/process-groups';
import { shutIn } from '../readers/reader-sandbox';

const PROGRAM = 'tesseract';
const PROBE_MILLISECONDS = 10_000;
/** The limits of one picture. */
const MEMORY_KILOBYTES = 1_500_000;
const PROCESSOR_SECONDS = 30;
const WAIT_MILLISECONDS = 120_000;
const MOST_BYTES = 1_000_000;
/** How much it gives way to everything else on the machine. */
const PRIORITY = 15;

/** The languages of the website, as the program names them. */
const LANGUAGES = ['eng', 'deu', 'spa', 'ara'];

export type Ocr = { readonly path: string; /** Those of the website that are installed. */ readonly languages: string };

function isProgram(path: string): boolean {
  try {
    accessSync(path, access.X_OK);
    return true;
  } catch {
    return false;
  }
}

let found: { readonly at: string; readonly ocr: Ocr | undefined } | undefined;

function probe(): Ocr | undefined {
  const path = programPath()
    .split(delimiter)
    .map((folder) => join(folder, PROGRAM))
    .find(isProgram);
  const asked = path === undefined ? undefined : spawnSync(path, ['--list-langs'], { timeout: PROBE_MILLISECONDS });
  const installed = (asked?.status === 0 ? asked.stdout.toString() : '').split('\n').map((line) => line.trim());
  const languages = LANGUAGES.filter((one) => installed.includes(one)).join('+');
  return path === undefined || languages === '' ? undefined : { path, languages };
}

/** The program, if this machine has it and one of our languages for it. It is looked for once for each PATH. */
export function findOcr(): Ocr | undefined {
  const at = programPath();
  if (found?.at !== at) {
    found = { at, ocr: probe() };
  }
  return found.ocr;
}

const LIMITS = `ulimit -v ${MEMORY_KILOBYTES}; ulimit -t ${PROCESSOR_SECONDS}; ulimit -c 0; exec "$0" "$@"`;

/**
 * The words in a picture; empty when the program finds none, fails, or needs more than it may.
 * @param signal ends the program
 */
export function readPictureWords({ path, languages }: Ocr, png: Uint8Array, signal: AbortSignal): Promise<string> {
  const [program = '', ...args] = shutIn(
    ['/bin/sh', '-c', LIMITS, path, 'stdin', 'stdout', '-l', languages, '--psm', '3'],
    [],
  );
  const child = spawn(program, args, {
    detached: true,
    env: { OMP_THREAD_LIMIT: '1', PATH: programPath() },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  keepGroup(child);
  if (child.pid !== undefined) {
    setPriority(child.pid, PRIORITY);
  }
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const end = (): void => killGroup(child);
    const timer = setTimeout(end, WAIT_MILLISECONDS);
    signal.addEventListener('abort', end, { once: true });
    child.stdout!.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MOST_BYTES) {
        chunks.push(chunk);
      } else {
        end();
      }
    });
    // A program that ended early does not take the rest of the picture.
    child.stdin!.on('error', () => undefined);
    child.stdin!.end(png);
    child.on('error', () => resolve(''));
    child.on('close', (code) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve(code === 0 ? Buffer.concat(chunks).toString('utf8').replaceAll('\f', '').trim() : '');
    });
  });
}
