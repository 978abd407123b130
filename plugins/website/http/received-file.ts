/**
 * received-file: a file that `receive` has read, in place of the object that hapi would have made, and the name of a
 * file.
 */
import type { SentFile } from './page';

/** Browsers escape only quotation marks and line ends in the name of a file. */
export function sentName(name: string): string {
  return name.replaceAll('%22', '"').replace(/%0D%0A|%0[AD]/gi, ' ');
}

export class ReceivedFile {
  constructor(readonly file: SentFile) {}
}
