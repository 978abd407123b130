/** main: the process of `svc`: its command line, its streams and its exit code. */
import { run } from './run';

// `svc import FILE | head -1` closes the pipe early. The work goes on without a reader, and its exit code still shows
// the result.
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  if (code !== 'EPIPE') {
    process.stderr.write(`svc: standard output cannot be written (${code ?? 'unknown reason'})\n`);
    process.exit(1);
  }
});
// There is no stream left on which this could be reported.
process.stderr.on('error', () => undefined);

void run(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
