/**
 * run: `npm run tool fuzz`: feeds gate, signature, FHIR JSON and queries with mutated inputs, for minutes or hours. Inputs
 * that reach new code are kept in `var/fuzz/kept`. An input that fails is written to `var/fuzz/failed`, and ends the
 * run with 1.
 */
import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { inProject } from '../../core/base/paths';
import { aboveZero, program } from '../support/program';
import { runCampaign, tryInputs } from './campaign';
import { targetNames } from './targets';

type Options = {
  readonly minutes: number;
  readonly target?: string;
  readonly seed?: number;
  readonly input?: string;
  readonly inputSeconds: number;
};

const say = (text: string): boolean => process.stdout.write(`${text}\n`);

const command = program('fuzz', 'Feeds what reads strangers’ bytes with mutated inputs.')
  .option('--minutes <number>', 'how long in all, shared by the targets', aboveZero, 60)
  .option('--target <name>', `one of ${targetNames.join(', ')}`)
  .option('--seed <number>', 'begin with the inputs of an earlier run', aboveZero)
  .option('--input <file>', 'feed one file once; with --target')
  .option('--input-seconds <number>', 'no input may take longer', aboveZero, 10);

/** Feeds one file, to repeat a finding. */
const feedFile = async (target: string, file: string, inputSeconds: number): Promise<number> => {
  const [failure] = await tryInputs(target, [readFileSync(file)], inputSeconds);
  say(failure ? `${target} fails: ${failure.reason}` : `${target} bears ${file}`);
  return failure ? 1 : 0;
};

const main = async (): Promise<number> => {
  const options = command.parse().opts<Options>();
  const wanted = targetNames.filter((name) => options.target === undefined || name === options.target);
  if (wanted.length === 0) {
    throw new Error(`There is no target ${options.target}: use ${targetNames.join(', ')}.`);
  }
  if (options.input !== undefined) {
    return feedFile(wanted[0]!, options.input, options.inputSeconds);
  }
  const seed = options.seed ?? randomInt(1, 2 ** 31);
  let failed = 0;
  for (const target of wanted) {
    const { tried, code, corpus, finding } = await runCampaign({
      target,
      seed,
      seconds: (options.minutes * 60) / wanted.length,
      findings: inProject('var/fuzz/failed'),
      kept: inProject('var/fuzz/kept'),
      inputSeconds: options.inputSeconds,
    });
    if (finding) {
      failed += 1;
      say(`${target}, seed ${seed}: ${finding.reason}`);
      say(`  again: npm run tool fuzz -- --target ${target} --input ${finding.file}`);
      say(`  mended: move that file to test/fuzz/corpus/${target}, where npm test feeds it`);
    } else {
      say(`${target}, seed ${seed}: ${tried} inputs, ${code} characters of code, ${corpus} inputs kept, nothing found`);
    }
  }
  return failed === 0 ? 0 : 1;
};

if (require.main === module) {
  main().then(
    (code) => process.exit(code),
    (error: unknown) => {
      process.stderr.write(`${String((error as Error).message ?? error)}\n`);
      process.exit(1);
    },
  );
}
