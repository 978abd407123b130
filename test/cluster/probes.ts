/** probes: callers who write a small thing again and again and note for how long nothing came of it. */
import { newId } from '../../core/base/ids';
import type { Client } from '../support/client';
import { sleep } from '../support/receiver';
import type { Stage } from '../faults/load';

export type Outage = {
  /** Longest time from a request that failed to the answer of the next that did not, in milliseconds. */
  readonly failing: number;
  /** Longest time between two good answers, which also counts requests that were slow. */
  readonly silent: number;
  readonly failed: number;
};

type Probe = { readonly take: () => Outage; readonly stop: () => Promise<void> };

/** Ends with a failure that is still going on when nobody looks any more. */
const meter = () => {
  let lastGood = Date.now();
  let failingSince: number | undefined;
  let outage = { failing: 0, silent: 0, failed: 0 };
  const look = (): void => {
    const now = Date.now();
    outage.silent = Math.max(outage.silent, now - lastGood);
    outage.failing = Math.max(outage.failing, failingSince === undefined ? 0 : now - failingSince);
  };
  return {
    good: (): void => {
      look();
      lastGood = Date.now();
      failingSince = undefined;
    },
    bad: (began: number): void => {
      failingSince ??= began;
      outage.failed += 1;
      look();
    },
    take: (): Outage => {
      look();
      const taken = outage;
      outage = { failing: 0, silent: 0, failed: 0 };
      return taken;
    },
  };
};

const PAUSE_MILLISECONDS = 100;

/** One caller; `next` chooses whom it asks after a failure. */
const startProbe = (stage: Stage, first: number, next: (index: number) => number): Probe => {
  const { take, good, bad } = meter();
  const path = `/records/${stage.recordId}/apps/${encodeURIComponent(stage.app.consumer.key)}/documents/external/probe-${newId()}`;
  const ask = (call: Client): Promise<number> =>
    call(stage.app, 'PUT', path, { body: `<probe at="${Date.now()}"/>` }).then(
      ({ status }) => status,
      () => 0,
    );
  let going = true;
  const running = (async () => {
    for (let index = first; going;) {
      const began = Date.now();
      if ((await ask(stage.clients[index]!)) === 200) {
        good();
      } else {
        bad(began);
        index = next(index);
      }
      await sleep(PAUSE_MILLISECONDS);
    }
  })();
  return {
    take,
    stop: async () => {
      going = false;
      await running;
    },
  };
};

export type Probes = {
  /** What each process's own caller met since the last look, and then one who goes to the next process when one fails. */
  readonly take: () => { readonly each: readonly Outage[]; readonly balanced: Outage };
  readonly stop: () => Promise<void>;
};

export const startProbes = (stage: Stage): Probes => {
  const each = stage.clients.map((_client, index) => startProbe(stage, index, () => index));
  const balanced = startProbe(stage, 0, (index) => (index + 1) % stage.clients.length);
  return {
    take: () => ({ each: each.map((probe) => probe.take()), balanced: balanced.take() }),
    stop: async () => {
      await Promise.all([...each, balanced].map((probe) => probe.stop()));
    },
  };
};
