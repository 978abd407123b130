/** model-words: what a `.words.yaml` file may say, and every problem of one that says something else. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@hapi/code';
import * as Lab from '@hapi/lab';
import { loadModels } from '../../../core/datamodel/models';

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

  it('name unknown fields, languages and shapes with their line', () => {
    expect(load('title: plaec\nEnglish: {}\nen:\n  plaec: Where\n  place: 3\n').problems).to.equal([
      'nap.words.yaml:1: there is no field "plaec"',
      'nap.words.yaml:2: English is none of title, line and date, and no language such as en or pt-BR',
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
