/**
 * kinds: what a circle gets of a fact by its kind, and which facts are of one. Whatever is taken out of `kinds.yaml`
 * changes an answer that stands here.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { parse, stringify } from 'yaml';
import { inProject } from '../../../core/base/paths';
import { loadKinds, type Kind, type Kinds } from '../../../core/facts/kinds';
import { loadModels } from '../../../core/facts/model/models';

export const lab = Lab.script();
const { describe, it } = lab;

const { models, problems } = loadModels([inProject('datamodels')], 'https://svc.example/vocab');
const { labTests } = models;

/** What goes along with a fact, without the parts of codes and amounts. */
const GO_ALONG: Readonly<Record<string, string>> = {
  'problems Problem': 'name startDate endDate recordedDate diagnosedDate clinicalStatus verificationStatus category',
  'problems AllergyExclusion': 'name',
  'medicines Medication':
    'drugName strength form route startDate endDate frequency quantity instructions dosage status refills quantityOrdered',
  'medicines AllergyExclusion': 'name',
  'allergies Allergy':
    'category allergic_reaction severity drug_allergen drug_class_allergen food_allergen allergen criticality clinicalStatus verificationStatus onset',
  'allergies AllergyExclusion': 'name',
  'immunizations Immunization':
    'date date_in_words administration_status product_name product_class product_class_2 refusal_reason status statusReason lotNumber dose_number series_doses series target_disease told_by_person',
  'procedures Procedure': 'date_performed name name_type name_abbrev status',
  'vital-signs VitalSigns':
    'date status other other_words bp_position bp_site bp_method bp_systolic bp_systolic_name bp_diastolic bp_diastolic_name bmi bmi_name heart_rate heart_rate_name height height_name oxygen_saturation oxygen_saturation_name respiratory_rate respiratory_rate_name temperature temperature_name weight weight_name',
  'measurements Measurement': 'type value unit name datetime status',
  'visits Encounter':
    'startDate endDate encounterType status facility_name provider_name_family provider_name_given provider_name_middle provider_name_prefix provider_name_suffix',
  'labs LabResult':
    'test_name abnormal_interpretation status specimen accession_number quantitative_result quantitative_result_normal_range_min quantitative_result_normal_range_max quantitative_result_non_critical_range_min quantitative_result_non_critical_range_max value reference category collected_at',
};

const KINDS_OF_ONE: Readonly<Record<string, string>> = {
  problems: '{"AllergyExclusion":["name_identifier",true,"160245001"]}',
  medicines: '{"AllergyExclusion":["name_identifier",true,"787481004"]}',
  allergies: '{"AllergyExclusion":["name_identifier",false,"160245001","787481004"]}',
};

/** Names of results that the table of tests does not know, each of which one word takes for one of an infection. */
const INFECTIONS =
  'HIV-1 RNA; Prueba de VIH; Retrovirale Last; Anti-retrovir Ak; Lentivir-Ak; p24 antigen; CD4 count; Hepatitis A IgM; HCV-RNA; HBV-DNA; ' +
  'HBs-Ag; HBeAg; Anti-HBc; Viral load; Rotavirus; Syphilis-Suchtest; Sífilis; Treponema; RPR; VDRL; TPHA; TPPA; ' +
  'Chlamydia; Clamidia; Gonorrhoe-PCR; Neisseria; Herpes simplex IgG; HSV-2; HPV; Papilloma; Papiloma; Trichomonas; ' +
  'Tricomonas; Ureaplasma; Tuberculosis; Tuberkulose; Mycobacterium; Micobacterias; Quantiferon; Covid; SARS-CoV-2; ' +
  'Influenza; Borrelia; Toxoplasma; Cytomegalie; Citomegalia; CMV; Epstein; EBV; Malaria; Plasmodium; Infection; ' +
  'Infektion; Infección; فيروس; الإيدز; العوز المناعي; التهاب الكبد; الزهري; السيلان; الكلاميديا; الدرن; الملاريا; كوفيد; عدوى';

