/**
 * reader-trace: records the spans of one piece of work for a reader: its wait in the queue, the reader that worked on
 * it, and the stages there.
 */
import { monotonic, type Attributes, type Traced } from '../../base/tracing';
import { stageTimes } from '../stage-marks';

export type ReaderTrace = {
  /** A reader has started the work. */
  readonly given: () => void;
  /** The work waits again, since its reader died. */
  readonly again: () => void;
  /** The reader has answered, or ended. @param marks as it sent them */
  readonly over: (attributes: Attributes, marks?: unknown) => void;
};

export function traceOf(span: Traced | undefined): ReaderTrace | undefined {
  if (span === undefined) {
    return undefined;
  }
  let since = monotonic();
  const over: ReaderTrace['over'] = (attributes, marks) => {
    const now = monotonic();
    const reader = span.part('reader', since, now, attributes);
    stageTimes(marks, since, now).forEach(({ stage, from, to }) => reader.part(stage, from, to));
    since = now;
  };
  return {
    given: () => {
      const now = monotonic();
      span.part('queue', since, now);
      since = now;
    },
    again: () => over({ 'error.type': 'reader_ended' }),
    over,
  };
}
