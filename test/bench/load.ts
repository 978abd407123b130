/**
 * load: sends requests and measures. First as fast as the answers come, which gives the rate; then at a fixed pace below that
 * rate, where each latency counts from the moment at which the request was due, so that a stall is felt by all who wait in it.
 * The parts can be asked for one by one, so that what is compared can take turns.
 */
import { Connection } from './connection';
import { wireRequest, type Template, type WireRequest } from './wire';

export type Load = {
  readonly url: string;
  readonly templates: readonly Template[];
  readonly connections: number;
  /** Length of each measurement. */
  readonly seconds: number;
  /** Requests a second of the paced measurement; absent: half the rate found. */
  readonly pace?: number;
  /**
   * `warm-up`: until the compiler is done; `rate`: as fast as the answers come. Absent: these and the paced one, which
   * goes alone when it has a pace.
   */
  readonly part?: 'warm-up' | 'rate';
  /** For `rate`: answers a second that may come, so that there are requests enough. */
  readonly expected?: number;
};

export type Measured = {
  /** Answers a second at full load. */
  readonly rate: number;
  /** Milliseconds at `pace`; not a number where only a part was asked for. */
  readonly p50: number;
  readonly p99: number;
  readonly pace: number;
  /** Answers that were not 200. */
  readonly refused: number;
  /** Answers in all, warm-up included. */
  readonly answers: number;
};

/** Until then the compiler is still at work: it goes by how often something ran, so what is slow takes longer to get warm. */
const WARM = { seconds: 1.5, answers: 2000, longest: 8 };
const WARM_REQUESTS = 10_000;

/** Whether something that ran for this time, and this often, runs as it always will. */
export const isWarm = (seconds: number, answers: number): boolean =>
  seconds >= WARM.longest || (seconds >= WARM.seconds && answers >= WARM.answers);

const now = (): number => performance.now();

/** Each template in its share, spread evenly. */
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

/** As fast as the answers come, until it is over or the requests are used up. */
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

/** One request every 1/pace seconds, whether or not those before have been answered. */
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

/** The pace of latencies that stand beside a rate. */
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
