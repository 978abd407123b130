/** colours: shows words in colour on a terminal that can do so, and nowhere else; Node itself honours NO_COLOR. */
import { styleText } from 'node:util';
import type { WriteStream } from 'node:tty';

export type Colour = 'green' | 'yellow' | 'red' | 'dim';

function hasColours(stream: Partial<WriteStream>): boolean {
  return stream.isTTY === true && stream.hasColors?.() === true;
}

/** The text in the colour, if the stream can show it. */
export function coloured(stream: Partial<WriteStream>, colour: Colour, text: string): string {
  return hasColours(stream) ? styleText(colour, text, { validateStream: false }) : text;
}
