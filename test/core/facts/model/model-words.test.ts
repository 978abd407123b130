/** model-words: what a `.words.yaml` file may say, and every problem of one that says something else. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@hapi/code';
import * as Lab from '@hapi/lab';
import { loadModels } from '../../../../core/facts/model/models';

export const lab = Lab.script();
const { describe, it } = lab;

const MODEL = '__modelname__: Nap\nplace: String\nlength: VitalSign\nbegun: DateOnly\nended: Date\n';

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
    const below = load('likely: { length: [1, 600, length] }\nen: {}\n').words?.likely;
    expect(below).to.equal({ length_value: { from: 1, to: 600, atMost: 'length_value' } });
    expect(load('likely: { length: [1, 600, place] }\nen: {}\n').problems).to.have.length(1);
    const wrong =
      'what is possible is [least, most] for a number of the model, or for a date of it past or { not_before: another date }';
    expect(
      load('likely:\n  length: [600, 1]\n  place: [1, 2]\n  lenght: [1, 2]\n  length_value: past\n').problems,
    ).to.equal([2, 3, 4, 5].map((line) => `nap.words.yaml:${line}: ${wrong}`));
    const dates = load('likely: { begun: past, ended: { not_before: begun } }\nen: {}\n');
    expect([dates.problems, dates.words?.likely]).to.equal([[], { begun: 'past', ended: { notBefore: 'begun' } }]);
    expect(load('likely: { ended: { not_before: place } }\nen: {}\n').problems).to.have.length(1);
    expect(load('likely: [1, 2]\n').problems).to.equal([
      'nap.words.yaml:1: likely is a mapping of fields to what is possible, such as { weight: [0.2, 700], date: past }',
    ]);
  });

  it('name unknown fields, languages and shapes with their line', () => {
    expect(load('title: plaec\nEnglish: {}\nen:\n  plaec: Where\n  place: 3\n').problems).to.equal([
      'nap.words.yaml:1: there is no field "plaec"',
      'nap.words.yaml:2: English is none of title, line, date, likely, columns and chart, and no language such as en or pt-BR',
      'nap.words.yaml:4: there is no field plaec',
      'nap.words.yaml:5: write the label of the field, or { label: ..., help: ..., values: { ... } }',
    ]);
  });

  it('may write the title, the columns, the chart and the values of a field', () => {
    const { words, problems } = load(
      'title: "{place}: {length} min"\ncolumns: [place, length]\nchart: { field: length, split: place, unit: min, together: sum }\n' +
        'fr:\n  place: { label: Lieu, values: { bed: Lit } }\n',
    );
    expect(problems).to.equal([]);
    expect(words).to.equal({
      title: ['place', 'length'],
      titleText: '{place}: {length} min',
      columns: ['place', 'length'],
      chart: { field: 'length', split: 'place', unit: 'min', together: 'sum' },
      languages: { fr: { fields: { place: { label: 'Lieu', values: { bed: 'Lit' } } } } },
    });
  });

  it('refuse what these do not know, with its line', () => {
    const found = load(
      'title: "{plaec}, {length"\ncolumns: [lenght]\nchart: { field: place, colour: red }\n' +
        'dee: {}\nen:\n  place: { label: Where, hlep: x, values: [bed] }\n',
    ).problems;
    expect(found).to.equal([
      'nap.words.yaml:1: a title with fields has each field in braces: "{ear}, {hertz} Hz"',
      'nap.words.yaml:1: there is no field "plaec"',
      'nap.words.yaml:2: there is no field "lenght"',
      'nap.words.yaml:3: colour is none of field, split, unit, together',
      'nap.words.yaml:3: it must be a field with numbers (Number, Integer, VitalSign, QuantitativeResult)',
      'nap.words.yaml:4: dee is none of title, line, date, likely, columns and chart, and no language such as en or pt-BR',
      'nap.words.yaml:6: hlep is none of label, help, values',
      'nap.words.yaml:6: values is a mapping of values as they are stored to their words',
    ]);
    expect(load('chart: { field: length, split: other, together: most, unit: 3 }\nen: {}\n').problems).to.equal([
      'nap.words.yaml:1: it must be a field of the kinds String, CodedValue, Integer, Number',
      'nap.words.yaml:1: it must be a field or a unit',
      'nap.words.yaml:1: it must be average or sum',
    ]);
    expect(load('chart: length\nen: {}\n').problems).to.equal([
      'nap.words.yaml:1: chart is { field: ..., split: ..., unit: ..., together: average or sum }',
    ]);
  });

  it('stand beside a model file of their name', () => {
    expect(load('en: {}\n', 'sleep.words.yaml').problems).to.equal([
      'sleep.words.yaml:1: there is no model file of this name beside it: day.words.yaml and day.fhir.yaml belong to day.yaml',
    ]);
  });
});
