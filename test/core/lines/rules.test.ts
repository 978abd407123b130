/** rules: what the bundled rules say of a few statements; a rule that is taken out or changed makes a case fail. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import type { Model } from '../../../core/facts/model/model';
import type { SameRules } from '../../../core/facts/model/same';
import { CASES, type LineCase } from './cases';
import type { OwnWord } from '../../../core/lines/own-words';
import type { CodeTables } from '../../../core/facts/code-tables';
import { linesOf } from '../../../core/lines/lines';
import { standingOf } from '../../../core/lines/standing';
import { bundledModels, idAt, linesAbout, modelNamed, NOW, partition, told } from './told';

export const lab = Lab.script();
const { describe, it } = lab;

/** What a case says, and what the rules of the model say. */
function outcome({ says, same, ...said }: LineCase, model: Model) {
  const { lines, standing, differs, times, perhaps, conflict, shown, group, first: begun, history } = said;
  const about = (same ?? []).map(idAt);
  const word: OwnWord = { id: 'w', documentId: 'd', verdict: 'same', date: '2026-05-01', about };
  const found = linesAbout(model, says, same ? [word] : []);
  const inOrder = partition(found).map((own) =>
    found.find(({ says: all }) => all.some(({ told }) => Number(told.id.slice(1)) === own[0]))!,
  );
  const [first] = inOrder;
  return {
    said: { lines, standing, differs, times, perhaps, conflict, shown, group, begun, history },
    found: {
      lines: partition(found),
      standing: standing && inOrder.map((line) => line.standing),
      differs: differs && first?.differs.map(({ field }) => field),
      times: times === undefined ? undefined : first?.times.length,
      perhaps: perhaps === undefined ? undefined : found.some((line) => line.perhaps.length > 0),
      conflict: conflict === undefined ? undefined : first?.isConflict,
      shown: shown === undefined ? undefined : Number(first?.shown.id.slice(1)),
      group: group === undefined ? undefined : first?.group,
      begun: begun === undefined ? undefined : first?.first,
      history:
        history &&
        first?.says
          .filter(({ isFormer }) => isFormer)
          .map(({ told }) => Number(told.id.slice(1)))
          .sort(),
    },
  };
}

const fails = (one: LineCase, model: Model): boolean => {
  const { said, found } = outcome(one, model);
  return JSON.stringify(said) !== JSON.stringify(found);
};

type Mutant = readonly [name: string, rules: SameRules];

/** A value with one entry of one of its lists taken out, for each entry of each list of several. */
function thinner(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) {
    const list = value as readonly unknown[];
    const less = list.length < 2 ? [] : list.map((_, at) => list.filter((_one, index) => index !== at));
    return [...less, ...list.flatMap((one, at) => thinner(one).map((other) => list.with(at, other)))];
  }
  return typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, one]) => thinner(one).map((other) => ({ ...value, [key]: other })))
    : [];
}

/** Whether statements that are one may have different words, so that it matters which of them lends its words. */
const canDifferInWords = ({ equal }: SameRules): boolean =>
  equal.some(({ code, test }) => (code ?? test) !== undefined);

/** The rules with one of them taken out, or a part of one, and what was taken out. */
function mutants(rules: SameRules): readonly Mutant[] {
  const changed = (name: string, change: Partial<SameRules>): Mutant => [name, { ...rules, ...change }];
  const lists = (['equal', 'unless', 'conflict', 'perhaps'] as const).flatMap((key) =>
    rules[key].flatMap((rule, at) => [
      changed(`${key} ${JSON.stringify(rule)}`, { [key]: rules[key].filter((_, index) => index !== at) }),
      ...thinner(rule).map((part) =>
        changed(`${key} ${JSON.stringify(rule)} as ${JSON.stringify(part)}`, {
          [key]: rules[key].map((one, index) => (index === at ? part : one)),
        } as Partial<SameRules>),
      ),
    ]),
  );
  const { times, when, group, ...rest } = rules;
  const without = (name: 'times' | 'when' | 'group'): readonly Mutant[] =>
    rules[name] === undefined ? [] : [[name, { ...rest, times, when, group, [name]: undefined } as SameRules]];
  return [
    ...lists,
    ...without('times'),
    ...without('when'),
    ...without('group'),
    ...(times ? [changed('apart', { times: { ...times, apart: 9999 } })] : []),
    ...(times?.until === undefined ? [] : [changed('until', { times: { from: times.from, apart: times.apart } })]),
    ...(canDifferInWords(rules) ? [changed('shows', { shows: 'most-said' })] : []),
  ];
}

