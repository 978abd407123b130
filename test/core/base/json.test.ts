/** json: a text read with all digits of its numbers is the same with long texts inside, however they are written. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { parse } from 'lossless-json';
import { parseExactJson } from '../../../core/base/json';
import { amount } from '../../support/amount';
import { below, pick, randomFrom, type Random } from '../../support/random';

export const lab = Lab.script();
const { describe, it } = lab;

const PIECES = ['a', '"', '\\', '\\\\"', '\n', '\u00e9', '\ud83d\ude00', '\u0000', '":{[,', '}]'];

const textOf = (random: Random): string => {
  const piece = Array.from({ length: 1 + below(random, 8) }, () => pick(random, PIECES)).join('');
  return below(random, 3) === 0 ? piece.repeat(1 + below(random, 900)) : piece;
};

const valueOf = (random: Random, depth = 0): string => {
  const many = (make: () => string): string =>
    Array.from({ length: below(random, 4) }, make).join(pick(random, [',', ' , ']));
  switch (depth > 4 ? 0 : below(random, 5)) {
    case 1:
      return `{${many(() => `${JSON.stringify(textOf(random))}: ${valueOf(random, depth + 1)}`)}}`;
    case 2:
      return `[${many(() => valueOf(random, depth + 1))}]`;
    case 3:
      return pick(random, ['7.50', '-0', '1e400', '123456789012345678901', 'true', 'null']);
    default:
      return JSON.stringify(textOf(random));
  }
};

/** What a reader makes of it, or the place where it stops. */
const outcomeOf = (read: (json: string) => unknown, json: string): unknown => {
  try {
    return { value: read(json) };
  } catch (error) {
    return `${(error as Error).name} in line ${json.slice(0, Number(/position (\d+)/.exec((error as Error).message)?.[1])).split('\n').length}`;
  }
};

describe('JSON with all digits of its numbers', () => {
  it('is the same with long texts, and stops in the same line', () => {
    let stopped = 0;
    for (let seed = 0; seed < amount(300, 5000); seed += 1) {
      const random = randomFrom(seed);
      const json = `{"long":\n${JSON.stringify('x'.repeat(below(random, 2) * 2000))},\n"rest":${valueOf(random)}}`;
      expect(outcomeOf(parseExactJson, json), String(seed)).to.equal(outcomeOf(parse, json));
      const cut = json.slice(0, below(random, json.length));
      const spoilt = `${cut}${pick(random, ['', '!', '\n', '\\q', '"'])}${json.slice(cut.length)}`;
      const outcome = outcomeOf(parse, spoilt);
      stopped += typeof outcome === 'string' ? 1 : 0;
      expect(outcomeOf(parseExactJson, spoilt), String(seed)).to.equal(outcome);
    }
    expect(stopped).to.be.above(50);
  });

  it('has the long texts at their places, as names, too', () => {
    const long = 'n'.repeat(2000);
    expect(parseExactJson(`{"a":["${long}",{"b":"${long}"}],"${long}":1.50}`)).to.equal(
      parse(`{"a":["${long}",{"b":"${long}"}],"${long}":1.50}`),
    );
  });

  it('needs little processor time for a text of megabytes', () => {
    const json = `{"resourceType":"${'x'.repeat(9_000_000)}"}`;
    const timeOf = (read: (text: string) => unknown): number => {
      const before = process.cpuUsage().user;
      read(json);
      return process.cpuUsage().user - before;
    };
    expect(timeOf(parseExactJson) * 4).to.be.below(timeOf(parse));
  });
});
