/**
 * typst: prints a page as a PDF with a template of Typst. It runs in a reader process. The compiler sees the fonts and
 * what it is given: no file, no package, no network. Texts are data of the template, never a part of it.
 */
import { readFileSync } from 'node:fs';
import type { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler';
import { inProject } from '../base/paths';
import { unpackedFont } from './woff';

/**
 * The fonts, and the parts of them that the four languages and names, units and signs in them need. Noto Sans Arabic draws
 * dots as glyphs, and programs find each letter twice: Vazirmatn does not. The compiler takes one file of a family, so
 * each part has a name of its own, which templates list.
 */
const FONTS: readonly (readonly [string, string, string])[] = [
  ['Noto Sans', 'noto-sans', 'latin'],
  ['Noto Sans Latin', 'noto-sans', 'latin-ext'],
  ['Noto Sans Greek', 'noto-sans', 'greek'],
  ['Noto Sans Cyrillic', 'noto-sans', 'cyrillic'],
  ['Noto Sans Vietnamese', 'noto-sans', 'vietnamese'],
  ['Vazirmatn', 'vazirmatn', 'arabic'],
];
const WEIGHTS = { '400': 'Regular', '700': 'Bold' };

/** A package that the compiler would fetch. Files are out of its reach, because its folder does not exist. */
const PACKAGE = /["']@[\w-]+\//;
const NO_FOLDER = '/svc-paper';

/** A problem of a template, with its line. */
type PrintProblem = { readonly line: number; readonly reason: string };
export class PrintFailure extends Error {
  constructor(readonly problem: PrintProblem) {
    super(`${problem.line}: ${problem.reason}`);
  }
}

function readFonts(): Buffer[] {
  return FONTS.flatMap(([family, name, part]) =>
    Object.entries(WEIGHTS).map(([weight, style]) => {
      const file = inProject('node_modules', '@fontsource', name, 'files', `${name}-${part}-${weight}-normal.woff`);
      return unpackedFont(readFileSync(file), { family, style });
    }),
  );
}

let compiler: Promise<NodeCompiler> | undefined;

async function openCompiler(): Promise<NodeCompiler> {
  const typst = await import('@myriaddreamin/typst-ts-node-compiler');
  return typst.NodeCompiler.create({
    workspace: NO_FOLDER,
    fontArgs: [{ fontBlobs: readFonts() }],
  });
}

/** @throws PrintFailure for a template that asks for more than it is given */
function checkTemplate(template: string): void {
  const at = template.split('\n').findIndex((line) => PACKAGE.test(line));
  if (at >= 0) {
    throw new PrintFailure({ line: at + 1, reason: 'packages are not fetched: put what you need into this file' });
  }
}

type Diagnostic = { readonly message?: unknown; readonly range?: { readonly start?: { readonly line?: unknown } } };

function problemIn(diagnostics: readonly Diagnostic[]): PrintProblem {
  const [first] = diagnostics;
  const line = Number(first?.range?.start?.line ?? 0);
  return { line: Number.isFinite(line) ? line + 1 : 1, reason: String(first?.message ?? 'it cannot be laid out') };
}

export type Printing = {
  readonly template: string;
  /** What the template lays out, as JSON. */ readonly data: string;
  /** When it is printed, in milliseconds. */ readonly at: number;
};

/** @throws PrintFailure for a fault of the template */
export async function printPaper({ template, data, at }: Printing): Promise<Buffer> {
  checkTemplate(template);
  compiler ??= openCompiler();
  const typst = await compiler;
  const compiled = typst.compile({ mainFileContent: template, inputs: { data }, resetRead: true });
  try {
    const failure = compiled.takeError();
    if (failure || !compiled.result) {
      throw new PrintFailure(problemIn(failure ? (typst.fetchDiagnostics(failure) as Diagnostic[]) : []));
    }
    return typst.pdf(compiled.result, { pdfTags: true, creationTimestamp: Math.floor(at / 1000) });
  } finally {
    // Nothing of a person stays in the process.
    typst.evictCache(0);
  }
}
