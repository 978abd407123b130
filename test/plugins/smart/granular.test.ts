/**
 * granular: a scope for one category of a type (`patient/Observation.rs?category=laboratory`) opens that and nothing
 * else, at every way through the FHIR door.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { covers, opens, parseScope, parseScopes } from '../../../core/tokens/smart-scopes';
import { grantable } from '../../../plugins/smart/scopes';
import { databases } from '../../support/databases';
import { startFhir, type FhirGround, type Read } from '../../support/fhir';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const SYSTEM = 'http://terminology.hl7.org/CodeSystem/observation-category';
const LABORATORY = 'patient/Observation.rs?category=laboratory';
const QUALIFIED = `patient/Observation.rs?category=${SYSTEM}|laboratory`;

describe('scopes for one category', () => {
  it('are read as what they say, and refused where they say what cannot be kept', () => {
    expect(parseScope(LABORATORY)).to.include({ type: 'Observation', category: 'laboratory' });
    for (const text of [
      'patient/Observation.rs?category=unheard-of',
      'patient/Observation.rs?category=',
      'patient/Observation.rs?',
      'patient/Observation.rs?code=718-7',
      'patient/Observation.rs?category=laboratory&code=718-7',
      'patient/Observation.rs?category=laboratory,vital-signs',
      'patient/Observation.cruds?category=laboratory',
      'patient/Observation.read?category=laboratory',
      'patient/*.rs?category=laboratory',
      'patient/Procedure.rs?category=laboratory',
      'patient/Observation.rs?category:not=laboratory',
    ]) {
      expect(parseScope(text), text).to.be.undefined();
      expect(grantable(text, 'patient/*.cruds'), text).to.equal('');
    }
  });

  it('are given as far as the ceiling of the app goes', () => {
    for (const [asked, ceiling, granted] of [
      [LABORATORY, 'patient/*.cruds', LABORATORY],
      [LABORATORY, 'patient/Observation.r', 'patient/Observation.r?category=laboratory'],
      [LABORATORY, 'patient/Condition.rs', ''],
      ['patient/Observation.rs', LABORATORY, LABORATORY],
      ['patient/*.rs', LABORATORY, LABORATORY],
      ['patient/*.cruds', `${LABORATORY} patient/Condition.c`, `${LABORATORY} patient/Condition.c`],
      [QUALIFIED, LABORATORY, QUALIFIED],
      [LABORATORY, QUALIFIED, QUALIFIED],
      ['patient/Observation.rs?category=vital-signs', LABORATORY, ''],
    ] as const) {
      expect([asked, ceiling, grantable(asked, ceiling)]).to.equal([asked, ceiling, granted]);
    }
    expect(covers(parseScopes(LABORATORY), parseScope('patient/Observation.rs')!)).to.be.false();
    const one = { resourceType: 'Observation', category: [{ coding: [{ system: 'urn:x', code: 'laboratory' }] }] };
    expect([opens(parseScopes(LABORATORY), one, 'r'), opens(parseScopes(QUALIFIED), one, 'r')]).to.equal([true, false]);
    expect(opens(parseScopes(`${QUALIFIED} patient/Observation.c`), one, 'r')).to.be.false();
    expect(opens(parseScopes(`${QUALIFIED} patient/*.r`), one, 'r')).to.be.true();
  });
});

for (const leg of databases) {
  describe(`a token for one category on ${leg.name}`, () => {
    let ground: FhirGround;
    let token: string;
    const ids: Record<string, string> = {};
    const post = async (body: Read): Promise<string> => {
      const answer = await ground.call(`/${body['resourceType']}`, {
        method: 'POST',
        headers: { 'content-type': 'application/fhir+json' },
        body: JSON.stringify({ ...body, subject: { reference: `Patient/${ground.recordId}` } }),
      });
      expect(answer.status, answer.text).to.equal(201);
      return (JSON.parse(answer.text) as Read)['id'] as string;
    };
    const observation = (category: string, more: object = {}): Read => ({
      resourceType: 'Observation',
      status: 'final',
      ...(category === '' ? {} : { category: [{ coding: [{ system: SYSTEM, code: category }] }] }),
      code: { coding: [{ system: 'http://loinc.org', code: `code-${category}` }] },
      effectiveDateTime: '2024-05-06',
      ...more,
    });
    before(async () => {
      ground = await startFhir(leg);
      for (const category of ['laboratory', 'vital-signs', 'social-history', '']) {
        ids[category] = await post(observation(category));
      }
      ids['report'] = await post({
        resourceType: 'DiagnosticReport',
        status: 'final',
        code: { text: 'panel' },
        result: ['laboratory', 'vital-signs'].map((name) => ({ reference: `Observation/${ids[name]}` })),
      });
      // Vital signs of the house's own format are made of facts.
      await ground.put(
        `<VitalSign xmlns="https://svc.example/vocab/xml/documents#"><dateMeasured>2024-05-06T07:08:09Z</dateMeasured><name type="http://codes.indivo.org/vitalsigns/" value="123" abbrev="BPsys">Blood Pressure Systolic</name><value>145</value><unit type="http://codes.indivo.org/units/" value="31" abbrev="mmHg">millimeters of mercury</unit></VitalSign>`,
      );
      token = await ground.mint(`${LABORATORY} patient/DiagnosticReport.rs patient/Patient.rs`);
    });
    after(() => ground.service.stop());

    const names = (bundle: Read): readonly string[] =>
      ((bundle['entry'] ?? []) as readonly Read[])
        .map(({ resource }) => resource)
        .filter(({ resourceType }) => resourceType === 'Observation')
        .map((one) => String(one.category?.[0]?.coding[0].code));
    const found = async (path: string, other = token): Promise<readonly string[]> =>
      names(await ground.get(path, { token: other }));

    it('reads, also its versions and history, and finds nothing else', async () => {
      const all = await found('/Observation', await ground.mint('patient/*.rs'));
      expect(all.length).to.be.above(4);
      for (const path of ['', '/_history/{version}', '/_history']) {
        for (const name of ['laboratory', 'vital-signs', 'social-history', '']) {
          const version = (await ground.get(`/Observation/${ids[name]}`))['meta'].versionId as string;
          const { status } = await ground.call(`/Observation/${ids[name]}${path.replace('{version}', version)}`, {
            token,
          });
          expect([path, name, status]).to.equal([path, name, name === 'laboratory' ? 200 : 404]);
        }
      }
    });

    it('searches, counts and includes only that', async () => {
      for (const query of [
        '',
        '?_sort=-date',
        '?category=laboratory,vital-signs',
        '?category:not=survey',
        '?date=2024',
      ]) {
        const bundle = await ground.get(`/Observation${query}`, { token });
        expect([query, names(bundle), bundle['total']]).to.equal([query, ['laboratory'], 1]);
      }
      expect(await found('/Observation?category=vital-signs')).to.equal([]);
      expect(await found(`/Observation?_id=${ids['vital-signs']}`)).to.equal([]);
      expect(await found('/DiagnosticReport?_include=DiagnosticReport:result')).to.equal(['laboratory']);
      expect(await found(`/DiagnosticReport?_include=*&_include:iterate=*`)).to.equal(['laboratory']);
      expect(await found('/Patient?_revinclude=Observation:subject')).to.equal(['laboratory']);
      for (const [query, total] of [
        ['DiagnosticReport?result.code=code-laboratory', 1],
        ['DiagnosticReport?result.code=code-vital-signs', 0],
        ['Patient?_has:Observation:subject:code=code-laboratory', 1],
        ['Patient?_has:Observation:subject:code=code-vital-signs', 0],
      ] as const) {
        expect([query, (await ground.get(`/${query}`, { token }))['total']]).to.equal([query, total]);
      }
    });

    it('gets only that of the whole record, of the summary and of a batch', async () => {
      expect(await found(`/Patient/${ground.recordId}/$everything`)).to.equal(['laboratory']);
      const pages: string[] = [];
      for (let path: string | undefined = `/Patient/${ground.recordId}/$everything?_count=1`; path !== undefined;) {
        const page: Read = await ground.get(path, { token });
        pages.push(...names(page));
        const next = (page['link'] as readonly Read[]).find(({ relation }) => relation === 'next');
        path = next && String(next['url']).split('/fhir')[1];
      }
      expect(pages).to.equal(['laboratory']);
      expect(await found(`/Patient/${ground.recordId}/$summary`)).to.equal(['laboratory']);
      const batch = await ground.call('', {
        method: 'POST',
        token,
        headers: { 'content-type': 'application/fhir+json' },
        body: JSON.stringify({
          resourceType: 'Bundle',
          type: 'batch',
          entry: [ids['laboratory'], ids['vital-signs']].map((id) => ({
            request: { method: 'GET', url: `Observation/${id}` },
          })),
        }),
      });
      const entries = (JSON.parse(batch.text) as Read)['entry'] as readonly Read[];
      expect(entries.map(({ response }) => String(response.status).slice(0, 3))).to.equal(['200', '404']);
    });

    it('exports only that, and fetches no file of a token that was given more', async () => {
      const exported = async (by: string): Promise<string> => {
        const begun = await ground.call(`/Patient/${ground.recordId}/$export`, {
          token: by,
          headers: { accept: 'application/fhir+json', prefer: 'respond-async' },
        });
        expect(begun.status, begun.text).to.equal(202);
        const path = new URL(String(begun.headers['content-location'])).pathname.replace('/fhir', '');
        while ((await ground.call(path, { token: by })).status === 202) {
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
        return path;
      };
      const own = await exported(token);
      const lines = (await ground.call(`${own}/Observation.ndjson`, { token })).text.trim().split('\n');
      expect(lines.map((line) => (JSON.parse(line) as Read)['id'])).to.equal([ids['laboratory']]);
      const wide = await exported(await ground.mint('patient/*.rs'));
      expect((await ground.call(`${wide}/Observation.ndjson`, { token })).status).to.equal(403);
      expect((await ground.call(`${wide}/DiagnosticReport.ndjson`, { token })).status).to.equal(200);
      const listed = (await ground.get(wide, { token }))['output'] as readonly Read[];
      expect(listed.map(({ type }) => type).sort()).to.equal(['DiagnosticReport', 'Patient']);
    });

    it('opens each of several, and creates nothing', async () => {
      const two = await ground.mint(`${QUALIFIED} patient/Observation.rs?category=social-history`);
      expect([...(await found('/Observation', two))].sort()).to.equal(['laboratory', 'social-history']);
      const created = await ground.call('/Observation', {
        method: 'POST',
        token,
        headers: { 'content-type': 'application/fhir+json' },
        body: JSON.stringify(observation('laboratory')),
      });
      expect(created.status).to.equal(403);
      const reading = await ground.mint('patient/Observation.r?category=laboratory');
      expect((await ground.call('/Observation', { token: reading })).status).to.equal(403);
      expect((await ground.call(`/Observation/${ids['laboratory']}`, { token: reading })).status).to.equal(200);
      const nothing = await ground.mint('patient/Observation.rs?category=unheard-of');
      expect((await ground.call('/Observation', { token: nothing })).status).to.equal(403);
    });
  });
}
