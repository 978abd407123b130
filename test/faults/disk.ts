/** disk: a small file system of the test's own, which can be filled, and whose power can be cut. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync, statfsSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../support/receiver';

export type SmallDisk = {
  readonly folder: string;
  readonly fill: () => void;
  readonly free: () => void;
  readonly freeBytes: () => number;
  /**
   * Loses what was not yet on the disk, as in a power cut. Nothing can be read or written until `restore`. Undefined
   * where only memory can be mounted.
   */
  readonly cutPower: (() => void) | undefined;
  /** Mounts what is left; no process may have a file of it open. */
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

/** FS_IOC_SHUTDOWN of Linux, with the mode that writes nothing more, not even the journal. */
const SHUTDOWN = 'open(my $f, "<", $ARGV[0]) or die; my $how = pack("L", 2); ioctl($f, 0x8004587d, $how) or die "$!"';

/** Mounts ext4 in a file, which loses data like a disk, or else memory. Undefined where this user may mount neither. */
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

/** A process that was just killed may still hold the folder, on a busy machine for many seconds. */
async function unmount(folder: string): Promise<void> {
  await until(() => tries(() => execFileSync('umount', [folder], quiet)), `the end of every use of ${folder}`);
}

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
      // Others write at the same time: take nearly all space at once, then append until nothing more fits.
      execFileSync('fallocate', ['-l', String(Math.floor(bytes * 0.98)), ballast], quiet);
      tries(() => appendFileSync(ballast, Buffer.alloc(bytes)));
    },
    free: () => {
      rmSync(ballast, { force: true });
      // Without this a later power cut would bring the file back.
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
      // A sandbox that was just being made may have a copy of the mount for a moment.
      await until(
        () => tries(() => execFileSync('mount', ['-o', 'loop', image, folder], quiet)),
        `the disk of ${folder}`,
      );
    },
    remove: () => {
      execFileSync('umount', ['-l', folder], quiet);
      rmSync(folder, { recursive: true, force: true });
      rmSync(image, { force: true });
    },
  };
};
