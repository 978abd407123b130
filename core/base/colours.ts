/** colours: shows words in colour on a terminal that can do so, and nowhere else; Node itself honours NO_COLOR. */
import { styleText } from 'node:util';
import type { WriteStream } from 'node:tty';

export type Colour = 'green' | 'yellow' | 'red' | 'dim';

const hasColours = (stream: Partial<WriteStream>): boolean => stream.isTTY === true && stream.hasColors?.() === true;

/** The text in the colour, if the stream can show it. */
export const coloured = (stream: Partial<WriteStream>, colour: Colour, text: string): string =>
  hasColours(stream) ? styleText(colour, text, { validateStream: false }) : text;
