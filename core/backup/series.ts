/** series: regular backups in one folder, which are named by their time, and of which the newest are kept. */
import { readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { SetupError } from '../base/errors';
import { isFolder } from '../base/paths';
import { backUp, type BackedUp, type Pages } from './backup';

/** Only files with such names are ever removed. */
const OURS = /^svc-\d{4}-\d\d-\d\dT\d{6}Z\.sqlite$/;

function nameAt(now: Date): string {
  return `svc-${now.toISOString().slice(0, 19).replaceAll(':', '')}Z.sqlite`;
}

/** The backups of a folder, the oldest first. */
function seriesIn(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => OURS.test(name))
    .sort();
}

/**
 * @param path a backup, or a folder of them
 * @returns the backup that is meant: the file itself, or the newest of the folder
 * @throws SetupError when the folder holds none
 */
export function backupAt(path: string): string {
  const file = resolve(path);
  if (!isFolder(file)) {
    return file;
  }
  const newest = seriesIn(file).at(-1);
  if (newest === undefined) {
    throw new SetupError([`${file} holds no backup: svc backup ${path} makes one`]);
  }
  return join(file, newest);
}

/**
 * Makes one backup in a folder. When it is complete and checked, the oldest backups are removed if there are more than
 * `keep`.
 * @throws SetupError as `backUp` does
 */
export async function backUpInto(
  databaseUrl: string,
  folder: string,
  { keep, now, pages }: { readonly keep?: number; readonly now: Date; readonly pages: Pages },
): Promise<BackedUp & { readonly removed: readonly string[] }> {
  const made = await backUp(databaseUrl, join(resolve(folder), nameAt(now)), pages);
  const removed = keep === undefined ? [] : seriesIn(folder).slice(0, -keep);
  for (const name of removed) {
    rmSync(join(folder, name));
  }
  return { ...made, removed };
}
