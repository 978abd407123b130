/** worker-metrics: a worker whose first process has ended. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';

export const lab = Lab.script();
const { describe, it } = lab;

describe('worker-metrics', () => {
  it('says that a scrape has no answer when the first process is gone, and goes on', async () => {
    const code = `
      const { Registry } = require('prom-client');
      const { askForSums } = require(${JSON.stringify(require.resolve('../../../core/metrics/worker-metrics'))});
      const ask = askForSums(new Registry());
      process.disconnect();
      ask().catch(({ status, message }) => console.log(status, message));`;
    const worker = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
    const [out, err] = await Promise.all([text(worker.stdout!), text(worker.stderr!), once(worker, 'exit')]);
    expect([out, err, worker.exitCode]).to.equal([
      '503 The service cannot answer now: a worker does not say what it has counted. Try again soon.\n',
      '',
      0,
    ]);
  });
});
