/**
 * dosage: how medicines are taken, as FHIR and C-CDA say it. Each part is an exact field or an exact word: no schedule,
 * dose or limit becomes simpler than what the source says, on no way out.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import type { DocumentReader } from '../../core/pipeline/readers/document-reader';
import { oneSection } from './clinical-document';
import { openBundledReader } from '../support/bundled-reader';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

let reader: DocumentReader;
before(async () => {
  reader = await openBundledReader();
});
after(() => reader.close());

const bundle = (...resources: readonly object[]): Buffer =>
  Buffer.from(
    JSON.stringify({ resourceType: 'Bundle', type: 'collection', entry: resources.map((resource) => ({ resource })) }),
  );

const request = (more: object): object => ({
  resourceType: 'MedicationRequest',
  status: 'active',
  intent: 'order',
  subject: { reference: 'Patient/p' },
  medicationCodeableConcept: { text: 'M' },
  ...more,
});

/** A column of each fact of the document, which must have left nothing out. */
const columnOf = async (document: Buffer, column: string): Promise<readonly unknown[]> => {
  const { facts, leftOut } = await reader.read(document);
  expect(leftOut).to.equal([]);
  return facts.map(({ values }) => values[column]);
};

const instructions = async (...dosages: readonly object[]): Promise<unknown> =>
  (await columnOf(bundle(request({ dosageInstruction: dosages })), 'instructions'))[0];

const tablet = { doseAndRate: [{ doseQuantity: { value: 1, unit: 'tablet' } }] };

