/** operations-behind-doors: the operations that have no address in the interface, found by walking the files of routes. */
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { RouteSpec } from '../../core/http/route';
import { areas } from '../../plugins';

type Exports = { readonly operations?: Readonly<Record<string, RouteSpec>> };

/** Every operation of every `*routes.ts` that no area serves. */
export function operationsBehindDoors(): readonly RouteSpec[] {
  const folder = join(__dirname, '..', '..', 'plugins');
  const load = createRequire(__filename);
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(({ name }) =>
    /(^|-)routes\.js$/.test(name),
  );
  const served = new Set(areas.flatMap(({ routes }) => routes));
  const every = files.flatMap(({ parentPath, name }) =>
    Object.values((load(join(parentPath, name)) as Exports).operations ?? {}),
  );
  return [...new Set(every)].filter((spec) => !served.has(spec));
}
