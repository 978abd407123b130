/** relations: `svc relations import` makes relations of NLM's files, and lines join and ask by them. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { inProject } from '../../core/base/paths';
import { command, type Ran } from '../support/svc';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

/** A row of RXNCONSO.RRF, with the columns that matter in their places. */
function concept(code: string, type: string, source = 'RXNORM', suppressed = 'N'): string {
  const filled: Readonly<Record<number, string>> = {
    0: code,
    11: source,
    12: type,
    14: `name ${code}`,
    16: suppressed,
  };
  return `${Array.from({ length: 18 }, (_, place) => filled[place] ?? '').join('|')}|`;
}

const relation = (one: string, name: string, other: string, source = 'RXNORM'): string =>
  `${one}||CUI|RO|${other}||CUI|${name}|||${source}||||||`;

const CONCEPTS = [
  concept('1', 'IN'),
  concept('2', 'IN'),
  concept('3', 'MIN'),
  concept('11', 'SCDC'),
  concept('12', 'SCDC'),
  concept('21', 'SCD'),
  concept('22', 'SCD'),
  concept('31', 'SBD'),
  concept('32', 'SBD'),
  concept('33', 'SBD'),
  concept('34', 'SBD', 'RXNORM', 'O'),
  concept('35', 'SBD', 'OTHER'),
  concept('41', 'BN'),
  concept('51', 'PIN'),
];
const RELATIONS = [
  relation('21', 'tradename_of', '31'),
  // The same, said the other way round.
  relation('32', 'has_tradename', '22'),
  // One brand of two drugs.
  relation('21', 'tradename_of', '33'),
  relation('22', 'tradename_of', '33'),
  relation('21', 'tradename_of', '34'),
  relation('21', 'tradename_of', '35'),
  relation('21', 'isa', '32'),
  relation('11', 'consists_of', '21'),
  relation('1', 'has_ingredient', '11'),
  relation('11', 'consists_of', '22'),
  relation('12', 'consists_of', '22'),
  relation('2', 'has_ingredient', '12'),
  relation('3', 'has_ingredients', '22'),
  relation('1', 'tradename_of', '41'),
  relation('1', 'form_of', '51'),
];

describe('svc relations import', () => {
  let folder: string;
  const svc = (...args: readonly string[]): Promise<Ran> => command(args, {});
  const fill = (concepts: readonly string[], relations: readonly string[]): void => {
    writeFileSync(join(folder, 'RXNCONSO.RRF'), `${concepts.join('\n')}\n`);
    writeFileSync(join(folder, 'RXNREL.RRF'), `${relations.join('\n')}\n`);
  };
  const rowsOf = (name: string): readonly string[] =>
    readFileSync(join(folder, 'models', 'relations', `${name}.tsv`), 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => line.replaceAll('RxNorm\t', '').replace('\t', ' '));

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-rxnorm-'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('refuses a folder without the files, and files without relations, and writes nothing', async () => {
    const none = await svc('relations', 'import', folder, '--to', join(folder, 'models'));
    expect(none.code).to.not.equal(0);
    expect(none.stderr).to.contain(['RXNCONSO.RRF', 'RXNREL.RRF']);
    fill(CONCEPTS, []);
    expect((await svc('relations', 'import', folder, '--to', join(folder, 'models'))).code).to.not.equal(0);
    expect(existsSync(join(folder, 'models'))).to.equal(false);
  });

  it('leads brands to drugs and drugs to ingredients, and a code with two targets nowhere', async () => {
    fill(CONCEPTS, RELATIONS);
    const { code, stdout, stderr } = await svc('relations', 'import', folder, '--to', join(folder, 'models'));
    expect(code, stderr).to.equal(0);
    expect(stdout).to.contain('warning: 1 codes lead to several others').and.to.contain('33');
    expect(rowsOf('rxnorm-products')).to.equal(['31 21', '32 22']);
    expect(rowsOf('rxnorm-ingredients')).to.equal(['21 1', '22 3', '31 1', '32 3', '41 1', '51 1']);
  });

  it('makes what svc check accepts', async () => {
    const dirs = `${inProject('datamodels')}:${join(folder, 'models')}`;
    const { code, stdout, stderr } = await command(['check'], { SVC_DATAMODELS_DIR: dirs });
    expect(code, `${stdout}${stderr}`).to.equal(0);
  });
});
