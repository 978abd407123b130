/** reader-child: starts one reader process, cut off from the terminal, the environment and the server's secrets. */
import { fork, type ChildProcess } from 'node:child_process';
import { accessSync, closeSync, constants, openSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newToken } from '../base/ids';

const MEMORY_FOLDER = '/dev/shm';

/** A folder in memory where there is one: a full disk must not hide the engines' complaints. */
const complaintFolder = (): string => {
  try {
    accessSync(MEMORY_FOLDER, constants.W_OK);
    return MEMORY_FOLDER;
  } catch {
    return tmpdir();
  }
};

/** An open file without a name: the process can read back there what its native engines write to stderr. */
const openNamelessFile = (): number => {
  const path = join(complaintFolder(), `svc-reader-${newToken()}`);
  const file = openSync(path, 'ax+', 0o600);
  unlinkSync(path);
  return file;
};

/** Readers get no environment: no secret, no database address, and UTC as their time zone. */
const environment = { TZ: 'UTC', NODE_NO_WARNINGS: '1' };

export const startReaderProcess = (): ChildProcess => {
  const complaints = openNamelessFile();
  try {
    return fork(join(__dirname, 'reader-process.js'), [], {
      serialization: 'advanced',
      execArgv: ['--max-old-space-size=768'],
      env: environment,
      stdio: ['ignore', 'ignore', complaints, 'ipc'],
    });
  } finally {
    closeSync(complaints);
  }
};
