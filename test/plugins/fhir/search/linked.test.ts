/**
 * linked: resources are found by what they name and by what names them, and bring along what is named further on; only
 * what the token may see counts.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { databases } from '../../../support/databases';
import { issueOf, startFhir, type FhirGround, type Read } from '../../../support/fhir';
import { sample } from '../../../support/site-record';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const uuid = (number: number): string => `urn:uuid:0a0a0a0a-0000-4000-8000-00000000000${number}`;

for (const leg of databases) {
  describe(`searches that lead to other resources, on ${leg.name}`, () => {
    let ground: FhirGround;
    const names = new Map<string, string>();

    /** What a search finds, by the names of this test; what it includes stands behind a plus. */
    const found = async (path: string, token?: string): Promise<string> => {
      const bundle = await ground.get(path, { headers: { prefer: 'handling=strict' }, ...(token ? { token } : {}) });
      return ((bundle['entry'] ?? []) as readonly Read[])
        .map(({ resource, search }) => {
          const name = names.get(`${resource.resourceType}/${resource.id}`) ?? (resource.resourceType as string);
          return search.mode === 'match' ? name : `+${name}`;
        })
        .sort()
        .join(' ');
    };

    before(async () => {
      ground = await startFhir(leg);
      const subject = { reference: `Patient/${ground.recordId}` };
      const observation = (code: string, encounter: number) => ({
        resourceType: 'Observation',
        status: 'final',
        code: { coding: [{ system: 'http://loinc.org', code }] },
        subject,
        encounter: { reference: uuid(encounter) },
        performer: [{ reference: uuid(3) }],
        effectiveDateTime: '2024-01-01',
      });
      const encounter = (status: string, more: object = {}) => ({
        resourceType: 'Encounter',
        status,
        class: { system: 'http://terminology.hl7.org/CodeSystem/v3-ActCode', code: 'AMB' },
        subject,
        ...more,
      });
      const parts = {
        visit: encounter('finished', { serviceProvider: { reference: uuid(4) }, period: { start: '2024-01-01' } }),
        call: encounter('planned'),
        doctor: {
          resourceType: 'Practitioner',
          name: [{ family: 'Who' }],
          identifier: [{ system: 'urn:n', value: '7' }],
        },
        clinic: { resourceType: 'Organization', name: 'Clinic', partOf: { reference: uuid(5) } },
        trust: { resourceType: 'Organization', name: 'Trust' },
        hb: observation('718-7', 1),
        bp: observation('85354-9', 2),
      };
      const entry = Object.values(parts).map((resource, index) => ({
        fullUrl: uuid(index + 1),
        resource,
        request: { method: 'POST', url: resource.resourceType },
      }));
      const answer = await ground.call('', {
        method: 'POST',
        body: JSON.stringify({ resourceType: 'Bundle', type: 'transaction', entry }),
        headers: { 'content-type': 'application/fhir+json' },
      });
      expect(answer.status, answer.text).to.equal(200);
      const made = (JSON.parse(answer.text) as Read)['entry'] as readonly Read[];
      Object.keys(parts).forEach((name, index) =>
        names.set(/\/fhir\/([A-Za-z]+\/[^/]+)/.exec(made[index]!['response'].location as string)![1]!, name),
      );
    });
    after(() => ground.service.stop());

    const searches: Readonly<Record<string, string>> = {
      '/Observation?encounter.status=finished': 'hb',
      '/Observation?encounter:Encounter.class=AMB': 'bp hb',
      '/Observation?encounter.status=cancelled': '',
      '/Observation?encounter:Encounter.status:not=finished': 'bp',
      '/Observation?encounter.date=ge2024&code=718-7': 'hb',
      '/Observation?performer:Practitioner.family=who': 'bp hb',
      '/Observation?performer.identifier=urn:n|7&encounter.status=planned': 'bp',
      '/Observation?performer:Organization.name=who': '',
      '/Observation?patient.name=alice': 'bp hb',
      '/Observation?subject:Patient.name=nobody': '',
      '/Encounter?service-provider.name=clinic': 'visit',
      '/Observation?encounter.service-provider.name=clinic': 'hb',
      '/Observation?encounter:Encounter.service-provider:Organization.partof.name=trust': 'hb',
      '/Observation?encounter.service-provider.name=trust': '',
      '/Observation?encounter.patient.name=alice&code=718-7': 'hb',
      '/Observation?patient.organization.name=clinic': '',
      '/Organization?_has:Encounter:service-provider:_has:Observation:encounter:code=718-7': 'clinic',
      '/Organization?_has:Encounter:service-provider:_has:Observation:encounter:code=85354-9': '',
      '/Organization?_has:Encounter:service-provider:patient.family=lee': 'clinic',
      '/Encounter?_has:Observation:encounter:code=718-7': 'visit',
      '/Encounter?_has:Observation:encounter:code=718-7,85354-9': 'call visit',
      '/Encounter?_has:Observation:encounter:code=1-1': '',
      '/Encounter?_has:Provenance:target:recorded=gt2000': 'call visit',
      '/Encounter?_has:Provenance:target:recorded=lt2000': '',
      '/Encounter?_has:Observation:encounter:_has:Provenance:target:recorded=gt2000': 'call visit',
      '/Organization?_has:Provenance:target:recorded=gt2000': 'clinic trust',
      '/Encounter?_has:Observation:encounter:code:not=718-7': 'call',
      '/Practitioner?_has:Observation:performer:encounter=nobody': '',
      '/Organization?_has:Organization:partof:name=clinic': 'trust',
      '/Patient?_has:Observation:patient:code=718-7': 'Patient',
      '/Patient?_has:Observation:patient:code=1-1': '',
      '/Observation?code=718-7&_include=Observation:encounter': '+visit hb',
      '/Observation?code=718-7&_include=Observation:encounter&_include:iterate=Encounter:service-provider':
        '+clinic +visit hb',
      '/Observation?code=718-7&_include=Observation:encounter&_include:iterate=Encounter:service-provider&_include:iterate=Organization:partof':
        '+clinic +trust +visit hb',
      '/Organization?name=trust&_revinclude:iterate=Organization:partof&_revinclude:iterate=Encounter:service-provider':
        '+clinic +visit trust',
      '/Encounter?status=finished&_revinclude=*': '+Provenance +hb visit',
      '/Encounter?status=finished&_revinclude=Provenance:*': '+Provenance visit',
      '/Encounter?status=finished&_revinclude=Provenance:target:Encounter': '+Provenance visit',
      '/Encounter?status=finished&_revinclude=Provenance:target:Observation': 'visit',
      '/Patient?_revinclude=Observation:subject': '+bp +hb Patient',
    };
    for (const [path, names] of Object.entries(searches)) {
      it(`finds ${names || 'nothing'} by ${path}`, async () => {
        expect(await found(path)).to.equal(names.split(' ').sort().join(' '));
      });
    }

    it('goes on page by page', async () => {
      const first = await ground.get('/Observation?encounter:Encounter.class=AMB&_count=1');
      expect([first['total'], first['entry'].length]).to.equal([2, 1]);
      const next = first['link'].find((one: Read) => one['relation'] === 'next').url as string;
      const second = await ground.get(next.replace(/^.*\/fhir/, ''));
      const ids = [first, second].map((page) => page['entry'][0].resource.id as string);
      expect(new Set(ids).size).to.equal(2);
    });

    it('finds what documents of other formats state, too', async () => {
      await ground.put(sample(ground.service, 'vital-signs/sample-check-up.xml'));
      const bmi = '39156-5';
      const [{ resource: observation }] = (await ground.get(`/Observation?code=${bmi}`))['entry'] as [Read];
      const [{ resource: encounter }, ...others] = (
        await ground.get(`/Encounter?_has:Observation:encounter:code=${bmi}`)
      )['entry'] as [Read];
      expect([others, `Encounter/${encounter.id}`]).to.equal([[], observation.encounter.reference]);
      const by = await ground.get(`/Observation?encounter:Encounter.status=${encounter.status}&code=${bmi},718-7`);
      expect(by['entry'].map(({ resource }: Read) => resource.id)).to.include(observation.id);
      const along = await ground.get(`/Encounter?_id=${encounter.id}&_revinclude:iterate=Observation:encounter`);
      expect(along['entry'].map(({ resource }: Read) => resource.id)).to.include(observation.id);
    });

    it('looks only where the token may', async () => {
      const token = await ground.mint('patient/Observation.rs');
      const named = await ground.call('/Observation?encounter:Encounter.status=finished', { token });
      expect(named.status).to.equal(403);
      expect((await ground.call('/Observation?patient.name=alice', { token })).status).to.equal(403);
      // Visits may be meant: an answer without them would say that there is none.
      expect((await ground.call('/Observation?encounter.status=finished', { token })).status).to.equal(403);
      const both = await ground.mint('patient/Observation.rs patient/Encounter.rs');
      const further = '/Observation?encounter.service-provider:Organization.name=clinic';
      expect((await ground.call(further, { token: both })).status).to.equal(403);
      const reader = await ground.mint('patient/Encounter.rs');
      const has = await ground.call('/Encounter?_has:Observation:encounter:code=718-7', { token: reader });
      expect([has.status, issueOf(has)['code']]).to.equal([403, 'forbidden']);
      expect(await found('/Observation?encounter.status=finished', ground.carenetToken)).to.equal('');
      expect(await found('/Patient?_has:Observation:patient:code=718-7', ground.carenetToken)).to.equal('');
    });

    it('tells what it does not know, and refuses it where the client is strict', async () => {
      for (const given of [
        'encounter.nothing=1',
        'code.text=1',
        'performer.organization.name=1',
        'encounter.service-provider.nothing=1',
        'encounter:Encounter.service-provider:Organization.partof:Organization.partof:Organization.name=1',
        '_has:Observation:nothing:code=1',
        '_has:Observation:encounter:nothing=1',
        '_has:Nothing:encounter:code=1',
        '_has:Observation:encounter:_has:Flag:encounter:code=1',
      ]) {
        const lenient = await ground.get(`/Observation?${given}`);
        expect(JSON.stringify(lenient['entry'].at(-1)), given).to.contain('was not used');
        const strict = await ground.call(`/Observation?${given}`, { headers: { prefer: 'handling=strict' } });
        expect([given, strict.status]).to.equal([given, 400]);
      }
      const bad = await ground.call('/Observation?encounter.date=someday');
      expect(bad.status).to.equal(400);
    });
  });
}
