/** program: the command line of the `npm run` scripts in this folder: `--help`, and a refusal of unknown options. */
import { Command, InvalidArgumentError } from 'commander';

/** Reads the value of an option that is a count or a measure. */
export const aboveZero = (text: string): number => {
  const value = Number(text);
  if (!(value > 0)) {
    throw new InvalidArgumentError('Give a number above 0.');
  }
  return value;
};

/** A program with the name of its script in package.json. */
export const program = (script: string, description: string): Command =>
  new Command(`npm run ${script} --`).description(description).showHelpAfterError();
