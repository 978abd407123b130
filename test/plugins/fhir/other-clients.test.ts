/** other-clients: unmodified clients of other projects read and search through the FHIR door over HTTP. */
import { readFileSync } from 'node:fs';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { MedplumClient, OperationOutcomeError } from '@medplum/core';
import { inProject } from '../../../core/base/paths';
import { sqliteMemory } from '../../support/databases';
import { startFhir, type FhirGround } from '../../support/fhir';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

describe('the client of Medplum at the FHIR door', () => {
  let ground: FhirGround;
  let client: MedplumClient;
  const connect = (accessToken: string): MedplumClient =>
    new MedplumClient({ baseUrl: ground.service.services.baseUrl(), fhirUrlPath: 'fhir', accessToken, fetch });
  before(async () => {
    ground = await startFhir(sqliteMemory);
    await ground.put(
      readFileSync(inProject('pipeline-config', 'fhir-bundle', 'sample-patient-summary.xml'), 'utf8'),
      'application/fhir+xml',
    );
    client = connect(ground.token);
  });
  after(() => ground.service.stop());

  it('reads, searches, follows pages and asks operations', async () => {
    const patient = await client.readResource('Patient', ground.recordId);
    expect(patient.name?.[0]?.family).to.equal('Lee');
    const [first] = await client.searchResources('Condition', { patient: ground.recordId, _count: '1' });
    expect(first?.resourceType).to.equal('Condition');
    const all = await client.search('Observation', 'status:not=cancelled&_total=accurate');
    const paged: string[] = [];
    for await (const page of client.searchResourcePages('Observation', '_count=2')) {
      paged.push(...page.map(({ id }) => id!));
    }
    expect([paged.length, new Set(paged).size]).to.equal([all.total, all.total]);
    const history = await client.readHistory('Condition', first!.id!);
    expect(history.entry?.[0]?.resource).to.equal(first);
    const everything = await client.readPatientEverything(ground.recordId);
    expect(everything.entry?.length ?? 0).to.be.above(10);
  });

  it('creates once, and is told in its own words what it may not', async () => {
    const condition = {
      resourceType: 'Condition',
      code: { text: 'Hay fever' },
      subject: { reference: `Patient/${ground.recordId}` },
      identifier: [{ system: 'urn:other', value: '1' }],
    } as const;
    const made = await client.createResource(condition as never);
    expect((made as { code?: { text?: string } }).code?.text).to.equal('Hay fever');
    const query = 'identifier=urn:other|1';
    const again = await client.createResourceIfNoneExist(condition as never, query);
    expect((again as { id?: string }).id).to.equal((made as { id?: string }).id);
    const narrow = connect(await ground.mint('patient/Patient.rs'));
    const refused = await narrow
      .readResource('Condition', (made as { id: string }).id)
      .catch((error: unknown) => error);
    expect(refused).to.be.an.instanceof(OperationOutcomeError);
    expect((refused as OperationOutcomeError).outcome.issue?.[0]?.code).to.equal('forbidden');
  });
});
