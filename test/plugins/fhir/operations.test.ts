/** operations: everything of a record, its summary, and its documents, as far as scopes and carenets allow. */
import { readFileSync } from 'node:fs';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { parseXml } from 'libxmljs2';
import { inProject } from '../../../core/base/paths';
import { readSetupFile } from '../../../core/config/read-yaml';
import { askedBy } from '../../support/asked';
import { databases } from '../../support/databases';
import { FHIR_APP, issueOf, startFhir, type FhirCall, type FhirGround, type Read } from '../../support/fhir';
import { mintSmartToken } from '../../support/smart';
import { createRecord, succeeded } from '../../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

for (const leg of databases) {
  describe(`operations of the FHIR door on ${leg.name}`, () => {
    let ground: FhirGround;
    let note: string;
    let summary: string;
    before(async () => {
      ground = await startFhir(leg);
      note = await ground.put('<Note xmlns="urn:notes">one</Note>');
      summary = await ground.put(
        readFileSync(inProject('pipeline-config', 'fhir-bundle', 'sample-patient-summary.xml'), 'utf8'),
        'application/fhir+xml',
      );
      succeeded(
        await ground.service.call(
          ground.alice,
          'PUT',
          `/records/${ground.recordId}/documents/${note}/carenets/${ground.carenetId}`,
        ),
      );
    });
    after(() => ground.service.stop());

    const everything = (rest = '', options: FhirCall = {}): Promise<Read> =>
      ground.get(`/Patient/${ground.recordId}/$everything${rest}`, options);
    const typesIn = (bundle: Read): readonly string[] => [
      ...new Set(((bundle['entry'] ?? []) as readonly Read[]).map((entry) => entry['resource'].resourceType as string)),
    ];

    it('tells everything of a record, each resource once', async () => {
      const bundle = await everything();
      expect(bundle).to.include({ resourceType: 'Bundle', type: 'searchset' });
      const entries = bundle['entry'] as readonly Read[];
      expect(entries[0]!['resource'].resourceType).to.equal('Patient');
      const urls = entries.map((entry) => entry['fullUrl'] as string);
      expect(new Set(urls).size).to.equal(urls.length);
      expect(typesIn(bundle)).to.include([
        'Patient',
        'DocumentReference',
        'Provenance',
        'Condition',
        'AllergyIntolerance',
        'MedicationRequest',
        'Immunization',
        'Observation',
        'Procedure',
      ]);
      for (const { resource, fullUrl } of entries as readonly { resource: Read; fullUrl: string }[]) {
        expect(await ground.get(fullUrl.replace(/^.*\/fhir/, ''))).to.equal(resource);
      }
      const xml = await ground.call(`/Patient/${ground.recordId}/$everything?_format=xml`);
      const root = parseXml(xml.text).root()!;
      expect(root.find('*[local-name()="entry"]').length).to.equal(entries.length);
    });

    it('tells it portion by portion, whatever the number of statements', async () => {
      const bodies = Array.from(
        { length: 450 },
        (_, index) =>
          `<Model name="Measurement"><Field name="type">Steps ${index}</Field><Field ` +
          `name="value">${index}</Field><Field name="unit">1</Field><Field ` +
          'name="datetime">2024-01-02T00:00:00Z</Field></Model>',
      );
      await ground.put(`<Models>${bodies.join('')}</Models>`);
      const bundle = await everything('?_type=Observation');
      const steps = (bundle['entry'] as readonly Read[]).filter((entry) =>
        JSON.stringify(entry['resource'].code).includes('Steps'),
      );
      expect(steps.length).to.equal(450);
    });

    it('tells the types that are asked for, and what the scopes open', async () => {
      expect(typesIn(await everything('?_type=Condition,Procedure'))).to.equal(['Condition', 'Procedure']);
      const token = await ground.mint('patient/Patient.r patient/Condition.rs');
      expect([...typesIn(await everything('', { token }))].sort()).to.equal(['Condition', 'Patient']);
      expect((await everything('?_type=Observation', { token }))['entry']).to.be.undefined();
      expect(
        (await everything('?_since=2100-01-01T00:00:00Z&_type=Condition,DocumentReference'))['entry'],
      ).to.be.undefined();
      expect(typesIn(await everything('?_since=2020-01-01&_type=Condition'))).to.equal(['Condition']);
      const parameters = {
        resourceType: 'Parameters',
        parameter: [
          { name: '_type', valueString: 'Condition' },
          { name: '_since', valueInstant: '2020-01-01T00:00:00Z' },
        ],
      };
      const posted = await everything('', {
        method: 'POST',
        body: JSON.stringify(parameters),
        headers: { 'content-type': 'application/fhir+json' },
      });
      expect(typesIn(posted)).to.equal(['Condition']);
    });

    const urlsIn = (bundle: Read): readonly string[] =>
      ((bundle['entry'] ?? []) as readonly Read[]).map((entry) => entry['fullUrl'] as string);
    const nextOf = (bundle: Read): string | undefined =>
      (bundle['link'] as readonly Read[])
        .find((link) => link['relation'] === 'next')
        ?.['url'].replace(/^.*\/fhir/, '') as string | undefined;
    /** The first page and all that follow it. */
    const pages = async (
      rest: string,
      between: () => Promise<unknown> = () => Promise.resolve(),
    ): Promise<readonly Read[]> => {
      const found = [await everything(rest)];
      for (let next = nextOf(found[0]!); next !== undefined; next = nextOf(found.at(-1)!)) {
        await between();
        found.push(await ground.get(next));
      }
      return found;
    };

    it('tells it in pages, which skip and repeat nothing', async () => {
      const whole = urlsIn(await everything());
      for (const count of [1000, 37]) {
        const found = await pages(`?_count=${count}&_elements=id`);
        const urls = found.flatMap(urlsIn);
        expect([...urls].sort()).to.equal([...whole].sort());
        expect(found.slice(0, -1).map((page) => urlsIn(page).length)).to.equal(found.slice(0, -1).map(() => count));
        const observation = found
          .flatMap((page) => page['entry'] as readonly Read[])
          .find((entry) => entry['resource'].resourceType === 'Observation')!;
        expect(observation['resource'].effectiveDateTime).to.be.undefined();
      }
      expect((await pages('?_count=1&_type=Patient')).map((page) => urlsIn(page).length)).to.equal([1]);
    });

    it('tells each resource once while documents come and are replaced', async () => {
      const body = (value: number): string =>
        '<Models><Model name="Measurement"><Field name="type">Bends</Field><Field ' +
        `name="value">${value}</Field><Field name="unit">1</Field><Field ` +
        'name="datetime">2023-01-02T00:00:00Z</Field></Model></Models>';
      let id = await ground.put(body(0));
      const whole = urlsIn(await everything('?_type=Observation'));
      let value = 0;
      const found = await pages('?_type=Observation&_count=60', async () => {
        id = await ground.put(
          body((value += 1)),
          'application/xml',
          `/records/${ground.recordId}/documents/${id}/replace`,
        );
        await ground.put(body(1000 + value));
      });
      expect(value).to.be.above(3);
      const urls = found.flatMap(urlsIn);
      expect(new Set(urls).size).to.equal(urls.length);
      expect(urls).to.include([...whole]);
    });

    it('tells the care of a time', async () => {
      const measured = async (rest: string): Promise<number> =>
        urlsIn(await everything(`?_type=Observation${rest}`)).length;
      const all = await measured('');
      expect(await measured('&start=2024-01-02&end=2024-01-02')).to.equal(450);
      expect(await measured('&end=1900')).to.equal(0);
      expect((await measured('&end=2024-01-01')) + (await measured('&start=2024-01-02'))).to.equal(all);
      // A problem lasts from its onset on.
      const conditions = async (rest: string): Promise<readonly Read[]> =>
        ((await everything(`?_type=Condition${rest}`))['entry'] ?? []).map((entry: Read) => entry['resource'] as Read);
      const known = await conditions('');
      const dated = known.find((one) => one['onsetDateTime'] !== undefined && one['abatementDateTime'] === undefined)!;
      const ids = async (rest: string): Promise<readonly string[]> =>
        (await conditions(rest)).map((one) => one['id'] as string);
      expect(await ids('&start=2100-01-01')).to.include(dated['id'] as string);
      expect(await ids('&end=1900-01-01')).to.not.include(dated['id'] as string);
      const documents = async (rest: string): Promise<number> =>
        urlsIn(await everything(`?_type=DocumentReference${rest}`)).length;
      expect([await documents('&end=2020'), await documents('&start=2100')]).to.equal([0, 0]);
      expect(await documents('&start=2020')).to.equal(await documents(''));
    });

    it('refuses values that mean nothing, and pages of others', async () => {
      for (const rest of [
        '?start=yesterday',
        '?start=ge2024-01-01',
        '?end=2024-13',
        '?start=2024-02-01&end=2024-01-31',
        '?_since=gt2024',
        '?_since=2024-02-30',
        '?_type=Nonsense',
        '?_type=Condition,string',
        '?_count=0',
        '?_count=-1',
        '?_count=many',
        '?_page=nonsense',
        '?_summary=perhaps',
      ]) {
        const answer = await ground.call(`/Patient/${ground.recordId}/$everything${rest}`);
        expect([rest, answer.status]).to.equal([rest, 400]);
        expect(['value', 'required']).to.include(issueOf(answer)['code'] as string);
      }
      const next = nextOf(await everything('?_count=1'))!;
      expect((await ground.call(next, { token: ground.carenetToken })).status).to.equal(400);
      expect((await ground.call(next, { token: await ground.mint('patient/Condition.rs') })).status).to.equal(403);
      expect((await ground.call(next, { token: '' })).status).to.equal(401);
      // The scopes are those of the token that requests the page.
      const narrow = await ground.get(next, { token: await ground.mint('patient/Patient.r') });
      expect(urlsIn(narrow)).to.equal([]);
    });

    it('tells a carenet what lies there, and nobody another record', async () => {
      const bundle = await everything('', { token: ground.carenetToken });
      expect((bundle['entry'] as readonly Read[]).map((entry) => entry['resource'].resourceType)).to.equal([
        'Patient',
        'RelatedPerson',
        'DocumentReference',
        'Provenance',
      ]);
      expect(JSON.stringify(bundle)).to.not.contain(summary);
      for (const [path, options, status] of [
        ['/Patient/01890000-0000-7000-8000-000000000000/$everything', {}, 404],
        [`/Patient/${ground.recordId}/$everything?_since=yesterday`, {}, 400],
        [`/Patient/${ground.recordId}/$everything`, { token: await ground.mint('patient/Condition.rs') }, 403],
        [`/Patient/${ground.recordId}/$everything`, { token: '' }, 401],
        [`/Patient/${ground.recordId}/$everything`, { headers: { accept: 'text/turtle' } }, 406],
        [
          `/Patient/${ground.recordId}/$everything`,
          { method: 'POST', body: '{', headers: { 'content-type': 'application/json' } },
          400,
        ],
        [
          `/Patient/${ground.recordId}/$everything`,
          { method: 'POST', body: 'x', headers: { 'content-type': 'text/plain' } },
          415,
        ],
      ] as readonly (readonly [string, FhirCall, number])[]) {
        const answer = await ground.call(path, options);
        expect([path, answer.status]).to.equal([path, status]);
        issueOf(answer);
      }
    });

    it('finds the latest document, or those of a time', async () => {
      const docref = async (rest: string, options: FhirCall = {}): Promise<readonly string[]> =>
        ((await ground.get(`/DocumentReference/$docref${rest}`, options))['entry'] ?? []).map(
          (entry: Read) => entry['resource'].id as string,
        );
      const patient = `?patient=${ground.recordId}`;
      const latest = (await ground.get('/DocumentReference?_count=1'))['entry'][0].resource.id as string;
      expect(await docref(patient)).to.equal([latest]);
      expect((await docref(`${patient}&start=2020-01-01`)).length).to.be.above(2);
      expect(await docref(`${patient}&end=2020-01-01`)).to.equal([]);
      expect(await docref(`${patient}&start=2020-01-01&type=urn:notes%7CNote`)).to.equal([note]);
      expect(await docref(`${patient}&on-demand=true`)).to.equal([]);
      expect(await docref('?patient=other')).to.equal([]);
      expect(await docref(patient, { token: ground.carenetToken })).to.equal([note]);
      const posted = await docref('', {
        method: 'POST',
        body: JSON.stringify({
          resourceType: 'Parameters',
          parameter: [
            { name: 'patient', valueId: ground.recordId },
            { name: 'start', valueDateTime: '2020-01-01T00:00:00Z' },
            { name: 'type', valueCoding: { system: 'urn:notes', code: 'Note' } },
          ],
        }),
        headers: { 'content-type': 'application/fhir+json' },
      });
      expect(posted).to.equal([note]);
      for (const [rest, status] of [
        ['', 400],
        [`${patient}&start=yesterday`, 400],
        [`${patient}&on-demand=maybe`, 400],
      ] as const) {
        const answer = await ground.call(`/DocumentReference/$docref${rest}`);
        expect([rest, answer.status]).to.equal([rest, status]);
        const said = JSON.stringify(issueOf(answer));
        expect(rest.includes('yesterday') ? said : 'parameter start').to.contain('parameter start');
      }
      const coded = async (code: string): Promise<readonly string[]> =>
        docref('', {
          method: 'POST',
          headers: { 'content-type': 'application/fhir+json' },
          body: JSON.stringify({
            resourceType: 'Parameters',
            parameter: [
              { name: 'patient', valueId: ground.recordId },
              { name: 'start', valueDate: '2020-01-01' },
              { name: 'type', valueCodeableConcept: { coding: [{ code: 'other' }, { system: 'urn:notes', code }] } },
            ],
          }),
        });
      expect([await coded('Note'), await coded('Not')]).to.equal([[note], []]);
    });

    it('summarizes what is known of a person, with words for people, and says where nothing is known', async () => {
      const bundle = await ground.get(`/Patient/${ground.recordId}/$summary`);
      expect(bundle).to.include({ resourceType: 'Bundle', type: 'document' });
      expect(bundle['identifier'].system).to.equal('urn:ietf:rfc:3986');
      const entries = bundle['entry'] as readonly Read[];
      const composition = entries[0]!['resource'] as Read;
      expect(composition).to.include({ resourceType: 'Composition', status: 'final', title: 'Patient summary' });
      expect(composition['type'].coding[0].code).to.equal('60591-5');
      expect(entries[1]!['resource'].resourceType).to.equal('Patient');
      const sections = composition['section'] as readonly Read[];
      const codes = sections.map((one) => one['code'].coding[0].code as string);
      expect(codes.slice(0, 3)).to.equal(['11450-4', '48765-2', '10160-0']);
      expect(codes).to.include(['11369-6', '30954-2', '47519-4']);
      const urls = new Set(entries.map((entry) => entry['fullUrl'] as string));
      expect(urls.size).to.equal(entries.length);
      const base = `${ground.service.services.baseUrl()}/fhir/`;
      for (const one of sections) {
        expect(String(one['text'].div)).to.startWith('<div xmlns="http://www.w3.org/1999/xhtml"><');
        expect(
          parseXml(one['text'].div as string)
            .root()
            ?.name(),
        ).to.equal('div');
        expect(one['entry'] === undefined).to.equal(one['emptyReason'] !== undefined);
        for (const { reference } of (one['entry'] ?? []) as readonly Read[]) {
          expect(urls.has(`${base}${reference}`), reference as string).to.be.true();
        }
      }
      // A resource is in one section only.
      const told = sections.flatMap((one) =>
        ((one['entry'] ?? []) as readonly Read[]).map((entry) => entry['reference'] as string),
      );
      expect(new Set(told).size).to.equal(told.length);
      // Of a repeated measurement the summary has the latest one.
      const steps = entries.filter((entry) => JSON.stringify(entry['resource'].code ?? '').includes('Steps'));
      expect(steps.length).to.be.above(0);
      const xml = await ground.call(`/Patient/${ground.recordId}/$summary?_format=xml`);
      expect(parseXml(xml.text).root()!.find('*[local-name()="entry"]').length).to.equal(entries.length);
    });

    it('speaks of the use of a device, as a summary does', async () => {
      const device = inProject('pipeline-config', 'equipment', 'sample-pacemaker.xml');
      await ground.put(readSetupFile(device, ground.service.services.config.vocabBase));
      const entries = (await ground.get(`/Patient/${ground.recordId}/$summary`))['entry'] as readonly Read[];
      const devices = (entries[0]!['resource'].section as readonly Read[]).find(
        (one) => one['code'].coding[0].code === '46264-8',
      )!;
      const [use] = entries
        .map((entry) => entry['resource'] as Read)
        .filter((resource) => `DeviceUseStatement/${resource['id'] as string}` === devices['entry'][0].reference);
      expect(use!['subject'].reference).to.equal(`Patient/${ground.recordId}`);
      const told = entries.map((entry) => `${entry['resource'].resourceType}/${entry['resource'].id}`);
      expect(told).to.include(use!['device'].reference as string);
      expect(devices['text'].div).to.not.contain('DeviceUseStatement');
    });

    it('finds the latest of every kind, however often another one was measured, by as many statements', async () => {
      const id = await createRecord(ground.service.call, 'alice@example.org', 'Ada', 'Athlete');
      const token = await mintSmartToken(ground.service, {
        account: 'alice@example.org',
        app: FHIR_APP,
        scopes: 'patient/*.rs',
        record: id,
      });
      const fact = (fields: object): string =>
        `<Model name="VitalSigns">${Object.entries(fields)
          .map(([name, value]) => `<Field name="${name}">${value}</Field>`)
          .join('')}</Model>`;
      const beats = (count: number, year: number): string =>
        Array.from({ length: count }, (_, at) =>
          fact({
            date: new Date(Date.UTC(year, 0, 1) + at * 60_000).toISOString(),
            heart_rate_value: 60 + (at % 40),
            heart_rate_unit: '{beats}/min',
          }),
        ).join('');
      const put = (facts: string): Promise<string> =>
        ground.put(
          `<Models xmlns="${ground.service.services.config.vocabBase}/xml/documents#">${facts}</Models>`,
          'application/xml',
          `/records/${id}/documents/`,
        );
      await put(fact({ date: '2001-05-01T00:00:00Z', temperature_value: 37.5, temperature_unit: 'Cel' }));
      await put(beats(50, 2010));
      const told = async (): Promise<readonly Read[]> =>
        ((await ground.get(`/Patient/${id}/$summary`, { token }))['entry'] as readonly Read[])
          .map((entry) => entry['resource'] as Read)
          .filter((resource) => resource['resourceType'] === 'Observation');
      const few = await askedBy(told);
      await put(beats(900, 2020));
      const many = await askedBy(told);
      for (const { result } of [few, many]) {
        const kinds = result.map((one) => one['code'].coding[0].code as string);
        expect(kinds.sort()).to.equal(['8310-5', '8867-4']);
      }
      const latest = many.result.find((one) => one['code'].coding[0].code === '8867-4')!;
      expect(latest['effectiveDateTime']).to.equal('2020-01-01T14:59:00Z');
      // The token is looked up again from time to time, so the number of statements varies.
      const ofFacts = ({ asked }: typeof few): number => asked.filter(({ sql }) => /\bfact_/.test(sql)).length;
      expect(ofFacts(many)).to.be.within(ofFacts(few), ofFacts(few) + 12);
      await put(beats(900, 2021));
      expect(ofFacts(await askedBy(told))).to.equal(ofFacts(many));
    });

    it('finds the latest of hundreds of kinds, each once', async () => {
      const id = await createRecord(ground.service.call, 'alice@example.org', 'Vera', 'Various');
      const token = await mintSmartToken(ground.service, {
        account: 'alice@example.org',
        app: FHIR_APP,
        scopes: 'patient/*.rs',
        record: id,
      });
      const entry = Array.from({ length: 710 }, (_, at) => ({
        resource: {
          resourceType: 'Observation',
          status: 'final',
          category: [{ coding: [{ code: 'laboratory' }] }],
          code: { coding: [{ system: 'http://loinc.org', code: `${at}-1` }], text: `Test ${at}` },
          subject: { reference: `Patient/${id}` },
          effectiveDateTime: '2024-01-02',
          valueQuantity: { value: at },
        },
      }));
      const bundle = { resourceType: 'Bundle', type: 'collection', entry };
      await ground.put(JSON.stringify(bundle), 'application/fhir+json', `/records/${id}/documents/`);
      const told = ((await ground.get(`/Patient/${id}/$summary`, { token }))['entry'] as readonly Read[])
        .map(({ resource }) => resource as Read)
        .filter(({ resourceType }) => resourceType === 'Observation');
      expect([told.length, new Set(told.map((one) => one['code'].text as string)).size]).to.equal([710, 710]);
    });

    it('finds the latest of kinds that have words only, and the corrected one of a day', async () => {
      const id = await createRecord(ground.service.call, 'alice@example.org', 'Wanda', 'Words');
      const token = await mintSmartToken(ground.service, {
        account: 'alice@example.org',
        app: FHIR_APP,
        scopes: 'patient/*.rs',
        record: id,
      });
      const observation = (code: object, effectiveDateTime: string, value: number, status = 'final') => ({
        resource: {
          resourceType: 'Observation',
          status,
          code,
          subject: { reference: `Patient/${id}` },
          effectiveDateTime,
          valueQuantity: { value },
        },
      });
      const local = (text: string) => ({ coding: [{ code: 'GLU' }], text });
      const days = Array.from({ length: 40 }, (_, at) => `2024-02-${String(1 + (at % 28)).padStart(2, '0')}`);
      const entry = [
        ...days.flatMap((day, at) => [
          observation({ text: 'Mood' }, day, at),
          observation(local('Glucose'), day, at),
          observation({ text: 'Sleep' }, day, at),
        ]),
        observation({ text: 'Grip' }, '2001-01-01', 7),
        observation(local('Globulin'), '2001-01-01', 8),
        observation({ text: 'Iron' }, '2024-03-01T09:00:00Z', 11),
        observation({ text: 'Iron' }, '2024-03-01T08:00:00Z', 12, 'corrected'),
        observation({ text: 'Iron' }, '2024-03-02', 13, 'entered-in-error'),
      ];
      const bundle = { resourceType: 'Bundle', type: 'collection', entry };
      await ground.put(JSON.stringify(bundle), 'application/fhir+json', `/records/${id}/documents/`);
      const told = ((await ground.get(`/Patient/${id}/$summary`, { token }))['entry'] as readonly Read[])
        .map(({ resource }) => resource as Read)
        .filter(({ resourceType }) => resourceType === 'Observation')
        .map(
          (one) => `${one['code'].text} ${String(one['effectiveDateTime']).slice(0, 10)} ${one['valueQuantity'].value}`,
        );
      expect(told.filter((one) => /Gr|Globulin|Iron/.test(one)).sort()).to.equal([
        'Globulin 2001-01-01 8',
        'Grip 2001-01-01 7',
        'Iron 2024-03-01 12',
      ]);
      expect(
        told
          .map((one) => one.split(' ', 2).join(' '))
          .sort()
          .slice(-2),
      ).to.equal(['Mood 2024-02-28', 'Sleep 2024-02-28']);
      expect(told.length).to.equal(6);
    });

    it('speaks of all that a record states, in as many statements whether that is a little more or less', async () => {
      const id = await createRecord(ground.service.call, 'alice@example.org', 'Nora', 'Numerous');
      const token = await mintSmartToken(ground.service, {
        account: 'alice@example.org',
        app: FHIR_APP,
        scopes: 'patient/*.rs',
        record: id,
      });
      const fact = (model: string, fields: object): string =>
        `<Model name="${model}">${Object.entries(fields)
          .map(([name, value]) => `<Field name="${name}">${value}</Field>`)
          .join('')}</Model>`;
      const put = (facts: readonly string[]): Promise<string> =>
        ground.put(
          `<Models xmlns="${ground.service.services.config.vocabBase}/xml/documents#">${facts.join('')}</Models>`,
          'application/xml',
          `/records/${id}/documents/`,
        );
      const problems = (from: number, count: number): readonly string[] =>
        Array.from({ length: count }, (_, at) => fact('Problem', { name_title: `Problem ${from + at}` }));
      const told = async (): Promise<readonly string[]> =>
        ((await ground.get(`/Patient/${id}/$summary`, { token }))['entry'] as readonly Read[]).flatMap(
          ({ resource }) => (resource as Read)['code']?.text ?? [],
        );
      await put([fact('Allergy', { allergen_title: 'Peanut' }), ...problems(0, 200)]);
      const few = await askedBy(told);
      expect(new Set(few.result).size).to.equal(201);
      await put(problems(200, 50));
      const many = await askedBy(told);
      expect(new Set(many.result).size).to.equal(251);
      const ofResources = ({ asked }: typeof few): number =>
        asked.filter(({ sql }) => /\bfhir_resource\b/.test(sql)).length;
      expect(ofResources(many)).to.equal(ofResources(few));
    });

    it('speaks once of what several documents state alike', async () => {
      const sample = inProject('pipeline-config', 'allergy', 'sample-peanut.xml');
      const peanut = readSetupFile(sample, ground.service.services.config.vocabBase);
      const allergies = async (path: string): Promise<readonly Read[]> =>
        ((await ground.get(path))['entry'] as readonly Read[])
          .map((entry) => entry['resource'] as Read)
          .filter((resource) => resource['resourceType'] === 'AllergyIntolerance')
          .filter((resource) => JSON.stringify(resource).includes('Peanut'));
      const before = (await allergies('/AllergyIntolerance')).length;
      for (const text of [peanut, peanut, peanut.replace('255604002">Mild', '24484000">Severe')]) {
        await ground.put(text);
      }
      expect((await allergies('/AllergyIntolerance')).length).to.equal(before + 3);
      const told = await allergies(`/Patient/${ground.recordId}/$summary`);
      // One entry, in which both severities are said.
      expect(told.map((one) => /severe/i.test(JSON.stringify(one)))).to.equal([true]);
      expect(told.map((one) => /mild/i.test(JSON.stringify(one)))).to.equal([true]);
      const known = new Set((await allergies('/AllergyIntolerance')).map((one) => one['id'] as string));
      expect(told.every((one) => known.has(one['id'] as string))).to.be.true();
    });

    it('summarizes the Patient whom an identifier names, and nobody else', async () => {
      const uuid = `urn:uuid:${ground.recordId}`;
      const titles = ({ entry }: Read): unknown => entry[0].resource.section.map(({ title }: Read) => title as string);
      const byId = titles(await ground.get(`/Patient/${ground.recordId}/$summary`));
      for (const identifier of [
        uuid,
        `urn:ietf:rfc:3986|${uuid}`,
        `urn:ietf:rfc:3986|${uuid.toUpperCase().replace('URN:UUID', 'urn:uuid')}`,
      ]) {
        expect(titles(await ground.get(`/Patient/$summary?identifier=${encodeURIComponent(identifier)}`))).to.equal(
          byId,
        );
      }
      const posted = await ground.get('/Patient/$summary', {
        method: 'POST',
        body: JSON.stringify({ resourceType: 'Parameters', parameter: [{ name: 'identifier', valueString: uuid }] }),
        headers: { 'content-type': 'application/fhir+json' },
      });
      expect(titles(posted)).to.equal(byId);
      for (const [query, status] of [
        ['', 400],
        ['?identifier=', 400],
        [`?identifier=urn:other|${uuid}`, 404],
        [`?identifier=${ground.recordId}`, 404],
        ['?identifier=urn:uuid:01a21984-61d0-7432-987e-49e89d3407a5', 404],
        [`?identifier=${uuid}&identifier=${uuid}`, 400],
      ] as const) {
        expect([query, (await ground.call(`/Patient/$summary${query}`)).status]).to.equal([query, status]);
      }
      const token = await ground.mint('patient/Condition.r');
      expect((await ground.call(`/Patient/$summary?identifier=${uuid}`, { token })).status).to.equal(403);
      expect((await ground.call(`/Patient/$summary?identifier=${uuid}`, { token: '' })).status).to.equal(401);
      // A path with an id allows no identifier.
      const both = await ground.call(`/Patient/${ground.recordId}/$summary?identifier=${uuid}`);
      expect(both.status).to.equal(400);
    });

    it('keeps the sections of a summary that has nothing to say, and says why', async () => {
      const inCarenet = await ground.get(`/Patient/${ground.recordId}/$summary`, { token: ground.carenetToken });
      const sections = inCarenet['entry'][0].resource.section as readonly Read[];
      expect(sections.map((one) => one['emptyReason'].coding[0].code)).to.equal([
        'unavailable',
        'unavailable',
        'unavailable',
      ]);
      const token = await ground.mint('patient/Patient.r patient/Condition.r');
      const narrow = await ground.get(`/Patient/${ground.recordId}/$summary`, { token });
      const [problems, allergies] = narrow['entry'][0].resource.section as readonly Read[];
      expect(problems!['emptyReason']).to.be.undefined();
      expect(allergies!['emptyReason'].coding[0].code).to.equal('withheld');
      expect((await ground.call('/Patient/other/$summary')).status).to.equal(404);
      expect(
        (await ground.call(`/Patient/${ground.recordId}/$summary`, { token: await ground.mint('patient/Condition.r') }))
          .status,
      ).to.equal(403);
    });
  });
}
