/** probes: a supervisor that goes on asking how the service is while a call waits for what somebody else has locked. */
import { expect } from '@hapi/code';
import type { Answer, Client } from './client';

/** Every probe is answered until the call is refused with 503 and the time of its next try; answers how many probes there were. */
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
