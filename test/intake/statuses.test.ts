/**
 * statuses: every status of C-CDA and FHIR, and what the person sees of it. "open" stands in the list of what goes on,
 * with the words behind it; "planned", "over" and "undone" stand behind it in groups of their own.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { loadConfig } from '../../core/config/load';
import type { Models } from '../../core/facts/model/model';
import { openReader, type DocumentReader } from '../../core/pipeline/readers/document-reader';
import { readModels } from '../../core/server/migrate-all';
import type { Fact } from '../../plugins/website/words/facts';
import { standingOf } from '../../core/lines/standing';
import { statusWords } from '../../plugins/website/words/standing';
import { wordsIn } from '../../plugins/website/words/words';
import { unhurried } from '../support/unhurried';
import { clinicalDocument, entry } from './clinical-document';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

let reader: DocumentReader;
let models: Models;
before(async () => {
  const config = loadConfig(unhurried);
  models = readModels(config);
  reader = await openReader(config, models);
});
after(() => reader.close());

const NOW = Date.parse('2024-06-01T00:00:00Z');
const english = wordsIn('en', 'UTC');

/** "open: on hold" for each fact, "left out: planned" for each statement that is none. */
async function seen(document: Buffer): Promise<string> {
  const { facts, leftOut } = await reader.read(document);
  const kept = facts.map(({ model: name, values }) => {
    const model = models.find(name)!;
    const words = statusWords(model, values as Fact, english);
    return `${standingOf(model, values as Fact, NOW)}${words === '' ? '' : `: ${words}`}`;
  });
  return [...kept, ...leftOut.map(({ reason }) => `left out: ${reason}`)].join(' + ');
}

type Table = Readonly<Record<string, string>>;

async function expectTable(table: Table, documentOf: (status: string) => Buffer): Promise<void> {
  const found: Record<string, string> = {};
  for (const status of Object.keys(table)) {
    found[status] = await seen(documentOf(status));
  }
  expect(found).to.equal(table);
}

const SNOMED = 'codeSystem="2.16.840.1.113883.6.96"';
const MED =
  '<manufacturedProduct><manufacturedMaterial><code code="1" displayName="X"/></manufacturedMaterial></manufacturedProduct>';
const coded = (status: string): string => (status === '' ? '' : `<statusCode code="${status}"/>`);
const since = '<effectiveTime><low value="20230101"/></effectiveTime>';

const clinical = (section: string, inside: string): Buffer => clinicalDocument({ section, entries: entry(inside) });
const act = (status: string, inside: string): string =>
  `<act classCode="ACT" moodCode="EVN">${coded(status)}<entryRelationship typeCode="SUBJ">${inside}</entryRelationship></act>`;

/** A problem within a concern, with its own status observation and times. */
const problem = (
  concern: string,
  said = '',
  time = since,
  own = 'completed',
  mood = 'EVN',
  negated = 'false',
): string => {
  const state =
    said === ''
      ? ''
      : '<entryRelationship typeCode="REFR"><observation classCode="OBS" moodCode="EVN"><code code="33999-4" ' +
        `codeSystem="2.16.840.1.113883.6.1"/><value xsi:type="CD" code="${said}" ${SNOMED}/></observation></entryRelationship>`;
  return act(
    concern,
    `<observation classCode="OBS" moodCode="${mood}" negationInd="${negated}">${coded(own)}${time}<value xsi:type="CD" ` +
      `code="9" ${SNOMED} displayName="Gout"/>${state}</observation>`,
  );
};
const until = (day: string): string => `<effectiveTime><low value="20230101"/><high value="${day}"/></effectiveTime>`;
const ended = '<effectiveTime><low value="20230101"/><high nullFlavor="UNK"/></effectiveTime>';

const given = (status: string, mood = 'EVN', time = since): string =>
  `<substanceAdministration classCode="SBADM" moodCode="${mood}">${coded(status)}${time}<consumable>${MED}</consumable></substanceAdministration>`;

