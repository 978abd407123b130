/** disk: a small file system of the test's own, which can be filled and whose power can be cut. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync, statfsSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sleep } from '../support/receiver';

export type SmallDisk = {
  readonly folder: string;
  readonly fill: () => void;
  readonly free: () => void;
  readonly freeBytes: () => number;
  /**
   * What was not yet on the disk is gone, as in a power cut; nothing can be read or written until `restore`. Undefined
   * where only memory is to be had.
   */
  readonly cutPower: (() => void) | undefined;
  /** Mounts what is left; nobody may have a file of it open. */
  readonly restore: () => Promise<void>;
  readonly remove: () => void;
};

const quiet = { stdio: 'pipe' } as const;

const tries = (work: () => void): boolean => {
  try {
    work();
    return true;
  } catch {
    return false;
  }
};

/** FS_IOC_SHUTDOWN of Linux, told to write nothing more, the journal neither. */
const SHUTDOWN = 'open(my $f, "<", $ARGV[0]) or die; my $how = pack("L", 2); ioctl($f, 0x8004587d, $how) or die "$!"';

/** Two kinds: ext4 in a file, which forgets as a disk does, or memory; undefined where this user may mount neither. */
const mountOn = (folder: string, image: string, megabytes: number): 'disk' | 'memory' | undefined => {
  writeFileSync(image, '');
  truncateSync(image, megabytes * 1_048_576);
  if (
    tries(() => execFileSync('mkfs.ext4', ['-q', '-m', '0', image], quiet)) &&
    tries(() => execFileSync('mount', ['-o', 'loop', image, folder], quiet))
  ) {
    return 'disk';
  }
  return tries(() => execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], quiet))
    ? 'memory'
    : undefined;
};

const unmount = async (folder: string): Promise<void> => {
  // A process that was just killed may hold it for a moment.
  for (let left = 50; !tries(() => execFileSync('umount', [folder], quiet)); left -= 1) {
    if (left === 0) {
      throw new Error(`${folder} is still in use`);
    }
    await sleep(100);
  }
};

export const smallDisk = (megabytes: number): SmallDisk | undefined => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-disk-'));
  const image = `${folder}.image`;
  const kind = mountOn(folder, image, megabytes);
  if (kind === undefined) {
    rmSync(folder, { recursive: true, force: true });
    rmSync(image, { force: true });
    return undefined;
  }
  const ballast = join(folder, 'ballast');
  const freeBytes = (): number => {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  };
  return {
    folder,
    freeBytes,
    fill: () => {
      const bytes = freeBytes();
      // Others write meanwhile: first nearly all, then until nothing goes in any more.
      execFileSync('fallocate', ['-l', String(Math.floor(bytes * 0.98)), ballast], quiet);
      tries(() => appendFileSync(ballast, Buffer.alloc(bytes)));
    },
    free: () => {
      rmSync(ballast, { force: true });
      // Otherwise a power cut that follows would bring it back.
      execFileSync('sync', ['-f', folder], quiet);
    },
    cutPower:
      kind === 'disk'
        ? () => {
            execFileSync('perl', ['-e', SHUTDOWN, folder], quiet);
          }
        : undefined,
    restore: async () => {
      await unmount(folder);
      execFileSync('mount', ['-o', 'loop', image, folder], quiet);
    },
    remove: () => {
      execFileSync('umount', ['-l', folder], quiet);
      rmSync(folder, { recursive: true, force: true });
      rmSync(image, { force: true });
    },
  };
};