function isTakenFor({ also }: Kind, name: string): boolean {
  return also.words.some((word) => name.toLowerCase().includes(word));
}

/** All that kinds decide, as texts. */
function decidedBy(kinds: Kinds): Readonly<Record<string, unknown>> {
  const short = (name: string): string => name.replace(/(_(identifier|title|system|value|unit))+$/, '');
  return Object.fromEntries(
    kinds.all.flatMap((kind) => [
      [
        kind.name,
        [
          kind.partOf,
          kind.ask,
          kind.tests,
          kind.words,
          [...kind.coded].map(([model, { column, codes, isOnly }]) => [model, column, isOnly, ...codes]),
          kind.also.codes.length,
          kind.also.words.length === 0 ? [] : INFECTIONS.split('; ').filter((name) => isTakenFor(kind, name)),
        ],
      ],
      ...kind.models.map((model) => [
        `${kind.name} ${model}`,
        [
          ...new Set(
            models
              .find(model)!
              .columns.map(({ name }) => name)
              .filter((name) => !kind.hidden.get(model)!.has(name))
              .map(short),
          ),
        ].join(' '),
      ]),
    ]),
  );
}

/** The value with one entry taken out, wherever it has one. */
function thinner(value: unknown): readonly (readonly [string, unknown])[] {
  if (Array.isArray(value)) {
    return value.map((one, at) => [String(one), value.filter((_, index) => index !== at)] as const);
  }
  if (typeof value !== 'object' || value === null) {
    return [];
  }
  return Object.entries(value).flatMap(([key, one]) => {
    const { [key]: _out, ...rest } = value as Readonly<Record<string, unknown>>;
    return [
      [key, rest] as const,
      ...thinner(one).map(([name, less]) => [`${key}: ${name}`, { ...value, [key]: less }] as const),
    ];
  });
}

