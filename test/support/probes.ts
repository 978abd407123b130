/** probes: a supervisor that probes the service while a call waits for a lock of another process. */
import { expect } from '@hapi/code';
import type { Answer, Client } from './client';

/**
 * Every probe must succeed until the call is refused with a 503 and a Retry-After; resolves to the number of probes.
 */
export const probesUntilRefused = async (call: Client, calling: Promise<Answer>): Promise<number> => {
  let refused = false;
  const answering = calling.finally(() => {
    refused = true;
  });
  let probes = 0;
  while (!refused) {
    expect((await call(null, 'GET', '/health/live')).status).to.equal(200);
    expect((await call(null, 'GET', '/health/ready')).status).to.equal(200);
    probes += 1;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  const { status, headers } = await answering;
  expect(status).to.equal(503);
  expect(Number(headers['retry-after'])).to.be.above(0);
  return probes;
};
