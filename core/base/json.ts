/**
 * json: objects in JSON, and JSON read with all digits of its numbers. The parser that keeps digits goes letter by letter
 * and needs seconds for texts of megabytes, so long texts are read by that of Node, which needs a fiftieth.
 */
import { isLosslessNumber, parse } from 'lossless-json';
import { newToken } from './ids';
import type { Json } from './types';

export type JsonObject = { readonly [key: string]: Json };

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Texts of so many letters are read apart. */
const LONG = 1000;
const BACKSLASH = 0x5c;

/** The place behind the text that begins at a quote; undefined where it has no end. */
function behindText(json: string, start: number): number | undefined {
  for (let end = json.indexOf('"', start + 1); end >= 0; end = json.indexOf('"', end + 1)) {
    let before = end;
    while (json.charCodeAt(before - 1) === BACKSLASH) {
      before -= 1;
    }
    if ((end - before) % 2 === 0) {
      return end + 1;
    }
  }
  return undefined;
}

/** JSON whose long texts have a short one in their place. */
type Shortened = {
  readonly json: string;
  /** What stood in the place of each. */ readonly long: ReadonlyMap<string, string>;
  /** By how many letters it is shorter behind each place. */
  readonly cuts: readonly { readonly at: number; readonly letters: number }[];
};

function placeIn(error: unknown): number | undefined {
  const place = /position (\d+)/.exec((error as Error).message)?.[1];
  return place === undefined ? undefined : Number(place);
}

/** @throws SyntaxError with the place in the whole */
function readText(text: string, start: number): string {
  let place: number;
  try {
    return JSON.parse(text) as string;
  } catch (error) {
    // Its message repeats letters of the text.
    place = placeIn(error) ?? 0;
  }
  throw new SyntaxError(`no text at position ${start + place}`);
}

function shorten(json: string): Shortened | undefined {
  const [parts, cuts, marks] = [[] as string[], [] as { at: number; letters: number }[], new Map<string, string>()];
  const token = newToken();
  let [behind, length] = [0, 0];
  for (let start = json.indexOf('"'); start >= 0;) {
    const end = behindText(json, start);
    if (end === undefined) {
      break;
    }
    if (end - start > LONG) {
      const text = readText(json.slice(start, end), start);
      const mark = marks.get(text) ?? `(${token} ${marks.size})`;
      marks.set(text, mark);
      parts.push(json.slice(behind, start), `"${mark}"`);
      length += start - behind + mark.length + 2;
      cuts.push({ at: length, letters: end - start - mark.length - 2 });
      behind = end;
    }
    start = json.indexOf('"', end);
  }
  return marks.size === 0
    ? undefined
    : {
        json: [...parts, json.slice(behind)].join(''),
        long: new Map([...marks].map(([text, mark]) => [mark, text])),
        cuts,
      };
}

/** Puts the long texts back. */
function putTextsBack(value: unknown, long: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') {
    return long.get(value) ?? value;
  }
  if (typeof value !== 'object' || value === null || isLosslessNumber(value)) {
    return value;
  }
  const members = value as Record<string, unknown>;
  for (const name of Object.keys(members)) {
    const restored = putTextsBack(members[name], long);
    const longName = long.get(name);
    if (longName !== undefined) {
      delete members[name];
    }
    members[longName ?? name] = restored;
  }
  return members;
}

/**
 * JSON with all digits of its numbers: each is a LosslessNumber.
 * @throws SyntaxError with the place where it is wrong; RangeError where it is nested too deep
 */
export function parseExactJson(json: string): unknown {
  const shortened = shorten(json);
  if (shortened === undefined) {
    return parse(json);
  }
  const { long, cuts } = shortened;
  let place: number;
  try {
    return putTextsBack(parse(shortened.json), long);
  } catch (error) {
    const found = error instanceof SyntaxError ? placeIn(error) : undefined;
    if (found === undefined) {
      throw error;
    }
    place = found;
  }
  const lost = cuts.filter(({ at }) => at <= place).reduce((sum, { letters }) => sum + letters, 0);
  throw new SyntaxError(`no JSON at position ${place + lost}`);
}
