/** received-file: a file as `receive` took it; it takes the place of what hapi would have made of it. */
import type { SentFile } from './page';

export class ReceivedFile {
  constructor(readonly file: SentFile) {}
}
