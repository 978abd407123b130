/** passwords: argon2id with the same work for everybody, and one Unicode form for every letter. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { makePasswords } from '../../../core/auth/passwords';

export const lab = Lab.script();
const { describe, it } = lab;

describe('passwords', () => {
  const passwords = makePasswords(8);

  it('are stored as argon2id with their parameters and a salt of their own', async () => {
    const [one, two] = await Promise.all([passwords.hash('correct horse'), passwords.hash('correct horse')]);
    expect(one).to.match(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(one).to.not.equal(two);
    expect(one!.length).to.be.below(300);
  });

  it('fit their own hash only', async () => {
    const hash = await passwords.hash('correct horse');
    expect(await passwords.verify(hash, 'correct horse')).to.be.true();
    expect(await passwords.verify(hash, 'correct horsf')).to.be.false();
    expect(await passwords.verify(hash, '')).to.be.false();
  });

  it('are the same however their letters are composed', async () => {
    expect(await passwords.verify(await passwords.hash('caf\u00e9 au lait'), 'cafe\u0301 au lait')).to.be.true();
  });

  it('are never right for an unknown user, after the same work', async () => {
    const hash = await passwords.hash('correct horse');
    await passwords.verify(null, 'warm up');
    // Processor time, which is the same on a busy machine.
    const workOf = async (stored: string | null): Promise<number> => {
      const before = process.cpuUsage();
      for (let round = 0; round < 5; round += 1) {
        expect(await passwords.verify(stored, 'wrong password')).to.be.false();
      }
      return process.cpuUsage(before).user;
    };
    const [known, unknown] = [await workOf(hash), await workOf(null)];
    expect(unknown).to.be.above(known / 4);
    expect(await passwords.verify(null, 'the hash that stands in for unknown users')).to.be.false();
  });

  it('longer than may be set are refused without being hashed', async () => {
    const hash = await passwords.hash('');
    expect(await passwords.verify(hash, 'x'.repeat(1025))).to.be.false();
  });

  it('have so many characters as the setting says, to 1024 bytes', () => {
    const { problem } = passwords;
    expect(problem('1234567', [])).to.match(/at least 8/);
    expect(problem('🔑'.repeat(7), [])).to.match(/at least 8/);
    expect(problem('🔑'.repeat(8), [])).to.be.undefined();
    expect(problem('x'.repeat(1024), [])).to.be.undefined();
    expect(problem('é'.repeat(513), [])).to.match(/at most 1024/);
    const long = makePasswords(12);
    expect(long.problem('x'.repeat(11), [])).to.match(/at least 12/);
    expect(long.problem('x'.repeat(12), [])).to.be.undefined();
  });

  it('are none of the 10,000 commonest, however their letters are written, and whatever the least length is', () => {
    for (const common of ['12345678', 'password', 'PassWord', 'qwertyuiop', '24081990']) {
      expect(passwords.problem(common, []), common).to.match(/commonest/);
    }
    const short = makePasswords(4);
    expect(short.problem('1234', [])).to.match(/commonest/);
    expect(short.problem('xq7k', [])).to.be.undefined();
    expect(passwords.problem('12345678 and more', [])).to.be.undefined();
  });

  it('do not hold the name, the user name or the address of the person', () => {
    const names = ['anna.berg@people.example', 'Ann-Marie Österlund', 'abc'];
    for (const held of [
      'anna2026!',
      'my BERG is high',
      'xx\u00d6STERLUNDxx',
      'marie-loves-me',
      'Anna.Berg@people.example1',
    ]) {
      expect(passwords.problem(held, names), held).to.match(/name/);
    }
    // Three letters occur in many words by chance.
    for (const fine of ['abcdefgh-123', 'people of this house', 'annual reports']) {
      expect(passwords.problem(fine, names), fine).to.be.undefined();
    }
  });
});
