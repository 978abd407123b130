/**
 * documents: the documents that the demo posts are valid by their formats, and contain everything that an overview
 * shows.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { demographics, documentsOf, people } from '../../../bin/demo/documents';
import { sqliteMemory } from '../../support/databases';
import { startService, type TestService } from '../../support/server';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

describe('documents of the demo', () => {
  let service: TestService;

  before(async () => {
    service = await startService(sqliteMemory);
  });
  after(() => service.stop());

  it('pass their schemas, make facts and leave nothing out', async () => {
    const { reader, config } = service.services;
    const models = new Set<string>();
    for (const person of people) {
      await reader.read(Buffer.from(demographics(person, config.vocabBase)));
      for (const { label, xml } of documentsOf(person, config.vocabBase)) {
        const read = await reader.read(Buffer.from(xml));
        expect([read.validated, read.leftOut, read.facts.length], label).to.equal([true, [], 1]);
        models.add(read.facts[0]!.model);
      }
    }
    expect([...models].sort()).to.equal([
      'Allergy',
      'Immunization',
      'Medication',
      'Problem',
      'Procedure',
      'VitalSigns',
    ]);
  });
});
