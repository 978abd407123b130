/** transform: how many facts one document may make. Facts that only group others do not reduce that number. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { loadConfig } from '../../../../core/config/load';
import { transform } from '../../../../core/pipeline/stages/transform';
import type { Transformed, Validated } from '../../../../core/pipeline/steps';
import { readModels } from '../../../../core/server/migrate-all';

export const lab = Lab.script();
const { describe, it } = lab;

const models = readModels(loadConfig({}));

/**
 * Reads a document with results and panels, each of which holds the first `members` results. * @param notes what is said about each result
 */
const read = (results: number, panels: number, members: number, notes = ''): Promise<Transformed> => {
  const nested = Array.from({ length: members }, (_, index) => ({
    __modelname__: 'LabPanelResult',
    result: `r${index}`,
  }));
  const sdmj = [
    ...Array.from({ length: results }, (_, index) => ({
      __modelname__: 'LabResult',
      __label__: `r${index}`,
      test_name_title: `Test ${index}`,
      notes,
    })),
    ...Array.from({ length: panels }, (_, index) => ({
      __modelname__: 'LabPanel',
      name_title: `Panel ${index}`,
      results: nested,
    })),
  ];
  return transform(models)({
    type: 'x',
    document: { cleanText: () => '' },
    entry: {
      transform: () => Promise.resolve({ sdmj, leftOut: [] }),
      entry: { models: 'all', transform: null },
    },
  } as unknown as Validated);
};

describe('the facts of one document', () => {
  it('are 10,000 at most, whatever holds them together', async () => {
    expect((await read(10_000, 1, 10_000)).facts).to.have.length(10_001);
    await expect(read(10_001, 0, 0)).to.reject(/more than 10000 facts/);
  });

  it('are held together by no more than twice as many', async () => {
    expect((await read(9, 2000, 9)).facts).to.have.length(2009);
    await expect(read(9, 2001, 9)).to.reject(/more than 20000 panels/);
  });

  it('hold no more than four times the characters of the largest document', async () => {
    const note = 'x'.repeat(199);
    expect((await read(10_000, 0, 0, note)).facts).to.have.length(10_000);
    await expect(read(10_000, 0, 0, note.repeat(21))).to.reject(/more than 40000000 characters/);
  });
});
