/** colours: words in colour, on a terminal that has them and nowhere else; NO_COLOR is honoured by Node itself. */
import { styleText } from 'node:util';
import type { WriteStream } from 'node:tty';

export type Colour = 'green' | 'yellow' | 'red' | 'dim';

const hasColours = (stream: Partial<WriteStream>): boolean => stream.isTTY === true && stream.hasColors?.() === true;

/** The text as the stream shall show it. */
export const coloured = (stream: Partial<WriteStream>, colour: Colour, text: string): string =>
  hasColours(stream) ? styleText(colour, text, { validateStream: false }) : text;
