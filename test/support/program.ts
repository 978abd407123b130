/** program: the command line of what `npm run` starts from this folder: `--help`, and a refusal of what it does not know. */
import { Command, InvalidArgumentError } from 'commander';

/** Reads the value of an option that counts or measures something. */
export const aboveZero = (text: string): number => {
  const value = Number(text);
  if (!(value > 0)) {
    throw new InvalidArgumentError('Give a number above 0.');
  }
  return value;
};

/** A program by the name of its script in package.json. */
export const program = (script: string, description: string): Command =>
  new Command(`npm run ${script} --`).description(description).showHelpAfterError();
