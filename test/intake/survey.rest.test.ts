/**
 * survey: the statements of the published examples become facts. It is skipped where the examples are not installed.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { loadConfig } from '../../core/config/load';
import { openReader, type DocumentReader } from '../../core/pipeline/readers/document-reader';
import { readModels } from '../../core/server/migrate-all';
import { unhurried } from '../support/unhurried';
import { hasData } from './examples';
import { survey } from './survey';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

/** The least share of the statements that must become facts. */
const LEAST = 0.97;

if (!hasData()) {
  process.stdout.write('skipped: the examples (shared/data) are not beside the project\n');
}

describe('the survey of real documents', () => {
  let reader: DocumentReader;
  before(async () => {
    const config = loadConfig(unhurried);
    reader = await openReader(config, readModels(config));
  });
  after(() => reader.close());

  it('finds a fact for what is stated, of every kind and every source', { skip: !hasData() }, async () => {
    for (const { rows, short } of await survey(reader)) {
      expect(rows.length).to.be.above(3);
      for (const { source, kind, says, facts, share } of rows) {
        expect(share, `${source}: ${kind}: ${facts} facts of ${says}\n${short.join('\n')}`).to.be.at.least(LEAST);
      }
    }
  });
});
