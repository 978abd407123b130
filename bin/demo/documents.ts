/**
 * documents: makes a few years of believable documents for an invented person; the same person always gets the same
 * documents.
 */

type DemoDocument = { readonly label: string; readonly xml: string };

export type DemoPerson = {
  readonly accountId: string;
  readonly givenName: string;
  readonly familyName: string;
  readonly birthDate: string;
  readonly gender: 'female' | 'male';
  /** Metres and kilograms at the start. */
  readonly height: number;
  readonly weight: number;
  readonly systolic: number;
};

export const people: readonly DemoPerson[] = [
  {
    accountId: 'mira@demo.example',
    givenName: 'Mira',
    familyName: 'Halvorsen',
    birthDate: '1968-04-17',
    gender: 'female',
    height: 1.68,
    weight: 74.2,
    systolic: 146,
  },
  {
    accountId: 'jonas@demo.example',
    givenName: 'Jonas',
    familyName: 'Halvorsen',
    birthDate: '1994-09-02',
    gender: 'male',
    height: 1.83,
    weight: 81.5,
    systolic: 121,
  },
];

const SNOMED = 'http://purl.bioontology.org/ontology/SNOMEDCT/';
const RXNORM = 'http://purl.bioontology.org/ontology/RXNORM/';
const LOINC = 'http://purl.bioontology.org/ontology/LNC/';

