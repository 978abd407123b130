/**
 * clinic-random: Bundles for clinics of random records: every resource is named in the PDF beside it, every reference
 * resolves, and of a circle nothing is sent that it does not hold. SVC_TEST_RECORDS says of how many records (200 if it
 * does not; `npm run tool clinic-records` makes 2,000), SVC_TEST_SEED of which.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { operations } from '../../../plugins/website/http/operations';
import { decrypted, faultsIn, fetchAs, scanned } from '../../support/clinic';
import { sqliteMemory } from '../../support/databases';
import { startFhir, type FhirGround, type Read } from '../../support/fhir';
import { askingAs } from '../../support/links';
import { missingReaders, pagesOf, wordsIn } from '../../support/pdf';
import { below, pick, randomFrom, type Random } from '../../support/random';
import { attribute, createRecord, succeeded } from '../../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const COUNT = Number(process.env['SVC_TEST_RECORDS'] ?? 200);
const SEED = Number(process.env['SVC_TEST_SEED'] ?? 4711);
const ALICE = 'alice@example.org';
const KINDS = 'problems,medicines,allergies,immunizations,results,vitals,procedures,visits,devices,insurance'.split(
  ',',
);
const DAY = 86_400_000;
const SUBJECT = 'urn:uuid:00000000-0000-4000-8000-000000000001';

/** A word that no template has. */
function newWord(random: Random): string {
  return `Q${Array.from({ length: 9 }, () => pick(random, [...'bcdfghjkmnpqrstvwxz'])).join('')}`;
}

type Made = { readonly name: string; readonly resource: Read };

/** One statement of a random kind and state, which goes by a word of its own. */
function statementOf(random: Random, now: number): Made {
  const name = newWord(random);
  const text = { text: name };
  const subject = { reference: SUBJECT };
  const date = new Date(now - below(random, 1500) * DAY).toISOString().slice(0, 10);
  const status = pick(random, ['active', 'active', 'completed', 'entered-in-error', 'unknown']);
  const resource = pick<Read>(random, [
    { resourceType: 'Condition', code: text, subject, ...(below(random, 2) === 0 ? { onsetDateTime: date } : {}) },
    { resourceType: 'MedicationStatement', status, medicationCodeableConcept: text, subject },
    { resourceType: 'MedicationRequest', status, intent: 'order', medicationCodeableConcept: text, subject },
    { resourceType: 'AllergyIntolerance', code: text, patient: subject },
    {
      resourceType: 'Immunization',
      status: 'completed',
      vaccineCode: text,
      patient: subject,
      occurrenceDateTime: date,
    },
    {
      resourceType: 'Observation',
      status: pick(random, ['final', 'amended', 'entered-in-error']),
      code: text,
      subject,
      effectiveDateTime: date,
      valueQuantity: { value: below(random, 1000) / 10, unit: 'mg' },
    },
    { resourceType: 'Procedure', status: pick(random, ['completed', 'not-done']), code: text, subject },
    {
      resourceType: 'Encounter',
      status: 'finished',
      class: { code: 'AMB' },
      type: [text],
      subject,
      period: { start: date },
    },
    {
      resourceType: 'Device',
      status: 'active',
      type: text,
      udiCarrier: [{ deviceIdentifier: name }],
      patient: subject,
    },
  ]);
  return { name, resource };
}

function bundleOf(made: readonly Made[]): string {
  const patient = { resourceType: 'Patient', name: [{ family: 'Lee', given: ['Alice'] }] };
  return JSON.stringify({
    resourceType: 'Bundle',
    type: 'collection',
    entry: [{ fullUrl: SUBJECT, resource: patient }, ...made.map(({ resource }) => ({ resource }))],
  });
}

function resourcesIn(bundle: Read): readonly Read[] {
  return (bundle['entry'] as readonly { readonly resource: Read }[]).map(({ resource }) => resource);
}

const missing = missingReaders();

