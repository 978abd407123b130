/** civil-times: midnight on the clock of the sender is the day that the document says, for everybody who looks. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { loadConfig } from '../../core/config/load';
import { openReader, type DocumentReader } from '../../core/pipeline/readers/document-reader';
import { readModels } from '../../core/server/migrate-all';
import { medicine, medicines, portalDocument, result, results } from '../support/portal-documents';
import { unhurried } from '../support/unhurried';

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
    const config = loadConfig(unhurried);
    reader = await openReader(config, readModels(config));
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