describe('a dosage in FHIR', () => {
  it('keeps what people write in their own words, without a schedule of its own', async () => {
    const written = [
      '1-0-1',
      '1-0-1-0',
      'b.i.d. prn',
      'alle 8 Stunden',
      'cada 8 horas',
      '½ Tablette mo, mi, fr',
      'every other day',
      '5 Tage, dann 2 Tage Pause',
      'ثلاث مرات يوميا',
    ];
    const document = bundle(...written.map((text) => request({ dosageInstruction: [{ text }] })));
    const { facts } = await reader.read(document);
    expect(facts.map(({ values }) => values['instructions'])).to.equal(written);
    for (const { values } of facts) {
      expect(values).to.include({ frequency_value: null, quantity_value: null });
    }
    const clinical = oneSection(
      '10160-0',
      ...written.map(
        (text, at) =>
          '<substanceAdministration classCode="SBADM" moodCode="EVN"><templateId root="2.16.840.1.113883.10.20.22.4.16"/>' +
          `<id root="2.999.${at}"/><text>${text}</text><statusCode code="active"/><consumable><manufacturedProduct>` +
          '<manufacturedMaterial><code code="1" codeSystem="2.999" displayName="M"/></manufacturedMaterial>' +
          '</manufacturedProduct></consumable></substanceAdministration>',
      ),
    );
    const read = (await reader.read(clinical)).facts.map(({ values }) => values);
    expect(read.map(({ instructions: words }) => words)).to.equal(written);
    expect(read.every(({ frequency_value: often }) => often === null)).to.be.true();
  });

  it('says nothing of an extension that says nothing, and tells one that denies it', async () => {
    const url = 'https://fhir.kbv.de/StructureDefinition/KBV_EX_ERP_DosageFlag';
    const flagged = (valueBoolean: boolean): object => ({ extension: [{ url, valueBoolean }], text: '1-0-1-0' });
    expect(await instructions(flagged(true))).to.equal('1-0-1-0');
    expect(String(await instructions(flagged(false)))).to.startWith('1-0-1-0 (the source adds something');
  });

  it('keeps ranges, rates, limits, routes and instructions', async () => {
    expect(
      await instructions({
        text: 'as told',
        additionalInstruction: [{ text: 'Finish the course' }],
        patientInstruction: 'Shake well',
        site: { text: 'Left arm' },
        route: { coding: [{ code: 'IV', display: 'Into a vein' }] },
        method: { text: 'Drip' },
        doseAndRate: [
          {
            doseRange: { low: { value: 4, unit: 'U' }, high: { value: 10, unit: 'U' } },
            rateRatio: { numerator: { value: 5, unit: 'mL' }, denominator: { value: 1, unit: 'h' } },
          },
        ],
        maxDosePerPeriod: { numerator: { value: 40, unit: 'U' }, denominator: { value: 2, unit: 'd' } },
        maxDosePerAdministration: { value: 12, unit: 'U' },
        maxDosePerLifetime: { value: 500, unit: 'U' },
      }),
    ).to.equal(
      'as told (4 to 10 U at a rate of 5 mL per 1 hour; at most 40 U in 2 days; at most 12 U at a time; at most 500 U ' +
        'in a lifetime; route: Into a vein; where: Left arm; way: Drip; instructions: Finish the course; ' +
        'instructions: Shake well)',
    );
  });

  it('is over with the last of its steps only, and never where one has no end', async () => {
    const step = (start: string, end?: string): object => ({
      ...tablet,
      timing: {
        repeat: {
          boundsPeriod: { start, ...(end === undefined ? {} : { end }) },
          frequency: 1,
          period: 1,
          periodUnit: 'd',
        },
      },
    });
    const datesOf = async (...steps: readonly object[]): Promise<readonly unknown[]> => {
      const document = bundle(request({ dosageInstruction: steps }));
      return [(await columnOf(document, 'startDate'))[0], (await columnOf(document, 'endDate'))[0]];
    };
    const first = step('2024-01-01', '2024-01-10');
    expect(await datesOf(first)).to.equal(['2024-01-01', '2024-01-10']);
    expect(await datesOf(first, step('2024-01-11'))).to.equal(['2024-01-01', null]);
    expect(await datesOf(first, { text: 'then as needed' })).to.equal(['2024-01-01', null]);
    expect(await datesOf(step('2024-01-11', '2024-01-20'), first)).to.equal(['2024-01-01', '2024-01-20']);
  });

  it('gives no frequency where the words say another one than the elements, and says both', async () => {
    const timing = { repeat: { frequency: 1, period: 1, periodUnit: 'd' } };
    const others = ['once weekly', 'every other day', 'daily as needed', 'twice a day', 'jeden zweiten Tag', 'Mondays'];
    const same = ['once a day', 'take in the morning', 'einmal täglich'];
    const document = bundle(
      ...[...others, ...same].map((text) => request({ dosageInstruction: [{ text, timing, ...tablet }] })),
    );
    expect(await columnOf(document, 'frequency_value')).to.equal([...others.map(() => null), ...same.map(() => '1')]);
    expect(await columnOf(document, 'instructions')).to.equal([
      ...others.map((text) => `${text} (1 tablet once a day)`),
      ...same,
    ]);
  });

  it('gives no dose where the words say that it is another one each time, and says both', async () => {
    const timing = { repeat: { frequency: 3, period: 1, periodUnit: 'd' } };
    const varied = [
      'Sliding scale: over 200 4 tablets',
      'according to INR',
      'Nach Schema',
      'según pauta',
      'titrate up',
    ];
    const fixed = ['take with a meal', 'for the skin scales', 'take at variance with nothing'];
    const document = bundle(
      ...[...varied, ...fixed].map((text) => request({ dosageInstruction: [{ text, timing, ...tablet }] })),
    );
    expect(await columnOf(document, 'quantity_value')).to.equal([...varied.map(() => null), ...fixed.map(() => '1')]);
    expect(await columnOf(document, 'frequency_value')).to.equal([...varied.map(() => null), ...fixed.map(() => '3')]);
    expect(await columnOf(document, 'instructions')).to.equal([
      ...varied.map((text) => `${text} (1 tablet, 3 times a day)`),
      ...fixed,
    ]);
  });

  it('keeps counts, durations, bounds, events and codes of the schedule', async () => {
    expect(
      await instructions({
        ...tablet,
        timing: {
          repeat: {
            boundsRange: { low: { value: 5, unit: 'd' }, high: { value: 7, unit: 'd' } },
            count: 10,
            countMax: 14,
            duration: 1,
            durationMax: 2,
            durationUnit: 'h',
            frequency: 1,
            frequencyMax: 2,
            period: 1,
            periodUnit: 'd',
          },
        },
      }),
    ).to.equal('1 tablet, 1 to 2 times a day, each time over 1 to 2 hours, 10 to 14 times in all, for 5 to 7 days');
    expect(await instructions({ ...tablet, timing: { event: ['2024-03-01', '2024-03-08T08:00:00+01:00'] } })).to.equal(
      '1 tablet on 1 March 2024 and 8 March 2024 08:00 (UTC+01:00)',
    );
    expect(await instructions({ ...tablet, timing: { code: { text: 'On dialysis days' } } })).to.equal(
      '1 tablet schedule: On dialysis days',
    );
    expect(await instructions({ ...tablet, timing: { code: { coding: [{ code: 'BED' }] } } })).to.equal(
      '1 tablet once a day, at bedtime',
    );
  });

  it('keeps what changes the meaning of a dosage as something to be looked up', async () => {
    expect(
      await instructions({ ...tablet, modifierExtension: [{ url: 'https://h.example/unless', valueBoolean: true }] }),
    ).to.equal('1 tablet; the source adds something here that cannot be read: look into the document');
  });

  it('is read from administrations, too, with their rate', async () => {
    const administration = {
      resourceType: 'MedicationAdministration',
      status: 'completed',
      subject: { reference: 'Patient/p' },
      effectiveDateTime: '2024-03-01',
      medicationCodeableConcept: { text: 'M' },
      dosage: { route: { text: 'IV' }, dose: { value: 500, unit: 'mL' }, rateQuantity: { value: 100, unit: 'mL/h' } },
    };
    expect(await columnOf(bundle(administration), 'instructions')).to.equal([
      '500 mL at a rate of 100 mL/h; route: IV',
    ]);
  });

  it('tells two medicines of one address apart that differ in their dosage only', async () => {
    const entry = (value: number): object => ({
      fullUrl: 'https://h.example/1',
      resource: request({ dosageInstruction: [{ doseAndRate: [{ doseRange: { high: { value, unit: 'mg' } } }] }] }),
    });
    const document = { resourceType: 'Bundle', type: 'collection', entry: [entry(1), entry(2)] };
    expect(await columnOf(Buffer.from(JSON.stringify(document)), 'instructions')).to.equal([
      'a dose of up to 1 mg',
      'a dose of up to 2 mg',
    ]);
  });
});

