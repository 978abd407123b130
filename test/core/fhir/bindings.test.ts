/**
 * bindings: the table of codes is that of HL7's definitions, and a document with any other code is refused with the
 * place of the code. `UPDATE_FIXTURES=1` writes the table: read the difference before you commit it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { inProject } from '../../../core/base/paths';
import { bindingRefusal } from '../../../core/fhir/bindings';
import type { Read } from '../../support/fhir';
import { requiredBindings } from '../../support/value-sets';

export const lab = Lab.script();
const { describe, it } = lab;

type Tree = Parameters<typeof bindingRefusal>[0];

/** A part of a resource, as the reader of a document sees it. */
const treeOf = (name: string, value: unknown): Tree => {
  if (typeof value !== 'object' || value === null) {
    return { name, attributes: new Map([['value', String(value)]]), elements: [] };
  }
  const { resourceType, ...members } = value as Read;
  const elements = Object.entries(members).flatMap(([key, inside]) =>
    ([inside].flat() as readonly unknown[]).map((item) =>
      (item as Read)?.['resourceType'] === undefined
        ? treeOf(key, item)
        : { name: key, attributes: new Map<string, string>(), elements: [treeOf('', item)] },
    ),
  );
  return { name: (resourceType as string | undefined) ?? name, attributes: new Map(), elements };
};

const faults = (resource: Read): readonly string[] =>
  (bindingRefusal(treeOf('', resource))?.details ?? []).map(({ message }) => message);

describe('codes that FHIR requires', () => {
  it('are those of its definitions', () => {
    const file = inProject('core', 'fhir', 'bindings.json');
    const text = `${JSON.stringify(requiredBindings(), null, 1)}\n`;
    if (process.env['UPDATE_FIXTURES'] === '1') {
      writeFileSync(file, text);
    }
    expect(readFileSync(file, 'utf8')).to.equal(text);
  });

  it('refuse a document that has another one, with the place of each', () => {
    const statuses = 'registered, preliminary, final, amended, corrected, cancelled, entered-in-error, unknown';
    expect(faults({ resourceType: 'Observation', status: 'bogus' })).to.equal([
      `Observation.status: it must be one of ${statuses}`,
    ]);
    expect(
      faults({
        resourceType: 'Bundle',
        type: 'collection',
        entry: [
          { resource: { resourceType: 'Patient', gender: 'female', contact: [{ name: {} }, { gender: 'f' }] } },
          {
            resource: {
              resourceType: 'MedicationRequest',
              intent: 'plan',
              contained: [{ resourceType: 'Device', status: 'broken' }],
              dosageInstruction: [{ timing: { repeat: { periodUnit: 'd', when: ['MORN', 'LUNCH'] } } }],
            },
          },
        ],
      }).map((message) => message.replace(/: .*/, '')),
    ).to.equal([
      'Bundle.entry[0].resource.contact[1].gender',
      'Bundle.entry[1].resource.contained[0].status',
      'Bundle.entry[1].resource.dosageInstruction[0].timing.repeat.when[1]',
    ]);
  });

  it('hold for the codes of the system that a concept names, and leave others and words alone', () => {
    const system = 'http://terminology.hl7.org/CodeSystem/condition-clinical';
    const condition = (clinicalStatus: Read): readonly string[] =>
      faults({ resourceType: 'Condition', clinicalStatus });
    expect(condition({ coding: [{ system, code: 'active' }] })).to.equal([]);
    expect(
      condition({
        coding: [
          { system: 'urn:ours', code: '7' },
          { system, code: 'relapse' },
        ],
      }),
    ).to.equal([]);
    expect(condition({ text: 'It comes and goes' })).to.equal([]);
    expect(condition({ coding: [{ system, display: 'Active' }] })).to.equal([]);
    expect(
      condition({
        coding: [
          { system: 'urn:ours', code: '7' },
          { system, code: 'over' },
        ],
      }),
    ).to.equal([
      'Condition.clinicalStatus: it must be one of active, recurrence, relapse, inactive, remission, resolved',
    ]);
  });

  it('are not asked for where R4 has another binding, no list or no such element', () => {
    expect(
      faults({
        resourceType: 'DocumentReference',
        language: 'tlh',
        content: [{ attachment: { contentType: 'application/x-of-ours' } }],
        category: [{ coding: [{ system: 'http://hl7.org/fhir/observation-status', code: 'x' }] }],
        nothing: { status: 'x' },
      }),
    ).to.equal([]);
    expect(faults({ resourceType: 'Thing', status: 'x' })).to.equal([]);
    // An extension may replace a value.
    const status: Tree = { name: 'status', attributes: new Map(), elements: [] };
    expect(bindingRefusal({ name: 'Observation', attributes: new Map(), elements: [status] })).to.be.undefined();
  });
});
