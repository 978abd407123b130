/**
 * modifiers: addresses are found by their folders, codes by those above and below them, identifiers by their type, and
 * documents by the words for their kind. What cannot be answered is refused in words.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { clinicalDocument } from '../../../intake/clinical-document';
import { databases } from '../../../support/databases';
import { issueOf, startFhir, type FhirGround, type Read } from '../../../support/fhir';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const KINDS = 'http://terminology.hl7.org/CodeSystem/v2-0203';
const CLINICAL = 'http://terminology.hl7.org/CodeSystem/condition-clinical';
const GUIDE = 'http://guide.example/plan';

const problem = (text: string, status: string): object => ({
  resourceType: 'Condition',
  clinicalStatus: { coding: [{ system: CLINICAL, code: status }] },
  code: { text },
});
const request = (text: string, address: string, more: object = {}): object => ({
  resourceType: 'ServiceRequest',
  status: 'active',
  intent: 'order',
  code: { text },
  instantiatesUri: [address],
  ...more,
});
const numbered = (type: object): object => ({ identifier: [{ type, system: 'http://mrn.example', value: '12' }] });

/** Resources by the words for them. */
const RESOURCES: readonly object[] = [
  problem('again', 'recurrence'),
  problem('now', 'active'),
  problem('over', 'resolved'),
  request('deep', `${GUIDE}/a/b`, numbered({ coding: [{ system: KINDS, code: 'FILL' }], text: 'Filler number' })),
  request('near', `${GUIDE}s`, numbered({ coding: [{ system: KINDS, code: 'PLAC' }] })),
  request('plan', GUIDE, numbered({ coding: [{ code: 'FILL' }] })),
  request('ours', 'http://hl7.org/fhir/StructureDefinition/x'),
  {
    resourceType: 'QuestionnaireResponse',
    status: 'completed',
    questionnaire: 'http://forms.example/Questionnaire/phq|2',
    item: [{ linkId: '1', text: 'answers', answer: [{ valueString: 'yes' }] }],
  },
];

/** Searches, each with the words of what it finds. */
const SEARCHES: Readonly<Record<string, readonly string[]>> = {
  'Condition?clinical-status:below=active': ['again', 'now'],
  [`Condition?clinical-status:below=${CLINICAL}|active`]: ['again', 'now'],
  [`Condition?clinical-status:below=${CLINICAL}|inactive`]: ['over'],
  'Condition?clinical-status:above=recurrence': ['again', 'now'],
  'Condition?clinical-status:above=active': ['now'],
  'Condition?clinical-status:below=inactive,recurrence': ['again', 'over'],
  [`ServiceRequest?instantiates-uri:below=${GUIDE}`]: ['deep', 'plan'],
  [`ServiceRequest?instantiates-uri:below=${GUIDE}/`]: ['deep'],
  'ServiceRequest?instantiates-uri:below=http://guide.example': ['deep', 'near', 'plan'],
  'ServiceRequest?instantiates-uri:below=http://hl7.org/fhir': ['ours'],
  'ServiceRequest?instantiates-uri:below=http://hl7.org': ['ours'],
  'ServiceRequest?instantiates-uri:below=http://hl7.org/fhir/Struc': [],
  [`ServiceRequest?instantiates-uri:above=${GUIDE}/a/b/c`]: ['deep', 'plan'],
  [`ServiceRequest?instantiates-uri:above=${GUIDE}/a`]: ['plan'],
  [`ServiceRequest?identifier:of-type=${KINDS}|FILL|12`]: ['deep'],
  'ServiceRequest?identifier:of-type=|FILL|12': ['plan'],
  [`ServiceRequest?identifier:of-type=${KINDS}|FILL|13`]: [],
  [`ServiceRequest?identifier:of-type=${KINDS}|FILL|12,${KINDS}|PLAC|12`]: ['deep', 'near'],
  'ServiceRequest?identifier:text=filler': ['deep'],
  'QuestionnaireResponse?questionnaire=http://forms.example/Questionnaire/phq': ['answers'],
  'QuestionnaireResponse?questionnaire=http://forms.example/Questionnaire/phq|2': ['answers'],
  'QuestionnaireResponse?questionnaire=http://forms.example/Questionnaire/phq|1': [],
};