describe('a medicine that another resource names', () => {
  const drug = (more: object): object => ({ resourceType: 'Medication', id: 'd', ...more });
  const named = (reference: string): object =>
    request({ medicationCodeableConcept: undefined, medicationReference: { reference } });
  const ingredient = (text: string, value: number, per: object): object => ({
    itemCodeableConcept: { text },
    strength: { numerator: { value, unit: 'mg' }, denominator: per },
  });

  it('is named by its ingredients and their strengths', async () => {
    const each = { value: 1, unit: 'tablet' };
    const mixed = drug({ ingredient: [ingredient('Ramipril', 5, each), ingredient('Amlodipine', 10, each)] });
    expect(await columnOf(bundle(named('Medication/d'), mixed), 'drugName_title')).to.equal([
      'Ramipril 5 mg / Amlodipine 10 mg',
    ]);
    const syrup = drug({ ingredient: [ingredient('Ibuprofen', 100, { value: 5, unit: 'mL' })] });
    expect(await columnOf(bundle(named('Medication/d'), syrup), 'drugName_title')).to.equal(['Ibuprofen 100 mg/5 mL']);
  });

  it('is found by type and id in an address, unless two have them', async () => {
    const address = 'https://h.example/fhir/Medication/d/_history/2';
    expect(await columnOf(bundle(named(address), drug({ code: { text: 'Warfarin' } })), 'drugName_title')).to.equal([
      'Warfarin',
    ]);
    const two = [drug({ code: { text: 'Warfarin' } }), drug({ code: { text: 'Aspirin' } })];
    const { facts, leftOut } = await reader.read(bundle(named(address), ...two));
    expect(facts).to.equal([]);
    expect(leftOut.map(({ model, reason }) => `${model} ${reason}`)).to.equal(['Medication no_code']);
  });
});

const DRUG =
  '<consumable><manufacturedProduct><manufacturedMaterial><code nullFlavor="UNK"/><name>M</name>' +
  '</manufacturedMaterial></manufacturedProduct></consumable>';
/** What comes before the medicine, and what comes after it, in the order of C-CDA. */
const medication = (inside: string, after = '', state = 'active'): string =>
  `<substanceAdministration classCode="SBADM" moodCode="EVN"><statusCode code="${state}"/>${inside}${DRUG}${after}` +
  '</substanceAdministration>';
const time = (type: string, inside: string, attributes = ''): string =>
  `<effectiveTime xsi:type="${type}" ${attributes}>${inside}</effectiveTime>`;
