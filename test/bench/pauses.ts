/** pauses: a loop that only reads the clock. A jump of the clock is a pause in which the machine did other work. */

/** In milliseconds; shorter pauses happen to every process. */
export const LONG_PAUSE = 3;

export type Pauses = {
  /** Number of long pauses. */ readonly long: number;
  /** In milliseconds. */ readonly longest: number;
};

/** Watches for this number of seconds, and uses a whole processor. */
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
