/** rules: what the bundled rules say of a few statements; a rule that is taken out or changed makes a case fail. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import type { Model } from '../../../core/facts/model/model';
import type { SameRules } from '../../../core/facts/model/same';
import { CASES, type LineCase } from './cases';
import type { OwnWord } from '../../../core/lines/own-words';
import { bundledModels, idAt, linesAbout, modelNamed, partition } from './told';

export const lab = Lab.script();
const { describe, it } = lab;

/** What a case says, and what the rules of the model say. */
function outcome({ lines, standing, differs, times, perhaps, conflict, says, same }: LineCase, model: Model) {
  const about = (same ?? []).map(idAt);
  const word: OwnWord = { id: 'w', documentId: 'd', verdict: 'same', date: '2026-05-01', about };
  const found = linesAbout(model, says, same ? [word] : []);
  const inOrder = partition(found).map((own) =>
    found.find(({ says: all }) => all.some(({ told }) => Number(told.id.slice(1)) === own[0]))!,
  );
  const [first] = inOrder;
  return {
    said: { lines, standing, differs, times, perhaps, conflict },
    found: {
      lines: partition(found),
      standing: standing && inOrder.map((line) => line.standing),
      differs: differs && first?.differs.map(({ field }) => field),
      times: times === undefined ? undefined : first?.times.length,
      perhaps: perhaps === undefined ? undefined : found.some((line) => line.perhaps.length > 0),
      conflict: conflict === undefined ? undefined : first?.isConflict,
    },
  };
}

const fails = (one: LineCase, model: Model): boolean => {
  const { said, found } = outcome(one, model);
  return JSON.stringify(said) !== JSON.stringify(found);
};

/** The rules with one of them taken out, or a part of one, and what was taken out. */
function mutants(rules: SameRules): readonly (readonly [string, SameRules])[] {
  const without = (key: 'equal' | 'unless' | 'conflict' | 'perhaps') =>
    rules[key].map(
      (rule, at) =>
        [`${key} ${JSON.stringify(rule)}`, { ...rules, [key]: rules[key].filter((_, index) => index !== at) }] as const,
    );
  const { times: _times, ...timeless } = rules;
  return [
    ...(['equal', 'unless', 'conflict', 'perhaps'] as const).flatMap(without),
    ...(rules.times
      ? [['times', timeless] as const, ['apart', { ...rules, times: { ...rules.times, apart: 9999 } }] as const]
      : []),
  ];
}

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
    it(`of ${model.name} all matter`, () => {
      const own = CASES.filter((one) => one.model === model.name);
      const idle = mutants(model.same!)
        .filter(([, rules]) => !own.some((one) => fails(one, { ...model, same: rules })))
        .map(([name]) => name);
      expect(idle).to.equal([]);
    });
  }
});
