/** targets: the targets that are fed with mutated inputs, by name; only the requested one is loaded. */
import type { Target } from './targets/target';

const places: Readonly<Record<string, () => Promise<{ readonly target: Target }>>> = {
  gate: () => import('./targets/gate.js'),
  signature: () => import('./targets/signature.js'),
  'fhir-json': () => import('./targets/fhir-json.js'),
  query: () => import('./targets/query.js'),
};

/** Two targets of the tests, which must be reported as failing. */
const planted: typeof places = {
  'planted-fault': () => import('./targets/planted-fault.js'),
  'planted-stop': () => import('./targets/planted-stop.js'),
};

export const targetNames: readonly string[] = Object.keys(places);

/** @throws Error when there is no such target */
export const targetNamed = async (name: string): Promise<Target> => {
  const place = { ...places, ...planted }[name];
  if (!place) {
    throw new Error(`There is no target ${name}: use ${targetNames.join(', ')}.`);
  }
  return (await place()).target;
};
