/**
 * paging: lists of the website page by page, forwards and back, while others add and remove items. What stays is shown
 * once, nothing is skipped, and a place works only in its own list.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { databases } from '../../support/databases';
import { admin, startService, type TestService } from '../../support/server';
import { unfolded, readable, type Site, type SitePage } from '../../support/site';
import { factOf, factsDocument, makeSiteRecord, MEMBER, OWNER, type SiteRecord } from '../../support/site-record';
import { attribute, createAccount, createRecord, succeeded } from '../../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

/** More items than one page of a list shows. */
const MANY = 55;
const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);
const twoDigits = (number: number): string => String(number).padStart(2, '0');

type List = {
  readonly name: string;
  readonly path: () => string;
  /** Pattern of the items on a page. */ readonly items: RegExp;
  /** Number of items that stay. */ readonly stay: number;
  /** Name of the place parameter. */ readonly place?: string;
  /** Changes the list between two pages: adds an item, or removes one that was shown already. */
  readonly between: (page: number) => Promise<unknown>;
  /** Items that `between` adds or removes. */ readonly changed?: RegExp;
};

const linkTo = (page: SitePage, rel: 'next' | 'prev', place: string): string | undefined =>
  [...page.text.matchAll(new RegExp(`<a href="([^"]*)" rel="${rel}"`, 'g'))]
    .map((match) => match[1]!.replaceAll('&amp;', '&'))
    // The last parameter is the place of this list; links of other lists on the page contain it as well.
    .find((href) => [...new URLSearchParams(href.split('?')[1]?.split('#')[0]).keys()].at(-1) === place);

