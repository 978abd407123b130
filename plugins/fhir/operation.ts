/** operation: finds the operations behind this door by their names. */
import type { RouteSpec } from '../../core/http/route';
import { routes } from './routes';

type Routes = (typeof routes)[number];
type Named<N extends Routes['name']> = Extract<Routes, { readonly name: N }>;

export function operation<N extends Routes['name']>(name: N): Named<N> {
  const found = routes.find((spec: RouteSpec) => spec.name === name);
  if (!found) {
    throw new Error(`there is no operation ${name}`);
  }
  return found as Named<N>;
}
