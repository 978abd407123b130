/** paging: what every list call must do when a caller reads it page by page (specification 4.9). */
import { expect } from '@hapi/code';
import type { Answer } from './client';
import { inTurn } from './cast';
import { succeeded } from './world';

/** Names of properties that every JavaScript object has; a caller may send them like any other name. */
const inherited = ['constructor', 'toString', 'hasOwnProperty', '__proto__', '-constructor'];

const badPaging = ['limit=zz', 'limit=-1', 'limit=1.5', 'offset=zz', 'offset=-1', 'status=gone'];

/** Reads the list at an address page by page: the pages together are the whole list, and invalid paging is refused. */
export const pagesAsWhole = async (
  get: (address: string) => Promise<Answer>,
  address: string,
  entriesIn: (answer: Answer) => readonly string[],
): Promise<void> => {
  const list = (query: string): Promise<Answer> =>
    get(query === '' ? address : `${address}${address.includes('?') ? '&' : '?'}${query}`);
  const whole = entriesIn(succeeded(await list('')));
  expect(whole.length).to.be.above(1);
  expect(new Set(whole).size).to.equal(whole.length);
  const pages = await inTurn([...whole.keys()], async (offset) =>
    entriesIn(succeeded(await list(`limit=1&offset=${offset}&order_by=nonsense`))),
  );
  expect(pages).to.equal(whole.map((entry) => [entry]));
  expect(entriesIn(succeeded(await list('offset=1')))).to.equal(whole.slice(1));
  expect(entriesIn(succeeded(await list(`offset=${whole.length}`)))).to.equal([]);
  const none = succeeded(await list('limit=0'));
  expect(entriesIn(none)).to.equal([]);
  expect([none.headers['x-limit'], none.headers['x-offset']]).to.equal(['0', '0']);
  for (const name of inherited) {
    expect(entriesIn(succeeded(await list(`order_by=${name}`))), name).to.have.length(whole.length);
    expect((await list(`type=${name}`)).status, name).to.be.below(500);
  }
  for (const query of badPaging) {
    expect((await list(query)).status, query).to.equal(400);
  }
};