for (const leg of databases) {
  describe(`paging on ${leg.name}`, () => {
    let service: TestService;
    let made: SiteRecord;
    let owner: Site;
    let base: string;
    let serial = 0;
    const documents: string[] = [];
    let [versioned, latest]: string[] = [];

    const call = async (method: string, path: string, form?: Readonly<Record<string, string>>) =>
      succeeded(await service.call(made.credentials, method, path, form ? { form } : {})).text;
    const storeProblem = (name: string, more: Readonly<Record<string, string>> = {}): Promise<string> =>
      made.store(factsDocument(service, factOf('Problem', { name_title: name, ...more })));
    const message = (subject: string) =>
      service.call(admin, 'POST', `/accounts/${OWNER}/inbox/`, {
        form: { subject, body: 'x', message_id: String((serial += 1)) },
      });
    const archive = (id: string) =>
      call('POST', `/records/${made.recordId}/documents/${id}/set-status`, { status: 'archived', reason: 'over' });

    before(async () => {
      service = await startService(leg, { SVC_RATE_ACCOUNT_PER_MINUTE: '0', SVC_RATE_CONSUMER_PER_MINUTE: '0' });
      made = await makeSiteRecord(service);
      ({ owner } = made);
      base = `/my/records/${made.recordId}`;
      for (const number of numbers(MANY)) {
        const day: Readonly<Record<string, string>> =
          number % 5 === 0 ? {} : { startDate: `2020-01-${twoDigits((number % 9) + 1)}T00:00:00Z` };
        documents.push(await storeProblem(`Problem-${twoDigits(number)}.`, day));
      }
      const reading = (number: number): string =>
        factOf('VitalSigns', {
          date: `2020-02-03T08:${twoDigits(number)}:00Z`,
          weight_value: `${50.1 + (number % 4)}`,
          weight_unit: 'kg',
        });
      const result = (number: number): string =>
        factOf('LabResult', {
          test_name_title: `Result-${twoDigits(number)}.`,
          ...(number % 7 === 0 ? {} : { collected_at: `2020-02-0${(number % 3) + 1}T00:00:00Z` }),
          ...(number % 4 === 0 ? {} : { notes: `Note ${number % 3}` }),
        });
      await made.store(factsDocument(service, ...numbers(MANY).map(reading)));
      await made.store(factsDocument(service, ...numbers(MANY).map(result)));
      await owner.open('/my/account');
    });
    after(() => service.stop());

    /** Walks forwards to the end and back to the beginning; resolves to the items seen each way, page by page. */
    const walk = async ({ path, items, place = 'place', between, changed }: List) => {
      /** Charts above the list show some of the items, too, so they are left out. */
      const seen = (page: SitePage): readonly string[] =>
        (readable(unfolded(page)).split('All entries').at(-1)!.match(items) ?? []).filter(
          (item) => !changed?.test(item),
        );
      const [forwards, back]: [(readonly string[])[], (readonly string[])[]] = [[], []];
      let page = await owner.open(path());
      for (;;) {
        forwards.push(seen(page));
        const next = linkTo(page, 'next', place);
        if (next === undefined) {
          break;
        }
        await between(forwards.length);
        page = await owner.open(next.split('#')[0]!);
      }
      for (;;) {
        back.unshift(seen(page));
        const previous = linkTo(page, 'prev', place);
        if (previous === undefined) {
          return { forwards, back };
        }
        await between(-back.length);
        page = await owner.open(previous.split('#')[0]!);
      }
    };

    const lists: readonly List[] = [
      {
        name: 'documents',
        path: () => `${base}/documents/`,
        items: /Problem-\d+\.|Newcomer \w+/g,
        changed: /Newcomer|-54|-53/,
        stay: MANY - 2,
        between: async (page) => {
          await storeProblem(`Newcomer ${page}`);
          // An item that was shown already is removed. The items after it move up, and must not be skipped.
          await (page === 1 ? archive(documents[54]!) : Promise.resolve());
          await (page === -1 ? archive(documents[53]!) : Promise.resolve());
        },
      },
      {
        name: 'documents that were searched for',
        path: () => `${base}/documents/?q=problem-`,
        items: /Problem-\d+\.|Problem-new/g,
        changed: /new|-54|-53|-52/,
        stay: MANY - 3,
        between: async (page) => {
          await storeProblem('Problem-new');
          await (page === 1 ? archive(documents[52]!) : Promise.resolve());
        },
      },
      {
        name: 'the timeline with days shared by several kinds, and without days',
        path: () => `${base}/timeline`,
        items: /(?:Problem|Result)-\d+\.|Newer \w+/g,
        changed: /Newer|-54|-53|-52/,
        stay: 2 * MANY - 6,
        between: (page) => storeProblem(`Newer ${page}`, { startDate: '2024-01-01T00:00:00Z' }),
      },
      ...['', '?order_by=notes', '?order_by=-notes', '?order_by=collected_at'].map((order): List => ({
        name: `facts, some without a value (${order})`,
        path: () => `${base}/data/LabResult${order}`,
        items: /Result-\d+\./g,
        stay: MANY,
        between: () =>
          made.store(
            factsDocument(
              service,
              factOf('LabResult', { test_name_title: 'New', collected_at: '2024-01-01T00:00:00Z', notes: 'Note 1' }),
              factOf('LabResult', { test_name_title: 'New', collected_at: '1999-01-01T00:00:00Z' }),
              factOf('LabResult', { test_name_title: 'New', notes: 'A note' }),
            ),
          ),
      })),
      ...['weight_value', '-weight_value'].map((order): List => ({
        name: `facts in the order of ${order}`,
        path: () => `${base}/data/VitalSigns?order_by=${order}`,
        items: /3 Feb 2020, 08:\d\d/g,
        stay: MANY,
        between: () =>
          made.store(
            factsDocument(
              service,
              ...['1', '52.1', '90'].map((weight) =>
                factOf('VitalSigns', { date: '2024-01-01T00:00:00Z', weight_value: weight, weight_unit: 'kg' }),
              ),
            ),
          ),
      })),
    ];
    for (const list of lists) {
      it(`shows ${list.name} once while others write`, async () => {
        const { forwards, back } = await walk(list);
        const [all, again] = [forwards.flat(), back.flat()];
        expect([all.length, new Set(all).size]).to.equal([list.stay, list.stay]);
        expect(again).to.equal(all);
        expect(forwards.length).to.be.above(1);
      });
    }

    it('writes every fact to the file once', async () => {
      const { text } = await owner.get(`${base}/data/LabResult.csv`);
      const names = text.match(/Result-\d+\./g) ?? [];
      expect([names.length, new Set(names).size]).to.equal([MANY, MANY]);
    });

    it('shows messages and notices once while more come and some are archived', async () => {
      for (const number of numbers(MANY)) {
        succeeded(await message(`Letter-${twoDigits(number)}.`));
        succeeded(
          await service.call(admin, 'POST', `/records/${made.recordId}/notifications/`, {
            form: { content: `Notice-${twoDigits(number)}.` },
          }),
        );
      }
      const inbox = (items: RegExp, place: string): List => ({
        name: place,
        path: () => '/my/inbox/',
        items,
        place,
        stay: MANY,
        changed: /new/,
        between: async () => {
          await message('Letter-new');
          await service.call(admin, 'POST', `/records/${made.recordId}/notifications/`, {
            form: { content: 'Notice-new' },
          });
        },
      });
      for (const list of [inbox(/Letter-\w+/g, 'letters'), inbox(/Notice-\w+/g, 'notices')]) {
        const { forwards, back } = await walk(list);
        expect([forwards.flat().length, new Set(forwards.flat()).size]).to.equal([MANY, MANY]);
        expect(back.flat()).to.equal(forwards.flat());
      }
      // One page shows fifty of them, but the unread count covers all.
      const unread = /(\d+) messages are unread/.exec(readable(await owner.open('/my/inbox/')))?.[1];
      expect(Number(unread)).to.be.above(50);
    });

    it('shows versions and changes of a document once while there are more', async () => {
      versioned = await storeProblem('Version-1.');
      latest = versioned;
      const replace = async (text: string): Promise<void> => {
        const body = factsDocument(service, factOf('Problem', { name_title: text }));
        latest = attribute(
          succeeded(
            await service.call(made.credentials, 'POST', `/records/${made.recordId}/documents/${latest!}/replace`, {
              body,
            }),
          ).text,
          'Document',
          'id',
        );
      };
      for (const number of numbers(24)) {
        await replace(`Version-${number + 2}.`);
      }
      const path = (): string => `${base}/documents/${latest!}`;
      const items = /Version \d+/g;
      const first = await owner.open(path());
      expect(readable(first)).to.contain(['Version 25', 'Version 6', '1 to 20 of 25']);
      expect(readable(first)).to.not.match(/Version 5\b/);
      const next = linkTo(first, 'next', 'versions')!.split('#')[0]!;
      await replace('Version-26.');
      const second = await owner.open(next);
      expect([...new Set(readable(second).match(items))].slice(-5)).to.equal(
        [5, 4, 3, 2, 1].map((number) => `Version ${number}`),
      );
      for (const number of numbers(21)) {
        const status = number % 2 === 0 ? 'archived' : 'active';
        await call('POST', `/records/${made.recordId}/documents/${latest!}/set-status`, {
          status,
          reason: `Reason-${twoDigits(number)}.`,
        });
      }
      const changes = await owner.open(path());
      expect(readable(changes)).to.contain(['Reason-20.', 'Reason-01.']).and.to.not.contain('Reason-00.');
      expect(readable(await owner.open(linkTo(changes, 'next', 'changes')!.split('#')[0]!))).to.contain('Reason-00.');
    });

    it('shows all circles on the page of a document, those that hold it and those that do not', async () => {
      const circles = numbers(25).map((number) => `Circle-${twoDigits(number)}.`);
      for (const name of circles) {
        await call('POST', `/records/${made.recordId}/carenets/`, { name });
      }
      const path = `${base}/documents/${documents[0]!}`;
      const first = await owner.open(path);
      const second = await owner.open(linkTo(first, 'next', 'carenets')!.split('#')[0]!);
      const seen = [first, second].map((page) => readable(page).match(/Circle-\d\d\./g)?.length ?? 0);
      // Each circle occurs in a row and in its button.
      expect(seen.reduce((sum, count) => sum + count, 0)).to.equal(2 * circles.length);
      expect((await owner.submit(second, { what: 'place' }, 'Circle-24.')).status).to.equal(200);
      const placed = readable(await owner.open(linkTo(first, 'next', 'carenets')!.split('#')[0]!));
      expect(placed)
        .to.contain('Circle-24. It is in this circle.')
        .and.to.contain('Circle-23. It is not in this circle.');
      expect(readable(await owner.open(linkTo(second, 'prev', 'carenets')!.split('#')[0]!))).to.equal(readable(first));
    });

    it('shows the people of a record and of a circle once while somebody is taken out, and counts all of them', async () => {
      for (const number of numbers(25)) {
        const id = `person-${twoDigits(number)}@people.example`;
        await createAccount(service.call, id, `Person-${twoDigits(number)}.`);
        await call('POST', `/carenets/${made.carenetId}/accounts/`, { account_id: id, write: 'false' });
        await call('POST', `/records/${made.recordId}/shares/`, { account_id: id });
      }
      const page = await owner.open(`${base}/sharing`);
      // Anna is only in the circle; whoever has a full share is a person with one card.
      expect(readable(page)).to.contain(['and 21 others', '1 to 20 of 26', '1 to 20 of 26']);
      const [shares, members] = ['people', 'members'].map((place) => linkTo(page, 'next', place)!.split('#')[0]!);
      await call('DELETE', `/records/${made.recordId}/shares/person-03@people.example`);
      await call('DELETE', `/carenets/${made.carenetId}/accounts/person-03@people.example`);
      const stop = (text: string): readonly string[] =>
        text.match(/Stop sharing with Person-\d+|Person-\d+\. sees/g) ?? [];
      const rest = readable(await owner.open(shares!));
      for (const number of [19, 20, 24]) {
        expect(rest).to.contain(`Person-${number}.`);
      }
      expect(stop(rest).some((text) => text.includes('-18'))).to.be.false();
      const others = await owner.open(members!);
      expect(others.text).to.contain('value="person-24@people.example"');
      expect(linkTo(others, 'prev', 'members')).to.exist();
    });

    it('shows records once while there are more', async () => {
      for (const number of numbers(MANY)) {
        await createRecord(service.call, OWNER, `Zoe${twoDigits(number)}`, 'Page');
      }
      const { forwards, back } = await walk({
        name: 'records',
        path: () => '/my/?all=1',
        items: /Zoe\d\d|Adam/g,
        changed: /Adam/,
        stay: MANY,
        between: () => createRecord(service.call, OWNER, 'Adam', 'Earlier'),
      });
      expect([new Set(forwards.flat()).size, back.flat().join()]).to.equal([MANY, forwards.flat().join()]);
    });

    it('shows each entry of the history once, although every look adds one, and writes them to a file', async () => {
      const { forwards, back } = await walk({
        name: 'history',
        path: () => `${base}/history?what=changes`,
        items: /Reason|added|changed/g,
        stay: 0,
        between: () => storeProblem('Another'),
      });
      expect(forwards.length).to.be.above(1);
      // On the way back the new entries come first, then the same pages.
      expect(back.slice(-2)).to.equal(forwards.slice(-2));
      const lines = (await owner.get(`${base}/history.csv?what=changes`)).text.trim().split('\r\n');
      expect(new Set(lines.filter((line) => line.includes('document_create'))).size).to.be.above(MANY);
    });

    it('takes a place of another list, of another person or of nobody for the beginning', async () => {
      const first = await owner.open(`${base}/documents/`);
      const place = new URLSearchParams(linkTo(first, 'next', 'place')!.split('?')[1]).get('place')!;
      const begins = async (path: string): Promise<boolean> => /\b1 to /.test(readable(await owner.open(path)));
      expect(await begins(`${base}/timeline?place=${encodeURIComponent(place)}`)).to.be.true();
      expect(await begins(`${base}/documents/?place=${encodeURIComponent(`${place}x`)}`)).to.be.true();
      expect(await begins(`${base}/documents/?place=`)).to.be.true();
      expect(await begins(`${base}/documents/?place=${encodeURIComponent(place)}`)).to.be.false();
      // Its content is sealed and contains neither a name of the list nor an id or a day in clear.
      expect(Buffer.from(place.split('.')[1]!, 'base64url').toString('latin1')).to.not.contain('documents');
      for (const site of [made.member, made.stranger]) {
        expect((await site.get(`${base}/documents/?place=${encodeURIComponent(place)}`)).status).to.equal(404);
      }
      const own = await createRecord(service.call, MEMBER, 'Anna', 'Own');
      const page = await made.member.get(`/my/records/${own}/documents/?place=${encodeURIComponent(place)}`);
      expect(readable(page)).to.contain('One document').and.to.not.contain('Problem-');
    });
  });
}
