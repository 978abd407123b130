/** models: model files that load, and every problem of those that do not, with file and line. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { inProject } from '../../../../core/base/paths';
import { loadModels } from '../../../../core/facts/model/models';

export const lab = Lab.script();
const { describe, it, afterEach } = lab;

let folders: string[] = [];
const folderWith = (files: Readonly<Record<string, string>>): string => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-models-'));
  folders.push(folder);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
};

const load = (files: Readonly<Record<string, string>>) => loadModels([folderWith(files)], 'https://v.example');
/** Problems without the folder's path. */
const problemsOf = (files: Readonly<Record<string, string>>): readonly string[] => {
  const folder = folderWith(files);
  return loadModels([folder], 'https://v.example').problems.map((problem) => problem.replaceAll(`${folder}/`, ''));
};

afterEach(() => {
  folders.forEach((folder) => rmSync(folder, { recursive: true, force: true }));
  folders = [];
});

describe('loadModels', () => {
  it('loads the models that the service ships without a problem', () => {
    const { models, problems } = loadModels([inProject('datamodels')], 'https://v.example');
    expect(problems).to.equal([]);
    const counts = Object.fromEntries(models.all.map((model) => [model.name, model.columns.length]));
    expect(counts).to.include({
      Demographics: 25,
      Encounter: 57,
      Fill: 36,
      Medication: 52,
      Procedure: 17,
      VitalSigns: 63,
    });
    expect(models.find('medication')?.relations).to.equal([{ field: 'fulfillments', model: 'Fill', many: true }]);
    expect(models.find('VITALSIGNS')?.relations).to.equal([{ field: 'encounter', model: 'Encounter', many: false }]);
    expect(models.find('Fill')?.parent).to.equal({ model: 'Medication', field: 'fulfillments', many: true });
    expect(models.find('demographics')?.builtin).to.be.true();
    expect(models.find('NoSuchModel')).to.be.undefined();
    expect(models.find('constructor')).to.be.undefined();
  });

  it('reads a folder once however many links lead to it, and names links that lead nowhere', () => {
    const folder = folderWith({
      'a/one.yaml': '__modelname__: One\nx: String',
      'b/two.yaml': '__modelname__: Two\nx: String',
    });
    for (const [link, target] of [
      ['a/up', '..'],
      ['b/up', '..'],
      ['b/loop', 'loop'],
      ['.#one.yaml', 'nobody@nowhere'],
      ['gone.yaml', 'nowhere.yaml'],
    ] as const) {
      symlinkSync(target, join(folder, link));
    }
    const { models, problems } = loadModels([folder], 'v');
    expect(models.all.map(({ name }) => name)).to.equal(['Demographics', 'One', 'Two']);
    expect(problems.map((problem) => problem.replace(`${folder}/`, ''))).to.equal([
      'b/loop:1: it cannot be read: ELOOP',
      'gone.yaml:1: it cannot be read: the link leads nowhere',
    ]);
  });

  it('reads plain SDML in JSON, tabs and all, one definition or a list', () => {
    const { models, problems } = load({
      'one.sdml': '{\n\t"__modelname__": "One",\n\t"name": "CodedValue",\n\t"when": "Date"\n}',
      'deep/er/two.json':
        '[{"__modelname__": "Two", "n": "Number"}, {"__modelname__": "Three", "kids": [{"__modelname__": "Four", ' +
        '"pet": {"__modelname__": "Five"}}]}]',
    });
    expect(problems).to.equal([]);
    expect(models.all.map(({ name }) => name)).to.equal(['Demographics', 'Five', 'Four', 'One', 'Three', 'Two']);
    expect(models.find('One')?.columns.map(({ name }) => name)).to.equal([
      'name_identifier',
      'name_title',
      'name_system',
      'when',
    ]);
    expect(models.find('Five')?.parent).to.equal({ model: 'Four', field: 'pet', many: false });
  });

  it('passes over other files and hidden ones', () => {
    const { models, problems } = load({
      'a.yaml': '__modelname__: A',
      'README.md': '#',
      '.hidden.yaml': '[',
      'node_modules/x.json': '[',
      'example.sdmj': '[',
    });
    expect(problems).to.equal([]);
    expect(models.all.map(({ name }) => name)).to.equal(['A', 'Demographics']);
  });

  it('names files that would be passed over for their ending', () => {
    expect(
      problemsOf({
        'a.yml': '__modelname__: A',
        'deep/B.YAML': '__modelname__: B',
        'c.yaml': '__modelname__: C',
        'c.rdf.yml': '',
        'd.Json': '{}',
        '.git/e.yml': '',
        '.f.yml': '',
      }),
    ).to.equal([
      'a.yml:1: a file of this name is not read: name it a.yaml',
      'c.rdf.yml:1: a file of this name is not read: name it c.rdf.yaml',
      'd.Json:1: a file of this name is not read: name it d.json',
      'deep/B.YAML:1: a file of this name is not read: name it B.yaml',
    ]);
  });

  it('puts the vocabulary address in and applies constraints', () => {
    const { models, problems } = load({
      'm.yaml': [
        '__modelname__: M',
        'code: CodedValue',
        'code_system: { equals: "{vocab_base}/codes#", required: true }',
        'note: { type: String, max: 600, index: true }',
        'kind: { type: Integer, values: [1, 2] }',
        'done: { type: Boolean, equals: true }',
      ].join('\n'),
    });
    expect(problems).to.equal([]);
    const columns = new Map((models.find('M')?.columns ?? []).map((column) => [column.name, column]));
    expect(columns.get('code_system')).to.include({ equals: 'https://v.example/codes#', required: true });
    expect(columns.get('note')).to.include({ max: 600, index: true });
    expect(columns.get('kind')?.values).to.equal([1, 2]);
    expect(columns.get('done')?.equals).to.equal(true);
  });

  it('lets a compound field have a name that is reserved for columns', () => {
    expect(problemsOf({ 'm.yaml': '__modelname__: M\nstatus: CodedValue\nrecord: Address' })).to.equal([]);
  });

  it('changes the digest with what decides about facts, nested models included, and with nothing else', () => {
    const digest = (text: string): string | undefined => load({ 'm.yaml': text }).models.find('M')?.digest;
    const plain = digest('__modelname__: M\na: String\nkids: [{ __modelname__: K, b: String }]');
    expect(
      digest('# a comment\n__modelname__: M\na: { type: String }\nkids:\n  - __modelname__: K\n    b: String'),
    ).to.equal(plain);
    expect(
      digest('__modelname__: M\na: { type: String, max: 10 }\nkids: [{ __modelname__: K, b: String }]'),
    ).to.not.equal(plain);
    expect(digest('__modelname__: M\na: String\nkids: [{ __modelname__: K, b: Number }]')).to.not.equal(plain);
  });

  it('knows fields of which one must be filled, by field or by column', () => {
    const { models, problems } = load({
      'm.yaml':
        '__modelname__: M\n__oneof__: [who, number_value, tel]\nwho: CodedValue\nnumber: ValueAndUnit\ntel: Telephone',
    });
    expect(problems).to.equal([]);
    expect(models.find('M')?.oneof).to.equal([
      { field: 'who', columns: ['who_identifier', 'who_title', 'who_system'] },
      { field: 'number_value', columns: ['number_value'] },
      // The third column of a telephone number alone does not fill the field.
      { field: 'tel', columns: ['tel_type', 'tel_number'] },
    ]);
    const digest = (text: string): string | undefined => load({ 'm.yaml': text }).models.find('M')?.digest;
    expect(digest('__modelname__: M\na: String\nb: String')).to.not.equal(
      digest('__modelname__: M\n__oneof__: [a, b]\na: String\nb: String'),
    );
  });

  it('lets a model take the place of one of an earlier folder, nested models and all', () => {
    const first = folderWith({
      'a.yaml': '__modelname__: A\nx: String\nkid: { __modelname__: Kid, y: String }',
      'a.rdf.yaml': 'A: { type: sp:A, path: as, properties: { sp:x: x } }',
      'b.yaml': '__modelname__: B\nx: String',
    });
    const second = folderWith({
      'a.yaml': '__modelname__: A\n__override__: true\nx: { type: String, required: true }',
    });
    const { models, problems } = loadModels([first, second], 'x');
    expect(problems).to.equal([]);
    expect(models.all.map(({ name }) => name)).to.equal(['A', 'B', 'Demographics']);
    expect(models.find('A')).to.include({ file: join(second, 'a.yaml') });
    expect(models.find('A')?.columns[0]?.required).to.be.true();
    expect(models.find('A')?.rdf?.path).to.equal('as');
    // In the same folder, or in an earlier one, it stays a second model of that name.
    expect(loadModels([second, first], 'x').problems.length).to.equal(1);
    expect(
      problemsOf({
        'a.yaml': '__modelname__: A\nx: String',
        'b.yaml': '__modelname__: A\n__override__: true\nx: String',
      }).length,
    ).to.equal(1);
  });

  it('has the vocabularies of before as a folder of overrides', () => {
    const { models, problems } = loadModels(
      [inProject('datamodels'), inProject('docs', 'strict-vocabularies')],
      'https://v.example',
    );
    expect(problems).to.equal([]);
    const core = loadModels([inProject('datamodels')], 'https://v.example').models;
    expect(models.all.map(({ name }) => name)).to.equal(core.all.map(({ name }) => name));
    for (const { name, columns, rdf } of core.all) {
      expect(
        models
          .find(name)
          ?.columns.map((column) => column.name)
          .sort(),
        name,
      ).to.equal(columns.map((column) => column.name).sort());
      expect(models.find(name)?.rdf !== undefined, name).to.equal(rdf !== undefined);
    }
    const severity = models.find('Allergy')?.columns.find((column) => column.name === 'severity_identifier');
    expect(severity).to.include({ required: true });
    expect(severity?.values?.length).to.equal(5);
  });

  it('keeps the serializers module as an absolute path', () => {
    const folder = folderWith({ 'm.yaml': '__modelname__: M\nserializers: ./m.rdf.js', 'm.rdf.js': '' });
    expect(loadModels([folder], 'x').models.find('M')?.serializers).to.equal(join(folder, 'm.rdf.js'));
    expect(load({ 'm.yaml': '__modelname__: M\nserializers: String' }).models.find('M')?.columns[0]?.name).to.equal(
      'serializers',
    );
  });

  const refused: readonly (readonly [string, string, string])[] = [
    [
      'one of fields that are not there',
      '__modelname__: M\na: String\n__oneof__: [a, b]',
      'm.yaml:3: __oneof__: there is no such field: "b"',
    ],
    [
      'one of a single field',
      '__modelname__: M\na: String\n__oneof__: a',
      'm.yaml:3: __oneof__ is a list of two fields',
    ],
    [
      'an override of a nested model alone',
      '__modelname__: M\nkid: { __modelname__: K, __override__: true, a: String }',
      'm.yaml:2: __override__ is for models that are not nested',
    ],
    ['an override in words', '__modelname__: M\n__override__: yes please\na: String', '__override__ is true or false'],
    ['a definition without a name', 'a: String', 'm.yaml:1: a model needs its name: __modelname__'],
    [
      'a nested definition without a name',
      '__modelname__: M\n\nkids: [{ a: String }]',
      'm.yaml:3: a model needs its name: __modelname__',
    ],
    [
      'a nested single model without a name',
      '__modelname__: M\nkid: { a: String }',
      'm.yaml:2: a model needs its name: __modelname__',
    ],
    [
      'a nested model without a name that has models in it',
      '__modelname__: M\nkid: { a: [{ __modelname__: K, b: String }] }',
      'm.yaml:2: a model needs its name: __modelname__',
    ],
    ['an unknown type', '__modelname__: M\na: string', 'm.yaml:2: "string" is not a type: it can be String, '],
    ['an empty list', '__modelname__: M\na: []', 'm.yaml:2: a: a one-to-many field is a list of exactly one model'],
    [
      'a list of two',
      '__modelname__: M\na: [{ __modelname__: B }, { __modelname__: C }]',
      'm.yaml:2: a: a one-to-many field is a list of exactly one model',
    ],
    ['a reserved name', '__modelname__: M\nstatus: String', 'm.yaml:2: the field name status is reserved'],
    [
      'a reserved name of a relation',
      '__modelname__: M\nrecord: { __modelname__: B }',
      'm.yaml:2: the field name record is reserved',
    ],
    [
      'a name that OAuth parameters have',
      '__modelname__: M\noauth_token: String',
      'm.yaml:2: the field name oauth_token is reserved',
    ],
    ['a name with a star', '__modelname__: M\n"a*b": String', 'm.yaml:2: the field name "a*b" must be letters'],
    [
      'a name with an underscore in front',
      '__modelname__: M\n_seq: Number',
      'm.yaml:2: the field name "_seq" must be letters',
    ],
    [
      'a name that is too long once expanded',
      `__modelname__: M\n${'x'.repeat(60)}: CodedValue`,
      'must be letters, digits and _, start with a letter and have at most 64 characters',
    ],
    [
      'two columns that differ in case only',
      '__modelname__: M\nname: String\nName: String',
      'm.yaml:1: the name Name is there twice',
    ],
    [
      'two columns that expand to the same name',
      '__modelname__: M\na: CodedValue\na_title: String',
      'm.yaml:3: the column a_title is there already',
    ],
    [
      'a constraint on no column',
      '__modelname__: M\na_title: { required: true }',
      'm.yaml:2: a_title: there is no such column to constrain',
    ],
    [
      'a constraint on a whole compound',
      '__modelname__: M\na: { type: CodedValue, required: true }',
      'm.yaml:2: CodedValue has several columns: constrain them one by one (a_identifier, a_title, a_system)',
    ],
    [
      'a constraint that is misspelt',
      '__modelname__: M\na: { type: String, \n requird: true }',
      'm.yaml:3: there is no constraint requird: it can be type, required, values, equals, max, index; a nested ' +
        'model needs its name: __modelname__',
    ],
    [
      'a constraint on a column that is misspelt',
      '__modelname__: M\na: CodedValue\na_system: { equal: x }',
      'm.yaml:3: there is no constraint equal: it can be',
    ],
    [
      'values that are misspelt',
      '__modelname__: M\na: { value: [x, y], required: true }',
      'm.yaml:2: there is no constraint value: it can be',
    ],
    [
      'a constraint of the wrong type',
      '__modelname__: M\na: { type: String, required: "yes" }',
      'm.yaml:2: required must be true or false',
    ],
    [
      'a value that is nothing',
      '__modelname__: M\na: { type: String, values: [x, null] }',
      'm.yaml:2: values[1] is neither a text nor a number',
    ],
    [
      'numbers as values of text',
      '__modelname__: M\na: { type: String, values: [1] }',
      'm.yaml:2: values and equals must be text: put quotes around them',
    ],
    [
      'text as values of numbers',
      '__modelname__: M\na: { type: Number, equals: "1" }',
      'm.yaml:2: values and equals must be numbers',
    ],
    [
      'values of a date',
      '__modelname__: M\na: { type: Date, equals: "2009-05-16" }',
      'm.yaml:2: values and equals are for text and numbers',
    ],
    [
      'a value that is longer than its column',
      '__modelname__: M\na: { type: String, max: 2, values: [ab, abc] }',
      'm.yaml:2: values and equals must fit into the 2 characters that the column holds',
    ],
    ['a max of a number', '__modelname__: M\na: { type: Number, max: 5 }', 'm.yaml:2: max is the longest text'],
    [
      'an index of long text',
      '__modelname__: M\na: { type: Text, index: true }',
      'm.yaml:2: index: only text of at most 700 characters',
    ],
    ['a name for SQL', '__modelname__: "M; drop"', 'm.yaml:1: the model name must be letters'],
    ['a model name that is too long', `__modelname__: M${'x'.repeat(55)}`, 'm.yaml:1: the model name must be letters'],
    [
      'the name of a built-in model',
      '__modelname__: DemoGraphics',
      'm.yaml:1: the model DemoGraphics is defined already by the service itself',
    ],
    [
      'a name that aggregates have',
      '__modelname__: AggregateReport',
      'm.yaml:1: the model name AggregateReport is reserved',
    ],
    [
      'a serializers module that is missing',
      '__modelname__: M\nserializers: ./none.js',
      'm.yaml:2: M: there is no file ',
    ],
    ['broken YAML', '__modelname__: M\na: [', 'm.yaml:'],
    ['a key that is there twice', '__modelname__: M\na: String\na: Number', 'm.yaml:3: not valid YAML'],
    ['nothing at all', '', 'm.yaml:1: a model is a mapping of field names to types'],
    [
      'a field without a type',
      '__modelname__: M\na:',
      'm.yaml:2: a: write a type, a model, a list of one model, or constraints',
    ],
    [
      'more than a thousand columns',
      ['__modelname__: M', ...Array.from({ length: 1001 }, (_, n) => `c${n}: Number`)].join('\n'),
      'm.yaml:1: M: the model has 1001 columns: 1000 is the most',
    ],
    [
      'too many indexes',
      ['__modelname__: M', ...Array.from({ length: 51 }, (_, n) => `c${n}: { type: Number, index: true }`)].join('\n'),
      'm.yaml:1: M: the model has 51 columns with an index: 50 is the most',
    ],
  ];
  for (const [what, text, problem] of refused) {
    it(`refuses ${what}`, () => {
      expect(problemsOf({ 'm.yaml': text }).join('\n')).to.contain(problem);
    });
  }

  it('refuses one name twice, over all files, folders and nested models, ignoring case', () => {
    const first = folderWith({ 'a.yaml': '__modelname__: Same\nkid: { __modelname__: Kid }' });
    const second = folderWith({ 'b.yaml': '- __modelname__: SAME\n- __modelname__: Kid' });
    const { problems } = loadModels([first, second], 'x');
    const elsewhere =
      ' (upper and lower case count as the same): rename or remove one, or see __override__ in datamodels/README.md';
    expect(problems).to.equal([
      `${second}/b.yaml:1: the model SAME is defined already by ${first}/a.yaml:1${elsewhere}`,
      `${second}/b.yaml:2: the model Kid is defined already by ${first}/a.yaml:2${elsewhere}`,
    ]);
  });

  it('tells all problems of all files at once, and a folder that is missing', () => {
    const problems = problemsOf({
      'a.yaml': 'x: String',
      'b.yaml': '__modelname__: B\nlimit: Strin\noffset: String',
      'c.json': '{',
    });
    expect(problems.length).to.be.at.least(4);
    expect(
      problemsOf({ 'a.yaml': '__modelname__: A\nx: String', 'b.rdf.yaml': 'A: { type: sp:A }' }).map((problem) =>
        problem.split('/').at(-1),
      ),
    ).to.equal([
      'b.rdf.yaml:1: there is no model file of this name beside it: day.words.yaml and day.fhir.yaml belong to day.yaml',
    ]);
    expect(loadModels(['/no/such/folder'], 'x').problems).to.equal([
      '/no/such/folder: there is no such folder (SVC_DATAMODELS_DIR)',
    ]);
  });
});

