/** words-row: results in words, such as "negative" or "++", in one row below a chart, each at its time. */
import type { JSX } from 'preact';
import { broadest } from './events';
import { round } from './round';

/** A result in words. The time is in milliseconds, as that of a reading. */
export type Word = { readonly at: number; readonly text: string; readonly title: string };

/** The height of the row. */
export const WORDS_ROW = 34;
const BETWEEN = 8;
/** More letters stand in the table only. */
const LONGEST = 14;

type Placed = Word & { readonly x: number; readonly middle: number; readonly isShown: boolean };

/** Where the words stand, the newest first, because that one is always shown; one without room is only a tick. */
function placedWords(words: readonly Word[], x: (at: number) => number, width: number): readonly Placed[] {
  let free = width;
  return [...words].reverse().map((word) => {
    const text = word.text.length > LONGEST ? `${word.text.slice(0, LONGEST - 1)}…` : word.text;
    const half = broadest(text) / 2;
    const middle = Math.max(half, Math.min(x(word.at), width - half));
    const isShown = middle + half <= free;
    free = isShown ? middle - half - BETWEEN : free;
    return { ...word, text, x: x(word.at), middle, isShown };
  });
}

/**
 * The words of results that are no numbers.
 * @param words oldest first
 * @param top where the row begins, in pixels
 */
export function WordsRow({
  words,
  x,
  top,
  width,
}: {
  readonly words: readonly Word[];
  readonly x: (at: number) => number;
  readonly top: number;
  readonly width: number;
}): JSX.Element {
  return (
    <>
      {placedWords(words, x, width).map(({ x: place, middle, text, title, isShown }) => (
        <g class="word">
          <title>{title}</title>
          <path class="c-axis" d={`M${round(place)} ${top + 4}v8`} />
          {isShown && (
            <text x={round(middle)} y={top + 26} text-anchor="middle">
              {text}
            </text>
          )}
        </g>
      ))}
    </>
  );
}
