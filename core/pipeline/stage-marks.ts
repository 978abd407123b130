/**
 * stage-marks: when a reader process entered which stage of a document. It has no network and sends the marks with its
 * answer; the server makes spans of them. Nothing is marked unless the server asks.
 */
import { monotonic } from '../base/tracing';

/** `done` is the end of the last stage. */
const STAGES = ['gate', 'identify', 'validate', 'transform', 'outline', 'narrative', 'write', 'done'] as const;
export type Stage = (typeof STAGES)[number];

/** A stage by its name and when it began, by the clock that all processes of the machine share. */
export type Mark = readonly [stage: Stage, at: number];

const MOST = 20;

let marks: Mark[] | undefined;

/** Begins anew for one piece of work. */
export const startMarks = (wanted: boolean): void => {
  marks = wanted ? [] : undefined;
};

/** The stage begins that ends the one before it. */
export const mark = (stage: Stage): void => {
  marks?.push([stage, monotonic()]);
};

export const takeMarks = (): readonly Mark[] | undefined => {
  mark('done');
  return marks;
};

export type StageTime = { readonly stage: Stage; readonly from: number; readonly to: number };

/**
 * What marks say, as far as they may be believed: a process that reads documents may have been taken over by one, and
 * must have no words of its own in what leaves the service.
 * @param from when the work was handed to the reader
 * @param to when its answer came
 */
export const stageTimes = (given: unknown, from: number, to: number): readonly StageTime[] => {
  const believed = (Array.isArray(given) ? given.slice(0, MOST) : []).flatMap((one: unknown): readonly Mark[] => {
    const [name, at] = Array.isArray(one) ? (one as readonly unknown[]) : [];
    const stage = STAGES.find((known) => known === name);
    return stage !== undefined && typeof at === 'number' && at >= from && at <= to ? [[stage, at]] : [];
  });
  return believed
    .slice(0, -1)
    .map(([stage, at], index) => ({ stage, from: at, to: Math.max(at, believed[index + 1]![1]) }));
};
