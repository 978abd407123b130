/** print: what a command says on its standard output. */

/** Prints one line. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
