/**
 * survey: the statements of the published examples become facts. It is skipped where the examples are not installed.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import type { DocumentReader } from '../../core/pipeline/readers/document-reader';
import { hasData } from './examples';
import { survey } from './survey';
import { openBundledReader } from '../support/bundled-reader';

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
    reader = await openBundledReader();
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
