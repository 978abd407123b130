/**
 * profile-vectors: the 24 cases of the catalogue of "Patient-Shared Health Documents via SMART Health Links", made again
 * from its description: what a receiver reads and at which step it refuses the others. What only the profile refuses is
 * taken as a link of the base specification. A second reader, which is as strict as the profile, judges the same cases and
 * then what is sent here.
 */
import { randomBytes } from 'node:crypto';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { LinkRefused } from '../../../core/received/failures';
import { receive } from '../../../core/received/receive';
import { operations } from '../../../plugins/website/http/operations';
import { faultsIn, scanned } from '../../support/clinic';
import { databases } from '../../support/databases';
import { startFhir, type FhirGround, type Read } from '../../support/fhir';
import { askingAs } from '../../support/links';
import { ProfileRefused, readByProfile, type ProfileStep } from '../../support/profile-reader';
import { createRecord } from '../../support/world';
import {
  attestedAs,
  attestedBy,
  damaged,
  linkText,
  makeIssuer,
  sealedFile,
  startGiver,
  type Giver,
} from '../../support/links-of-others';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const NOW = Date.parse('2026-11-28T12:00:00Z');
const LATER = Math.floor(NOW / 1000) + 900;
const EARLIER = Math.floor(NOW / 1000) - 1;

const PATIENT = 'urn:uuid:00000000-0000-4000-8000-000000000001';
const about = { reference: PATIENT };
const patient = { resourceType: 'Patient', name: [{ family: 'Ångström', given: ['Ada'] }], birthDate: '1980-02-03' };
const of = (resourceType: string, more: object): object => ({ resourceType, ...more });
const kept: readonly object[] = [
  of('Condition', { code: { text: 'Asthma' }, subject: about }),
  of('MedicationRequest', {
    status: 'active',
    intent: 'order',
    medicationCodeableConcept: { text: 'Salbutamol' },
    subject: about,
  }),
  of('AllergyIntolerance', { code: { text: 'Nuts' }, patient: about }),
  of('Immunization', {
    status: 'completed',
    vaccineCode: { text: 'Tetanus' },
    patient: about,
    occurrenceString: '2020',
  }),
];
const pdf = (code: string): object =>
  of('DocumentReference', {
    status: 'current',
    type: { coding: [{ system: 'http://loinc.org', code }] },
    category: [
      { coding: [{ system: 'https://cms.gov/fhir/CodeSystem/patient-shared-category', code: 'patient-shared' }] },
    ],
    subject: about,
    author: [about],
    date: '2026-11-28T11:00:00Z',
    content: [{ attachment: { contentType: 'application/pdf', data: Buffer.from('%PDF-1.7').toString('base64') } }],
  });
const [rendered, words] = [pdf('60591-5'), pdf('51855-5')];
const bundleOf = (resources: readonly object[], more: object = {}): string =>
  JSON.stringify({
    resourceType: 'Bundle',
    type: 'collection',
    timestamp: '2026-11-28T11:00:00Z',
    ...more,
    entry: [patient, ...resources].map((resource, index) => ({
      fullUrl: index === 0 ? PATIENT : `urn:uuid:00000000-0000-4000-8000-00000000001${index}`,
      resource,
    })),
  });

type Case = {
  readonly tier: 'decode' | 'retrieve' | 'decrypt' | 'bundle';
  readonly name: string;
  /** In the payload in place of what is good. */ readonly payload?: object;
  readonly without?: 'exp' | 'label';
  /** Of the link. */ readonly text?: (link: string) => string;
  readonly bundle?: string;
  readonly answer?: (file: string) => { readonly status?: number; readonly body?: string };
  readonly zip?: true;
  readonly attested?: true;
  readonly key?: Buffer;
  /** The step at which it is refused; absent: it is read. */ readonly refused?: LinkRefused['step'];
  /** The step at which the profile refuses it; absent: it does not. */ readonly byProfile?: ProfileStep;
};

/** Its base64url has both letters that base64 does not have. */
const ODD_KEY = Buffer.from('fbefbefbefbefffefbefbefbefbefffefbefbefbefbefffefbefbefbefbefffe', 'hex');

