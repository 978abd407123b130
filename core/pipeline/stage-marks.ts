/**
 * stage-marks: notes when a reader process entered each stage of a document. The process has no network, so it sends
 * the marks with its answer, and the server makes spans of them. Nothing is marked unless the server asks for it.
 */
import { monotonic } from '../base/tracing';

/** `done` is the end of the last stage. */
const STAGES = ['gate', 'identify', 'validate', 'transform', 'outline', 'narrative', 'print', 'write', 'done'] as const;
type Stage = (typeof STAGES)[number];

/** A stage's name and the time when it began, by the clock that all processes of the machine share. */
export type Mark = readonly [stage: Stage, at: number];

const MOST = 20;

let marks: Mark[] | undefined;

/** Starts the marks of one piece of work. */
export function startMarks(wanted: boolean): void {
  marks = wanted ? [] : undefined;
}

/** Marks the beginning of a stage, which ends the previous one. */
export function mark(stage: Stage): void {
  marks?.push([stage, monotonic()]);
}

export function takeMarks(): readonly Mark[] | undefined {
  mark('done');
  return marks;
}

type StageTime = { readonly stage: Stage; readonly from: number; readonly to: number };

/**
 * The times of the stages, as far as the marks can be believed. A document may have taken over the process that read
 * it, so no words of that process may leave the service.
 * @param from when the work was given to the reader
 * @param to when its answer arrived
 */
export function stageTimes(given: unknown, from: number, to: number): readonly StageTime[] {
  const believed = (Array.isArray(given) ? given.slice(0, MOST) : []).flatMap((one: unknown): readonly Mark[] => {
    const [name, at] = Array.isArray(one) ? (one as readonly unknown[]) : [];
    const stage = STAGES.find((known) => known === name);
    return stage !== undefined && typeof at === 'number' && at >= from && at <= to ? [[stage, at]] : [];
  });
  return believed
    .slice(0, -1)
    .map(([stage, at], index) => ({ stage, from: at, to: Math.max(at, believed[index + 1]![1]) }));
}
