/** walk: finds the files below a folder of set-up files, and reports what cannot be read there. */
import { readdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';

function fileNamesIn(folder: string, problems: string[]): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    problems.push(
      `${folder}: the folder cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown reason'})`,
    );
    return [];
  }
}

/**
 * All files below the folder, sorted by name, folder by folder; links are followed. Names that begin with a dot and
 * node_modules are left out, and a folder that several links lead to is read once.
 * @param problems gets a line for every link that leads nowhere and every folder that cannot be read
 */
export function filesBelow(folder: string, problems: string[], visited = new Set<string>()): readonly string[] {
  const real = realpathSync(folder);
  if (visited.has(real)) {
    return [];
  }
  visited.add(real);
  return fileNamesIn(folder, problems)
    .filter((name) => !name.startsWith('.') && name !== 'node_modules')
    .sort()
    .flatMap((name) => {
      const path = join(folder, name);
      try {
        return statSync(path).isDirectory() ? filesBelow(path, problems, visited) : [path];
      } catch (error) {
        problems.push(
          `${path}:1: it cannot be read: ` +
            `${(error as NodeJS.ErrnoException).code === 'ENOENT' ? 'the link leads nowhere' : ((error as NodeJS.ErrnoException).code ?? 'unknown reason')}`,
        );
        return [];
      }
    });
}