const pivl = (period: string, attributes = '', more = ''): string =>
  time('PIVL_TS', `${more}<period ${period}/>`, attributes);
const eivl = (code: string, offset = '', attributes = ''): string =>
  time('EIVL_TS', `<event code="${code}"/>${offset}`, attributes);

describe('a dosage in C-CDA', () => {
  const said = async (inside: string, after = ''): Promise<unknown> =>
    (await columnOf(oneSection('10160-0', medication(inside, after)), 'instructions'))[0];

  it('tells every 12 hours from twice a day, and keeps ranges of periods', async () => {
    const twice = await columnOf(
      oneSection('10160-0', medication(pivl('value="12" unit="h"', 'institutionSpecified="true"'))),
      'frequency_value',
    );
    expect(twice).to.equal(['2']);
    expect(await said(pivl('value="12" unit="h"'))).to.equal('once every 12 hours');
    expect(
      await said(
        time('PIVL_TS', '<period xsi:type="IVL_PQ"><low value="4" unit="h"/><high value="6" unit="h"/></period>'),
      ),
    ).to.equal('once every 4 to 6 hours');
  });

  it('reads phases as times of the day and days of the week, and keeps others in the words of the source', async () => {
    expect(await said(pivl('value="1" unit="d"', '', '<phase><low value="202403010800"/></phase>'))).to.equal(
      'once a day, at 08:00',
    );
    // 4 March 2024 was a Monday.
    expect(await said(pivl('value="1" unit="wk"', '', '<phase value="20240304"/>'))).to.equal(
      'once a week, on Mondays',
    );
    expect(
      await said(
        pivl('value="7" unit="d"', '', '<phase><low value="202402291930"/><width value="30" unit="min"/></phase>'),
      ),
    ).to.equal('once a week, on Thursdays, at 19:30, each time over 30 minutes');
    expect(await said(pivl('value="2" unit="d"', '', '<phase value="20240304"/>'))).to.match(
      /^once every 2 days; as the source writes it: .*phase 20240304/,
    );
  });

  it('reads events with their offset, on the side of the event that is meant', async () => {
    const before = '<offset><low value="-30" unit="min"/></offset>';
    expect(await said(eivl('ACM', before))).to.equal('30 minutes before breakfast');
    expect(await said(eivl('CV', before))).to.equal('30 minutes before dinner');
    expect(await said(eivl('PCD', '<offset><low value="1" unit="h"/></offset>'))).to.equal('60 minutes after lunch');
    expect(await said(eivl('ICD'))).to.equal('between lunch and dinner');
    const range = '<offset><low value="30" unit="min"/><high value="60" unit="min"/></offset>';
    expect(await said(eivl('PC', range))).to.equal(
      'after a meal; as the source writes it: effectiveTime, event code PC, offset low 30 min high 60 min',
    );
  });

  it('joins several times as their operators say, and guesses nothing', async () => {
    expect(await said(pivl('value="2" unit="d"') + eivl('HS', '', 'operator="A"'))).to.equal(
      'once every 2 days, at bedtime',
    );
    expect(await said(pivl('value="8" unit="h"') + eivl('HS', '', 'operator="I"'))).to.equal(
      'once every 8 hours; and at bedtime',
    );
    expect(await said(pivl('value="8" unit="h"') + eivl('HS', '', 'operator="E"'))).to.match(
      /^as the source writes it: effectiveTime.*8 h; as the source writes it: effectiveTime operator E.*HS$/,
    );
    const both = '<comp xsi:type="EIVL_TS"><event code="CM"/></comp><comp xsi:type="EIVL_TS"><event code="CV"/></comp>';
    expect(await said(time('SXPR_TS', both))).to.equal('at breakfast and at dinner');
  });

  it('keeps ranges, rates, limits, routes, sites, conditions and instructions', async () => {
    expect(
      await said(
        '<routeCode code="C38288" codeSystem="2.16.840.1.113883.3.26.1.1" displayName="Oral"/>' +
          '<approachSiteCode code="1" codeSystem="2.16.840.1.113883.6.96" displayName="Mouth"/>' +
          '<doseQuantity><low value="1" unit="mL"/><high value="2" unit="mL"/></doseQuantity>' +
          '<rateQuantity value="5" unit="mL/h"/>' +
          '<maxDoseQuantity><numerator value="8" unit="mL"/><denominator value="24" unit="h"/></maxDoseQuantity>',
        '<entryRelationship typeCode="SUBJ" inversionInd="true"><act classCode="ACT" moodCode="INT"><templateId ' +
          'root="2.16.840.1.113883.10.20.22.4.20"/><code code="1"/><text>Stop if a rash appears</text></act>' +
          '</entryRelationship><entryRelationship typeCode="COMP"><substanceAdministration classCode="SBADM" ' +
          'moodCode="EVN"><templateId root="2.16.840.1.113883.10.20.22.4.147"/><text>as told</text>' +
          `${DRUG}</substanceAdministration></entryRelationship><precondition><criterion><text>pain</text></criterion>` +
          '</precondition>',
      ),
    ).to.equal(
      'as told (1 to 2 mL at a rate of 5 mL/h; as needed for pain; at most 8 mL in 24 hours; route: Oral; ' +
        'where: Mouth; instructions: Stop if a rash appears)',
    );
  });

  it('keeps the steps of a taper in their order, each with its own time', async () => {
    const step = (place: number, from: string, dose: number): string =>
      `<entryRelationship typeCode="COMP"><sequenceNumber value="${place}"/><substanceAdministration classCode="SBADM" ` +
      `moodCode="EVN">${time('IVL_TS', `<low value="${from}"/>`)}${pivl('value="1" unit="d"', 'operator="A"')}` +
      `<doseQuantity value="${dose}" unit="mg"/>${DRUG}</substanceAdministration></entryRelationship>`;
    expect(await said('', step(2, '20240308', 5) + step(1, '20240301', 10))).to.equal(
      '10 mg once a day, from 1 March 2024; then 5 mg once a day, from 8 March 2024',
    );
    // It goes on after the first step, whose end stands with the whole.
    const whole = time('IVL_TS', '<low value="20240301"/><high value="20240307"/>');
    const endOf = async (inside: string, after = ''): Promise<unknown> =>
      (await columnOf(oneSection('10160-0', medication(inside, after)), 'endDate'))[0];
    expect(await endOf(whole)).to.equal('2024-03-07');
    expect(await endOf(whole, step(2, '20240308', 5))).to.be.null();
  });
});

