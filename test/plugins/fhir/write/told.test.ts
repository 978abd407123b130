/**
 * told: what was left out of a resource is told to who sent it, and a resource without what R4 requires is refused.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { databases } from '../../../support/databases';
import { issueOf, startFhir, type FhirGround, type Read } from '../../../support/fhir';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const XHTML = '<div xmlns="http://www.w3.org/1999/xhtml">';
const UNREADABLE = 'could not be read as markup';
const CLEANED = 'something that FHIR does not allow';

const [leg] = databases;

describe(`what is left out of resources that are sent, on ${leg!.name}`, () => {
  let ground: FhirGround;
  before(async () => {
    ground = await startFhir(leg!);
  });
  after(() => ground.service.stop());

  const goal = (more: object = {}): Read => ({
    resourceType: 'Goal',
    lifecycleStatus: 'active',
    description: { text: 'Walk' },
    subject: { reference: `Patient/${ground.recordId}` },
    ...more,
  });
  const post = (path: string, body: object, headers: Readonly<Record<string, string>> = {}) =>
    ground.call(path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/fhir+json', ...headers },
    });
  /** What is told of a resource, and the resource as it is kept. */
  const sent = async (body: Read): Promise<{ told: string; kept: Read }> => {
    const answer = await post(`/${body['resourceType']}`, body, { prefer: 'return=OperationOutcome' });
    expect(answer.status, answer.text).to.equal(201);
    const name = String(answer.headers['location'])
      .replace(/^.*\/fhir/, '')
      .replace(/\/_history.*/, '');
    return { told: answer.text, kept: await ground.get(name) };
  };

  it('is a narrative that nobody can read, whole', async () => {
    for (const div of [
      '<div><p>not closed</div>',
      'plain words',
      '',
      '<p xmlns="http://www.w3.org/1999/xhtml">a</p>',
    ]) {
      const { told, kept } = await sent(goal({ text: { status: 'generated', div } }));
      expect(kept['text']?.div, div).to.be.undefined();
      if (div !== '') {
        expect(told).to.contain(UNREADABLE);
      }
    }
  });

  it('is what a narrative may not have, and only that', async () => {
    const { told, kept } = await sent(
      goal({ text: { status: 'generated', div: `${XHTML}<script>x()</script><p onclick="x()">ok</p></div>` } }),
    );
    expect(kept['text'].div).to.equal(`${XHTML}<p>ok</p></div>`);
    expect(told).to.contain(CLEANED).and.to.not.contain('Everything that was sent');
  });

  it('is nothing where the narrative is as it should be', async () => {
    const { told, kept } = await sent(goal({ text: { status: 'generated', div: `${XHTML}<p>ok</p></div>` } }));
    expect(kept['text'].div).to.equal(`${XHTML}<p>ok</p></div>`);
    expect(told).to.not.contain(UNREADABLE).and.to.not.contain(CLEANED);
  });

  it('is told with the entry of a transaction that it concerns', async () => {
    const entry = [goal(), goal({ text: { status: 'generated', div: '<div>' } })].map((resource) => ({
      resource,
      request: { method: 'POST', url: 'Goal' },
    }));
    const answer = await post('', { resourceType: 'Bundle', type: 'transaction', entry });
    expect(answer.status, answer.text).to.equal(200);
    const outcomes = (JSON.parse(answer.text) as Read)['entry'].map(({ response }: Read) =>
      JSON.stringify(response.outcome),
    );
    expect(outcomes[0]).to.not.contain(UNREADABLE);
    expect(outcomes[1]).to.contain(UNREADABLE);
  });

  it('is told with the entry of a transaction that is in no list, and with no other of its kind', async () => {
    const observation = (more: object): Read => ({
      resourceType: 'Observation',
      status: 'final',
      code: { text: 'Part' },
      subject: { reference: `Patient/${ground.recordId}` },
      ...more,
    });
    const address = (number: number): string => `urn:uuid:00000000-0000-4000-8000-00000000000${number}`;
    const named = { identifier: [{ system: 'urn:told', value: 'known' }], valueString: 'known' };
    await sent(observation(named));
    const entry = [
      [observation(named), { ifNoneExist: 'identifier=urn:told|known' }],
      [observation({ valueString: 'one' }), {}],
      [observation({ code: { text: 'Panel' }, hasMember: [{ reference: address(1) }, { reference: address(0) }] }), {}],
      [observation({ valueString: 'two', status: 'entered-in-error' }), {}],
      [observation({ code: { text: 'Panel 2' }, hasMember: [{ reference: address(1) }] }), {}],
    ].map(([resource, more], number) => ({
      fullUrl: address(number),
      resource,
      request: { method: 'POST', url: 'Observation', ...more },
    }));
    const answer = await post('', { resourceType: 'Bundle', type: 'transaction', entry });
    expect(answer.status, answer.text).to.equal(200);
    const answers = (JSON.parse(answer.text) as Read)['entry'] as readonly Read[];
    const why = answers.map(({ response }) => response.outcome.issue.map((one: Read) => one['details'].text).join(' '));
    expect(why[0]).to.contain('exists already');
    expect(why[1]).to.equal('Everything that was sent made resources.');
    expect(why[2]).to.match(/^Not among the lists and reports: 1 Observation .*it only holds other results together/);
    expect(why[3]).to.match(/^Not among the lists and reports: 1 Observation .*took it back as an error/);
    expect(why[4]).to.equal(why[2]);
    // The references lead to what was stored, and to what was there.
    const panel = await ground.get(`/Observation/${answers[2]!['resource'].id}`);
    expect(panel['hasMember'].map((one: Read) => one['reference'])).to.equal(
      [1, 0].map((number) => `Observation/${answers[number]!['resource'].id}`),
    );
    const { entry: found } = await ground.get('/Observation?has-member:missing=false&_include=Observation:has-member');
    expect(found.map((one: Read) => one['search'].mode)).to.equal(['match', 'match', 'include', 'include']);
  });

  it('may be nothing that R4 requires', async () => {
    const refused: readonly (readonly [Read, string])[] = [
      [goal({ lifecycleStatus: undefined }), 'Goal.lifecycleStatus'],
      [goal({ description: {} }), 'Goal.description'],
      [goal({ lifecycleStatus: '' }), 'Goal.lifecycleStatus'],
      [{ resourceType: 'Communication', subject: { reference: `Patient/${ground.recordId}` } }, 'Communication.status'],
      [
        {
          resourceType: 'FamilyMemberHistory',
          status: 'completed',
          patient: { reference: `Patient/${ground.recordId}` },
        },
        'FamilyMemberHistory.relationship',
      ],
      [
        {
          resourceType: 'Observation',
          status: '',
          code: { text: 'Pulse' },
          subject: { reference: `Patient/${ground.recordId}` },
        },
        'Observation.status',
      ],
      [{ resourceType: 'Condition', code: { text: 'Cough' } }, 'Condition.subject'],
      [{ resourceType: 'Provenance', target: [], recorded: '2024-01-01T00:00:00Z', agent: [{}] }, 'Provenance.target'],
    ];
    for (const [resource, place] of refused) {
      const answer = await post(`/${resource['resourceType']}`, resource);
      expect([place, answer.status, answer.text.includes(`${place} is missing`)]).to.equal([place, 422, true]);
      expect(issueOf(answer)['severity']).to.equal('error');
    }
    const before = (await ground.get('/Goal'))['total'] as number;
    const entry = [goal(), goal({ subject: undefined })].map((resource) => ({
      resource,
      request: { method: 'POST', url: 'Goal' },
    }));
    const answer = await post('', { resourceType: 'Bundle', type: 'transaction', entry });
    expect(answer.status).to.equal(422);
    expect(answer.text).to.contain('Bundle.entry[1].resource.subject is missing');
    expect((await ground.get('/Goal'))['total']).to.equal(before);
  });

  it('does not refuse what says why a required element is absent, or one of a choice', async () => {
    const why = {
      extension: [{ url: 'http://hl7.org/fhir/StructureDefinition/data-absent-reason', valueCode: 'unknown' }],
    };
    const answer = await post('/Goal', goal({ lifecycleStatus: undefined, _lifecycleStatus: why }));
    expect(answer.status, answer.text).to.equal(201);
    const use = {
      resourceType: 'MedicationAdministration',
      status: 'completed',
      medicationCodeableConcept: { text: 'x' },
      subject: { reference: `Patient/${ground.recordId}` },
      effectiveDateTime: '2024-01-01',
    };
    expect((await post('/MedicationAdministration', use)).status).to.equal(201);
    const { medicationCodeableConcept: _, ...without } = use;
    const refused = await post('/MedicationAdministration', without);
    expect([refused.status, refused.text.includes('medication[x] is missing')]).to.equal([422, true]);
  });
});
