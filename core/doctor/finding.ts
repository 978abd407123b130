/** finding: what a check of the doctor found, and what to do about it. */

/** `fine` needs nothing, `warning` may become a problem, `problem` keeps somebody from working now. */
export type State = 'fine' | 'warning' | 'problem';

export type Finding = {
  readonly check: string;
  readonly state: State;
  readonly found: string;
  /** What to do; absent when nothing is to be done. */ readonly advice?: string;
};

export const fine = (check: string, found: string): Finding => ({ check, state: 'fine', found });
export const warning = (check: string, found: string, advice: string): Finding => ({
  check,
  state: 'warning',
  found,
  advice,
});
export const problem = (check: string, found: string, advice: string): Finding => ({
  check,
  state: 'problem',
  found,
  advice,
});
