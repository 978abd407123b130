/**
 * interruption: an `AbortController` and its signal in one, much cheaper than those of Node.js, because several are made
 * for each long read.
 */
type Listener = () => void;

/** What works need of a signal; an `AbortSignal` can be given, too. */
export type Interrupted = {
  readonly aborted: boolean;
  readonly reason: unknown;
  readonly throwIfAborted: () => void;
  readonly addEventListener: (event: 'abort', listener: Listener) => void;
  readonly removeEventListener: (event: 'abort', listener: Listener) => void;
};

export class Interruption implements Interrupted {
  aborted = false;
  reason: unknown = undefined;
  private readonly listeners = new Set<Listener>();

  abort(reason: Error): void {
    if (!this.aborted) {
      this.aborted = true;
      this.reason = reason;
      this.listeners.forEach((listener) => listener());
    }
  }

  throwIfAborted(): void {
    if (this.aborted) {
      throw this.reason;
    }
  }

  addEventListener(_event: 'abort', listener: Listener): void {
    this.listeners.add(listener);
  }

  removeEventListener(_event: 'abort', listener: Listener): void {
    this.listeners.delete(listener);
  }
}
