/**
 * search: a search by words never reads long texts. It compares the first thousand characters of each, and the words of
 * the others, which are bounded and were prepared when the document was stored.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { factTables } from '../../core/facts/model/fact-tables';
import { searchWords } from '../../core/records/search-words';
import { factWords } from '../../core/facts/fact-words';
import { findByWords } from '../../core/documents/search-store';
import type { PlannedColumn } from '../../core/facts/plans';
import { watchStatements } from '../../core/db/watch';
import { databases } from '../support/databases';
import { direct } from '../support/direct';
import { startService, type TestService } from '../support/server';
import { attribute, makeWorld, succeeded, type World } from '../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const note = (content: string): string =>
  '<Models xmlns="https://svc.example/vocab/xml/documents#"><Model name="SimpleClinicalNote">' +
  `<Field name="finalized_at">2010-01-02T10:00:00Z</Field><Field name="content">${content}</Field></Model></Models>`;

/** Words that are all different, so that none of them is left out as a repetition. */
const filler = (count: number): string => Array.from({ length: count }, (_, number) => `w${number}`).join(' ');

for (const leg of databases) {
  describe(`searches in long texts on ${leg.name}`, () => {
    let service: TestService;
    let world: World;
    const ids: Record<string, string> = {};

    before(async () => {
      service = await startService(leg);
      world = await makeWorld(service);
      const texts = {
        long: `Beginning ${filler(500)} Nephrectomy GRÖSSE. ${'the same words again '.repeat(40_000)} lastly`,
        same: 'a'.repeat(1_500_000),
        short: 'A short note about a cough',
      };
      for (const [name, content] of Object.entries(texts)) {
        const path = `/records/${world.recordId}/documents/`;
        const answer = await service.call(world.alice, 'POST', path, { body: note(content), type: 'application/xml' });
        ids[name] = attribute(succeeded(answer).text, 'Document', 'id');
      }
    });
    after(() => service.stop());

    const find = async (text: string): Promise<readonly string[]> => {
      const { database, models } = service.services;
      const scope = { recordId: world.recordId };
      const { part, total } = await findByWords(
        database.longFor({ owner: 'alice' }),
        database.dialect,
        factTables(models()),
        scope,
        { words: searchWords(text, 'en', 'UTC', models()), status: 'active', limit: 10 },
      );
      expect(total).to.equal(part.rows.length);
      return part.rows.map(({ id }) => Object.keys(ids).find((name) => ids[name] === id) ?? id);
    };

    it('find words wherever they stand, in part and whatever their letters', async () => {
      expect(await find('beginning')).to.equal(['long']);
      expect(await find('nephrectomy')).to.equal(['long']);
      expect(await find('PHRECT grösse lastly')).to.equal(['long']);
      expect(await find('grosse')).to.equal(['long']);
      expect(await find('cough')).to.equal(['short']);
      expect(await find('nephrectomy cough')).to.equal([]);
    });

    it('compare no long text, whatever is asked', async () => {
      const seen: string[] = [];
      const stop = watchStatements(({ sql }) => void (sql.includes('lineage.label') && seen.push(sql)));
      expect(await find(Array.from({ length: 6 }, (_, number) => `${'a'.repeat(30)}${number}`).join(' '))).to.equal([]);
      stop();
      expect(seen).to.have.length(1);
      const bounded = /substr\(`fact`\.`content`, 1, 1000\)/g;
      expect(seen[0]!.match(bounded)!.length % 6).to.equal(0);
      expect(seen[0]!.replaceAll(bounded, '').includes('content')).to.be.false();
    });

    it('still find the beginning of what an earlier release stored', async () => {
      const on = direct(service.services.database);
      const { table } = factTables(service.services.models()).get('SimpleClinicalNote')!;
      const before = (await on(table).where({ _document_id: ids['long']! }).first('_words')) as { _words: string };
      expect(before._words).to.contain('nephrectomy');
      expect(before._words.length).to.be.most(32_000);
      await on(table).where({ _document_id: ids['long']! }).update({ _words: null });
      expect(await find('beginning')).to.equal(['long']);
      expect(await find('nephrectomy')).to.equal([]);
      await on(table).where({ _document_id: ids['long']! }).update({ _words: before._words });
    });
  });
}

describe('the words of a fact', () => {
  const columns = ['one', 'two'].map((name) => ({ name, kind: 'text' }) as PlannedColumn);

  it('are none when its texts are short', () => {
    expect(factWords(columns, { one: 'x'.repeat(1000), two: null })).to.be.null();
  });

  it('are different, in lower case, and bounded in number and length', () => {
    expect(factWords(columns, { one: 'Ä b '.repeat(300), two: 'C' })).to.equal('ä b');
    expect(factWords(columns, { one: 'x'.repeat(1001), two: null })).to.equal('x'.repeat(100));
    const words = factWords(columns, { one: filler(10_000), two: filler(20_000) })!;
    expect(words.length).to.be.between(31_000, 32_001);
    expect(words).to.startWith('w0 w1 w2');
  });

  it('are well-formed, also where a word is cut', () => {
    expect(factWords(columns, { one: `${'x'.repeat(99)}${'😀'.repeat(600)}`, two: null })!.isWellFormed()).to.be.true();
  });
});
