/**
 * who-looked: who looked, in plain words; the same entries as the API; and a manipulated log is reported at the next
 * check.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { WEBSITE_APP } from '../../../core/apps/website-app';
import { newId } from '../../../core/base/ids';
import { rowHash, type AuditColumn } from '../../../core/audit/row';
import { areas } from '../../../core/server/plugins';
import { watchStatements } from '../../../core/db/watch';
import { doing, saysFacts } from '../../../plugins/website/pages/record/who-looked-words';
import { operationNames } from '../../../plugins/website/http/operations';
import { isForNobody } from '../../support/asked';
import { databases } from '../../support/databases';
import type { Credentials } from '../../support/client';
import { direct } from '../../support/direct';
import { operationsBehindDoors } from '../../support/operations-behind-doors';
import { makeSite, readable, type Site } from '../../support/site';
import { startService, type TestService } from '../../support/server';
import { createAccount, createRecord, PASSWORD, signIn, succeeded } from '../../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const OLGA = 'olga@people.example';
const ANNA = 'anna@people.example';
const PAUL = 'paul@people.example';
const HOSTILE = '=cmd|"<img src=x>"';

type Row = Record<AuditColumn, string | number | null> & { hash: string; seq: number };

describe('words for the log of a record', () => {
  it('say of each operation on a record what it does', () => {
    const specs = [...areas.flatMap(({ routes }) => routes), ...operationsBehindDoors()].filter(({ path }) =>
      /\{(record|carenet)_id\}/i.test(path),
    );
    expect(specs.length).to.be.above(100);
    expect(specs.map(({ name }) => name).filter((name) => !doing.has(name) && !saysFacts(name))).to.equal([]);
  });

  it('tell looks at a file from changes', () => {
    expect(operationNames(true)).to.include(['document_create', 'document_incoming_add']);
    expect(operationNames(false)).to.include(['document_preview', 'document_incoming_begin', 'document_incoming_read']);
    expect(operationNames(true)).to.not.include('document_preview');
  });
});

for (const leg of databases) {
  describe(`who looked on ${leg.name}`, () => {
    let service: TestService;
    let olga: Exclude<Credentials, null>;
    let recordId: string;
    let page: string;
    let site: Site;
    let family: string;

    const enter = async (id: string): Promise<Site> => {
      const one = makeSite(service.running.server);
      await one.submit(await one.open('/my/sign-in'), { username: id, password: PASSWORD });
      return one;
    };
    const unbroken = async (): Promise<string | undefined> =>
      /data-unbroken="(\w+)"/.exec((await site.open(page)).text)?.[1];
    const rows = async (): Promise<readonly Row[]> =>
      (await direct(service.services.database)('audit').where({ record_id: recordId }).orderBy('seq')) as Row[];
    const change = (row: Row, values: Record<string, unknown>): Promise<unknown> =>
      direct(service.services.database)('audit')
        .where({ seq: row.seq })
        .update(values as Record<string, string>);

    /** Adds looks of the owner at the website, with other values as they are given. */
    const addRows = async (changes: readonly Partial<Row>[]): Promise<void> => {
      const on = direct(service.services.database);
      const [one] = (await on('audit').where({ record_id: recordId, proxy_id: WEBSITE_APP }).limit(1)) as Row[];
      const { seq: _seq, ...row } = { ...one!, principal_id: OLGA, method: 'GET', successful: 1 };
      const { last } = (await on('audit').max('writer_seq as last').first()) as { last: number };
      for (const [place, values] of changes.entries()) {
        await on('audit').insert({ ...row, ...values, id: newId(), writer_seq: Number(last) + 1000 + place });
      }
    };

    before(async () => {
      service = await startService(leg);
      await createAccount(service.call, OLGA, 'Olga Owner');
      await createAccount(service.call, ANNA, HOSTILE);
      await createAccount(service.call, PAUL, 'Paul Stranger');
      olga = await signIn(service.call, OLGA);
      recordId = await createRecord(service.call, OLGA, 'Mira', 'Halvorsen');
      page = `/my/records/${recordId}/history`;
      const list = succeeded(await service.call(olga, 'GET', `/records/${recordId}/carenets/`)).text;
      family = /<Carenet id="([^"]*)" name="Family"/.exec(list)![1]!;
      succeeded(
        await service.call(olga, 'POST', `/carenets/${family}/accounts/`, {
          form: { account_id: ANNA, write: 'false' },
        }),
      );
      const anna = await signIn(service.call, ANNA);
      succeeded(await service.call(anna, 'GET', `/carenets/${family}/documents/`));
      expect((await service.call(anna, 'GET', `/records/${recordId}/reports/minimal/labs/`)).status).to.equal(403);
      site = await enter(OLGA);
    });
    after(() => service.stop());

    it('says who did what, refused attempts too, and shows text as text', async () => {
      const answer = await site.open(page);
      expect(answer.status).to.equal(200);
      expect(readable(answer)).to.contain([
        'You: added a person to Family',
        'refused',
        'tried, and was refused: looked at lab results',
        'looked at a list of documents',
        'circle Family',
        'Unbroken',
        'none is missing, none was changed',
      ]);
      expect(answer.text).to.not.contain('<img');
      expect(answer.text).to.match(/<p class="print-only">[^<]*Mira Halvorsen[^.<]*\. Printed on \d/);
      const again = await site.open(page);
      expect(readable(again)).to.contain('You: looked at who looked');
    });

    it('folds the looks of the person by day, and counts them', async () => {
      await site.open(`/my/records/${recordId}/timeline`);
      // A file that is sent to be looked at comes by POST, and so do the reads of the page that answers.
      const sent = { field: 'file', name: 'note.txt', bytes: Buffer.from('A note of mine.') };
      await site.send(await site.open(`/my/records/${recordId}/add`), [sent]);
      const { text } = await site.open(page);
      const [, count, folded = ''] = /<summary>You looked: (\d+) entries<\/summary>([^]*?)<\/details>/.exec(text)!;
      expect(folded.match(/<li>/g)).to.have.length(Number(count));
      const outside = text.replace(/<details class="more-below"><summary>You looked[^]*?<\/details>/g, '');
      expect(outside).to.contain(HOSTILE.slice(0, 5)).and.to.not.contain('looked at the timeline');
      expect(outside).to.not.contain('looked at a file before adding it');
      expect(folded).to.contain('looked at the timeline').and.to.contain('looked at a file before adding it');
      const mine = await site.open(`${page}?who=${encodeURIComponent(OLGA)}`);
      expect(mine.text).to.contain('looked at the timeline').and.to.not.contain('<summary>You looked');
    });

    it('puts what others did first on every page, before looks of the person however many they are', async () => {
      const looks = 120;
      const before = /<summary>You looked: (\d+) entries/.exec((await site.open(page)).text)![1];
      await Promise.all(Array.from({ length: looks }, () => site.get(`/my/records/${recordId}/documents/`)));
      const { text } = await site.open(page);
      const [, after] = /<summary>You looked: (\d+) entries<\/summary>/.exec(text)!;
      // A page may ask for several things, each of which is an entry.
      expect(Number(after) - Number(before)).to.be.at.least(looks);
      expect(readable({ ...(await site.open(page)), text }))
        .to.contain(HOSTILE.slice(0, 5))
        .and.to.contain('1 to ');
      const all = /href="([^"]*)">All \d+ entries of your looks/.exec(text)![1]!.replaceAll('&amp;', '&');
      expect(readable(await site.open(all)))
        .to.contain(`1 to 100 of`)
        .and.to.contain('You: looked at');
    });

    it('tells of each day with looks on one page, between those on which others did something', async () => {
      const at = (day: number, minute: number): string =>
        `2020-01-${String(day).padStart(2, '0')}T10:${String(minute).padStart(2, '0')}:00.000000Z`;
      // Others did sixty things on each of the days 20, 12 and 10; the person looked on the days 15, 12, 11 and 5.
      const others = [20, 12, 10].flatMap((day) =>
        Array.from({ length: 60 }, (_, minute) => ({ principal_id: ANNA, requested_at: at(day, minute) })),
      );
      const own = [15, 12, 12, 11, 5].map((day, minute) => ({ requested_at: at(day, minute) }));
      await addRows([...others, ...own]);
      const days = async (address: string): Promise<readonly string[]> => {
        const { text } = await site.open(address);
        return [...text.matchAll(/<h2>\w+, (\d+) January 2020<\/h2>[^]*?(?=<h2>|<nav)/g)].map(
          ([part, day]) => `${day} ${/You looked: (\w+)/.exec(part)?.[1] ?? '-'}`,
        );
      };
      const first = `${page}?to=2020-12-31`;
      const next = /href="([^"]*place=[^"]*)" rel="next"/.exec((await site.open(first)).text)![1]!;
      expect(await days(first)).to.equal(['20 -', '15 one', '12 2']);
      expect(await days(next.replaceAll('&amp;', '&'))).to.equal(['12 2', '11 one', '10 -', '5 one']);
      const on = direct(service.services.database);
      await on('audit').where({ record_id: recordId }).where('requested_at', '<', '2020-12-31').delete();
    });

    it('filters by person, kind and day, and says when nothing fits', async () => {
      const refused = readable(await site.open(`${page}?what=refused`));
      expect(refused).to.contain('tried, and was refused').and.to.not.contain('added a person');
      const changes = readable(await site.open(`${page}?what=changes`));
      expect(changes).to.contain('added a person').and.to.not.contain('looked at');
      const annas = await site.open(`${page}?who=${encodeURIComponent(ANNA)}`);
      expect(readable(annas)).to.not.contain('You:');
      const total = Number(/1 to (\d+) of \1\b/.exec(readable(annas))![1]);
      expect(total).to.equal(2);
      const everybody = await site.open(page);
      expect(readable(everybody)).to.contain(['You:', 'Only others']);
      const others = readable(await site.open(`${page}?only=others`));
      expect(others).to.contain('Everybody').and.to.not.contain('You:');
      expect(Number(/1 to (\d+) of \1\b/.exec(others)![1])).to.be.at.least(total);
      expect((await site.get(`${page}.csv?only=others`)).text).to.not.contain(`,${OLGA},`);
      expect(readable(await site.open(`${page}?to=2001-01-01`))).to.contain('No entry matches the filters.');
      expect((await site.open(`${page}?from=nonsense&what=x&place=-1`)).status).to.equal(200);
      expect(readable(await site.open(`${page}?from=2100-01-01`))).to.contain('No entry matches the filters.');
    });

    it('is the same as the API answers, as a file too, harmless for spreadsheets', async () => {
      const file = await site.get(`${page}.csv`);
      expect(file.status, readable(file)).to.equal(200);
      expect(file.headers['content-type']).to.equal('text/csv; charset=utf-8');
      const lines = file.text.trimEnd().split('\r\n');
      expect(lines[0]).to.match(/^datetime,view_func,request_successful,effective_principal,/);
      const query = `/records/${recordId}/audits/query/?limit=1000&order_by=-request_date`;
      const { text } = succeeded(await service.call(olga, 'GET', query));
      const attribute = (name: string): readonly string[] =>
        [...text.matchAll(new RegExp(` ${name}="([^"]*)"`, 'g'))].map((match) => match[1]!);
      const functions = attribute('view_func');
      // The query has no row yet when it answers. The row of the file is written after the file was made.
      expect(lines.slice(1).map((line) => line.split(',')[1])).to.equal(
        functions.slice(functions.length - lines.length + 1),
      );
      expect(lines.slice(1).map((line) => line.split(',')[0])).to.equal(
        attribute('datetime').slice(functions.length - lines.length + 1),
      );
      const filtered = await site.get(`${page}.csv?what=refused`);
      expect(
        filtered.text
          .trimEnd()
          .split('\r\n')
          .slice(1)
          .every((line) => line.includes(',false,')),
      ).to.be.true();
    });

    it('folds what is alike on a day below the newest entry', async () => {
      const alike = async () => {
        const { text } = await site.open(`${page}?what=changes`);
        const [, count, folded = ''] = /<summary>(\d+) more like this<\/summary>([^]*?)<\/details>/.exec(text) ?? [];
        return { count, rows: folded.match(/<li>/g)?.length, folded };
      };
      const label = (name: string) =>
        service.call(olga, 'POST', `/carenets/${family}/rename`, { form: { name } }).then(succeeded);
      await label('Family 1');
      await label('Family 2');
      await label('Family 3');
      expect(await alike()).to.equal({ count: undefined, rows: undefined, folded: '' });
      await label('Family');
      const { count, rows, folded } = await alike();
      expect([count, rows]).to.equal(['3', 3]);
      expect(folded).to.contain('renamed').and.to.not.contain('added a person');
    });

    it('is not there for members of a carenet and strangers, as a page and as a file', async () => {
      for (const id of [ANNA, PAUL]) {
        const other = await enter(id);
        expect((await other.get(page)).status).to.equal(404);
        expect((await other.get(`${page}.csv`)).status).to.equal(404);
      }
      const nobody = makeSite(service.running.server);
      expect((await nobody.get(page)).status).to.equal(303);
    });

    it('finds at the next look a row that was changed, removed, or written anew', async () => {
      expect(await unbroken()).to.equal('true');
      const all = await rows();
      const row = all.find(({ function_name: name }) => name === 'carenet_account_create')!;
      await change(row, { principal_id: PAUL });
      expect(await unbroken()).to.equal('false');
      expect(readable(await site.open(page))).to.contain('Tell those who run the service');
      await change(row, { principal_id: OLGA });
      expect(await unbroken()).to.equal('true');
      // Moved to another record, the row would be missing from the list.
      await change(row, { record_id: 'elsewhere' });
      expect(await unbroken()).to.equal('false');
      await change(row, { record_id: recordId });
      const previous = (await direct(service.services.database)('audit')
        .where({ writer_id: row.writer_id, writer_seq: Number(row.writer_seq) - 1 })
        .first('hash')) as { hash: string };
      // The changed row gets a fitting hash, so only the next row reveals it.
      await change(row, { principal_id: PAUL, hash: rowHash(previous.hash, { ...row, principal_id: PAUL }) });
      expect(await unbroken()).to.equal('false');
      await change(row, { principal_id: OLGA, hash: row.hash });
      expect(await unbroken()).to.equal('true');
      await direct(service.services.database)('audit').where({ seq: row.seq }).delete();
      expect(await unbroken()).to.equal('false');
      await direct(service.services.database)('audit').insert(row);
      expect(await unbroken()).to.equal('true');
    });

    it('takes at most 20 statements, those about the log too', async () => {
      await addRows(Array.from({ length: 101 }, () => ({ principal_id: ANNA })));
      const next = /href="([^"]*place=[^"]*)" rel="next"/.exec((await site.open(page)).text)![1]!;
      let statements = 0;
      const stop = watchStatements(({ sql }) => {
        // Rows of the log are written beside the page, in transactions of their own. A slow page meets other work too.
        const beside = /^\s*(?:insert|begin|commit|rollback|start|set)\b/i.test(sql) || /\boutbox\b/.test(sql);
        statements += beside || isForNobody(sql) ? 0 : 1;
      });
      await site.open(next.replaceAll('&amp;', '&'));
      stop();
      expect(statements).to.be.between(5, 21);
    });
  });
}
