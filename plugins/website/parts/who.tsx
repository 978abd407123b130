/** who: shows whose record a page is about: initials in the person's colour, the name, and the age. */
import type { JSX } from 'preact';
import type { Words } from '../words/words';

const HUES = ['teal', 'blue', 'rust', 'plum', 'green', 'slate'] as const;

/** The class with the colour of a person. The same record always has the same colour. */
export function hueOf(base: string): string {
  const sum = [...base].reduce((before, sign) => (before * 31 + sign.codePointAt(0)!) % 65_521, 7);
  return `me-${HUES[sum % HUES.length]!}`;
}

/** The first signs of the first and the last word of a name. */
function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter((word) => /^\p{L}/u.test(word));
  const ends = words.length > 1 ? [words[0]!, words.at(-1)!] : words;
  return ends.map((word) => [...word][0]!.toLocaleUpperCase()).join('');
}

/** Initials in a circle; the name is beside it. */
export function Avatar({ name, hue }: { readonly name: string; readonly hue: string }): JSX.Element {
  return (
    <span class={`av ${hue}`} aria-hidden="true">
      {initialsOf(name)}
    </span>
  );
}

/** The age of children is given in months until they are two. */
const MONTHS = 24;

/** The age in whole months. */
export function monthsOf(born: string, now: number): number {
  const [today, day] = [new Date(now), new Date(born)];
  const before = today.getUTCDate() < day.getUTCDate() ? 1 : 0;
  return (today.getUTCFullYear() - day.getUTCFullYear()) * 12 + today.getUTCMonth() - day.getUTCMonth() - before;
}

/** "58 years", "14 months"; empty if the birth date is not known. */
export function ageWords(born: string | undefined, now: number, { say }: Words): string {
  const months = born ? monthsOf(born, now) : Number.NaN;
  if (Number.isNaN(months)) {
    return '';
  }
  return months < MONTHS
    ? say('frame.age-months', { count: Math.max(0, months) })
    : say('frame.age', { count: Math.floor(months / 12) });
}
