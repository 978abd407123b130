/** model-words: what a `.words.yaml` file may say, and every problem of one that says something else. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@hapi/code';
import * as Lab from '@hapi/lab';
import { loadModels } from '../../../../core/facts/model/models';

export const lab = Lab.script();
const { describe, it } = lab;

const MODEL = '__modelname__: Nap\nplace: String\nlength: VitalSign\n';

const load = (words: string, file = 'nap.words.yaml') => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-words-'));
  try {
    writeFileSync(join(folder, 'nap.yaml'), MODEL);
    writeFileSync(join(folder, file), words);
    const { models, problems } = loadModels([folder], 'https://v.example');
    return { words: models.find('Nap')?.words, problems: problems.map((one) => one.replace(`${folder}/`, '')) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

describe('words of a model', () => {
  it('are labels with or without help, in any language', () => {
    const { words, problems } = load(
      'title: [place]\nen:\n  __modelname__: { many: Naps, one: Nap }\n  place: { label: Where, help: A room }\nde:\n  place: Wo\n',
    );
    expect(problems).to.equal([]);
    expect(words).to.equal({
      title: ['place'],
      languages: {
        en: { many: 'Naps', one: 'Nap', fields: { place: { label: 'Where', help: 'A room' } } },
        de: { fields: { place: { label: 'Wo' } } },
      },
    });
  });

  it('may name what several columns have in common', () => {
    expect(load('en: { length_name: Kind, length_value: Minutes }\n').problems).to.equal([]);
  });

  it('may say which values are possible, for numbers and dates of the model', () => {
    const { words, problems } = load('likely: { length: [1, 600] }\nen: {}\n');
    expect(problems).to.equal([]);
    expect(words?.likely).to.equal({ length_value: { from: 1, to: 600 } });
    const wrong = 'what is possible is [least, most] for a number of the model, or past for a date of it';
    expect(
      load('likely:\n  length: [600, 1]\n  place: [1, 2]\n  lenght: [1, 2]\n  length_value: past\n').problems,
    ).to.equal([2, 3, 4, 5].map((line) => `nap.words.yaml:${line}: ${wrong}`));
    expect(load('likely: [1, 2]\n').problems).to.equal([
      'nap.words.yaml:1: likely is a mapping of fields to what is possible, such as { weight: [0.2, 700], date: past }',
    ]);
  });

  it('name unknown fields, languages and shapes with their line', () => {
    expect(load('title: plaec\nEnglish: {}\nen:\n  plaec: Where\n  place: 3\n').problems).to.equal([
      'nap.words.yaml:1: there is no field "plaec"',
      'nap.words.yaml:2: English is none of title, line, date and likely, and no language such as en or pt-BR',
      'nap.words.yaml:4: there is no field plaec',
      'nap.words.yaml:5: write the label of the field, or { label: ..., help: ... }',
    ]);
  });

  it('stand beside a model file of their name', () => {
    expect(load('en: {}\n', 'sleep.words.yaml').problems).to.equal([
      'sleep.words.yaml:1: there is no model file of this name beside it: day.words.yaml and day.fhir.yaml belong to day.yaml',
    ]);
  });
});
