/** pauses: a loop that does nothing but look at the clock: where time is missing, the machine itself was elsewhere. */

/** Milliseconds; shorter ones happen to every process. */
export const LONG_PAUSE = 3;

export type Pauses = {
  /** How many long ones. */ readonly long: number;
  /** Milliseconds. */ readonly longest: number;
};

/** Takes a whole processor for the time. */
export const watchPauses = (seconds: number): Pauses => {
  const end = performance.now() + seconds * 1000;
  let [long, longest] = [0, 0];
  let last = performance.now();
  while (last < end) {
    const now = performance.now();
    if (now - last > LONG_PAUSE) {
      long += 1;
    }
    longest = Math.max(longest, now - last);
    last = now;
  }
  return { long, longest };
};
