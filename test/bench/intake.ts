/**
 * intake: `node dist/test/bench/intake.js [MB] [zip]`: runs an export of Apple Health of that size through its intake.
 * It prints the time, and the largest memory of the process that reads the export.
 */
import { readFileSync } from 'node:fs';
import { createDeflateRaw } from 'node:zlib';
import { loadConfig } from '../../core/config/load';
import { runIntake } from '../../core/pipeline/intake/intake';
import { openReader } from '../../core/pipeline/readers/document-reader';
import { readModels } from '../../core/server/migrate-all';
import { inExport, largeExport, zipStream } from '../support/apple-health';

const MEGABYTE = 1_000_000;
const [megabytes = '900', form = 'xml'] = process.argv.slice(2);

const textOf = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
};

/** Memory of the intake process. It is a child of this process, or of the program that shuts it in. */
const intakeMemory = (pid: number): number => {
  const children = textOf(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number);
  const own = textOf(`/proc/${pid}/cmdline`).split('\0').slice(0, 3).join().includes('intake-process');
  const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(textOf(`/proc/${pid}/status`)) ?? [];
  return Math.max(own ? Number(kilobytes) / 1000 : 0, ...children.map(intakeMemory));
};

const measure = async (): Promise<void> => {
  const config = loadConfig({});
  const reader = await openReader(config, readModels(config));
  const intake = reader.entries.intakes.find(({ name }) => name === 'apple-health')!;
  const pieces = largeExport(Number(megabytes) * MEGABYTE);
  const chunks = form === 'zip' ? zipStream(inExport('export.xml'), pieces, createDeflateRaw()) : eachOf(pieces);
  const peaks: number[] = [];
  const watch = setInterval(() => peaks.push(intakeMemory(process.pid)), 500);
  const start = Date.now();
  let documents = 0;
  for await (const item of runIntake(intake, { name: 'export', chunks }, config)) {
    documents += 'leftOut' in item ? 0 : 1;
  }
  clearInterval(watch);
  const third = (part: number): number => {
    const from = Math.floor((peaks.length * part) / 3);
    return Math.round(Math.max(...peaks.slice(from, Math.floor((peaks.length * (part + 1)) / 3))));
  };
  process.stdout.write(
    `${megabytes} MB as ${form}: ${documents} documents in ${((Date.now() - start) / 1000).toFixed(0)} s; memory ` +
      `of the three thirds of the time: ${[0, 1, 2].map(third).join(', ')} MB\n`,
  );
  await reader.close();
};

async function* eachOf(pieces: Iterable<Buffer>): AsyncGenerator<Buffer> {
  for (const piece of pieces) {
    yield await Promise.resolve(piece);
  }
}

void measure();
