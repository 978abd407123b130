/**
 * dev: `npm run dev`: a fresh SQLite database with the people of `svc demo`, the compiler in watch mode, and the
 * service. The service is started again when its code changes, and reads formats, models and manifests again when they
 * change. Other settings are as for `npm start`.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { inProject, projectRoot } from '../../core/base/paths';
import { DEPLOYED, onChanges, startCompiler } from './watched';

const DATABASE = join('var', 'dev.sqlite');
const svc = inProject('bin', 'svc');
const options = {
  cwd: projectRoot,
  env: { ...process.env, SVC_DATABASE_URL: `sqlite:${DATABASE}` },
  stdio: 'inherit',
} as const;

const makeDatabase = (): void => {
  ['', '-wal', '-shm'].forEach((ending) => rmSync(inProject(`${DATABASE}${ending}`), { force: true }));
  const { status } = spawnSync(svc, ['demo'], options);
  if (status !== 0) {
    throw new Error('the demo could not be made');
  }
};

const ended = (child: ChildProcess): Promise<unknown> =>
  child.exitCode === null && child.signalCode === null
    ? new Promise((resolve) => child.once('exit', resolve))
    : Promise.resolve();

const main = (): void => {
  makeDatabase();
  const compiler = startCompiler();
  let service = spawn(svc, ['serve'], options);
  let restarting: Promise<void> | undefined;

  const restart = async (): Promise<void> => {
    service.kill('SIGTERM');
    await ended(service);
    service = spawn(svc, ['serve'], options);
  };
  const onCode = (paths: readonly string[]): void => {
    if (paths.some((path) => path.endsWith('.js') && !path.startsWith(join('dist', 'test')))) {
      restarting = (restarting ?? Promise.resolve()).then(restart);
    }
  };
  const stops = [onChanges(['dist'], onCode), onChanges(DEPLOYED, () => service.kill('SIGHUP'))];
  const end = (): void => {
    stops.forEach((stop) => stop());
    compiler.kill('SIGTERM');
    service.kill('SIGTERM');
  };
  process.once('SIGINT', end);
  process.once('SIGTERM', end);
};

if (require.main === module) {
  main();
}
