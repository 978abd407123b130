/** templates: finds the templates of printed pages, and whether this installation can print. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundledFormats } from '../base/paths';
import type { PaperName } from './paper';

const FOLDER = 'paper';

/** The last folder that has the template; else the one that comes with the service. */
export function templateFile(folders: readonly string[], name: PaperName): string {
  return (
    [...folders]
      .reverse()
      .map((folder) => join(folder, FOLDER, `${name}.typ`))
      .find((file) => existsSync(file)) ?? join(bundledFormats, FOLDER, `${name}.typ`)
  );
}

/** Templates are read anew each time: they are small, and an operator sees at once what a change does. */
export function readTemplate(folders: readonly string[], name: PaperName): Promise<string> {
  return readFile(templateFile(folders, name), 'utf8');
}

const COMPILER = '@myriaddreamin/typst-ts-node-compiler';
/** The compiler's own package for this machine ends so. */
const ENDINGS = ['', '-gnu', '-musl', '-msvc', '-gnueabihf', '-eabi'];

function isInstalled(name: string): boolean {
  try {
    require.resolve(name);
    return true;
  } catch {
    return false;
  }
}

let installed: boolean | undefined;

/** Whether the service makes PDFs: the compiler, an optional dependency, is installed for this machine. */
export function canPrint({ paper }: { readonly paper: boolean }): boolean {
  return (
    paper &&
    (installed ??=
      isInstalled(COMPILER) &&
      ENDINGS.some((ending) => isInstalled(`${COMPILER}-${process.platform}-${process.arch}${ending}`)))
  );
}
