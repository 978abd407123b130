/** kept-lines: lines that are kept in memory are those that would be made anew, after each change of the record. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { reprocess } from '../../../core/pipeline/reprocess';
import { readLinesOf } from '../../../core/records/lines';
import type { Line } from '../../../core/lines/lines';
import { toolsOf } from '../../support/archives';
import { askedBy } from '../../support/asked';
import { addPerson, type Signs } from '../../support/cast';
import { databases } from '../../support/databases';
import { direct } from '../../support/direct';
import { fieldsXml } from '../../support/fields';
import { startService, type TestService } from '../../support/server';
import { attribute, createRecord, succeeded } from '../../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const MODEL = 'Medication';
const [AT, END] = [Date.parse('2026-05-01T10:00:00Z'), Date.parse('2026-05-03T00:00:00Z')];

type Fields = Readonly<Record<string, string>>;
type Sent = { readonly body?: string; readonly form?: Fields };

function factDocument(model: string, fields: Fields): string {
  return `<Models xmlns="https://svc.example/vocab/xml/documents#"><Model name="${model}">${fieldsXml(fields)}</Model></Models>`;
}

for (const leg of databases) {
  describe(`lines that are kept on ${leg.name}`, () => {
    let service: TestService;
    let alice: Signs;
    let recordId: string;
    let now = AT;

    const keeping = () => ({ ...service.services, clock: { now: () => now } });
    const readKept = (): Promise<readonly Line[]> => readLinesOf(keeping(), { recordId }, MODEL);
    /** As a service that has just started, for which nothing is kept. */
    const readAnew = (): Promise<readonly Line[]> =>
      readLinesOf({ ...keeping(), config: { ...service.services.config } }, { recordId }, MODEL);
    const said = (lines: readonly Line[]): readonly string[] => lines.map((line) => JSON.stringify(line));
    /** Looks twice, so that the lines are kept, and answers what they say. */
    const look = async (what: string): Promise<readonly Line[]> => {
      const fresh = said(await readAnew());
      const kept = await readKept();
      expect(said(kept), what).to.equal(fresh);
      expect(said(await readKept()), `${what}, once more`).to.equal(fresh);
      return kept;
    };
    const call = async (method: string, path: string, sent: Sent): Promise<string> =>
      succeeded(await service.call(alice, method, `/records/${recordId}/${path}`, sent)).text;
    const post = async (body: string): Promise<string> =>
      attribute(await call('POST', 'documents/', { body }), 'Document', 'id');
    const setStatus = (id: string, status: string): Promise<string> =>
      call('POST', `documents/${id}/set-status`, { form: { reason: 'because', status } });

    before(async () => {
      service = await startService(leg, {});
      alice = await addPerson(service.services, 'alice@example.org', 'Alice Lee');
      recordId = await createRecord(service.call, 'alice@example.org');
    });
    after(() => service.stop());

    it('are not made again while nothing changes', async () => {
      await post(factDocument(MODEL, { drugName_title: 'Ramipril 5 mg', startDate: '2026-01-01' }));
      const first = await readKept();
      const { asked, result } = await askedBy(readKept);
      expect(result).to.shallow.equal(first);
      expect(asked.map(({ sql }) => sql.replace(/ from .*/, ''))).to.equal([
        'select sent.document_id, sent.said, sent.source, 0 as documents, 0 as last',
      ]);
    });

    it('are not made again for the next caller', async () => {
      const ask = () => service.call(alice, 'GET', `/records/${recordId}/lines/${MODEL}/`);
      const [first, { asked, result }] = [await ask(), await askedBy(ask)];
      expect(result.text).to.equal(first.text);
      expect(asked.filter(({ sql }) => /\b(sent_statement|fact_medication)\b/.test(sql))).to.equal([]);
    });

    it('are made again when a document comes, is replaced, put away, taken back or called back', async () => {
      const id = await post(factDocument(MODEL, { drugName_title: 'Aspirin', startDate: '2026-01-01' }));
      expect(await look('one more')).to.have.length(2);
      const twin = await post(factDocument(MODEL, { drugName_title: 'aspirin', startDate: '2026-01-02' }));
      expect(await look('the same once more')).to.have.length(2);
      await setStatus(twin, 'archived');
      expect((await look('put away')).map(({ says }) => says.length)).to.only.include([1]);
      await setStatus(twin, 'active');
      expect((await look('called back')).map(({ says }) => says.length).sort()).to.equal([1, 2]);
      await setStatus(twin, 'void');
      await look('void');
      const body = factDocument(MODEL, { drugName_title: 'Aspirin 500 mg', startDate: '2026-01-01' });
      await call('POST', `documents/${id}/replace`, { body });
      expect(JSON.stringify(await look('replaced'))).to.include('Aspirin 500 mg');
    });

    it('are made again after a word of the person', async () => {
      const [line] = await look('before the word');
      const named = fieldsXml({ model: MODEL, statement: line!.id });
      const about = `<Field name="about"><Models><Model name="OwnWordAbout">${named}</Model></Models></Field>`;
      await post(
        factDocument('OwnWord', { verdict: 'stopped', date: '2026-04-01' }).replace('</Model>', `${about}</Model>`),
      );
      const told = (await look('after the word')).find(({ id }) => id === line!.id);
      expect([line!.standing, told!.standing]).to.equal(['open', 'over']);
    });

    it('are made again when a day passes by which something ends', async () => {
      await post(
        factDocument(MODEL, { drugName_title: 'Amoxicillin', startDate: '2026-04-01', endDate: '2026-05-01' }),
      );
      const standing = async (): Promise<string | undefined> =>
        (await look(new Date(now).toISOString())).find(({ words }) => words.includes('amoxicillin'))?.standing;
      expect(await standing()).to.equal('open');
      now = END;
      expect(await standing()).to.equal('over');
      now = AT;
      expect(await standing()).to.equal('open');
    });

    it('are made again when documents are read anew', async () => {
      await look('before');
      const on = direct(service.services.database);
      // As if another release had read it.
      await on('fact_medication').where({ drugName_title: 'Amoxicillin' }).update({ drugName_title: 'Other' });
      await on('document')
        .where({ record_id: recordId })
        .update({ fingerprint: 'f'.repeat(64) });
      expect(JSON.stringify(await look('as by another release'))).to.include('Other');
      await reprocess(await toolsOf(service), {}, () => undefined);
      expect(JSON.stringify(await look('read anew')))
        .to.include('Amoxicillin')
        .and.not.include('Other');
    });

    it('are never those of a circle', async () => {
      const [carenetId] = (await direct(service.services.database)('carenet')
        .where({ record_id: recordId })
        .pluck('id')) as [string];
      const read = (): Promise<readonly Line[]> => readLinesOf(keeping(), { recordId, carenetId }, MODEL);
      expect([(await readKept()).length > 0, (await read()).length, (await read()).length]).to.equal([true, 0, 0]);
    });
  });
}