const all = ['', 'active', 'completed', 'aborted', 'suspended', 'held', 'new', 'cancelled', 'obsolete', 'nullified'];
const statuses = (...seenAs: readonly string[]): Table =>
  Object.fromEntries(all.map((status, index) => [status, seenAs[index] ?? '']));

describe('the statuses of C-CDA', () => {
  it('of medicines', async () => {
    const table = statuses(
      'open',
      'open: active',
      'open',
      'over: stopped',
      'open: on hold',
      'open: on hold',
      'planned: new',
      'over: cancelled',
      'over: obsolete',
      'left out: entered_in_error',
    );
    await expectTable(table, (status) => clinical('10160-0', given(status)));
  });

  it('of medicines with an end, in other moods, and with a start to come', async () => {
    expect(await seen(clinical('10160-0', given('completed', 'EVN', until('20230201'))))).to.equal('over');
    expect(await seen(clinical('10160-0', given('completed', 'EVN', until('20991231'))))).to.equal('open');
    expect(await seen(clinical('10160-0', given('active', 'EVN', until('20991231'))))).to.equal('open: active');
    expect(await seen(clinical('10160-0', given('active', 'INT')))).to.equal('open: active, plan');
    expect(await seen(clinical('10160-0', given('active', 'RQO')))).to.equal('open: active');
    const later = '<effectiveTime><low value="20251231"/></effectiveTime>';
    expect(await seen(clinical('10160-0', given('active', 'INT', later)))).to.equal('planned: active, plan');
    for (const mood of ['PRP', 'APT', 'PRMS', 'ARQ']) {
      expect(await seen(clinical('10160-0', given('active', mood)))).to.equal('left out: planned');
    }
  });

  it('of the concern around a problem, which says nothing about the problem itself', async () => {
    const table = statuses(
      'open',
      'open: active',
      'open',
      'open',
      'open',
      'open',
      'open',
      'open',
      'open',
      'left out: entered_in_error',
    );
    await expectTable(table, (status) => clinical('11450-4', problem(status)));
    const { facts } = await reader.read(clinical('11450-4', problem('suspended')));
    expect(facts[0]!.values['notes']).to.equal('The sender does not follow this for the time being (suspended).');
  });

  it('of a problem beside those of its concern', async () => {
    const of = (...parts: Parameters<typeof problem>): Promise<string> => seen(clinical('11450-4', problem(...parts)));
    expect(await of('active', '413322009')).to.equal('over: resolved');
    expect(await of('completed', '55561003')).to.equal('open: active');
    expect(await of('active', '', until('20230301'))).to.equal('over: inactive');
    expect(await of('completed', '', until('20230301'))).to.equal('over: inactive');
    expect(await of('completed', '', ended)).to.equal('over: inactive');
    expect(await of('active', '', ended)).to.equal('open');
    expect(await of('active', '', until('20991231'))).to.equal('open: active');
    expect(await of('completed', '', until('20991231'))).to.equal('open');
    expect(await of('completed', '55561003', until('20230301'))).to.equal('open: active');
    expect(await of('active', '', since, 'nullified')).to.equal('left out: entered_in_error');
    expect(await of('active', '', since, 'completed', 'INT')).to.equal('left out: planned');
    expect(await of('active', '', since, 'completed', 'EVN', 'true')).to.equal('left out: negated');
    const { facts } = await reader.read(clinical('11450-4', problem('active', '', since, 'aborted')));
    expect(facts[0]!.values['notes']).to.equal("The sender's entry has the status aborted.");
  });

  it('of allergies', async () => {
    const allergy = (concern: string, said = ''): Buffer =>
      clinical(
        '48765-2',
        problem(concern, said).replace('<value xsi:type="CD" code="9"', '<value xsi:type="CD" code="8"'),
      );
    const table = statuses(
      'open',
      'open: active',
      'open',
      'open',
      'open',
      'open',
      'open',
      'open',
      'open',
      'left out: entered_in_error',
    );
    await expectTable(table, (status) => allergy(status));
    expect(await seen(allergy('active', '413322009'))).to.equal('over: resolved');
    expect(await seen(allergy('active', '73425007'))).to.equal('over: inactive');
    expect(await seen(allergy('completed', '55561003'))).to.equal('open: active');
  });

  it('of vaccinations', async () => {
    const table = statuses(
      'open',
      'open: active',
      'open: dose given',
      'undone: stopped, not administered',
      'left out: planned',
      'left out: planned',
      'left out: planned',
      'undone: cancelled, not administered',
      'open: obsolete',
      'left out: entered_in_error',
    );
    await expectTable(table, (status) => clinical('11369-6', given(status)));
    expect(await seen(clinical('11369-6', given('completed', 'INT')))).to.equal('left out: planned');
  });

  it('of procedures and visits', async () => {
    const done = (status: string, mood = 'EVN', day = '20230101', more = ''): string =>
      `<procedure classCode="PROC" moodCode="${mood}" ${more}><code code="7" ${SNOMED} displayName="Biopsy"/>${coded(status)}` +
      `<effectiveTime value="${day}"/></procedure>`;
    const table = statuses(
      'open',
      'open: active',
      'open: completed',
      'open: stopped',
      'open: on hold',
      'left out: planned',
      'left out: planned',
      'left out: cancelled',
      'open: obsolete',
      'left out: entered_in_error',
    );
    await expectTable(table, (status) => clinical('47519-4', done(status)));
    const visits = { ...table, completed: 'over: completed', aborted: 'over: stopped', obsolete: 'over: obsolete' };
    await expectTable(visits, (status) =>
      clinical('46240-8', done(status).replaceAll('procedure', 'encounter').replace('PROC', 'ENC')),
    );
    for (const mood of ['INT', 'RQO', 'PRP', 'APT', 'ARQ', 'PRMS']) {
      expect(await seen(clinical('47519-4', done('active', mood)))).to.equal('left out: planned');
    }
    expect(await seen(clinical('47519-4', done('active', 'EVN', '20250101')))).to.equal('left out: planned');
    expect(await seen(clinical('47519-4', done('completed', 'EVN', '20230101', 'negationInd="true"')))).to.equal(
      'left out: negated',
    );
  });

  it('of a group of results, whose mood is that of its results', async () => {
    const group = (mood: string): Buffer =>
      clinical(
        '30954-2',
        `<organizer classCode="BATTERY" moodCode="${mood}"><code code="1" displayName="Blood"/><statusCode code="active"/>` +
          '<component><observation classCode="OBS" moodCode="EVN"><code code="2" displayName="Iron"/><statusCode ' +
          'code="completed"/><value xsi:type="PQ" value="1"/></observation></component></organizer>',
      );
    // A result that is final is no result that is over.
    expect(await seen(group('EVN'))).to.equal('open: final + open: preliminary');
    expect(await seen(group('INT'))).to.equal('left out: planned + left out: planned');
  });
});