const cases: readonly Case[] = [
  { tier: 'decode', name: 'a bare link' },
  { tier: 'decode', name: 'a link behind the address of a viewer', text: (link) => `https://viewer.example/#${link}` },
  { tier: 'decode', name: 'a payload with - and _', payload: { label: '???>>>~~~ÿÿÿ' } },
  { tier: 'decode', name: 'a label with a dash', payload: { label: 'Ada — summary' } },
  { tier: 'decode', name: 'a label with accents', payload: { label: 'José Müller' } },
  { tier: 'decode', name: 'no label', without: 'label' },
  { tier: 'decode', name: 'no exp, which only the profile refuses', without: 'exp', byProfile: 'payload' },
  {
    tier: 'decode',
    name: 'a flag P, which asks for a passcode',
    payload: { flag: 'P' },
    refused: 'passcode',
    byProfile: 'payload',
  },
  {
    tier: 'decode',
    name: 'an empty flag, which asks for a manifest',
    payload: { flag: '' },
    refused: 'empty',
    byProfile: 'payload',
  },
  {
    tier: 'decode',
    name: 'a payload that is cut off',
    text: (link) => link.slice(0, -30),
    refused: 'none',
    byProfile: 'decode',
  },
  {
    tier: 'retrieve',
    name: 'a file that is gone',
    answer: () => ({ status: 404 }),
    refused: 'gone',
    byProfile: 'retrieve',
  },
  { tier: 'retrieve', name: 'an exp in the past', payload: { exp: EARLIER }, refused: 'expired', byProfile: 'payload' },
  { tier: 'decrypt', name: 'a file that is deflated', zip: true },
  { tier: 'decrypt', name: 'a key with - and _', key: ODD_KEY },
  {
    tier: 'decrypt',
    name: 'a ciphertext with one character changed',
    answer: (file) => ({ body: damaged(file) }),
    refused: 'sealed',
    byProfile: 'decrypt',
  },
  { tier: 'bundle', name: 'resources only', bundle: bundleOf(kept.slice(0, 1)) },
  { tier: 'bundle', name: 'both PDFs', bundle: bundleOf([...kept, rendered!, words!]) },
  { tier: 'bundle', name: "the person's words alone", bundle: bundleOf([words!]) },
  { tier: 'bundle', name: 'the four kinds with a rendered PDF', bundle: bundleOf([...kept, rendered!]) },
  {
    tier: 'bundle',
    name: 'an insurance',
    bundle: bundleOf([of('Coverage', { status: 'active', beneficiary: about, payor: [{ display: 'An insurer' }] })]),
  },
  { tier: 'bundle', name: 'an attestation', attested: true },
  { tier: 'bundle', name: 'a broken attestation', bundle: bundleOf(kept, attestedAs('nothing')) },
  {
    tier: 'bundle',
    name: 'a document, which only the profile refuses',
    bundle: bundleOf(kept, { type: 'document' }),
    byProfile: 'bundle',
  },
  {
    tier: 'bundle',
    name: 'a Patient alone, which only the profile refuses',
    bundle: bundleOf([]),
    byProfile: 'bundle',
  },
];

describe('the cases of the profile', () => {
  let giver: Giver;
  before(async () => {
    giver = await startGiver();
  });
  after(() => giver.close());

  type Given = { readonly text: string; readonly bundle: string };
  /** The link of a case, and what is behind it. */
  const give = (one: Case): Given => {
    const { key = randomBytes(32), answer, without } = one;
    const signed = one.attested ? bundleOf(kept, attestedBy(makeIssuer(giver))) : undefined;
    const bundle = signed ?? one.bundle ?? bundleOf(kept);
    const file = sealedFile(bundle, key, one.zip ? { zip: true } : {});
    giver.answers.set('/file', () => answer?.(file) ?? { body: file });
    const whole: Record<string, unknown> = {
      url: `${giver.base}/file`,
      flag: 'U',
      key: key.toString('base64url'),
      exp: LATER,
      label: 'Ada',
      ...one.payload,
    };
    const payload = Object.fromEntries(Object.entries(whole).filter(([name]) => name !== without));
    const link = linkText(payload);
    expect(scanned(link)).to.equal(payload as ReturnType<typeof scanned>);
    return { text: one.text?.(link) ?? link, bundle };
  };
  /** What a receiver reads of a case, or the step at which it refuses it. */
  const outcomeOf = async (one: Case): Promise<string> => {
    const { text, bundle } = give(one);
    try {
      const wish = { text, passcode: '', recipient: 'A personal health record', now: NOW, allowPrivate: true };
      const [first, ...more] = await receive(wish);
      const isWhole = more.length === 0 && first?.bytes.toString('utf8') === bundle;
      const isMadeBy = first?.madeWith === (one.attested ? giver.host : '');
      return isWhole && isMadeBy ? 'read' : 'read otherwise';
    } catch (error) {
      if (error instanceof LinkRefused) {
        return error.step;
      }
      throw error;
    }
  };
  /** The same by the profile alone. */
  const judgementOf = async (one: Case): Promise<string> => {
    const { text, bundle } = give(one);
    try {
      const read = await readByProfile(text, NOW);
      expect(read.bundle).to.equal(JSON.parse(bundle) as Read);
      return read.isAttested === (one.attested ?? false) ? 'read' : 'read otherwise';
    } catch (error) {
      if (error instanceof ProfileRefused) {
        return error.step;
      }
      throw error;
    }
  };

  it('are 24', () => {
    expect(cases.length).to.equal(24);
    expect(new Set(cases.map(({ name }) => name)).size).to.equal(24);
    expect(ODD_KEY.toString('base64url')).to.contain('-').and.to.contain('_');
  });

  for (const one of cases) {
    it(`${one.tier}: ${one.name}`, async () => {
      expect(await outcomeOf(one)).to.equal(one.refused ?? 'read');
      expect(await judgementOf(one)).to.equal(one.byProfile ?? 'read');
    });
  }
});

