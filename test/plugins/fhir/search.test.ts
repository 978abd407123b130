/**
 * search: statements of documents are found through the FHIR door: by every kind of parameter, page by page, with
 * included resources.
 */
import { readFileSync } from 'node:fs';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { inProject } from '../../../core/base/paths';
import { databases } from '../../support/databases';
import { issueOf, startFhir, type FhirCall, type FhirGround, type Read } from '../../support/fhir';
import { succeeded } from '../../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const LOINC = 'http://loinc.org';

const checkUp = readFileSync(inProject('pipeline-config/vital-signs/sample-check-up.xml'), 'utf8').replaceAll(
  '{vocab_base}',
  'https://svc.example/vocab',
);

for (const leg of databases) {
  describe(`searches through the FHIR door on ${leg.name}`, () => {
    let ground: FhirGround;
    let voided: string;
    const post = async (path: string, body: object): Promise<Read> => {
      const answer = await ground.call(path, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/fhir+json' },
      });
      expect(answer.status, answer.text).to.equal(201);
      return JSON.parse(answer.text) as Read;
    };
    const laboratory = (code: string, day: string, value: number): Read => ({
      resourceType: 'Observation',
      status: 'final',
      category: [
        { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/observation-category', code: 'laboratory' }] },
      ],
      code: { coding: [{ system: LOINC, code, display: `Test ${code}` }] },
      subject: { reference: `Patient/${ground.recordId}` },
      effectiveDateTime: day,
      valueQuantity: { value, unit: 'g/dL', system: 'http://unitsofmeasure.org', code: 'g/dL' },
    });
    const ids = (bundle: Read): readonly string[] =>
      ((bundle['entry'] as Read[] | undefined) ?? [])
        .filter(({ search }) => search.mode === 'match')
        .map(({ resource }) => resource.id as string);
    const find = async (path: string, options?: FhirCall): Promise<readonly string[]> =>
      ids(await ground.get(path, options));

    it('finds none of a type of which nothing came, and is 404 for one that is about no person', async () => {
      for (const type of ['Medication', 'PractitionerRole', 'MedicationAdministration']) {
        expect(await ground.get(`/${type}?_count=5`), type).to.include({ resourceType: 'Bundle', total: 0 });
        expect((await ground.call(`/${type}/none`)).status, type).to.equal(404);
        const strict = { headers: { prefer: 'handling=strict' } };
        expect((await ground.call(`/${type}?colour=red`, strict)).status, type).to.equal(400);
        const other = await ground.mint('patient/Observation.rs');
        expect((await ground.call(`/${type}`, { token: other })).status, type).to.equal(403);
      }
      expect((await ground.call('/StructureDefinition')).status).to.equal(404);
    });

    before(async () => {
      ground = await startFhir(leg);
      await post('/Observation', laboratory('718-7', '2024-01-10', 13.5));
      await post('/Observation', laboratory('718-7', '2024-02-10T09:00:00Z', 14));
      await post('/Observation', laboratory('2345-7', '2024-03-10', 90));
      await post('/MedicationRequest', {
        resourceType: 'MedicationRequest',
        status: 'stopped',
        intent: 'order',
        medicationCodeableConcept: { text: 'Aspirin' },
        subject: { reference: `Patient/${ground.recordId}` },
        authoredOn: '2024-01-01',
      });
      const wrong = await post('/Observation', laboratory('9999-9', '2024-04-10', 1));
      voided = wrong['id'] as string;
      const document = wrong['meta'].versionId as string;
      succeeded(
        await ground.service.call(
          ground.alice,
          'POST',
          `/records/${ground.recordId}/documents/${document}/set-status`,
          { form: { status: 'void', reason: 'wrong' } },
        ),
      );
    });
    after(() => ground.service.stop());

    it('finds by code, category, date, patient and their combinations', async () => {
      const all = await find('/Observation');
      expect(all).to.have.length(3);
      expect(await find(`/Observation?patient=${ground.recordId}&code=718-7`)).to.have.length(2);
      expect(await find(`/Observation?patient=Patient/${ground.recordId}&code=${LOINC}|718-7`)).to.have.length(2);
      expect(await find('/Observation?code=718-7,2345-7')).to.have.length(3);
      expect(await find('/Observation?code:not=718-7')).to.have.length(1);
      expect(await find('/Observation?category=laboratory&date=ge2024-02&date=lt2024-03')).to.have.length(1);
      expect(await find('/Observation?date=2024-02-10')).to.have.length(1);
      expect(await find('/Observation?date=gt2024-02-10')).to.have.length(1);
      expect(await find('/Observation?category=vital-signs')).to.equal([]);
      expect(await find('/Observation?patient=somebody-else')).to.equal([]);
      expect(await find(`/Observation?_id=${all[0]!},nothing`)).to.equal([all[0]]);
      expect(await find('/Observation?_lastUpdated=lt2020')).to.equal([]);
      expect(await find('/MedicationRequest?intent=order&status=active,stopped')).to.have.length(1);
      expect(await find('/MedicationRequest?status=active')).to.equal([]);
    });

    it('does not find what was put aside', async () => {
      expect(await find(`/Observation?_id=${voided}`)).to.equal([]);
      expect(await find('/Observation?code=9999-9')).to.equal([]);
    });

    it('answers a form like an address', async () => {
      const query = 'category=laboratory&code=718-7';
      const posted = await ground.get('/Observation/_search', {
        method: 'POST',
        body: query,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
      expect(ids(posted)).to.equal(await find(`/Observation?${query}`));
      expect(posted['link'][0].url).to.contain('/fhir/Observation?category=laboratory&code=718-7');
    });

    it('pages by links that neither skip nor repeat while documents arrive', async () => {
      const first = await ground.get('/Observation?_count=1&_total=accurate');
      expect(first['total']).to.equal(3);
      const seen = [...ids(first)];
      await post('/Observation', laboratory('718-7', '2024-05-10', 15));
      let next = first['link'].find(({ relation }: Read) => relation === 'next')?.url as string | undefined;
      while (next !== undefined) {
        const page = await ground.get(next.replace(/^.*\/fhir/, ''));
        seen.push(...ids(page));
        next = page['link'].find(({ relation }: Read) => relation === 'next')?.url as string | undefined;
      }
      expect(seen).to.have.length(3);
      expect(new Set(seen).size).to.equal(3);
    });

    it('sorts by date, both ways, and by pages', async () => {
      const dates = async (path: string): Promise<readonly string[]> =>
        ((await ground.get(path))['entry'] as Read[]).map(({ resource }) => String(resource.effectiveDateTime));
      const up = await dates('/Observation?_sort=date');
      expect(up).to.equal([...up].sort());
      expect(await dates('/Observation?_sort=-date')).to.equal([...up].reverse());
      expect(await find('/Observation?_sort=-date&_count=2')).to.equal(
        (await find('/Observation?_sort=-date')).slice(0, 2),
      );
    });

    it('counts, shows less, and brings along who stated it', async () => {
      const count = await ground.get('/Observation?code=718-7&_summary=count');
      expect([count['total'], count['entry']]).to.equal([3, undefined]);
      const bundle = await ground.get(
        '/Observation?code=2345-7&_revinclude=Provenance:target&_include=Observation:patient',
      );
      const modes = (bundle['entry'] as Read[]).map(({ resource, search }) => [resource.resourceType, search.mode]);
      expect(modes).to.equal([
        ['Observation', 'match'],
        ['Patient', 'include'],
        ['Provenance', 'include'],
      ]);
      const [match, , provenance] = bundle['entry'] as Read[];
      expect(provenance!['resource'].target.map(({ reference }: Read) => reference)).to.include(
        `Observation/${match!['resource'].id}`,
      );
      const narrow = await ground.mint('patient/Observation.rs');
      const less = await ground.get('/Observation?code=2345-7&_revinclude=Provenance:target&_include=*', {
        token: narrow,
      });
      expect((less['entry'] as Read[]).map(({ resource }) => resource.resourceType)).to.equal(['Observation']);
    });

    it('refuses what means nothing, and tells what it did not use', async () => {
      expect(issueOf(await ground.call('/Observation?date=yesterday'))['code']).to.equal('value');
      expect((await ground.call('/Observation?code:above=1')).status).to.equal(400);
      const told = await ground.get('/Observation?colour=red');
      expect((told['entry'] as Read[]).some(({ search }) => search.mode === 'outcome')).to.be.true();
      const strict = await ground.call('/Observation?colour=red', { headers: { prefer: 'handling=strict' } });
      expect(strict.status).to.equal(400);
      expect((await ground.call('/Observation?_page=forged')).status).to.equal(400);
    });

    it('shows nothing to a narrower scope, to a carenet without it, and nothing of another record', async () => {
      const none = await ground.mint('patient/Condition.rs');
      expect((await ground.call('/Observation', { token: none })).status).to.equal(403);
      expect((await ground.call('/Observation', { token: '' })).status).to.equal(401);
      expect(await find('/Observation', { token: ground.carenetToken })).to.equal([]);
      const other = await startFhir(leg);
      try {
        expect(ids(await other.get('/Observation'))).to.equal([]);
      } finally {
        await other.service.stop();
      }
    });

    it('finds the readings of vital signs one by one', async () => {
      const document = await ground.put(checkUp);
      const readings = await ground.get(
        '/Observation?category=vital-signs&date=2024-05-16&_include=Observation:encounter',
      );
      const found = (readings['entry'] as Read[]).map(({ resource }) => resource);
      const [encounters, observations] = [true, false].map((wanted) =>
        found.filter(({ resourceType }) => (resourceType === 'Encounter') === wanted),
      );
      expect(encounters).to.have.length(1);
      expect(observations!.length).to.be.above(5);
      expect(new Set(observations!.map((one) => one['meta'].versionId))).to.equal(new Set([document]));
      const encounter = encounters![0]!['id'] as string;
      expect(await find(`/Observation?encounter=${encounter}&code=${LOINC}|8867-4`)).to.have.length(1);
      expect(await find('/Observation?component-code=8480-6')).to.have.length(1);
      expect(await find('/Encounter?date=2024-05-16&status=finished')).to.equal([encounter]);
    });
  });
}
