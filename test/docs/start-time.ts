/** start-time: `npm run tool start-time`: the time from the command to the first response, with an existing database. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve } from '../support/svc';

const ROUNDS = 5;

const once = async (settings: Readonly<Record<string, string>>): Promise<number> => {
  const began = performance.now();
  const served = await serve(settings);
  await fetch(`${served.url}/health/ready`);
  const took = performance.now() - began;
  await served.stop();
  return took;
};

const main = async (): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-start-'));
  const settings = { SVC_DATABASE_URL: `sqlite:${join(folder, 'svc.sqlite')}` };
  await once(settings);
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    times.push(await once(settings));
  }
  rmSync(folder, { recursive: true, force: true });
  process.stdout.write(
    `${(times.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)]! / 1000).toFixed(1)} s (median of ${ROUNDS})\n`,
  );
};

void main();
