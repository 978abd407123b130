/** told: statements for tests of lines, and lines without the ids of statements. */
import { loadModels } from '../../../core/facts/model/models';
import { measuredOf } from '../../../core/lab-tests/measured';
import type { CodeTables } from '../../../core/facts/code-tables';
import { inProject } from '../../../core/base/paths';
import { linesOf, type Line } from '../../../core/lines/lines';
import type { OwnWord } from '../../../core/lines/own-words';
import type { Told } from '../../../core/lines/told';
import type { Model } from '../../../core/facts/model/model';

const { models, problems } = loadModels([inProject('datamodels')], 'https://svc.example/vocab');
if (problems.length > 0) {
  throw new Error(problems.join('\n'));
}

export const bundledModels = models;

export const NOW = Date.parse('2026-06-01T12:00:00Z');

/** Relations as NLM's would be, made up. */
export const codes: CodeTables = {
  systems: models.codes!.systems,
  relations: {
    ...models.codes!.relations,
    'rxnorm-products': { kind: 'same-product', targets: { 'RxNorm|90': 'RxNorm|9', 'RxNorm|91': 'RxNorm|9' } },
    'rxnorm-ingredients': { kind: 'ingredient', targets: { 'RxNorm|9': 'RxNorm|1', 'RxNorm|8': 'RxNorm|1' } },
  },
};

export const modelNamed = (name: string): Model => models.find(name)!;

export type Saying = Readonly<Record<string, unknown>>;

/** `_said`, `_doc`, `_source`, `_older` and `_also` are about the statement itself; the rest are columns. */
export function told(saying: Saying, id: string): Told {
  const { _said = '', _doc = `doc-${id}`, _source = _doc, _older = false, _also, ...values } = saying;
  const [value, unit] = ['value', 'unit'].map((part) => String(values[`quantitative_result_value_${part}`] ?? ''));
  const measured = measuredOf(models.labTests, String(values['test_name_identifier'] ?? ''), value!, unit!);
  return {
    id,
    documentId: String(_doc),
    source: String(_source),
    said: String(_said),
    isOlder: _older === true,
    values,
    ...(_also === undefined ? {} : { also: _also as Told['also'] }),
    facts: [],
    ...(measured ? { measured } : {}),
  };
}

export const idAt = (at: number): string => `s${String(at).padStart(4, '0')}`;

export function linesAbout(model: Model, sayings: readonly Saying[], words: readonly OwnWord[] = []): readonly Line[] {
  return linesOf({ model, codes, words, now: NOW, statements: sayings.map((one, at) => told(one, idAt(at))) });
}

/** The numbers of the statements of each line, from the least. */
export function partition(lines: readonly Line[]): readonly (readonly number[])[] {
  return lines
    .map(({ says }) => says.map(({ told: { id } }) => Number(id.slice(1))).sort((a, b) => a - b))
    .sort((a, b) => a[0]! - b[0]!);
}

/** All that is said of lines, with statements named by what they say instead of by ids. */
export function withoutIds(lines: readonly Line[]): string {
  const words = new Map(lines.flatMap(({ says }) => says.map(({ told: one }) => [one.id, JSON.stringify(one.values)])));
  const lineWords = new Map(lines.map(({ id, says }) => [id, says.map(({ told: one }) => words.get(one.id)).join()]));
  return JSON.stringify(
    lines.map(({ id: _id, says, shown, differs, perhaps, ownWords: _ownWords, ...line }) => ({
      ...line,
      says: says.map(({ told: one, rules, ...rest }) => ({ ...rest, rules, values: one.values, said: one.said })),
      shown: shown.values,
      differs: differs.map(({ field, statements }) => [field, statements.map((id) => words.get(id)).sort()]),
      perhaps: perhaps.map((id) => lineWords.get(id)),
    })),
  );
}
