/** received-file: a file as `receive` took it, which takes the place of what hapi would have made of it; and its name. */
import type { SentFile } from './page';

/** Browsers escape a quotation mark and the end of a line in the name of a file, and nothing else. */
export const sentName = (name: string): string => name.replaceAll('%22', '"').replace(/%0D%0A|%0[AD]/gi, ' ');

export class ReceivedFile {
  constructor(readonly file: SentFile) {}
}
