/**
 * civil-times: the day and the time of day that a document says are what is known of its times: midnight on the clock of
 * the sender is a day, and a time without a zone is no moment.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { knownPart } from '../../core/facts/partial-dates';
import type { DocumentReader } from '../../core/pipeline/readers/document-reader';
import { openBundledReader } from '../support/bundled-reader';
import { medicine, medicines, portalDocument, result, results } from '../support/portal-documents';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const observation = (effectiveDateTime: string): string =>
  JSON.stringify({
    resourceType: 'Observation',
    status: 'final',
    category: [{ coding: [{ code: 'laboratory' }] }],
    code: { text: 'Potassium' },
    subject: { reference: 'Patient/p' },
    effectiveDateTime,
    valueQuantity: { value: 5, unit: 'mmol/L' },
  });

/** The time of a source -> what is stored. A day is stored as its midnight in UTC. */
const DAY = '2022-02-01T00:00:00.000000Z';

describe('midnight with an offset', () => {
  let reader: DocumentReader;
  before(async () => {
    reader = await openBundledReader();
  });
  after(() => reader.close());

  const collected = async (text: string): Promise<unknown> =>
    (await reader.read(Buffer.from(text))).facts.find(({ model }) => model === 'LabResult')!.values['collected_at'];

  it('is a day in C-CDA, and any other time stays one', async () => {
    const at = (time: string) =>
      collected(portalDocument({ at: '20240301', sections: [results(result('2.999.9|r1', 'Potassium', '5', time))] }));
    for (const time of ['20220201000000+0100', '20220201000000-0500', '20220201000000.000+1300', '202202010000-0500']) {
      expect(await at(time), time).to.equal(DAY);
    }
    expect(await at('20220201000001+0100')).to.equal('2022-01-31T23:00:01.000000Z');
    expect(await at('20220201003000+0100')).to.equal('2022-01-31T23:30:00.000000Z');
  });

  it('is a day in FHIR, and any other time stays one', async () => {
    for (const time of ['2022-02-01T00:00:00+01:00', '2022-02-01T00:00:00.000-05:00', '2022-02-01T00:00:00Z']) {
      expect(await collected(observation(time)), time).to.equal(DAY);
    }
    expect(await collected(observation('2022-02-01T00:00:00.5+01:00'))).to.equal('2022-01-31T23:00:00.500000Z');
    expect(await collected(observation('2022-02-01T00:30:00+01:00'))).to.equal('2022-01-31T23:30:00.000000Z');
  });

  it('still tells documents of one day apart', async () => {
    const { source } = await reader.read(
      Buffer.from(
        portalDocument({ at: '20240301000000-0500', sections: [medicines(medicine('2.999.9|m1', 'Warfarin'))] }),
      ),
    );
    expect(source?.date).to.equal('2024-03-01T00:00:00-05:00');
  });
});

describe('the clock of a time', () => {
  let reader: DocumentReader;
  before(async () => {
    reader = await openBundledReader();
  });
  after(() => reader.close());

  const said = async (text: string): Promise<readonly unknown[]> => {
    const { values, partialDates } = (await reader.read(Buffer.from(text))).facts.find(
      ({ model }) => model === 'LabResult',
    )!;
    const stored = String(values['collected_at']);
    return [stored, partialDates?.['collected_at'], knownPart(stored, partialDates?.['collected_at'])];
  };

  it('is kept for C-CDA, with and without a zone', async () => {
    const at = (time: string) =>
      said(portalDocument({ at: '20240301', sections: [results(result('2.999.9|r1', 'Potassium', '5', time))] }));
    expect(await at('20240201013000')).to.equal(['2024-02-01T01:30:00.000000Z', 'local', '2024-02-01T01:30:00']);
    expect(await at('20240201013000-0500')).to.equal([
      '2024-02-01T06:30:00.000000Z',
      '-05:00',
      '2024-02-01T01:30:00-05:00',
    ]);
    expect(await at('20240201003000.25+0100')).to.equal([
      '2024-01-31T23:30:00.250000Z',
      '+01:00',
      '2024-02-01T00:30:00.25+01:00',
    ]);
    expect(await at('20240201')).to.equal(['2024-02-01T00:00:00.000000Z', undefined, '2024-02-01T00:00:00.000000Z']);
    expect(await at('202402')).to.equal(['2024-02-01T00:00:00.000000Z', 'month', '2024-02']);
  });

  it('is kept for FHIR, where UTC names a moment and no place', async () => {
    expect(await said(observation('2024-02-01T02:00:00+02:00'))).to.equal([
      '2024-02-01T00:00:00.000000Z',
      '+02:00',
      '2024-02-01T02:00:00+02:00',
    ]);
    expect(await said(observation('2024-02-01T01:30:00Z'))).to.equal([
      '2024-02-01T01:30:00.000000Z',
      undefined,
      '2024-02-01T01:30:00.000000Z',
    ]);
  });
});