describe('the status of a medicine and of a device in C-CDA', () => {
  const course = (inside: string): string => time('IVL_TS', inside);
  const states = (document: Buffer): Promise<readonly unknown[]> => columnOf(document, 'status_identifier');

  it('is not over because its statement is complete, but because of its end', async () => {
    const begun = medication(course('<low value="20230101"/>'), '', 'completed');
    const ended = medication(course('<low value="20230101"/><high value="20990101"/>'), '', 'completed');
    expect(await states(oneSection('10160-0', begun))).to.equal([null]);
    expect(await states(oneSection('10160-0', ended))).to.equal([null]);
    expect(await columnOf(oneSection('10160-0', ended), 'endDate')).to.equal(['2099-01-01']);
    const aborted = medication(course('<low value="20230101"/>'), '', 'aborted');
    expect(await states(oneSection('10160-0', aborted))).to.equal(['aborted']);
    // What was given during a stay was given.
    expect(await states(oneSection('29549-3', begun))).to.equal(['completed']);
  });

  it('has no end because of the day on which a device was delivered', async () => {
    const supply = (inside: string): string =>
      `<supply classCode="SPLY" moodCode="EVN"><statusCode code="completed"/>${course(inside)}<participant ` +
      'typeCode="PRD"><participantRole classCode="MANU"><id root="2.999.5" extension="UDI"/><playingDevice><code ' +
      'code="1" codeSystem="2.16.840.1.113883.6.96" displayName="Pacemaker"/></playingDevice></participantRole>' +
      '</participant></supply>';
    const document = oneSection(
      '46264-8',
      supply('<high value="20180703"/>'),
      supply('<low value="20180701"/><high value="20180703"/>'),
    );
    expect(await columnOf(document, 'date_started')).to.equal(['2018-07-03', '2018-07-01']);
    expect(await columnOf(document, 'date_stopped')).to.equal([null, null]);
    expect(await columnOf(document, 'description')).to.equal(['UDI', 'UDI Delivered by 2018-07-03.']);
    expect(await states(document)).to.equal([null, null]);
  });
});
