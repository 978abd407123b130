/** nearest: which command somebody means who types one that does not exist (pure). */
import type { Command } from 'commander';

/** How many letters have to be put in, taken out, changed or swapped with the next one to make one word of another. */
function editsBetween(one: string, other: string): number {
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= one.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const isSame = one[i - 1] === other[j - 1];
      const isSwapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      row.push(
        Math.min(
          rows[i - 1]![j]! + 1,
          row[j - 1]! + 1,
          rows[i - 1]![j - 1]! + (isSame ? 0 : 1),
          isSwapped ? rows[i - 2]![j - 2]! + 1 : Infinity,
        ),
      );
    }
    rows.push(row);
  }
  return rows[one.length]![other.length]!;
}

/** 0 for equal words, 1 for words that have nothing in common. */
function unlikeness(one: string, other: string): number {
  return editsBetween(one, other) / Math.max(one.length, other.length, 1);
}

type Candidate = { readonly path: string; readonly name: string };

/** A command within another one counts only if its name is as like as this: people begin with the command. */
const LIKE_ENOUGH = 0.34;

function candidatesIn(command: Command, path: string): readonly Candidate[] {
  return command.commands.map((one) => ({ path: `${path} ${one.name()}`, name: one.name() }));
}

/**
 * The command, or the one within another, whose name is the most like what was typed or a word of it: "svc put" for
 * "pt", "svc export" for "export-archive", "svc outbox list" for "lsit". Of equals it is the first of the help.
 */
export function nearestCommand(program: Command, typed: string): string | undefined {
  const words = [typed, ...typed.split(/[-_]/)].map((word) => word.toLowerCase()).filter((word) => word !== '');
  const unlike = ({ name }: Candidate): number => Math.min(...words.map((word) => unlikeness(word, name)));
  const within = program.commands
    .flatMap((one) => candidatesIn(one, `${program.name()} ${one.name()}`))
    .filter(({ name }) => unlikeness(typed.toLowerCase(), name) <= LIKE_ENOUGH);
  const all = [...candidatesIn(program, program.name()), ...within];
  return all.sort((one, other) => unlike(one) - unlike(other))[0]?.path;
}
