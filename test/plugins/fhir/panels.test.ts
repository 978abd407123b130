/**
 * panels: results that a laboratory groups are a DiagnosticReport that refers to the Observations of these results, and
 * to no others.
 */
import { readFileSync } from 'node:fs';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { inProject } from '../../../core/base/paths';
import { databases } from '../../support/databases';
import { startFhir, type FhirGround, type Read } from '../../support/fhir';
import { succeeded } from '../../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const sample = (name: string): string => readFileSync(inProject(`pipeline-config/${name}.xml`), 'utf8');
const clinic = sample('ccda/sample-clinic-summary');
const LAB_REPORT = 'http://hl7.org/fhir/us/core/StructureDefinition/us-core-diagnosticreport-lab';
const V2 = 'http://terminology.hl7.org/CodeSystem/v2-0074';

for (const leg of databases) {
  describe(`panels of laboratory results on ${leg.name}`, () => {
    let ground: FhirGround;
    before(async () => {
      ground = await startFhir(leg);
    });
    after(() => ground.service.stop());

    const entries = async (path: string, token?: string): Promise<readonly Read[]> =>
      ((await ground.get(path, token === undefined ? {} : { token }))['entry'] ?? []) as readonly Read[];
    const find = async (query: string, token?: string): Promise<readonly Read[]> =>
      (await entries(`/DiagnosticReport?${query}`, token)).map(({ resource }) => resource as Read);
    const names = (found: readonly Read[]): readonly string[] =>
      found.map(({ code }) => (code.text ?? code.coding[0].display) as string).sort();
    /** The names of the Observations that a report refers to, each read by its id. */
    /** The names of results; a reference that leads nowhere has none. */
    const testsOf = async ({ result }: Read): Promise<readonly string[]> => {
      const named = await Promise.all(
        ((result ?? []) as readonly Read[]).map(async ({ reference, display }) => {
          const answer = await ground.call(`/${reference as string}`);
          if (answer.status !== 200) {
            return [];
          }
          const { code } = JSON.parse(answer.text) as Read;
          const name = (code.coding?.[0]?.display ?? code.text) as string;
          expect([undefined, name]).to.include(display);
          return [name];
        }),
      );
      return named.flat();
    };
    const meta = async (document: string): Promise<string> =>
      succeeded(
        await ground.service.call(ground.alice, 'GET', `/records/${ground.recordId}/documents/${document}/meta`),
      ).text;
    const put = async (text: string): Promise<{ readonly document: string; readonly panels: readonly Read[] }> => {
      const document = await ground.put(text);
      const all = await find('category=LAB&_count=100');
      return { document, panels: all.filter((one) => one['meta'].versionId === document) };
    };

    it('are organizers of C-CDA, with the status and time that these say', async () => {
      const { panels } = await put(clinic);
      const [panel] = panels;
      expect(panels.length).to.equal(1);
      expect(panel).to.include({ status: 'final', effectiveDateTime: '2024-03-04T08:15:00-05:00' });
      expect(panel!['code'].coding[0]).to.include({ system: 'http://loinc.org', code: '55399-0' });
      expect(panel!['subject']).to.equal({ reference: `Patient/${ground.recordId}` });
      expect(await testsOf(panel!)).to.equal([
        'Hemoglobin A1c/Hemoglobin.total in Blood',
        'Cholesterol in LDL [Mass/volume] in Serum or Plasma by calculation',
        'Ketones [Presence] in Urine by Test strip',
      ]);
      // It has no issue time, which the profile requires of a final report.
      expect(panel!['issued']).to.be.undefined();
      expect(panel!['meta'].profile).to.be.undefined();
    });

    it('are reports of FHIR, whose conclusion stays theirs', async () => {
      const { document, panels } = await put(sample('fhir-bundle/sample-lab-report'));
      expect(names(panels)).to.equal(['Iron status of somebody else', 'Lipid 1996 panel - Serum or Plasma']);
      const lipids = panels.find(({ status }) => status === 'preliminary')!;
      expect(lipids).to.include({
        issued: '2025-02-03T15:10:00.000+01:00',
        conclusion: 'LDL above the goal; triglycerides to be repeated.',
      });
      // Everything stands as it came: results that were retracted or are missing in the document, too.
      expect(lipids['performer']).to.have.length(2);
      expect(lipids['meta'].profile).to.equal([LAB_REPORT]);
      expect(lipids['result']).to.have.length(4);
      expect(await testsOf({ result: (lipids['result'] as readonly Read[]).slice(0, 2) })).to.equal([
        'LDL cholesterol',
        'Other fats',
      ]);
      const said = await meta(document);
      expect(said).to.contain('reason="entered_in_error"').and.to.contain('reason="not_supported"');
    });

    it('are beside reports of others, of which a preliminary one is never said to be final', async () => {
      const [scan] = await find('date=2025-02-11');
      expect(scan!['conclusion']).to.contain('A cyst of the left kidney');
      expect([scan!['status'], scan!['issued']]).to.equal(['preliminary', '2025-02-11T11:30:00Z']);
      // Its conclusion is kept, and the attached form, which is elsewhere, is reported as left out.
      expect(await meta(scan!['meta'].versionId as string)).to.match(
        /<entry model="Attachment" reason="not_supported" count="1"/,
      );
    });

    it('are found, alone and with their results, and told among everything', async () => {
      expect(names(await find('code=http://loinc.org|24331-1'))).to.equal(['Lipid 1996 panel - Serum or Plasma']);
      expect(names(await find('status=final&date=2025-02-10'))).to.equal(['Iron status']);
      expect(names(await find('date=lt2025-01-01'))).to.equal(['Diabetes tracking panel']);
      expect(names(await find('issued=2025-02-03'))).to.equal(['Lipid 1996 panel - Serum or Plasma']);
      expect(await find('status=amended')).to.equal([]);
      const found = await entries('/DiagnosticReport?code=24331-1&_include=DiagnosticReport:result');
      expect(
        found.map(({ search, resource }) => `${search.mode as string} ${resource.resourceType as string}`),
      ).to.equal(['match DiagnosticReport', 'include Observation', 'include Observation', 'include Observation']);
      const all = (await entries(`/Patient/${ground.recordId}/$everything?_count=500`)).map(
        ({ resource }) => `${resource.resourceType as string}/${resource.id as string}`,
      );
      const reports = await find('category=LAB');
      expect(all).to.include(reports.map(({ id }) => `DiagnosticReport/${id as string}`));
      const named = reports.flatMap(({ result }) =>
        (result as readonly Read[]).map(({ reference }) => String(reference)),
      );
      expect(all).to.include(named.filter((reference) => reference !== 'Observation/elsewhere'));
    });

    it('are found by their results, and come along with them', async () => {
      const [panel] = (await find('category=LAB&result:missing=false&_sort=date')).filter(
        ({ result }) => result.length > 1,
      );
      const { id, result } = panel as Read;
      const [first, second] = (result as readonly Read[]).map(({ reference }) => String(reference));
      const idsOf = (found: readonly Read[]): readonly string[] => found.map((one) => one['id'] as string);
      const observation = first!.split('/')[1]!;
      for (const query of [first, observation, `${second},Observation/none`]) {
        expect(idsOf(await find(`result=${query}`)), query).to.include(id);
      }
      expect(idsOf(await find(`result:Observation=${observation}`))).to.include(id);
      for (const query of ['result=Observation/none', `result=Condition/${observation}`, `result=${id as string}`]) {
        expect(await find(query), query).to.equal([]);
      }
      const all = await find('_count=1000');
      const without = await find('result:missing=true&_count=1000');
      const bare = all.filter((one) => one['result'] === undefined);
      expect([...idsOf(without)].sort()).to.equal([...idsOf(bare)].sort());

      const along = await entries(`/Observation?_id=${observation}&_revinclude=DiagnosticReport:result`);
      const included = along.filter(({ search }) => search.mode === 'include').map(({ resource }) => resource as Read);
      expect(along.filter(({ search }) => search.mode === 'match').length).to.equal(1);
      expect(idsOf(included)).to.equal(idsOf(await find(`result=${observation}`)));
      const narrow = await ground.mint('patient/Observation.rs');
      expect(await entries(`/Observation?_id=${observation}&_revinclude=*`, narrow)).to.have.length(1);
      const [statement] = (await ground.get('/metadata'))['rest'][0].resource.filter(
        ({ type }: Read) => type === 'Observation',
      );
      expect(statement.searchRevInclude).to.equal(['*', 'Provenance:target']);
    });

    it('come back as the same from what went out', async () => {
      const out = (await entries(`/Patient/${ground.recordId}/$everything?_count=500`)).filter(({ resource }) =>
        ['DiagnosticReport', 'Observation'].includes(resource.resourceType as string),
      );
      const before = await find('_count=100');
      const answer = await ground.call('', {
        method: 'POST',
        body: JSON.stringify({
          resourceType: 'Bundle',
          type: 'collection',
          entry: out.map(({ fullUrl, resource }) => ({ fullUrl: fullUrl as string, resource: resource as Read })),
        }),
        headers: { 'content-type': 'application/fhir+json' },
      });
      expect(answer.status, answer.text).to.equal(201);
      const known = new Set(before.map(({ id }) => id as string));
      const again = (await find('_count=100')).filter(({ id }) => !known.has(id as string));
      const told = async (reports: readonly Read[]): Promise<readonly unknown[]> =>
        Promise.all(
          [...reports]
            .sort((one, other) => names([one])[0]!.localeCompare(names([other])[0]!))
            .map(async ({ id: _id, meta: _meta, result: _result, ...rest }) => ({
              ...rest,
              results: [...(await testsOf({ result: _result as Read }))].sort(),
            })),
        );
      expect(await told(again)).to.equal(await told(before));
    });

    it('say no status that nobody said, and are left out with their results when they were taken back', async () => {
      const withStatus = (status: string): string =>
        clinic.replace(/(displayName="Diabetes tracking panel"\/>\s*)<statusCode code="completed"\/>/, `$1${status}`);
      expect((await put(withStatus(''))).panels.map(({ status }) => status as string)).to.equal(['unknown']);
      expect(
        (await put(withStatus('<statusCode code="active"/>'))).panels.map(({ status }) => status as string),
      ).to.equal(['preliminary']);
      const { document, panels } = await put(withStatus('<statusCode code="nullified"/>'));
      expect(panels).to.equal([]);
      const said = await meta(document);
      expect(said).to.match(/<entry model="LabPanel" reason="entered_in_error" count="1"/);
      expect(said).to.match(/<entry model="LabResult" reason="entered_in_error" count="3"/);
    });

    it('refer to no result that was left out, and are not made of one result of the same name', async () => {
      const without = clinic.replace(
        /(extension="result-2"\/>\s*<code [^>]*\/>\s*)<statusCode code="completed"\/>/,
        '$1<statusCode code="nullified"/>',
      );
      const [panel] = (await put(without)).panels;
      expect(await testsOf(panel!)).to.equal([
        'Hemoglobin A1c/Hemoglobin.total in Blood',
        'Ketones [Presence] in Urine by Test strip',
      ]);
      // Results without ids of their own are found by their content.
      const nameless = clinic.replace(/<id root="2.999.40.10" extension="result-[13]"\/>/g, '');
      expect((await testsOf((await put(nameless)).panels[0]!)).length).to.equal(3);
      const alone = clinic
        .replace(/<component>\s*<observation(?:(?!<\/component>)[^])*extension="result-[23]"[^]*?<\/component>/g, '')
        .replace(
          'code="55399-0" codeSystem="2.16.840.1.113883.6.1" displayName="Diabetes tracking panel"',
          'code="4548-4" codeSystem="2.16.840.1.113883.6.1" displayName="Hemoglobin A1c"',
        );
      expect((await put(alone)).panels).to.equal([]);
    });

    it('refer to a result of very many parts, however many reports name it', async () => {
      const coded = (text: string): string => `<code><text value="${text}"/></code>`;
      const category = `<category><coding><system value="${V2}"/><code value="LAB"/></coding></category>`;
      const report = (text: string): string =>
        `<entry><resource><DiagnosticReport><status value="final"/>${category}${coded(text)}` +
        '<effectiveDateTime value="2026-05-01"/><conclusion value="See the parts."/>' +
        '<result><reference value="Observation/many"/></result></DiagnosticReport></resource></entry>';
      const parts = Array.from(
        { length: 21 },
        (_, number) => `<component>${coded(`Part ${number}`)}<valueInteger value="${number}"/></component>`,
      );
      await ground.put(
        `<Bundle xmlns="http://hl7.org/fhir"><type value="collection"/>${report('First')}${report('Second')}` +
          '<entry><resource><Observation><id value="many"/><status value="final"/>' +
          '<category><coding><code value="laboratory"/></coding></category>' +
          `${coded('Many')}${parts.join('')}</Observation></resource></entry></Bundle>`,
      );
      const found = await find('date=2026-05-01');
      const counts = found.map(({ code, result }) => [code.text, ((result ?? []) as readonly Read[]).length]).sort();
      expect(counts).to.equal([
        ['First', 1],
        ['Second', 1],
      ]);
    });

    it('are seen through a carenet where their document lies, and by nobody without access', async () => {
      const token = ground.carenetToken;
      expect(await find('', token)).to.equal([]);
      const { document, panels } = await put(sample('fhir-bundle/sample-lab-report').replaceAll('0001"', '0009"'));
      const place = `/records/${ground.recordId}/documents/${document}/carenets/${ground.carenetId}`;
      succeeded(await ground.service.call(ground.alice, 'PUT', place));
      const seen = await find('category=LAB', token);
      expect(seen.map(({ id }) => id as string).sort()).to.equal(panels.map(({ id }) => id as string).sort());
      const [reference] = seen.flatMap(({ result }) => (result as readonly Read[]).map((one) => one['reference']));
      expect((await ground.call(`/${reference as string}`, { token })).status).to.equal(200);
      const [hidden] = await find('code=55399-0');
      expect((await ground.call(`/DiagnosticReport/${hidden!['id'] as string}`, { token })).status).to.equal(404);
      // An app that may not read results gets none of them with the panel.
      const narrow = await ground.mint('patient/DiagnosticReport.rs');
      const found = await entries('/DiagnosticReport?code=24331-1&_include=DiagnosticReport:result', narrow);
      expect(found.some(({ resource }) => resource.resourceType === 'Observation')).to.be.false();
      expect((await ground.call(`/${reference as string}`, { token: narrow })).status).to.equal(403);
      expect((await ground.call('/DiagnosticReport', { token: '' })).status).to.equal(401);
    });
  });
}
