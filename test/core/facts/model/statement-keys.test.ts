/** statement-keys: statements of a document are recognized when it is read again, corrected or extended. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { withStatements } from '../../../../core/facts/model/statement-keys';
import type { Fact } from '../../../../core/facts/plans';

export const lab = Lab.script();
const { describe, it } = lab;

const fact = (name: string, statement = '', model = 'M', children: Fact['children'] = {}): Fact => ({
  model,
  statement,
  values: { name, note: null },
  children,
});
const together = (model: string): boolean => model === 'Together';
const keys = (...facts: readonly Fact[]): readonly string[] =>
  withStatements(facts, together).map(({ statement }) => statement);

describe('withStatements', () => {
  it('keeps what the source calls a statement, for each of its facts where they are one', () => {
    const part = (name: string): Fact => fact(name, 'Allergy/1', 'Together');
    expect(keys(part('a'), part('b'), fact('c'))).to.equal(['source:Allergy/1', 'source:Allergy/1', 'only']);
  });

  it('numbers the facts of one key where each is a statement of its own', () => {
    expect(keys(fact('a', 'Condition/1'), fact('b', 'Condition/1'), fact('c', 'Condition/2'))).to.equal([
      'source:Condition/1',
      'source:Condition/1#2',
      'source:Condition/2',
    ]);
  });

  it('knows the one fact of a model whatever it says', () => {
    expect(keys(fact('a'), fact('x', '', 'Other'))).to.equal(keys(fact('corrected'), fact('y', '', 'Other')));
  });

  it('knows several by what they say, whichever is added, taken away or moved, and equal ones by their order', () => {
    const [a, b, again] = keys(fact('a'), fact('b'), fact('a')) as [string, string, string];
    expect(new Set([a, b, again]).size).to.equal(3);
    expect(keys(fact('new'), fact('b'), fact('a'), fact('a')).slice(1)).to.equal([b, a, again]);
    expect(keys(fact('a'), fact('new'))[0]).to.equal(a);
  });

  it('is not changed by a new column that is empty, nor by the order of columns', () => {
    const more: Fact = { model: 'M', statement: '', values: { added: null, note: null, name: 'a' }, children: {} };
    expect(keys(more, fact('b'))).to.equal(keys(fact('a'), fact('b')));
  });

  it('takes a text and a number for different', () => {
    const value = (of: string | number): Fact => ({ model: 'M', statement: '', values: { of }, children: {} });
    expect(new Set(keys(value('1'), value(1))).size).to.equal(2);
  });

  it('names what is nested within what it is nested in, one and many', () => {
    const tree = (name: string): Fact =>
      fact(name, `key ${name}`, 'M', {
        one: fact('in', '', 'N'),
        many: [fact('k1', '', 'K'), fact('k2', 'own', 'K')],
        none: null,
        empty: [],
      });
    const [first, second] = withStatements([tree('a'), tree('b')], together) as [Fact, Fact];
    expect((first.children['one'] as Fact).statement).to.equal('source:key a/one/only');
    expect((second.children['one'] as Fact).statement).to.equal('source:key b/one/only');
    expect((first.children['many'] as readonly Fact[]).map(({ statement }) => statement)).to.equal([
      'source:key a/many/only',
      'source:own',
    ]);
    expect(first.children['none']).to.be.null();
    expect(first.children['empty']).to.equal([]);
  });
});
