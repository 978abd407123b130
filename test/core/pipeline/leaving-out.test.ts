/** leaving out: what a person left out is found again in a document that is read anew, and nothing else goes with it. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { inProject } from '../../../core/base/paths';
import type { Json } from '../../../core/base/types';
import { readFacts } from '../../../core/facts/model/fact';
import { loadModels } from '../../../core/facts/model/models';
import type { Fact } from '../../../core/facts/plans';
import { sentStatementsOf } from '../../../core/lines/sent-rows';
import {
  asLeftOut,
  factName,
  recognizedAgain,
  saidAgain,
  untickedFacts,
  withoutFacts,
} from '../../../core/pipeline/leaving-out';
import type { ReadDocument } from '../../../core/pipeline/steps';

export const lab = Lab.script();
const { describe, it } = lab;

const { models } = loadModels([inProject('datamodels')], 'https://v.example');
const facts = (...sdmj: readonly Json[]): readonly Fact[] => readFacts(models, sdmj as Json, 'all');
const problem = (name: string, more: Readonly<Record<string, Json>> = {}): Json => ({
  __modelname__: 'Problem',
  name_title: name,
  ...more,
});
const titles = (all: Iterable<Fact>): readonly unknown[] => [...all].map(({ values }) => values['name_title']);
const leftOut = (all: readonly Fact[], ...which: readonly number[]) => asLeftOut(which.map((index) => all[index]!));
const documentOf = (all: readonly Fact[], more: Partial<ReadDocument> = {}): ReadDocument => ({
  type: 't',
  validated: true,
  entry: 'e',
  fingerprint: 'f',
  facts: all,
  leftOut: [],
  ...more,
});

describe('what was left out', () => {
  it('is found by what it says, wherever it stands', () => {
    const before = leftOut(facts(problem('Cough'), problem('Fever'), problem('Rash')), 1);
    const { out, kept } = recognizedAgain(facts(problem('Fever'), problem('Rash'), problem('New')), before);
    expect([titles(out), kept.length, kept[0]!.isGone]).to.equal([['Fever'], 1, undefined]);
  });

  it('is one of two that say the same, where one of two was left out', () => {
    const two = facts(problem('Cough'), problem('Cough'), problem('Rash'));
    expect([...recognizedAgain(two, leftOut(two, 1)).out]).to.equal([two[1]!]);
  });

  it('is the same statement of its source, whatever it says now', () => {
    const of = (name: string) =>
      facts(problem(name, { __statement__: 'urn:a' }), problem('B', { __statement__: 'urn:b' }));
    expect(titles(recognizedAgain(of('Coughing'), leftOut(of('Cough'), 0)).out)).to.equal(['Coughing']);
  });

  it('is what says the same and more', () => {
    const before = leftOut(facts(problem('Cough'), problem('Rash')), 0);
    const more = problem('Cough', { notes: 'since May' });
    expect(titles(recognizedAgain(facts(problem('Rash'), more), before).out)).to.equal(['Cough']);
  });

  it('is whatever its source calls by the same id, also a fact of another model', () => {
    const before = leftOut(facts(problem('Cough', { __statement__: 'urn:a' }), problem('Rash')), 0);
    const other = { __modelname__: 'Allergy', allergen_title: 'Cough', __statement__: 'urn:a' };
    expect([...recognizedAgain(facts(problem('Rash'), other), before).out].map(({ model }) => model)).to.equal([
      'Allergy',
    ]);
  });

  it('stays named when it is found no more', () => {
    const before = leftOut(facts(problem('Cough'), problem('Rash')), 0);
    const { out, kept } = recognizedAgain(facts(problem('Fever'), problem('Rash')), before);
    expect([out.size, kept]).to.equal([0, [{ ...before[0]!, isGone: true }]]);
  });

  it('is the same in a new version only where that says the same', () => {
    const of = (name: string) =>
      facts(problem(name, { __statement__: 'urn:a' }), problem('B', { __statement__: 'urn:b' }));
    expect(titles(saidAgain(of('Cough'), leftOut(of('Cough'), 0)))).to.equal(['Cough']);
    expect(saidAgain(of('Coughing'), leftOut(of('Cough'), 0)).size).to.equal(0);
  });
});

describe('ticks', () => {
  it('name facts of the document only, and never the person', () => {
    const all = facts(problem('Cough'), problem('Rash'), { __modelname__: 'Allergy', allergen_title: 'Latex' });
    const names = all.map(factName);
    const unticked = (names: readonly string[], restOf: readonly string[], offered: readonly string[]) =>
      untickedFacts(all, { names, restOf, offered });
    expect([...unticked([names[1]!], [], names)]).to.equal([all[1]!]);
    expect([...unticked([], ['Problem'], [names[0]!])]).to.equal([all[1]!]);
    expect([...unticked([], [], ['of an older reading'])]).to.equal([]);
    expect(() => unticked(['0123456789abcdef'], [], names)).to.throw(/none of this document/);
    expect(() => unticked([names[0]!], [], [...names, '0123456789abcdef'])).to.throw(/none of this document/);
    const person = [{ ...all[0]!, model: 'Demographics' }];
    expect(() => untickedFacts(person, { names: person.map(factName), restOf: [], offered: [] })).to.throw();
  });
});

describe('a document without some facts', () => {
  const result = (name: string): Json => ({ __modelname__: 'LabResult', test_name_title: name, __label__: name });
  const panel = (...members: readonly string[]): Json => ({
    __modelname__: 'LabPanel',
    name_title: 'Blood',
    results: members.map((member) => ({ __modelname__: 'LabPanelResult', result: member })),
  });

  it('counts what the person left out beside what could not be read', () => {
    const all = facts(problem('Cough'), problem('Rash'), problem('Fever'));
    const read = documentOf(all, { leftOut: [{ model: 'Problem', reason: 'negated', count: 1 }] });
    expect(withoutFacts(models, read, new Set([all[0]!, all[2]!])).leftOut).to.equal([
      { model: 'Problem', reason: 'negated', count: 1 },
      { model: 'Problem', reason: 'by_person', count: 2 },
    ]);
    expect(withoutFacts(models, read, new Set())).to.shallow.equal(read);
  });

  it('has panels without the results that are left out, and no panel without any', () => {
    const all = facts(result('Sodium'), result('Iron'), panel('Sodium', 'Iron'));
    const one = withoutFacts(models, documentOf(all), new Set([all[0]!]));
    expect(one.facts.map(({ model }) => model)).to.equal(['LabResult', 'LabPanel']);
    expect(one.facts[1]!.children['results']).to.have.length(1);
    const none = withoutFacts(models, documentOf(all), new Set([all[0]!, all[1]!]));
    expect(none.facts).to.equal([]);
    expect(none.leftOut).to.equal([{ model: 'LabResult', reason: 'by_person', count: 2 }]);
  });

  it('has no resource and no identifiers of what is left out, and keeps what others need', () => {
    const all = facts(
      problem('Cough', { __statement__: 'urn:a', __part__: '1 3' }),
      problem('Rash', { __statement__: 'urn:b', __part__: '2 3' }),
    );
    const kept = ['urn:a', 'urn:b', 'urn:visit'].map((key, part) => ({
      part,
      type: part === 2 ? 'Encounter' : 'Condition',
      key,
      text: '{}',
      values: [],
      isMended: false,
    }));
    const outline = kept.map(() => ({ identifiers: [{ system: 's', value: 'v' }] }));
    const read = documentOf(all, { kept, outline: outline as unknown as NonNullable<ReadDocument['outline']> });
    const less = withoutFacts(models, read, new Set([all[0]!]));
    expect(less.kept!.map(({ key }) => key)).to.equal(['urn:b', 'urn:visit']);
    expect(less.outline!.map(({ identifiers }) => identifiers.length)).to.equal([0, 1, 1]);
  });

  it('still has it in the list of its sender, and nothing older is replaced by it', () => {
    const source = { sender: 'clinic', kind: 'summary', lists: 'Problem', date: '2026-05-01' };
    const sent = { system: 'urn:oid:1', value: '7' };
    const all = facts(problem('Cough'), problem('Rash')).map((fact) => ({ ...fact, sent }));
    const less = withoutFacts(models, documentOf(all, { source }), new Set([all[0]!]));
    const rows = sentStatementsOf(models, less, { documentId: 'd', lineageId: 'l' });
    expect(rows.map(({ name, line, value }) => [name !== null, line !== null, value])).to.equal([
      [true, false, null],
      [true, true, '7'],
    ]);
  });
});
