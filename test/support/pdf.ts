/** pdf: reads PDFs with the programs of the system (Debian packages poppler-utils and qpdf), where they are installed. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PROGRAMS = ['pdftotext', 'pdfinfo', 'qpdf'];

/** What is missing on this machine; empty where PDFs can be read. */
export const missingReaders = (): readonly string[] =>
  PROGRAMS.filter((program) => spawnSync(program, ['--version']).error !== undefined);

function run(pdf: Buffer, command: (file: string) => readonly [string, ...string[]]): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-pdf-'));
  try {
    const file = join(folder, 'one.pdf');
    writeFileSync(file, pdf);
    const [program, ...rest] = command(file);
    const { stdout, status, stderr } = spawnSync(program, rest, { encoding: 'utf8' });
    if (status !== 0) {
      throw new Error(`${program}: ${stderr}`);
    }
    return stdout;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export const infoOf = (pdf: Buffer): string => run(pdf, (file) => ['pdfinfo', '-box', file]);
export const checkOf = (pdf: Buffer): string => run(pdf, (file) => ['qpdf', '--check', file]);
/** The language that the document says it is in. */
export const languageOf = (pdf: Buffer): string | undefined =>
  /"\/Lang": "u:([^"]*)"/.exec(run(pdf, (file) => ['qpdf', '--json', '--json-key=qpdf', file]))?.[1];

/** The pages as text, in the order in which they are read. */
export const pagesOf = (pdf: Buffer): readonly string[] =>
  run(pdf, (file) => ['pdftotext', file, '-'])
    .split('\f')
    .slice(0, -1);

/** Signs of direction. */
const MARKS = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
/** The program turns the letters of ligatures of these around. */
const LAM_ALEF = /[لاأإآ]+/g;

/** The words of a text, without signs of direction. */
export const wordsIn = (text: string): readonly string[] =>
  text
    .replace(MARKS, ' ')
    // The sign after a number or a name may stand by itself.
    .replace(/[:.،·]+(?=\s|$)|(?<=^|\s)[:.،·]+/g, ' ')
    .replace(LAM_ALEF, (run) => [...run].sort().join(''))
    .split(/\s+/)
    .filter((word) => word !== '');