const REFUSED: readonly string[] = [
  'Condition?code:below=195967001',
  'Condition?clinical-status:above=|active',
  'Condition?identifier:of-type=12',
  'Condition?identifier:of-type=a|b|c|d',
  'DocumentReference?identifier:of-type=12',
  'Condition?code:of-type=a|b|c',
  'ServiceRequest?instantiates-uri:contains=guide',
  'Condition?subject:below=Patient/1',
];

for (const leg of databases) {
  describe(`modifiers of searches, on ${leg.name}`, () => {
    let ground: FhirGround;
    let clinical = '';
    let typed = '';

    before(async () => {
      ground = await startFhir(leg);
      const subject = { reference: `Patient/${ground.recordId}` };
      for (const resource of RESOURCES as readonly Read[]) {
        const answer = await ground.call(`/${resource['resourceType']}`, {
          method: 'POST',
          body: JSON.stringify({ ...resource, subject }),
          headers: { 'content-type': 'application/fhir+json' },
        });
        expect(answer.status, answer.text).to.equal(201);
      }
      const words = '<title>Lettre d’été</title><effectiveTime value="20240101"/>';
      const document = clinicalDocument({ body: '' }).toString();
      clinical = await ground.put(document.replace('<effectiveTime value="20240101"/>', words));
      typed = (await ground.get('/DocumentReference?type=http://hl7.org/fhir|ServiceRequest&_count=1'))['entry'][0]
        .resource.id;
    });
    after(() => ground.service.stop());

    const found = async (query: string): Promise<readonly Read[]> => {
      const bundle = await ground.get(`/${query}`, { headers: { prefer: 'handling=strict' } });
      const matches = ((bundle['entry'] ?? []) as readonly Read[]).map(({ resource }) => resource as Read);
      expect(bundle['total'], query).to.equal(matches.length);
      return matches;
    };

    for (const [query, texts] of Object.entries(SEARCHES)) {
      it(`finds ${texts.join(', ') || 'nothing'} by ${query}`, async () => {
        const words = (await found(query)).map((one) => (one['code']?.text ?? one['item'][0].text) as string);
        expect(words.sort()).to.equal([...texts]);
      });
    }

    it('refuses in words what it cannot find', async () => {
      for (const query of REFUSED) {
        const answer = await ground.call(`/${query}`);
        expect([query, answer.status]).to.equal([query, 400]);
        expect(issueOf(answer)['details'].text, query).to.match(/^The parameter [\w-]+ is not valid: \w/);
      }
    });

    it('finds documents by the words for their kind and category, and by profiles', async () => {
      const ids = async (query: string): Promise<readonly string[]> =>
        (await found(`DocumentReference?_count=1000&${query}`)).map(({ id }) => id as string);
      const every = await ids('status=current');
      const [{ type }] = (await found(`DocumentReference?_id=${clinical}`)) as [Read];
      expect(await ids(`type:text=${encodeURIComponent(type.text.slice(0, 6).toUpperCase())}`)).to.equal([clinical]);
      expect(await ids('type:text=service%20req')).to.include(typed);
      expect(await ids('type:text=servicereq')).to.equal([]);
      expect(await ids('type:text=request')).to.equal([]);
      expect(await ids('category:text=clin')).to.equal(every);
      expect(await ids('category:text=note')).to.equal([]);
      expect(await ids('status:text=curr')).to.equal([]);
      expect(await ids('_profile:below=http://hl7.org/fhir/uv/ipa')).to.equal(every);
      expect(await ids('_profile:below=http://hl7.org/fhir/us/core')).to.equal([clinical]);
      expect(await ids('_profile:below=http://hl7.org/fhir/us/other')).to.equal([]);
      expect(await ids(`identifier:of-type=${KINDS}|MR|1`)).to.equal([]);
      expect(await ids(`patient:identifier=http://mrn.example|12`)).to.equal([]);
    });
  });
}
