/**
 * floor-process: does the least that any implementation of a call must do. A bare hapi route accepts the same bytes,
 * does the same XML work in its own process, runs the same statements on the bare driver, and responds with the same
 * bytes. It has no signature, access rule or audit.
 */
import { server as hapiServer, type Server } from '@hapi/hapi';
import { hash, verify } from '@node-rs/argon2';
import { loadConfig } from '../../core/config/load';
import type { Config } from '../../core/config/schema';
import type { Models } from '../../core/facts/model/models';
import { compileEntry, type CompiledEntry } from '../../core/pipeline/compile';
import { loadEntries } from '../../core/pipeline/entries';
import { readStages } from '../../core/pipeline/pipeline';
import { identify } from '../../core/pipeline/stages/identify';
import { transform } from '../../core/pipeline/stages/transform';
import { validate } from '../../core/pipeline/stages/validate';
import { areas } from '../../core/server/plugins';
import { start } from '../../core/server/start';
import { openXmlEngine } from '../../core/xml/engine';
import { openBareDriver, type BareDriver } from './bare-driver';
import { capture, type Captured } from './capture';
import { isWarm } from './load';
import type { FloorWork } from './operations';
import type { Template } from './wire';

export type FloorJob = {
  readonly settings: Readonly<Record<string, string>>;
  readonly template: Template;
  readonly work: FloorWork;
};
/** Replays the statements that were opened last for this number of seconds, and measures the rate. */
export type FloorRound = { readonly round: number };

/**
 * The address of the floor, or its rate where it uses no HTTP: the rate of the warm-up when it was just opened, later
 * that of the round.
 */
export type Floor = { readonly url: string; readonly path: string } | { readonly rate: number };

type Work = (body: Buffer) => Promise<unknown>;

const xmlWork = async (config: Config, models: Models): Promise<Work> => {
  const engine = await openXmlEngine();
  const { entries } = loadEntries(engine, config.pipelineConfigDirs, config.vocabBase, models);
  const compiled = new Map<string, CompiledEntry>();
  for (const entry of entries) {
    const result = await compileEntry(entry, { engine, complaints: () => '', models });
    if ('entry' in result) {
      compiled.set(entry.type, result);
    }
  }
  const read = readStages({
    identify: identify({ engine, maxBytes: config.maxDocumentBytes, find: (type) => compiled.get(type) }),
    validate: validate(engine),
    transform: transform(models),
  });
  return (bytes) => read({ bytes });
};

const argon2Work = async (): Promise<Work> => {
  const stored = await hash('a password', { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
  return () => verify(stored, 'a password');
};

let running: Server | undefined;
let driver: BareDriver | undefined;

const serveFloor = async (
  work: Work | undefined,
  bare: BareDriver,
  { answer }: Captured,
  { method }: Template,
): Promise<Floor> => {
  running = hapiServer({ host: '127.0.0.1', port: 0, compression: false });
  const type = String(answer.headers['content-type']);
  running.route({
    method: method as 'GET' | 'POST',
    path: '/floor',
    options: method === 'GET' ? {} : { payload: { output: 'data', parse: false, maxBytes: 16_777_216 } },
    handler: async (request, h) => {
      await work?.(request.payload as Buffer);
      await bare.replay();
      return h.response(answer.bytes).type(type);
    },
  });
  await running.start();
  return { url: `http://127.0.0.1:${running.info.port}`, path: '/floor' };
};

/** More callers than the driver has connections, so that no connection is idle. */
const CALLERS = 32;

const replayUntil = async (
  bare: BareDriver,
  isOver: (seconds: number, answers: number) => boolean,
): Promise<number> => {
  const began = performance.now();
  const elapsed = (): number => (performance.now() - began) / 1000;
  let done = 0;
  const caller = async (): Promise<void> => {
    while (!isOver(elapsed(), done)) {
      await bare.replay();
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
  return done / elapsed();
};

const workBefore = async (work: FloorWork, config: Config, models: Models): Promise<Work | undefined> => {
  if (work === 'http and xml') {
    return xmlWork(config, models);
  }
  return work === 'http and argon2' ? argon2Work() : undefined;
};

const open = async ({ settings, template, work }: FloorJob): Promise<Floor> => {
  await running?.stop();
  await driver?.close();
  const config = loadConfig({ ...settings, SVC_PORT: '0', SVC_AUTO_MIGRATE: '0' });
  const service = await start(config, areas, { prepare: false });
  let captured: Captured;
  const models = service.services.models();
  try {
    captured = await capture(service, template);
  } finally {
    await service.stop();
  }
  if (captured.answer.status !== 200) {
    throw new Error(`${template.method} ${template.path} answers ${captured.answer.status}`);
  }
  driver = openBareDriver(config.databaseUrl, captured);
  const before = await workBefore(work, config, models);
  return work === 'sql' ? { rate: await replayUntil(driver, isWarm) } : serveFloor(before, driver, captured, template);
};

const again = async ({ round }: FloorRound): Promise<Floor> => ({
  rate: await replayUntil(driver!, (elapsed) => elapsed >= round),
});

process.on('message', (job: FloorJob | FloorRound) => {
  ('round' in job ? again(job) : open(job)).then(
    (measured) => process.send?.({ measured }),
    (error: unknown) => process.send?.({ failed: String((error as Error).stack ?? error) }),
  );
});
process.on('disconnect', () => process.exit(0));
