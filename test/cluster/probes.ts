/** probes: callers that write a small document again and again, and measure for how long this fails. */
import { newId } from '../../core/base/ids';
import type { Client } from '../support/client';
import { sleep } from '../support/receiver';
import type { Stage } from '../faults/load';

export type Outage = {
  /** Longest time from a failed request to the response of the next successful one, in milliseconds. */
  readonly failing: number;
  /** Longest time between two successful responses, which includes slow requests. */
  readonly silent: number;
  readonly failed: number;
};

type Probe = { readonly take: () => Outage; readonly stop: () => Promise<void> };

/** A failure that still lasts at the time of a reading counts up to that time. */
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

/** Starts one caller; `next` chooses the process that it asks after a failure. */
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
  /**
   * The outages since the last reading: of the callers that stay with one process, and of the caller that switches when
   * one fails.
   */
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
