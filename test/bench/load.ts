/**
 * load: sends requests and measures. First it sends them as fast as the responses come, which gives the rate. Then it
 * sends them at a fixed pace below that rate. There each latency is counted from the moment when the request was due,
 * so that a stall shows in all requests that wait in it. The parts can be requested one by one, so that two services
 * can be measured in turns.
 */
import { Connection } from './connection';
import { wireRequest, type Template, type WireRequest } from './wire';

export type Load = {
  readonly url: string;
  readonly templates: readonly Template[];
  readonly connections: number;
  /** Length of each measurement. */
  readonly seconds: number;
  /** Requests a second of the paced measurement; half the measured rate if absent. */
  readonly pace?: number;
  /**
   * `warm-up` runs until the compiler is done; `rate` runs as fast as the responses come. If absent, both run and then
   * the paced measurement, or that one alone when it has a pace.
   */
  readonly part?: 'warm-up' | 'rate';
  /** For `rate`: the expected responses a second, so that enough requests are prepared. */
  readonly expected?: number;
};

export type Measured = {
  /** Responses a second at full load. */
  readonly rate: number;
  /** Milliseconds at `pace`; NaN where only a part was measured. */
  readonly p50: number;
  readonly p99: number;
  readonly pace: number;
  /** Responses that were not 200. */
  readonly refused: number;
  /** All responses, warm-up included. */
  readonly answers: number;
};

/** Before this the compiler is still at work. It compiles what has run often, so slow code takes longer to get warm. */
const WARM = { seconds: 1.5, answers: 2000, longest: 8 };
const WARM_REQUESTS = 10_000;

/** Whether code that ran for this time, and this often, has reached its final speed. */
export const isWarm = (seconds: number, answers: number): boolean =>
  seconds >= WARM.longest || (seconds >= WARM.seconds && answers >= WARM.answers);

const now = (): number => performance.now();

/** Repeats each template by its weight, spread evenly. */
const rotation = (templates: readonly Template[]): readonly Template[] => {
  const total = templates.reduce((sum, { weight = 1 }) => sum + weight, 0);
  const due = templates.map(() => 0);
  return Array.from({ length: total }, () => {
    templates.forEach(({ weight = 1 }, index) => {
      due[index]! += weight;
    });
    const next = due.indexOf(Math.max(...due));
    due[next]! -= total;
    return templates[next]!;
  });
};

const signed = ({ templates, url }: Load, count: number): readonly WireRequest[] => {
  const turns = rotation(templates);
  return Array.from({ length: count }, (_, index) => wireRequest(turns[index % turns.length]!, url, index));
};

type Flood = { readonly answers: number; readonly refused: number; readonly seconds: number };

type IsOver = (seconds: number, answers: number) => boolean;

/** Sends requests as fast as the responses come, until the time is over or the requests are used up. */
const flood = (pool: readonly Connection[], requests: readonly WireRequest[], isOver: IsOver): Promise<Flood> =>
  new Promise((resolve) => {
    const began = now();
    let sent = 0;
    let open = 0;
    let answers = 0;
    let refused = 0;
    const next = (connection: Connection): void => {
      const elapsed = (now() - began) / 1000;
      if (sent < requests.length && !isOver(elapsed, answers)) {
        open += 1;
        connection.send(requests[sent++]!, (status) => {
          open -= 1;
          answers += 1;
          refused += status === 200 ? 0 : 1;
          next(connection);
        });
      } else if (open === 0) {
        resolve({ answers, refused, seconds: elapsed });
      }
    };
    pool.forEach(next);
  });

type Paced = { readonly latencies: readonly number[]; readonly refused: number };

/** Sends one request every 1/pace seconds, whether or not the earlier ones have been answered. */
const paced = (pool: readonly Connection[], requests: readonly WireRequest[], pace: number): Promise<Paced> =>
  new Promise((resolve) => {
    const began = now();
    const idle = [...pool];
    const latencies: number[] = [];
    let sent = 0;
    let refused = 0;
    const dueAt = (index: number): number => began + (index * 1000) / pace;
    const hand = (): void => {
      while (sent < requests.length && idle.length > 0 && dueAt(sent) <= now()) {
        const connection = idle.pop()!;
        const due = dueAt(sent);
        connection.send(requests[sent++]!, (status) => {
          latencies.push(now() - due);
          refused += status === 200 ? 0 : 1;
          idle.push(connection);
          if (latencies.length === requests.length) {
            clearInterval(timer);
            resolve({ latencies, refused });
          } else {
            hand();
          }
        });
      }
    };
    const timer = setInterval(hand, 1);
  });

const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN;

/** The pace of the latencies that are shown beside a rate, as a share of that rate. */
export const SHARE_OF_RATE = 0.5;

const rateOf = ({ answers, seconds }: Flood): number => answers / seconds;

const warmUp = (pool: readonly Connection[], load: Load): Promise<Flood> =>
  flood(pool, signed(load, WARM_REQUESTS), isWarm);

const full = (pool: readonly Connection[], load: Load, expected: number): Promise<Flood> =>
  flood(
    pool,
    signed(load, Math.ceil(expected * load.seconds * 1.6) + load.connections),
    (seconds) => seconds >= load.seconds,
  );

const inPace = async (pool: readonly Connection[], load: Load, pace: number): Promise<Omit<Measured, 'rate'>> => {
  const { latencies, refused } = await paced(pool, signed(load, Math.max(1, Math.round(pace * load.seconds))), pace);
  return {
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
    pace,
    refused,
    answers: latencies.length,
  };
};

const onlyRate = (flooded: Flood): Measured => ({
  rate: rateOf(flooded),
  p50: Number.NaN,
  p99: Number.NaN,
  pace: Number.NaN,
  refused: flooded.refused,
  answers: flooded.answers,
});

const measureOn = async (pool: readonly Connection[], load: Load): Promise<Measured> => {
  if (load.part !== undefined) {
    return onlyRate(
      await (load.part === 'warm-up' ? warmUp(pool, load) : full(pool, load, load.expected ?? WARM_REQUESTS)),
    );
  }
  if (load.pace !== undefined) {
    return { rate: load.pace, ...(await inPace(pool, load, load.pace)) };
  }
  const warm = await warmUp(pool, load);
  const flooded = await full(pool, load, rateOf(warm));
  const calm = await inPace(pool, load, rateOf(flooded) * SHARE_OF_RATE);
  return {
    ...calm,
    rate: rateOf(flooded),
    refused: warm.refused + flooded.refused + calm.refused,
    answers: warm.answers + flooded.answers + calm.answers,
  };
};

/** Measures one kind of load. */
export const measure = async (load: Load): Promise<Measured> => {
  const { hostname, port } = new URL(load.url);
  const pool = Array.from({ length: load.connections }, () => new Connection(hostname, Number(port)));
  try {
    return await measureOn(pool, load);
  } finally {
    pool.forEach((connection) => connection.close());
  }
};
