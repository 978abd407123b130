/** main: the process of `svc`: its command line, its streams and its exit code. */
import { run } from './run';

// `svc import FILE | head -1` closes the pipe early: the work goes on without a reader, and its own exit code says how
// it went.
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  if (code !== 'EPIPE') {
    process.stderr.write(`svc: standard output cannot be written (${code ?? 'unknown reason'})\n`);
    process.exit(1);
  }
});
// There is nowhere left to say it.
process.stderr.on('error', () => undefined);

void run(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
