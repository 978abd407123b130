/** value-sets: every code that a mapping can produce is in the value set that FHIR R4 requires for its element. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { loadConfig } from '../../../core/config/load';
import type { ElementValue, Node } from '../../../core/facts/model/fhir-map';
import { readModels } from '../../../core/server/migrate-all';
import type { Read } from '../../support/fhir';
import { codesOutside, unlisted } from '../../support/value-sets';

export const lab = Lab.script();
const { describe, it } = lab;

/** Everything that a value may put into an element, each as one piece of JSON. */
const said = (value: ElementValue, type: string): readonly unknown[] => {
  switch (value.kind) {
    case 'fixed':
      return [value.value];
    case 'lookup': {
      const codes = [...Object.keys(value.codes), ...(value.otherwise === undefined ? [] : [value.otherwise])];
      const coding = (code: string): object => ({
        code,
        ...(value.system === undefined ? {} : { system: value.system }),
      });
      const shaped = (code: string): unknown =>
        type === 'CodeableConcept' ? { coding: [coding(code)] } : coding(code);
      return type === '' ? codes : codes.map(shaped);
    }
    case 'lines':
    case 'first':
      return value.values.flatMap((one) => said(one, type));
    case 'each':
    case 'above':
      return said(value.value, type);
    case 'node':
      return pieces(value.node);
    default:
      return [];
  }
};

/** One resource, or part of one, for each code that may occur in it. */
const pieces = (node: Node): readonly Read[] =>
  node.flatMap((element): readonly Read[] =>
    'first' in element
      ? element.first.flatMap(pieces)
      : element.values
          .flatMap((value) => said(value, element.type))
          .map((one) => ({ [element.name]: element.many ? [one] : one })),
  );

describe('codes of resources', () => {
  it('are in the value sets that FHIR requires, in every mapping of the core models', () => {
    const models = readModels(loadConfig({}));
    const every = models.all.flatMap(({ fhir }) =>
      (fhir?.resources ?? []).flatMap(({ resource, elements }) =>
        pieces(elements).map((piece): Read => ({ resourceType: resource, ...piece })),
      ),
    );
    expect(every.length).to.be.above(100);
    expect(every.flatMap(codesOutside)).to.equal([]);
    // Mappings produce no code of a value set that cannot be listed.
    expect([...unlisted]).to.equal([]);
  });

  it('would be noticed if they were not', () => {
    const wrong: readonly (readonly [Read, string])[] = [
      [{ resourceType: 'Observation', status: 'done' }, 'Observation.status'],
      [{ resourceType: 'Condition', clinicalStatus: { coding: [{ code: 'over' }] } }, 'Condition.clinicalStatus'],
      [{ resourceType: 'Patient', contact: [{ gender: 'm' }] }, 'Patient.contact.gender'],
      [{ resourceType: 'Patient', telecom: [{ system: 'telephone' }] }, 'ContactPoint.system'],
      [
        { resourceType: 'Bundle', type: 'collection', entry: [{ resource: { resourceType: 'Patient', gender: 'x' } }] },
        'Patient.gender',
      ],
      [
        { resourceType: 'MedicationStatement', dosage: [{ timing: { repeat: { periodUnit: 'day' } } }] },
        'Timing.repeat.periodUnit',
      ],
    ];
    for (const [resource, place] of wrong) {
      const found = codesOutside(resource);
      expect(found, place).to.have.length(1);
      expect(found[0]!.startsWith(`${place}: `), found[0]).to.be.true();
    }
    const right: Read = { resourceType: 'Observation', status: 'final', valueQuantity: { comparator: '<', value: 5 } };
    expect(codesOutside(right)).to.equal([]);
  });
});