describe('what is sent here', () => {
  let ground: FhirGround;
  before(async () => {
    ground = await startFhir(databases[0]!);
    const coverage = of('Coverage', { status: 'active', beneficiary: about, payor: [{ display: 'An insurer' }] });
    await ground.put(bundleOf([...kept, coverage]), 'application/fhir+json');
  });
  after(() => ground.service.stop());

  const now = (): number => ground.service.services.clock.now();
  const ALL = 'problems,medicines,allergies,immunizations,insurance';
  const make = async (wish: Readonly<Record<string, string>> = {}, recordId = ground.recordId) => {
    const ask = askingAs(ground.service, 'alice@example.org', ground.alice);
    const params = { RECORD_ID: recordId };
    const id = await ask(operations.links.recordClinicCreate, { params, body: { kinds: ALL, ...wish } });
    const { shlink, text } = (await ask(operations.links.recordClinic, { params })).links.find((one) => one.id === id)!;
    return { shlink, text, end: () => ask(operations.links.recordLinkEnd, { params: { ...params, LINK_ID: id } }) };
  };
  const typesIn = (bundle: Read): readonly string[] =>
    (bundle['entry'] as readonly { readonly resource: Read }[]).map(
      ({ resource }) => resource['resourceType'] as string,
    );
  const judged = async (text: string, at = now()): Promise<string> => {
    try {
      const { bundle } = await readByProfile(text, at);
      expect(faultsIn(bundle)).to.equal([]);
      return 'read';
    } catch (error) {
      if (error instanceof ProfileRefused) {
        return error.message;
      }
      throw error;
    }
  };

  it('is read by a receiver, and by the profile, as the good cases are', async () => {
    const { shlink, text } = await make({ openings: '6' });
    for (const carrier of [shlink, text, `Scan me: ${text} , please`]) {
      const wish = { text: carrier, passcode: '', recipient: 'A receiver', now: now(), allowPrivate: true };
      const [file, ...others] = await receive(wish);
      expect(others).to.equal([]);
      const { bundle, head, isAttested } = await readByProfile(carrier, now());
      expect(head).to.equal({ alg: 'dir', enc: 'A256GCM', cty: 'application/fhir+json' });
      expect(isAttested).to.equal(false);
      for (const one of [bundle, JSON.parse(file!.bytes.toString('utf8')) as Read]) {
        expect(faultsIn(one)).to.equal([]);
        expect(typesIn(one)).to.equal([
          ...['Patient', 'Condition', 'MedicationRequest', 'AllergyIntolerance', 'Immunization', 'Coverage'],
          'DocumentReference',
        ]);
      }
    }
  });

  it('is read with keys of every letter, and with every label', async () => {
    const letters = new Set<string>();
    for (const name of ['Ada — summary', 'José Müller', 'مريم', '😀'.repeat(60), 'x']) {
      const recordId = await createRecord(ground.service.call, 'alice@example.org', name, 'Lee');
      const { shlink } = await make({}, recordId);
      const { payload, bundle } = await readByProfile(shlink, now());
      expect(`${name} Lee`.startsWith(payload.label!), payload.label).to.equal(true);
      // Of a record without anything: its person, and a reading that says so.
      expect(typesIn(bundle)).to.equal(['Patient', 'DocumentReference']);
      [...payload.key].forEach((letter) => letters.add(letter));
    }
    expect(letters.size).to.be.above(40);
  });

  it('is read with any choice of kinds', async () => {
    for (const kinds of ALL.split(',')) {
      expect(await judged((await make({ kinds })).shlink), kinds).to.equal('read');
    }
  });

  it('is refused where the profile wants it refused', async () => {
    const [{ shlink, end }, once] = [await make({ minutes: '5' }), await make({ openings: '1' })];
    expect(await judged(shlink)).to.equal('read');
    expect(await judged(shlink, now() + 301_000)).to.equal('payload: exp');
    expect(await judged(shlink.slice(0, -30))).to.match(/^decode/);
    expect(await judged(once.shlink)).to.equal('read');
    expect(await judged(once.shlink)).to.equal('retrieve: 404');
    await end();
    expect(await judged(shlink)).to.equal('retrieve: 404');
    const [good, other] = [scanned((await make()).shlink), scanned((await make()).shlink)];
    expect(await judged(linkText({ ...good, key: other.key }))).to.match(/^decrypt/);
  });
});
