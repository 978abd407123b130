/** medicines: the page of medicines asks first, shows times of day only where they are said, and draws only said days. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { dosagesIn } from '../../../core/facts/model/dosage';
import { dosesOf, isWhenNeeded } from '../../../plugins/website/words/times-of-day';
import { wordsIn } from '../../../plugins/website/words/words';
import { sqliteMemory } from '../../support/databases';
import { startService, type TestService } from '../../support/server';
import { formsOf, readable } from '../../support/site';
import { factOf, factsDocument, makeSiteRecord, type SiteRecord } from '../../support/site-record';
import { succeeded } from '../../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const daily = (when: readonly string[], more: object = {}): object => ({
  timing: { repeat: { frequency: when.length, period: 1, periodUnit: 'd', when, ...more } },
  doseAndRate: [{ doseQuantity: { value: 1, unit: 'tablet' } }],
});

describe('times of day of a medicine', () => {
  const said = (...given: readonly object[]): string | undefined => {
    const doses = dosesOf(dosagesIn(JSON.stringify(given))!, wordsIn('en', 'UTC'));
    return doses && [...doses].map(([time, dose]) => `${time}: ${dose}`).join(', ');
  };

  it('are those that every dosage says, with what is taken', () => {
    expect(said(daily(['MORN']))).to.equal('morning: 1 tablet');
    expect(said(daily(['MORN', 'EVE']))).to.equal('morning: 1 tablet, evening: 1 tablet');
    const two = { ...daily(['HS']), doseAndRate: [{ doseQuantity: { value: 2.5, unit: 'mL' } }] };
    expect(said(daily(['NOON']), two)).to.equal('noon: 1 tablet, bedtime: 2.5 mL');
    expect(said({ timing: { code: { coding: [{ code: 'AM' }] } } })).to.equal('morning: ');
  });

  it('are none where a dosage says less, or something else beside them', () => {
    for (const given of [
      daily([]),
      { timing: { repeat: { frequency: 2, period: 1, periodUnit: 'd' } } },
      daily(['MORN'], { dayOfWeek: ['mon'] }),
      daily(['MORN'], { period: 2 }),
      daily(['MORN'], { frequency: 2 }),
      daily(['MORN', 'ACV']),
      daily(['MORN'], { offset: 30 }),
      { ...daily(['MORN']), asNeededBoolean: true },
      { ...daily(['MORN']), sequence: 2 },
      { ...daily(['MORN']), modifierExtension: [{ url: 'https://example.com/not' }] },
      { ...daily(['MORN']), maxDosePerPeriod: { numerator: { value: 1 } } },
      { ...daily(['MORN']), doseAndRate: [{ doseQuantity: { value: 1, unit: 'g', code: 'mg' } }] },
    ]) {
      expect(said(given), JSON.stringify(given)).to.be.undefined();
    }
    expect(said(daily(['MORN']), daily(['MORN']))).to.be.undefined();
    expect(said()).to.be.undefined();
    expect(isWhenNeeded(dosagesIn('[{"asNeededBoolean":true}]')!)).to.be.true();
    expect(isWhenNeeded(dosagesIn('[{"asNeededBoolean":true},{"text":"daily"}]')!)).to.be.false();
    expect(isWhenNeeded([])).to.be.false();
  });
});

describe('the page of medicines', () => {
  let service: TestService;
  let made: SiteRecord;

  const path = (): string => `/my/records/${made.recordId}/list/Medication`;
  const rowOf = async (name: string): Promise<string> =>
    new RegExp(`<li class="med"(?:(?!<li class="med")[^])*?<h3><a[^>]*><bdi>${name}<[^]*?</details></li>`).exec(
      (await made.owner.open(path())).text,
    )![0];
  const send = async (id: string, name: string, more: object): Promise<void> => {
    const resource = {
      resourceType: 'MedicationStatement',
      id,
      status: 'active',
      medicationCodeableConcept: { text: name },
      subject: { reference: 'Patient/p' },
      ...more,
    };
    succeeded(
      await service.call(made.credentials, 'POST', `/records/${made.recordId}/documents/`, {
        body: JSON.stringify(resource),
        type: 'application/fhir+json',
      }),
    );
  };

  before(async () => {
    service = await startService(sqliteMemory);
    made = await makeSiteRecord(service);
    await send('a', 'Ramipril 5 mg', { effectivePeriod: { start: '2023-07-03' }, dosage: [daily(['MORN'])] });
    await send('b', 'Metformin 500 mg', { dosage: [daily(['MORN'])] });
    await send('c', 'Metformin 500 mg', { dosage: [daily(['EVE'])] });
    await send('d', 'Simvastatin 20 mg', { effectivePeriod: { start: '2022-11' } });
    await send('e', 'Simvastatin 20 mg', { status: 'stopped', effectivePeriod: { start: '2022-11' } });
    await send('f', 'Vitamin D', {});
    await send('g', 'Vitamin D 20 mg', {});
    await made.store(
      factsDocument(
        service,
        factOf('Medication', { drugName_title: 'Naproxen', startDate: '2021-11-02', endDate: '2024-06-03' }),
        factOf('Medication', { drugName_title: 'Iron', startDate: '2021-11-02', status_identifier: 'stopped' }),
      ),
    );
  });
  after(() => service.stop());

  it('asks first about what sources do not agree on, and counts the rest', async () => {
    const page = await made.owner.open(path());
    const words = readable(page);
    expect(words).to.contain([
      '4 current, 2 over or never so, as far as anybody says. About one more there are two answers.',
    ]);
    expect(words.indexOf('Do you take Simvastatin 20 mg?')).to.be.between(0, words.indexOf('Ramipril'));
    expect(page.text).to.match(/class="versus"[^]*stopped[^]*From November 2022[^]*Read it[^]*active[^]*Read it/);
  });

  it('shows times of day only where all sources say the same', async () => {
    const said = await rowOf('Ramipril 5 mg');
    expect(said).to.match(/class="on"><b><bdi>1 tablet<\/bdi><\/b> morning/);
    expect(said).to.contain(['<b>–</b> noon', '<b>–</b> evening']);
    expect(await rowOf('Metformin 500 mg')).to.not.contain('class="when"');
    expect(await rowOf('Vitamin D')).to.not.contain('class="when"');
  });

  it('draws a bar between days that are said, in another form where nobody spoke since or sources differ', async () => {
    expect(await rowOf('Ramipril 5 mg'))
      .to.contain(['class="lane-since"', 'From 3 July 2023'])
      .and.to.not.contain('lane-q');
    expect(await rowOf('Simvastatin 20 mg'))
      .to.contain(['class="lane-q"', 'From November 2022'])
      .and.to.not.contain('lane-since');
    const { text } = await made.owner.open(path());
    const keys = [...text.matchAll(/<ul class="key">([^]*?)<\/ul>/g)].map(([, key]) => key!);
    expect(keys.length).to.be.at.least(2);
    const said = keys.join();
    expect(said).to.match(/class="lane-since"[^]*?<\/svg>Nobody has said since then that it goes on or that it ended/);
    expect(said).to.match(/class="lane-q"[^]*?<\/svg>Sources differ/);
    expect(keys[0]).to.not.match(/lane-since[^]*lane-since/);
    expect(await rowOf('Vitamin D')).to.not.contain('<rect');
    const over = await rowOf('Naproxen');
    expect(over).to.contain('class="lane-off"').and.to.contain('2 November 2021 to 3 June 2024');
    const endless = await rowOf('Iron');
    expect(endless).to.not.contain('<rect');
    expect(endless).to.contain('Nobody says on which day it ended.');
  });

  it('takes the answers there, each for its own medicine', async () => {
    const page = await made.owner.open(path());
    const answer = async (label: string): Promise<string> => {
      const { html, fields, action } = formsOf(page).find((form) => form.html.includes(`aria-label="${label}`))!;
      const about = [...html.matchAll(/name="about" value="([^"]*)"/g)].map(([, id]) => ['about', id!] as const);
      const sent = await made.owner.post(action, [
        ...Object.entries(fields).filter(([name]) => name !== 'about'),
        ...about,
      ]);
      expect(sent.status, label).to.equal(303);
      return readable(await made.owner.open(path()));
    };
    expect(await answer('I no longer take this: Simvastatin 20 mg')).to.not.contain('Do you take');
    expect(await answer('These are not the same: Vitamin D')).to.not.contain('Are these the same?');
  });

  it('has no buttons in a circle', async () => {
    succeeded(await service.call(made.credentials, 'PUT', `/carenets/${made.carenetId}/kinds/medicines`));
    const circle = await made.member.open(`/my/carenets/${made.carenetId}/list/Medication`);
    expect(readable(circle)).to.contain(['Ramipril 5 mg', 'The document', 'may not be all']);
    expect(circle.text).to.not.contain('name="verdict"');
  });
});