function read(text: string): { readonly kinds: Kinds; readonly faults: readonly string[] } {
  const folder = mkdtempSync(join(tmpdir(), 'kinds-'));
  const faults: string[] = [];
  try {
    writeFileSync(join(folder, 'kinds.yaml'), text);
    // The models are of the same folder, so that fields that are not there are told.
    const all = models.all.map((model) => ({ ...model, file: join(folder, 'model.yaml') }));
    return { kinds: loadKinds([folder], { models: all, labTests }, faults), faults };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What is named although it never goes along: what is nested, what leads to other facts, and parts of what is named. */
const SAID_TWICE = [
  'problems: without: encounter',
  'medicines: without: fulfillments',
  'medicines: without: encounter',
  'medicines: without: prescriber_organization_npi',
  'medicines: without: prescriber_organization_phone',
  'procedures: without: encounter',
  'vital-signs: without: encounter',
  'visits: without: provider_role_organization_npi',
  'visits: without: provider_role_organization_phone',
];

const written = readFileSync(inProject('datamodels/kinds.yaml'), 'utf8');

describe('bundled kinds of facts', () => {
  it('let go along what is listed here, and nothing else', () => {
    expect(problems).to.equal([]);
    const decided = decidedBy(models.kinds);
    const shown = Object.fromEntries(Object.keys(GO_ALONG).map((name) => [name, decided[name]]));
    expect(shown).to.equal(GO_ALONG);
    const all = models.kinds.all.filter(({ partOf }) => partOf === undefined);
    expect(all.flatMap((kind) => kind.models.map((model) => `${kind.name} ${model}`))).to.equal(Object.keys(GO_ALONG));
  });

  it('have one for each group of tests, of which infections are asked for by their name', () => {
    const groups = [...new Set(labTests.tests.map(({ group }) => group))].sort();
    const parts = models.kinds.all.filter(({ partOf }) => partOf === 'labs');
    expect(parts.map(({ name }) => name).sort()).to.equal(groups.map((group) => `labs-${group}`));
    for (const { name, tests, ask } of parts) {
      const own = labTests.tests.filter(({ group }) => `labs-${group}` === name).map(({ id }) => id);
      expect([tests, ask], name).to.equal([own, name === 'labs-infection']);
    }
  });

  it('tell that nothing is known of each model to who sees this model', () => {
    const coded = models.kinds.all
      .filter((kind) => kind.coded.size > 0)
      .map((kind) => [
        kind.name,
        JSON.stringify(
          Object.fromEntries(
            [...kind.coded].map(([model, { column, codes, isOnly }]) => [model, [column, isOnly, ...codes]]),
          ),
        ),
      ]);
    expect(Object.fromEntries(coded)).to.equal(KINDS_OF_ONE);
  });

  it('take names for those of infections, each by a word', () => {
    const kind = models.kinds.find('labs-infection')!;
    expect(INFECTIONS.split('; ').filter((name) => !isTakenFor(kind, name))).to.equal([]);
    const plain = ['Creatinine', 'Cholesterol', 'Glucose', 'TSH', 'Hämoglobin', 'Plaquetas', 'الكرياتينين'];
    expect(plain.filter((name) => isTakenFor(kind, name))).to.equal([]);
  });

  it('all matter, to the last word of the file', () => {
    const whole = parse(written) as Readonly<Record<string, unknown>>;
    const usual = JSON.stringify(decidedBy(read(written).kinds));
    const changes = thinner(whole);
    expect(changes.length).to.be.above(250);
    const idle = changes
      .filter(([, less]) => {
        const { kinds, faults } = read(stringify(less));
        return faults.length === 0 && JSON.stringify(decidedBy(kinds)) === usual;
      })
      .map(([name]) => name);
    expect(idle).to.equal(SAID_TWICE);
  });
});

describe('a file of kinds', () => {
  const WORDS = 'words: { en: A, de: A, es: A, ar: A }';
  const wrong: readonly (readonly [what: string, text: string, line: number, reason: RegExp])[] = [
    ['an unknown model', `a:\n  model: Nope\n  ${WORDS}`, 1, /there is no model Nope/],
    ...['OwnWord', 'SimpleClinicalNote', 'StoredFile'].map(
      (model) =>
        [`what the person keeps (${model})`, `a:\n  model: ${model}\n  ${WORDS}`, 1, /is no kind of facts/] as const,
    ),
    ['an unknown field', `a:\n  model: Problem\n  without: [nope]\n  ${WORDS}`, 1, /nope is no field of Problem/],
    ['an unknown key', `a:\n  model: Problem\n  likes: b\n  ${WORDS}`, 3, /likes/],
    ['a language that lacks', 'a:\n  model: Problem\n  words: { en: A }', 3, /de/],
    ['a name with capitals', `A:\n  model: Problem\n  ${WORDS}`, 1, /A/],
    ['neither a model nor a whole', `a:\n  ${WORDS}`, 1, /model/],
    ['a part of nothing', `a:\n  part-of: b\n  tests: kidney\n  ${WORDS}`, 1, /b, which is no kind with a model/],
    ['a part without tests', `a:\n  model: LabResult\n  ${WORDS}\nb:\n  part-of: a\n  ${WORDS}`, 4, /names its tests/],
    ['an unknown group', `a:\n  model: LabResult\n  tests: nope\n  ${WORDS}`, 1, /no test and no group nope/],
    ['tests of another model', `a:\n  model: Problem\n  tests: kidney\n  ${WORDS}`, 1, /only facts of LabResult/],
    ['also without ask', `a:\n  model: LabResult\n  also: { words: [x] }\n  ${WORDS}`, 1, /also belongs to a kind/],
    [
      'codes of another model',
      `a:\n  model: Problem\n  codes: { Allergy: { name: [x] } }\n  ${WORDS}`,
      1,
      /Allergy is no/,
    ],
    ['no YAML', 'a: [', 1, /./],
  ];
  for (const [what, text, line, reason] of wrong) {
    it(`is refused for ${what}, with its line`, () => {
      const [first = ''] = read(text).faults;
      expect(first)
        .to.match(new RegExp(`kinds\\.yaml:${line}: `))
        .and.to.match(reason);
    });
  }
});