describe('bundled rules of what happens once', () => {
  it('call no event over: it is there, or it was not done', () => {
    const events = bundledModels.all.filter(({ same }) => same?.what === 'event');
    expect(events.map(({ name }) => name)).to.include(['LabResult', 'Measurement', 'Procedure', 'VitalSigns']);
    for (const model of events) {
      for (const [status, standing] of [
        ['completed', 'open'],
        ['final', 'open'],
        ['cancelled', 'undone'],
        ['entered-in-error', 'undone'],
      ] as const) {
        const found = standingOf(model, { status_identifier: status }, NOW);
        expect([model.name, status, found]).to.equal([model.name, status, standing]);
      }
    }
    expect(standingOf(modelNamed('Medication'), { status_identifier: 'completed' }, NOW)).to.equal('over');
  });
});

describe('bundled relations', () => {
  it('all matter: each row alone makes a question of two shots of one day', () => {
    const model = modelNamed('Immunization');
    const { targets } = bundledModels.codes!.relations['cvx-groups']!;
    const asksWith = (known: typeof targets, [one, other]: readonly string[]): boolean => {
      const says = [one, other].map((code, at) => ({
        product_name_title: `Vaccine ${at}`,
        product_name_identifier: code!.split('|')[1],
        product_name_system: 'http://hl7.org/fhir/sid/cvx',
        date: '2025-10-02T00:00:00.000000Z',
      }));
      const codes = { ...bundledModels.codes!, relations: { 'cvx-groups': { kind: 'vaccine-group', targets: known } } };
      const lines = linesOf({
        model,
        codes: codes as CodeTables,
        words: [],
        now: NOW,
        statements: says.map((one, at) => told(one, idAt(at))),
      });
      expect(lines.length).to.equal(2);
      return lines.some(({ perhaps }) => perhaps.length > 0);
    };
    const rows = Object.entries(targets);
    expect(rows.length).to.be.above(15);
    const idle = rows.filter(([code, target]) => {
      const { [code]: _row, ...others } = targets;
      return !asksWith(targets, [code, target]) || asksWith(others, [code, target]);
    });
    expect(idle).to.equal([]);
  });
});

describe('bundled rules', () => {
  for (const [at, one] of CASES.entries()) {
    it(`say of case ${at} of ${one.model} what they should`, () => {
      const { said, found } = outcome(one, modelNamed(one.model));
      expect(JSON.stringify(found)).to.equal(JSON.stringify(said));
    });
  }

  it('are there for the models that come from many sources', () => {
    expect(bundledModels.all.filter(({ same }) => same).map(({ name }) => name)).to.equal([
      'Allergy',
      'AllergyExclusion',
      'Equipment',
      'Immunization',
      'LabResult',
      'Measurement',
      'Medication',
      'Problem',
      'Procedure',
      'SocialHistory',
      'VitalSigns',
    ]);
  });

  for (const model of bundledModels.all.filter(({ same }) => same)) {
    it(`of ${model.name} all matter, to the last word of them`, () => {
      const own = CASES.filter((one) => one.model === model.name);
      const idle = mutants(model.same!)
        .filter(([, rules]) => !own.some((one) => fails(one, { ...model, same: rules })))
        .map(([name]) => name);
      expect(idle).to.equal([]);
    });
  }
});
