/** table: gathers all specs of all areas in one table; refuses two entries for one method and path. */
import type { Area } from './area';
import type { RouteSpec } from './route';

export type TableRow = { readonly area: string; readonly about: string; readonly spec: RouteSpec };

function shape(spec: RouteSpec): string {
  return `${spec.method} ${spec.path.replace(/\{[^}]+\}/g, '{}')}`;
}

/** Rows sorted by path, then method. */
export function routeTable(areas: readonly Area[]): readonly TableRow[] {
  const rows = areas.flatMap(({ name, about = '', routes }) => routes.map((spec) => ({ area: name, about, spec })));
  const seen = new Set<string>();
  for (const { spec } of rows) {
    if (seen.has(shape(spec))) {
      throw new Error(`two routes answer ${shape(spec)}`);
    }
    seen.add(shape(spec));
  }
  return rows.sort(({ spec: a }, { spec: b }) => {
    if (a.path === b.path) {
      return a.method.localeCompare(b.method);
    }
    return a.path < b.path ? -1 : 1;
  });
}
