/** finding: what a check of the doctor found, and what to do about it. */

/** `fine` needs nothing, `warning` may become a problem, `problem` keeps somebody from working now. */
export type State = 'fine' | 'warning' | 'problem';

export type Finding = {
  readonly check: string;
  readonly state: State;
  readonly found: string;
  /** What to do; absent when nothing is to be done. */ readonly advice?: string;
};

export function fine(check: string, found: string): Finding {
  return { check, state: 'fine', found };
}
export function warning(check: string, found: string, advice: string): Finding {
  return {
    check,
    state: 'warning',
    found,
    advice,
  };
}
export function problem(check: string, found: string, advice: string): Finding {
  return {
    check,
    state: 'problem',
    found,
    advice,
  };
}