function inNamespace(vocabBase: string, root: string, content: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="${vocabBase}/xml/documents#">\n${content}\n</${root}>\n`;
}

export function demographics(person: DemoPerson, vocabBase: string): string {
  return inNamespace(
    vocabBase,
    'Demographics',
    `  <dateOfBirth>${person.birthDate}</dateOfBirth>
  <gender>${person.gender}</gender>
  <email>${person.accountId}</email>
  <preferredLanguage>nb</preferredLanguage>
  <Name><familyName>${person.familyName}</familyName><givenName>${person.givenName}</givenName></Name>
  <Telephone><type>h</type><number>+47 5550 0100</number><preferred>true</preferred></Telephone>
  <Address><country>Norway</country><city>Bergen</city><postalCode>5003</postalCode><street>Strandgaten 12</street></Address>`,
  );
}

function field(name: string, value: string | number): string {
  return `<Field name="${name}">${value}</Field>`;
}

function vitalReading(column: string, code: string, title: string, unit: string, value: number): string {
  return [
    field(`${column}_name_identifier`, code),
    field(`${column}_name_title`, title),
    field(`${column}_name_system`, LOINC),
    field(`${column}_unit`, unit),
    field(`${column}_value`, value),
  ].join('');
}

/** One visit a month; the blood pressure falls once the tablets start. */
function visit(person: DemoPerson, month: number, firstYear: number): string {
  const date = new Date(Date.UTC(firstYear, month, 3 + ((month * 7) % 24), 8 + (month % 8), 15));
  const treated = Math.max(0, month - 6);
  const round = (value: number): number => Math.round(value * 10) / 10;
  const systolic = Math.round(person.systolic - Math.min(14, treated) + ((month * 5) % 7));
  const diastolic = Math.round(systolic * 0.62);
  const weight = round(person.weight + 2 * Math.sin(month / 5) - month * 0.06);
  return [
    field('date', date.toISOString().replace('.000Z', 'Z')),
    vitalReading('bp_systolic', '8480-6', 'Systolic blood pressure', 'mm[Hg]', systolic),
    vitalReading('bp_diastolic', '8462-4', 'Diastolic blood pressure', 'mm[Hg]', diastolic),
    vitalReading('heart_rate', '8867-4', 'Heart rate', '{beats}/min', 62 + ((month * 11) % 18)),
    vitalReading('weight', '3141-9', 'Body weight', 'kg', weight),
    vitalReading('height', '8302-2', 'Body height', 'm', person.height),
  ].join('');
}

function vitalSigns(person: DemoPerson, month: number, firstYear: number, vocabBase: string): DemoDocument {
  return {
    label: 'Measured at a visit',
    xml: inNamespace(vocabBase, 'Models', `  <Model name="VitalSigns">${visit(person, month, firstYear)}</Model>`),
  };
}

type Medication = {
  readonly code: string;
  readonly title: string;
  readonly started: string;
  readonly stopped?: string;
  readonly instructions: string;
  readonly fills: readonly string[];
};

function medications(firstYear: number): readonly Medication[] {
  return [
    {
      code: '314076',
      title: 'lisinopril 10 MG Oral Tablet',
      started: `${firstYear}-07-02`,
      instructions: 'one tablet in the morning',
      fills: [`${firstYear}-07-02`, `${firstYear}-10-01`, `${firstYear + 1}-01-04`],
    },
    {
      code: '308182',
      title: 'amoxicillin 250 MG Oral Capsule',
      started: `${firstYear + 1}-02-11`,
      stopped: `${firstYear + 1}-02-18`,
      instructions: 'one capsule three times a day for a week',
      fills: [`${firstYear + 1}-02-11`],
    },
  ];
}

function fill(date: string, days: number): string {
  return `<Model name="Fill">${field('date', `${date}T10:00:00Z`)}${field('dispenseDaysSupply', days)}</Model>`;
}

function medicationDocument(medication: Medication, vocabBase: string): DemoDocument {
  const fields = [
    field('drugName_identifier', medication.code),
    field('drugName_title', medication.title),
    field('drugName_system', RXNORM),
    field('startDate', medication.started),
    ...(medication.stopped ? [field('endDate', medication.stopped)] : []),
    field('instructions', medication.instructions),
    ...(medication.stopped ? state('status', 'completed', 'Completed') : state('status', 'active', 'Active')),
  ].join('');
  const fills = medication.fills.map((date) => fill(date, medication.stopped ? 7 : 90)).join('');
  const content = `${fields}<Field name="fulfillments"><Models>${fills}</Models></Field>`;
  return {
    label: medication.title,
    xml: inNamespace(vocabBase, 'Models', `  <Model name="Medication">${content}</Model>`),
  };
}

/** A state with the code that FHIR has for it. */
function state(name: string, code: string, title: string): readonly string[] {
  return [
    field(`${name}_identifier`, code),
    field(`${name}_title`, title),
    field(`${name}_system`, 'http://hl7.org/fhir/event-status'),
  ];
}

/** One allergy has a code; the other is in the words of a person. */
function allergies(firstYear: number, vocabBase: string): readonly DemoDocument[] {
  return [
    {
      label: 'Allergy to penicillin',
      xml: inNamespace(
        vocabBase,
        'Models',
        `  <Model name="Allergy">${[
          field('allergen_identifier', '7980'),
          field('allergen_title', 'penicillin G'),
          field('allergen_system', RXNORM),
          field('drug_allergen_identifier', '7980'),
          field('drug_allergen_title', 'penicillin G'),
          field('drug_allergen_system', RXNORM),
          field('category_identifier', '416098002'),
          field('category_title', 'Drug allergy'),
          field('category_system', SNOMED),
          field('allergic_reaction_title', 'Rash on both arms'),
          field('onset', `${firstYear - 20}-05-01`),
        ].join('')}</Model>`,
      ),
    },
    {
      label: 'Allergy to strawberries',
      xml: inNamespace(
        vocabBase,
        'Models',
        `  <Model name="Allergy">${field('allergen_title', 'Strawberries')}${field('notes', 'Itching of the mouth, gone within an hour.')}</Model>`,
      ),
    },
  ];
}

type Procedure = { readonly date: string; readonly code: string; readonly title: string; readonly comments: string };

function procedures(firstYear: number): readonly Procedure[] {
  return [
    {
      date: `${firstYear}-11-20T09:30:00Z`,
      code: '73761001',
      title: 'Colonoscopy',
      comments: 'No polyps. Next one in ten years.',
    },
    {
      date: `${firstYear + 2}-03-05T13:00:00Z`,
      code: '80146002',
      title: 'Appendectomy',
      comments: 'By keyhole. Home on the second day.',
    },
  ];
}

function procedureDocument(procedure: Procedure, vocabBase: string): DemoDocument {
  return {
    label: procedure.title,
    xml: inNamespace(
      vocabBase,
      'Procedure',
      `  <datePerformed>${procedure.date}</datePerformed>
  <name type="${SNOMED}" value="${procedure.code}">${procedure.title}</name>
  <provider><name>Dr Ingrid Solheim</name><institution>Harbour View Hospital</institution></provider>
  <comments>${procedure.comments}</comments>`,
    ),
  };
}

type Problem = {
  readonly began: string;
  readonly ended?: string;
  readonly code: string;
  readonly title: string;
  readonly comments: string;
};

/** One lasts, one comes back every spring, and one is over: the capsules were taken for it. */
function problems(firstYear: number): readonly Problem[] {
  return [
    {
      began: `${firstYear}-06-20T09:00:00Z`,
      code: '38341003',
      title: 'Hypertensive disorder',
      comments: 'Found at a routine check. Measured at home since then.',
    },
    {
      began: `${firstYear - 12}-04-15T08:00:00Z`,
      code: '367498001',
      title: 'Seasonal allergic rhinitis',
      comments: 'Birch, mostly in April.',
    },
    {
      began: `${firstYear + 1}-02-10T08:30:00Z`,
      ended: `${firstYear + 1}-02-24T08:00:00Z`,
      code: '10509002',
      title: 'Acute bronchitis',
      comments: 'A week of amoxicillin.',
    },
  ];
}

function problemDocument(problem: Problem, vocabBase: string): DemoDocument {
  return {
    label: problem.title,
    xml: inNamespace(
      vocabBase,
      'Problem',
      `  <dateOnset>${problem.began}</dateOnset>${problem.ended ? `\n  <dateResolution>${problem.ended}</dateResolution>` : ''}
  <name type="${SNOMED}" value="${problem.code}">${problem.title}</name>
  <comments>${problem.comments}</comments>
  <diagnosedBy>Dr Ingrid Solheim</diagnosedBy>`,
    ),
  };
}

type Immunization = { readonly date: string; readonly code: string; readonly title: string; readonly lot: string };

const INFLUENZA = { code: '140', title: 'Influenza, seasonal, injectable, preservative free' };

function immunizations(firstYear: number): readonly Immunization[] {
  return [
    {
      date: `${firstYear}-05-04T13:20:00Z`,
      code: '09',
      title: 'Tetanus and diphtheria toxoids, adult',
      lot: 'TD22-031',
    },
    { date: `${firstYear}-10-12T15:10:00Z`, ...INFLUENZA, lot: 'FV22-0934' },
    { date: `${firstYear + 1}-10-09T14:40:00Z`, ...INFLUENZA, lot: 'FV23-1187' },
  ];
}

function immunizationDocument(immunization: Immunization, vocabBase: string): DemoDocument {
  return {
    label: `Vaccination: ${immunization.title}`,
    xml: inNamespace(
      vocabBase,
      'Immunization',
      `  <dateAdministered>${immunization.date}</dateAdministered>
  <administeredBy>Nurse Pilar Ostrander</administeredBy>
  <vaccine>
    <type type="http://hl7.org/fhir/sid/cvx" value="${immunization.code}">${immunization.title}</type>
    <manufacturer>Fjordvac</manufacturer>
    <lot>${immunization.lot}</lot>
  </vaccine>
  <administrationStatus value="doseGiven">Dose given</administrationStatus>`,
    ),
  };
}

const MONTHS = 36;

/** Three years of documents, oldest first. */
export function documentsOf(person: DemoPerson, vocabBase: string): readonly DemoDocument[] {
  const firstYear = 2022;
  return [
    ...Array.from({ length: MONTHS }, (_, month) => vitalSigns(person, month, firstYear, vocabBase)),
    ...medications(firstYear).map((medication) => medicationDocument(medication, vocabBase)),
    ...procedures(firstYear).map((procedure) => procedureDocument(procedure, vocabBase)),
    ...allergies(firstYear, vocabBase),
    ...problems(firstYear).map((problem) => problemDocument(problem, vocabBase)),
    ...immunizations(firstYear).map((immunization) => immunizationDocument(immunization, vocabBase)),
  ];
}