describe('RDF mappings beside models', () => {
  const model =
    '__modelname__: Visit\nreason: CodedValue\nday: DateOnly\nnotes: [{ __modelname__: Remark, words: String }]';
  const mapping = (text: string): readonly string[] => problemsOf({ 'visit.yaml': model, 'visit.rdf.yaml': text });

  it('become part of their models', () => {
    const { models, problems } = load({
      'visit.yaml': model,
      'visit.rdf.yaml': [
        'prefixes: { clinic: "http://clinic.example/terms#" }',
        'Visit:',
        '  type: clinic:Visit',
        '  path: visits',
        '  properties:',
        '    clinic:reason: { CodedValue: reason, class: SNOMED }',
        '    clinic:day: { column: day, always: true }',
        '    clinic:remark: { facts: notes }',
        '    clinic:by: { type: clinic:Service, properties: { dcterms:title: { text: "record {record_id}" } } }',
        '    first: [{ clinic:a: day }, { clinic:b: day }]',
        'Remark:',
        '  type: clinic:Remark',
        '  path: remarks',
        '  properties: { clinic:words: [words, words], clinic:visit: { parent: true } }',
      ].join('\n'),
    });
    expect(problems).to.equal([]);
    expect(models.find('Visit')?.rdf).to.equal({
      type: 'clinic:Visit',
      path: 'visits',
      prefixes: { clinic: 'http://clinic.example/terms#' },
      properties: [
        {
          predicate: 'clinic:reason',
          values: [{ kind: 'block', block: 'CodedValue', field: 'reason', class: 'SNOMED' }],
        },
        { predicate: 'clinic:day', values: [{ kind: 'column', column: 'day', always: true }] },
        { predicate: 'clinic:remark', values: [{ kind: 'facts', field: 'notes' }] },
        {
          predicate: 'clinic:by',
          values: [
            {
              kind: 'node',
              type: 'clinic:Service',
              properties: [{ predicate: 'dcterms:title', values: [{ kind: 'text', text: 'record {record_id}' }] }],
            },
          ],
        },
        {
          first: [
            { predicate: 'clinic:a', values: [{ kind: 'column', column: 'day', always: false }] },
            { predicate: 'clinic:b', values: [{ kind: 'column', column: 'day', always: false }] },
          ],
        },
      ],
    });
    expect(models.find('Remark')?.rdf?.properties.length).to.equal(2);
  });

  it('may describe the models of several files of one name', () => {
    const { models, problems } = load({
      'a.yaml': '__modelname__: One\nx: String',
      'a.json': '{"__modelname__": "Two", "x": "String"}',
      'a.rdf.yaml':
        'One: { type: sp:One, path: ones, properties: { sp:x: x } }\nTwo: { type: sp:Two, path: twos, properties: { sp:x: x } }',
    });
    expect(problems).to.equal([]);
    expect([models.find('One')?.rdf?.path, models.find('Two')?.rdf?.path]).to.equal(['ones', 'twos']);
    expect(
      problemsOf({ 'a.yaml': '__modelname__: One\nx: String', 'a.json': '{}', 'a.rdf.yaml': 'Three: {}' }).filter(
        (problem) => problem.includes('Three'),
      ),
    ).to.have.length(1);
  });

  const visit = (lines: string, path = 'visits', type = 'sp:Visit'): string =>
    `Visit:\n  type: ${type}\n  path: ${path}\n  properties:\n${lines}`;
  const refused: readonly (readonly [string, string, string])[] = [
    ['a model of another file', 'Other: {}', 'visit.rdf.yaml:1: the model file beside this one has no model Other'],
    ['a column that is not there', visit('    sp:day: dya'), 'visit.rdf.yaml:5: Visit has no column dya'],
    [
      'a block on a field that is none',
      visit('    sp:r: { CodedValue: day }'),
      'visit.rdf.yaml:5: Visit has no column day_identifier, day_title, day_system',
    ],
    [
      'a predicate without a prefix',
      visit('    day: day'),
      'visit.rdf.yaml:5: "day" is not a name of the form prefix:name',
    ],
    ['a prefix that nobody declared', visit('    x:day: day'), 'visit.rdf.yaml:5: the prefix x is not declared'],
    [
      'a class without a prefix',
      visit('    sp:day: day', 'visits', 'Visit'),
      'visit.rdf.yaml:2: "Visit" is not a name',
    ],
    [
      'an address that is taken',
      visit('    sp:day: day', 'documents'),
      'visit.rdf.yaml:3: path is one lower-case word and none of apps',
    ],
    ['an address with a slash', visit('    sp:day: day', 'a/b'), 'visit.rdf.yaml:3: path is one lower-case word'],
    [
      'facts that are not nested',
      visit('    sp:x: { facts: day }'),
      'visit.rdf.yaml:5: Visit has no facts nested in day',
    ],
    [
      'a parent of a model that has none',
      visit('    sp:x: { parent: true }'),
      'visit.rdf.yaml:5: Visit is not nested in another model',
    ],
    [
      'a value that is nothing',
      visit('    sp:x: { colum: day }'),
      'visit.rdf.yaml:5: this is none of: a column, CodedValue',
    ],
    ['a value that is a number', visit('    sp:x: 5'), 'visit.rdf.yaml:5: write the name of a column'],
    ['no properties', 'Visit: { type: sp:Visit, path: visits }', 'visit.rdf.yaml:1: properties are a mapping'],
    ['a list', '- Visit', 'visit.rdf.yaml:1: a mapping file names models'],
    ['broken YAML', 'Visit: [', 'visit.rdf.yaml:'],
    ['prefixes that are no addresses', 'prefixes: { a: b }', 'visit.rdf.yaml:1: prefixes are short names'],
  ];
  for (const [what, text, problem] of refused) {
    it(`refuse ${what}`, () => {
      expect(mapping(text).join('\n')).to.contain(problem);
    });
  }
});
