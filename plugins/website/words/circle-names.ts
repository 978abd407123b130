/** circle-names: the names of the circles that every new record has, in the person's language. */
import type { Words } from './words';

const usual: Readonly<Record<string, string>> = {
  Family: 'family',
  Physicians: 'physicians',
  'Work/School': 'work-school',
};

/** The name of a circle as the person reads it. A name that somebody chose stays as it is. */
export function circleName(name: string, { say }: Words): string {
  return Object.hasOwn(usual, name) ? say(`circle.${usual[name]!}`) : name;
}