const fhir = (resource: object): Buffer =>
  Buffer.from(JSON.stringify({ subject: { reference: 'Patient/1' }, ...resource }));
const drug = { medicationCodeableConcept: { text: 'X' } };

describe('the statuses of FHIR', () => {
  it('of MedicationRequest', async () => {
    const table = {
      active: 'open: active',
      'on-hold': 'open: on hold',
      cancelled: 'over: cancelled',
      completed: 'over: completed',
      'entered-in-error': 'left out: entered_in_error',
      stopped: 'over: stopped',
      draft: 'planned: draft',
      unknown: 'open: unknown',
    };
    const of = (status: string, intent: string, more = {}): Buffer =>
      fhir({ resourceType: 'MedicationRequest', status, intent, ...drug, ...more });
    await expectTable(table, (status) => of(status, 'order'));
    await expectTable(
      {
        proposal: 'left out: planned',
        option: 'left out: planned',
        plan: 'planned: active, plan',
        order: 'open: active',
      },
      (intent) => of('active', intent),
    );
    // A plan that the patient reports is followed.
    expect(await seen(of('active', 'plan', { reportedBoolean: true }))).to.equal('open: active');
    expect(await seen(of('active', 'order', { doNotPerform: true }))).to.equal('left out: negated');
  });

  it('of a medicine that is paused, also beside an end or a status that says the contrary', async () => {
    const of = (resourceType: string, status: string, more = {}): Buffer =>
      fhir({
        resourceType,
        status,
        ...(resourceType === 'MedicationRequest' ? { intent: 'order' } : {}),
        ...drug,
        ...more,
      });
    const stop = (code: string, display: string, kind = 'modifierExtension') => ({
      [kind]: [
        {
          url: 'http://nictiz.nl/fhir/StructureDefinition/ext-StopType',
          valueCodeableConcept: { coding: [{ system: 'http://snomed.info/sct', code, display }] },
        },
      ],
    });
    const temporary = stop('113381000146106', 'tijdelijk gestopt');
    for (const resourceType of ['MedicationRequest', 'MedicationStatement']) {
      for (const status of ['active', 'on-hold', 'stopped', 'completed']) {
        expect(await seen(of(resourceType, status, temporary)), status).to.equal('open: on hold');
      }
      expect(await seen(of(resourceType, 'active', stop('1', 'Tijdelijk')))).to.equal('open: on hold');
      expect(await seen(of(resourceType, 'active', stop('385655000', 'onderbroken', 'extension')))).to.equal(
        'open: on hold',
      );
      expect(await seen(of(resourceType, 'on-hold', stop('113371000146109', 'definitief gestopt')))).to.equal(
        'over: stopped',
      );
      expect(await seen(of(resourceType, 'active', stop('9', 'anders')))).to.equal('left out: modifier_extension');
      // How it was stopped is read; what another extension changes is not.
      const other = { modifierExtension: [{ url: 'https://x.example/meant-otherwise', valueBoolean: true }] };
      const beside = { ...stop('385655000', 'onderbroken', 'extension'), ...other };
      expect(await seen(of(resourceType, 'active', beside))).to.equal('left out: modifier_extension');
    }
    // Of anything else, the same extension may change what it says.
    const observed = { resourceType: 'Observation', status: 'final', code: { text: 'Iron' }, valueString: '1' };
    expect(await seen(fhir({ ...observed, ...temporary }))).to.equal('left out: modifier_extension');
    const paused = { effectivePeriod: { start: '2023-01-01', end: '2024-02-01' } };
    expect(await seen(of('MedicationStatement', 'on-hold', paused))).to.equal('open: on hold');
    const [fact] = (await reader.read(of('MedicationStatement', 'stopped', { ...paused, ...temporary }))).facts;
    expect(fact!.values).to.include({
      endDate: null,
      notes: 'In the words of the source: tijdelijk gestopt. Ended: 2024-02-01.',
    });
  });

  it('of MedicationStatement, MedicationAdministration and MedicationDispense', async () => {
    await expectTable(
      {
        active: 'open: active',
        completed: 'over: completed',
        'entered-in-error': 'left out: entered_in_error',
        intended: 'planned: intended',
        stopped: 'over: stopped',
        'on-hold': 'open: on hold',
        unknown: 'open: unknown',
        'not-taken': 'left out: negated',
      },
      (status) => fhir({ resourceType: 'MedicationStatement', status, ...drug }),
    );
    await expectTable(
      {
        'in-progress': 'open: in progress',
        'not-done': 'left out: negated',
        'on-hold': 'open: on hold',
        completed: 'over: completed',
        'entered-in-error': 'left out: entered_in_error',
        stopped: 'over: stopped',
        unknown: 'open: unknown',
      },
      (status) => fhir({ resourceType: 'MedicationAdministration', status, ...drug, effectiveDateTime: '2024-01-01' }),
    );
    await expectTable(
      {
        preparation: 'planned: in preparation + left out: planned',
        'in-progress': 'open: in progress + left out: planned',
        cancelled: 'over: cancelled + left out: cancelled',
        'on-hold': 'open: on hold + left out: planned',
        completed: 'open: handed out',
        'entered-in-error': 'left out: entered_in_error + left out: no_medication',
        stopped: 'over: stopped + left out: cancelled',
        declined: 'undone: declined + left out: cancelled',
      },
      (status) => fhir({ resourceType: 'MedicationDispense', status, ...drug, whenHandedOver: '2024-01-01' }),
    );
  });

  it('of Condition and AllergyIntolerance', async () => {
    const state = (system: string, code: string) => ({
      coding: [{ system: `http://terminology.hl7.org/CodeSystem/${system}`, code }],
    });
    const table = {
      active: 'open: active',
      recurrence: 'open: recurrence',
      relapse: 'open: relapse',
      inactive: 'over: inactive',
      remission: 'over: remission',
      resolved: 'over: resolved',
    };
    await expectTable(table, (code) =>
      fhir({ resourceType: 'Condition', code: { text: 'Gout' }, clinicalStatus: state('condition-clinical', code) }),
    );
    const certainty = {
      unconfirmed: 'open: unconfirmed',
      provisional: 'open: provisional',
      differential: 'open: differential',
      confirmed: 'open: confirmed',
      refuted: 'undone: refuted',
      'entered-in-error': 'left out: entered_in_error',
    };
    await expectTable(certainty, (code) =>
      fhir({
        resourceType: 'Condition',
        code: { text: 'Gout' },
        verificationStatus: state('condition-ver-status', code),
      }),
    );
    for (const [code, expected] of Object.entries({
      active: 'open: active',
      inactive: 'over: inactive',
      resolved: 'over: resolved',
    })) {
      const clinicalStatus = state('allergyintolerance-clinical', code);
      const allergy = {
        resourceType: 'AllergyIntolerance',
        code: { text: 'Nuts' },
        patient: { reference: 'Patient/1' },
      };
      expect(await seen(Buffer.from(JSON.stringify({ ...allergy, clinicalStatus })))).to.equal(expected);
    }
  });

  it('of Procedure, Encounter, Immunization and DeviceUseStatement', async () => {
    await expectTable(
      {
        preparation: 'left out: planned',
        'in-progress': 'open: in progress',
        'not-done': 'left out: negated',
        'on-hold': 'open: on hold',
        stopped: 'open: stopped',
        completed: 'open: completed',
        'entered-in-error': 'left out: entered_in_error',
        unknown: 'open: unknown',
      },
      (status) => fhir({ resourceType: 'Procedure', status, code: { text: 'Biopsy' } }),
    );
    await expectTable(
      {
        planned: 'left out: planned',
        arrived: 'open: arrived',
        'in-progress': 'open: in progress',
        finished: 'over: finished',
        cancelled: 'left out: cancelled',
        'entered-in-error': 'left out: entered_in_error',
        unknown: 'open: unknown',
      },
      (status) => fhir({ resourceType: 'Encounter', status, class: { code: 'AMB' } }),
    );
    await expectTable(
      {
        completed: 'open: dose given',
        'entered-in-error': 'left out: entered_in_error',
        'not-done': 'undone: not done, not administered',
      },
      (status) =>
        Buffer.from(
          JSON.stringify({
            resourceType: 'Immunization',
            status,
            vaccineCode: { text: 'MMR' },
            occurrenceDateTime: '2020',
            patient: { reference: 'Patient/1' },
          }),
        ),
    );
    await expectTable(
      {
        active: 'open: active',
        completed: 'over: completed',
        'entered-in-error': 'left out: entered_in_error',
        intended: 'planned: intended',
        stopped: 'over: stopped',
        'on-hold': 'open: on hold',
      },
      (status) => fhir({ resourceType: 'DeviceUseStatement', status, device: { display: 'Crutches' } }),
    );
  });
});