describe(`Bundles of ${COUNT} random records (seed ${SEED})`, { skip: missing.length > 0 }, () => {
  let ground: FhirGround;
  before(async () => {
    ground = await startFhir(sqliteMemory, { SVC_RATE_ADDRESS_PER_MINUTE: '0', SVC_RATE_CONSUMER_PER_MINUTE: '0' });
  });
  after(() => ground.service.stop());

  const fetched = async (recordId: string, wish: Readonly<Record<string, string>>): Promise<Read> => {
    const ask = askingAs(ground.service, ALICE, ground.alice);
    const params = { RECORD_ID: recordId };
    const id = await ask(operations.links.recordClinicCreate, { params, body: wish });
    const { links } = await ask(operations.links.recordClinic, { params });
    const link = scanned(links.find((one) => one.id === id)!.shlink);
    const answer = await fetchAs(ground.service, link, 'A clinic');
    expect(answer.status, answer.text).to.equal(200);
    return (await decrypted(answer, link)).bundle;
  };
  const stored = async (recordId: string, made: readonly Made[]): Promise<string> =>
    made.length === 0 ? '' : ground.put(bundleOf(made), 'application/fhir+json', `/records/${recordId}/documents/`);

  /** Each of these names that is sent is in the PDF, too, and all that is sent has one of them. */
  const judge = (bundle: Read, names: readonly string[], seed: number): readonly string[] => {
    expect(faultsIn(bundle), String(seed)).to.equal([]);
    const all = resourcesIn(bundle);
    const [paper, ...more] = all.filter(({ resourceType }) => resourceType === 'DocumentReference');
    expect([paper!['type'].coding[0].code, more.length]).to.equal(['60591-5', 0]);
    const pdf = Buffer.from(paper!['content'][0].attachment.data as string, 'base64');
    const words = new Set(pagesOf(pdf).flatMap(wordsIn));
    const statements = all.filter(
      ({ resourceType }) => !['Patient', 'DocumentReference'].includes(String(resourceType)),
    );
    const sent = statements.map((one) => names.find((name) => JSON.stringify(one).includes(name)) ?? 'another');
    expect(
      sent.filter((name) => !words.has(name)),
      String(seed),
    ).to.equal([]);
    return sent;
  };

  it('have all of it in the PDF, and of a circle what it holds', async () => {
    let [statements, inCircles] = [0, 0];
    for (let number = 0; number < COUNT; number += 1) {
      const seed = SEED + number;
      const random = randomFrom(seed);
      const { call, services } = ground.service;
      const recordId = await createRecord(call, ALICE, 'Alice', 'Lee');
      const make = (count: number) => Array.from({ length: count }, () => statementOf(random, services.clock.now()));
      const [own, shared] = [make(below(random, 12)), make(below(random, 6))];
      const all = [...own, ...shared].map(({ name }) => name);
      await stored(recordId, own);
      const document = await stored(recordId, shared);
      const kinds = KINDS.filter(() => below(random, 5) > 0);
      const language = pick(random, ['en', 'de', 'es', 'ar']);
      const wish = { kinds: (kinds.length > 0 ? kinds : KINDS).join(','), language };
      statements += judge(await fetched(recordId, wish), all, seed).length;
      const carenets = succeeded(await call(ground.alice, 'GET', `/records/${recordId}/carenets/`)).text;
      const carenet = attribute(/<Carenet\b[^>]*>/.exec(carenets)![0], 'Carenet', 'id');
      if (document !== '') {
        const path = `/records/${recordId}/documents/${document}/carenets/${carenet}`;
        succeeded(await call(ground.alice, 'PUT', path));
      }
      const sent = judge(await fetched(recordId, { ...wish, carenet }), all, seed);
      const held = shared.map(({ name }) => name);
      expect(
        sent.filter((name) => !held.includes(name)),
        String(seed),
      ).to.equal([]);
      inCircles += sent.length;
    }
    expect([statements > COUNT, inCircles > COUNT / 4]).to.equal([true, true]);
  });
});
