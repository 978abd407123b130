/** sections: the facts of each model as a section of a Continuity of Care Record. */
import type { Scalar } from '../../../core/facts/model/model';
import { childrenIn, type StoredFact } from '../../../core/facts/plans';
import { xmlText } from '../../../core/facts/model/column-values';
import { saysDone } from '../../../core/lines/standing';
import { element, type XmlElement } from '../../../core/xml/write';
import { addressLine, allergenOf } from '../minimal/definitions';
import { around, codeOf, frequencyText, isSet, scalarText, type Part, type Values } from '../minimal/parts';
import type { Actors } from './actors';
import type { Comments } from './comments';
import {
  actorLink,
  dataObject,
  described,
  measure,
  describeNamed,
  objectEnd,
  objectStart,
  source,
  when,
  whenInWords,
  type Origin,
} from './parts';

/** The parts of the document that the sections add to while they are written. */
export type Context = {
  readonly actors: Actors;
  readonly comments: Comments;
  /** `YYYY-MM-DD` */ readonly today: string;
};

type Write = (fact: StoredFact, context: Context) => readonly XmlElement[];

function one(name: string, parts: readonly Part[]): readonly XmlElement[] {
  return [element(name, {}, parts)];
}

/** Whether an end is past: a date in the future or today is no end yet. */
function isOver(end: Scalar | undefined, { today }: Context): boolean {
  return isSet(end) && String(end) < today;
}

const EARLY = 'This date is still to come; please check it.';

/** Whether a state says that something was done on a day that is still to come. */
function isEarly({ values }: StoredFact, field: string, date: string, { today }: Context): boolean {
  return isSet(values[date]) && String(values[date]).slice(0, 10) > today && saysDone(values, field);
}

/** A status of a source as it is written in this format: "on-hold" becomes "On Hold". */
function capitalized(words: string): string {
  return words
    .split(/[\s_-]+/)
    .map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`)
    .join(' ');
}

function spaced(...texts: readonly (Scalar | undefined)[]): string {
  return texts
    .filter((text) => text !== false)
    .map(scalarText)
    .filter(Boolean)
    .join(' ');
}

/** The state that a field holds, in words; undefined without one. */
function stateOf(values: Values, field: string): string | undefined {
  const words = scalarText(values[`${field}_title`]) || scalarText(values[`${field}_identifier`]);
  return words === '' ? undefined : capitalized(words);
}

/** The first state that contradicts "Active", else `over` for an end that is past, else "Active". */
function ccrStatus(states: readonly (string | undefined)[], over: string | undefined): string {
  return (
    states.find((state) => state !== undefined && !/^(active|confirmed|unconfirmed|unknown)$/i.test(state)) ??
    over ??
    'Active'
  );
}

const problem: Write = (fact, context) => {
  const { values } = fact;
  return one(
    'Problem',
    dataObject(fact, {
      dates: [when('Onset date', values['startDate']), when('Resolution date', values['endDate'])],
      type: describeNamed('Type', 'Problem'),
      description: described('Description', [codeOf(values, 'name')]),
      status: ccrStatus(
        [stateOf(values, 'verificationStatus'), stateOf(values, 'clinicalStatus')],
        isOver(values['endDate'], context) ? 'Resolved' : undefined,
      ),
      commentId: context.comments.add(fact, values['notes']),
    }),
  );
};

function agent(fact: StoredFact, field: string): XmlElement {
  return element('Agent', {}, [
    element('Products', {}, [
      element('Product', {}, [
        ...dataObject(fact, {}),
        element('Product', {}, [described('ProductName', [codeOf(fact.values, field)])]),
      ]),
    ]),
  ]);
}

const allergy: Write = (fact, context) => {
  const { values } = fact;
  const allergen = allergenOf(values);
  return one('Alert', [
    ...dataObject(fact, {
      dates: [when('Onset date', values['onset'])],
      type: described('Type', [codeOf(values, 'category')]),
      description: described('Description', [codeOf(values, allergen ?? 'category')], {
        Criticality: values['criticality_title'],
      }),
      status: ccrStatus([stateOf(values, 'verificationStatus'), stateOf(values, 'clinicalStatus')], undefined),
      commentId: context.comments.add(fact, values['notes']),
    }),
    allergen !== undefined && agent(fact, allergen),
    around('Reaction', [
      described('Description', [codeOf(values, 'allergic_reaction')]),
      described('Severity', [codeOf(values, 'severity')]),
    ]),
  ]);
};

const allergyExclusion: Write = (fact, { comments }) =>
  one(
    'Alert',
    dataObject(fact, {
      type: describeNamed('Type', 'Allergy exclusion'),
      description: described('Description', [codeOf(fact.values, 'name')]),
      status: 'Active',
      commentId: comments.add(fact, undefined),
    }),
  );

function fulfillment(fill: StoredFact, { actors }: Context): XmlElement {
  const { values } = fill;
  const prescriber = actors.person(values, 'provider');
  const pharmacy = actors.organization(scalarText(values['pharmacy_org']), values, 'pharmacy_adr');
  return element('Fulfillment', {}, [
    ...dataObject(fill, {
      dates: [when('Dispense date', values['date'])],
      ids: [['NCPDP', values['pharmacy_ncpdpid']]],
      description: described('Description', [], {
        DaysSupply: values['dispenseDaysSupply'],
        PharmacyBenefitManager: values['pbm'],
      }),
    }),
    prescriber !== undefined && actorLink('Provider', prescriber),
    pharmacy !== undefined && actorLink('Location', pharmacy),
    measure('Quantity', values['quantityDispensed_value'], values['quantityDispensed_unit']),
  ]);
}

const medication: Write = (fact, context) => {
  const { values } = fact;
  const fills = childrenIn(fact, 'fulfillments');
  const prescriber = fills.map((fill) => context.actors.person(fill.values, 'provider')).find((id) => id !== undefined);
  const frequency = frequencyText(values);
  const early = isEarly(fact, 'status', 'startDate', context);
  const provenance = described('Description', [codeOf(values, 'provenance')], {
    ReasonStopped: values['reasonStopped_title'],
  });
  return one('Medication', [
    ...dataObject(fact, {
      dates: [when('Dispense date', values['startDate']), when('Stop date', values['endDate'])],
      status: early
        ? 'Unknown'
        : ccrStatus([stateOf(values, 'status')], isOver(values['endDate'], context) ? 'No Longer Active' : undefined),
      origin: { description: provenance, by: [{ actorId: prescriber, role: 'Prescribing clinician' }] },
      commentId: context.comments.add(fact, spaced(early && EARLY, values['notes'])),
    }),
    element('Product', {}, [described('ProductName', [codeOf(values, 'drugName')])]),
    around('Directions', [
      around('Direction', [
        measure('Dose', values['quantity_value'], values['quantity_unit']),
        frequency !== '' && element('Frequency', {}, [element('Value', {}, frequency)]),
      ]),
    ]),
    around('PatientInstructions', [describeNamed('Instruction', values['instructions'])]),
    around(
      'FulfillmentHistory',
      fills.map((fill) => fulfillment(fill, context)),
    ),
  ]);
};

/** A fill without its medication is written as a medication of unknown name. */
const loneFill: Write = (fact, context) =>
  fact.parentId !== null
    ? []
    : one('Medication', [
        ...dataObject(fact, { dates: [when('Dispense date', fact.values['date'])], status: 'Active' }),
        element('Product', {}, [describeNamed('ProductName', 'Unknown')]),
        element('FulfillmentHistory', {}, [fulfillment(fact, context)]),
      ]);

const equipment: Write = (fact, context) => {
  const { values } = fact;
  const vendor = context.actors.organization(scalarText(values['vendor']));
  return one('Equipment', [
    ...dataObject(fact, {
      dates: [when('Start date', values['date_started']), when('Stop date', values['date_stopped'])],
      status: isOver(values['date_stopped'], context) ? 'No Longer Active' : 'Active',
      commentId: context.comments.add(fact, values['description']),
    }),
    element('Product', {}, [
      describeNamed('ProductName', values['name']),
      vendor !== undefined && actorLink('Manufacturer', vendor),
    ]),
  ]);
};

const immunization: Write = (fact, context) => {
  const { values } = fact;
  const states = ['administration_status', 'status'].filter((field) => !isEarly(fact, field, 'date', context));
  return one('Immunization', [
    ...dataObject(fact, {
      dates: [when('Start date', values['date']) || whenInWords('Start date', values['date_in_words'])],
      description: described('Description', [
        codeOf(values, scalarText(values['refusal_reason_title']) === '' ? 'statusReason' : 'refusal_reason'),
      ]),
      ids: [['Lot number', values['lotNumber']]],
      status: states.map((field) => stateOf(values, field)).find((state) => state !== undefined) ?? '',
      commentId: context.comments.add(fact, spaced(states.length < 2 && EARLY, values['notes'])),
    }),
    element('Product', {}, [
      described('ProductName', [
        codeOf(values, 'product_name'),
        codeOf(values, 'product_class'),
        codeOf(values, 'product_class_2'),
      ]),
    ]),
  ]);
};

const readings = [
  'bp_systolic',
  'bp_diastolic',
  'bmi',
  'heart_rate',
  'height',
  'oxygen_saturation',
  'respiratory_rate',
  'temperature',
  'weight',
];

/** A reading always has a status: "Unknown" where its source gives none. */
function readingStatus(values: Values): string {
  return stateOf(values, 'status') ?? 'Unknown';
}

function readingElement(fact: StoredFact, field: string): XmlElement {
  const { values } = fact;
  const pressure = field.startsWith('bp_');
  const name = {
    ...codeOf(values, `${field}_name`),
    title: values[`${field}_name_title`] ?? field.replaceAll('_', ' '),
  };
  const dates = [when('Collection start date', values['date'])];
  const status = readingStatus(values);
  return element('Result', {}, [
    ...dataObject(fact, { dates, type: describeNamed('Type', 'Observation'), status }),
    element('Test', {}, [
      ...dataObject(fact, {
        dates,
        status,
        description: described(
          'Description',
          [name],
          pressure ? { Position: values['bp_position_title'], Site: values['bp_site_title'] } : {},
        ),
      }),
      pressure && described('Method', [codeOf(values, 'bp_method')]),
      measure('TestResult', xmlText('number', values[`${field}_value`] as number), values[`${field}_unit`]),
    ]),
  ]);
}

const vitalSigns: Write = (fact) =>
  readings.filter((field) => isSet(fact.values[`${field}_value`])).map((field) => readingElement(fact, field));

function range(values: Values, field: string): string {
  const end = (suffix: string): string =>
    `${scalarText(values[`${field}_${suffix}_value`])} ${scalarText(values[`${field}_${suffix}_unit`])}`.trim();
  const [low, high] = [end('min'), end('max')];
  return low === '' && high === '' ? '' : `${low} - ${high}`.trim();
}

function normalResult(values: Values): Part {
  return around(
    'NormalResult',
    (
      [
        ['Normal range', range(values, 'quantitative_result_normal_range')],
        ['Non-critical range', range(values, 'quantitative_result_non_critical_range')],
        ['Reference range', scalarText(values['reference'])],
      ] as const
    ).map(
      ([title, words]) =>
        words !== '' && element('Normal', {}, [describeNamed('Description', `${title}: ${words}`), source()]),
    ),
  );
}

const labResult: Write = (fact, { actors, comments }) => {
  const { values } = fact;
  const laboratory = actors.organization(scalarText(values['collected_by_org_name']), values, 'collected_by_org_adr');
  const collector = actors.person(
    {
      ...values,
      ...Object.fromEntries(
        ['family', 'given', 'middle', 'prefix', 'suffix'].map((suffix) => [
          `collector_name_${suffix}`,
          values[`collected_by_name_${suffix}`] ?? null,
        ]),
      ),
    },
    'collector',
  );
  const role = scalarText(values['collected_by_role']);
  const origin: Origin = {
    by: [
      { actorId: collector, ...(role === '' ? {} : { role }) },
      { actorId: laboratory, role: (collector === undefined && role) || 'Laboratory' },
    ],
  };
  const dates = [when('Collection start date', values['collected_at'])];
  const description = described('Description', [codeOf(values, 'test_name')]);
  const status = scalarText(values['status_title']) || scalarText(values['status_identifier']);
  return one('Result', [
    ...dataObject(fact, {
      dates,
      ids: [['Accession number', values['accession_number']]],
      type: describeNamed('Type', 'Laboratory'),
      description,
      status,
      origin,
    }),
    element('Test', {}, [
      ...dataObject(fact, { dates, description, status, origin, commentId: comments.add(fact, values['notes']) }),
      element('TestResult', {}, [
        ...((
          measure('TestResult', values['quantitative_result_value_value'], values['quantitative_result_value_unit']) ||
          element('TestResult')
        ).children as XmlElement[]),
        describeNamed('Description', values['value'] ?? values['narrative_result']),
      ]),
      normalResult(values),
      described('Flag', [codeOf(values, 'abnormal_interpretation')]),
    ]),
  ]);
};

/** The conclusion of a panel. Its results are separate entries. */
const labPanel: Write = (fact) => {
  const { values } = fact;
  if (scalarText(values['conclusion']) === '') {
    return [];
  }
  const dates = [when('Collection start date', values['date']), when('Issued', values['issued'])];
  const description = described('Description', [codeOf(values, 'name')]);
  const status = scalarText(values['status_title']) || scalarText(values['status_identifier']);
  return one('Result', [
    ...dataObject(fact, { dates, type: describeNamed('Type', 'Laboratory'), description, status }),
    element('Test', {}, [
      ...dataObject(fact, { dates, description, status }),
      element('TestResult', {}, [describeNamed('Description', values['conclusion'])]),
    ]),
  ]);
};

const measurement: Write = (fact, { comments }) => {
  const { values } = fact;
  const dates = [when('Collection start date', values['datetime'])];
  const status = readingStatus(values);
  const description = describeNamed('Description', values['type']);
  return one('Result', [
    ...dataObject(fact, { dates, description, status }),
    element('Test', {}, [
      ...dataObject(fact, { dates, description, status, commentId: comments.add(fact, values['notes']) }),
      measure('TestResult', xmlText('number', values['value'] as number), values['unit']),
    ]),
  ]);
};

function where(description: string, actorId: string | undefined): Part {
  return around('Locations', [
    around('Location', [
      describeNamed('Description', description),
      actorId !== undefined && actorLink('Actor', actorId),
    ]),
  ]);
}

function by(actorId: string | undefined, role?: string): Part {
  return around('Practitioners', [
    actorId !== undefined && actorLink('Practitioner', actorId, role === '' ? undefined : role),
  ]);
}

const procedure: Write = (fact, context) => {
  const { values } = fact;
  const { actors, comments } = context;
  const early = isEarly(fact, 'status', 'date_performed', context);
  const parts = {
    dates: [when('Start date', values['date_performed'])],
    description: described(
      'Description',
      [{ title: values['name'], system: values['name_type'], code: values['name_value'] }],
      { Abbreviation: values['name_abbrev'] },
    ),
    status: (early ? undefined : stateOf(values, 'status')) ?? 'Unknown',
    commentId: comments.add(fact, spaced(early && EARLY, values['comments'])),
  };
  return one('Procedure', [
    ...objectStart(fact, parts),
    where(scalarText(values['location']), actors.organization(scalarText(values['provider_institution']))),
    by(actors.personCalled(scalarText(values['provider_name']))),
    ...objectEnd(parts),
  ]);
};

const encounter: Write = (fact, { actors, comments }) => {
  const { values } = fact;
  return one('Encounter', [
    ...dataObject(fact, {
      dates: [when('Start date', values['startDate']), when('End date', values['endDate'])],
      type: described('Type', [codeOf(values, 'encounterType')]),
      commentId: comments.add(fact, spaced(values['reason'], values['notes'])),
    }),
    where(
      addressLine(values, 'facility_adr'),
      actors.organization(scalarText(values['facility_name']), values, 'facility_adr'),
    ),
    by(actors.person(values, 'provider')),
  ]);
};

const clinicalNote: Write = (fact, { actors, comments }) => {
  const { values } = fact;
  const coded = (field: string) => ({
    title: values[field],
    system: values[`${field}_type`],
    code: values[`${field}_value`],
  });
  return one('Encounter', [
    ...dataObject(fact, {
      dates: [
        when('Visit date', values['date_of_visit']),
        when('Signed', values['signed_at']),
        when('Finalized', values['finalized_at']),
      ],
      type: described('Type', [coded('visit_type')]),
      description: described('Description', [{ title: values['chief_complaint'] }], { Specialty: values['specialty'] }),
      commentId: comments.add(fact, values['content']),
    }),
    where(scalarText(values['visit_location']), actors.organization(scalarText(values['provider_institution']))),
    by(actors.personCalled(scalarText(values['provider_name'])), scalarText(values['specialty'])),
  ]);
};

const socialHistory: Write = (fact, { comments }) => {
  const { values } = fact;
  const amount = ['amount_value', 'amount_unit'].map((name) => scalarText(values[name])).join(' ');
  return one(
    'SocialHistoryElement',
    dataObject(fact, {
      dates: [when('Start date', values['date']), when('Stop date', values['end_date'])],
      type: described('Type', [codeOf(values, 'name')]),
      description: described('Description', [
        scalarText(values['value_title']) === '' ? { title: amount.trim() } : codeOf(values, 'value'),
      ]),
      status: scalarText(values['status_title']) || scalarText(values['status_identifier']),
      commentId: comments.add(fact, values['notes']),
    }),
  );
};

/** What is said of a fact of which this format has no section of its own. */
type PlainWords = {
  /** Which kind of statement it is. */ readonly type: string;
  /** The coded field that names it, or a text. */ readonly name: string;
  readonly dates?: readonly (readonly [string, string])[];
  /** Columns that stand behind the name. */ readonly more: readonly string[];
  readonly ids?: readonly (readonly [string, string])[];
};

/**
 * Facts without a section of their own stand with those about the person's life; their type says what they are, so
 * that nobody takes a plan for what was done.
 */
function plainSection({
  type,
  name,
  dates = [
    ['Start date', 'start'],
    ['Stop date', 'end'],
  ],
  more,
  ids = [],
}: PlainWords): Write {
  return (fact, { comments }) => {
    const { values } = fact;
    const behind = more.map((column) => scalarText(values[column])).filter((words) => words !== '');
    const coded = codeOf(values, name);
    const title = scalarText(coded.title) || scalarText(values[name]) || type;
    return one(
      'SocialHistoryElement',
      dataObject(fact, {
        dates: dates.map(([kind, column]) => when(kind, values[column])),
        ids: ids.map(([kind, column]) => [kind, values[column]] as const),
        type: describeNamed('Type', type),
        description: described('Description', [{ ...coded, title: [title, ...behind].join(', ') }]),
        status: scalarText(values['status_title']) || scalarText(values['status_identifier']),
        commentId: comments.add(fact, values['notes']),
      }),
    );
  };
}

const familyHistory = plainSection({
  type: 'Family history',
  name: 'condition',
  dates: [['Date recorded', 'date']],
  more: ['relation_title', 'relative_name', 'onset', 'outcome_title', 'deceased'],
});
const advanceDirective = plainSection({
  type: 'Advance directive',
  name: 'name',
  more: ['value_title', 'said', 'agent', 'verified', 'paper'],
});
const coverage = plainSection({
  type: 'Insurance',
  name: 'payer',
  more: ['plan', 'kind_title', 'subscriber', 'relationship_title'],
  ids: [
    ['Member number', 'member_id'],
    ['Group number', 'group_id'],
  ],
});
const goal = plainSection({
  type: 'Goal',
  name: 'description',
  dates: [
    ['Start date', 'start'],
    ['Target date', 'target_date'],
  ],
  more: ['target', 'achievement_title', 'set_by'],
});
const carePlan = plainSection({
  type: 'Planned',
  name: 'name',
  dates: [
    ['Planned start', 'start'],
    ['Planned end', 'end'],
  ],
  more: ['kind', 'intent_title', 'plan', 'when_in_words', 'instructions', 'provider', 'reason'],
});
const symptom = plainSection({ type: 'Symptom', name: 'name', more: ['severity_title', 'said', 'kind', 'source'] });
const sleep = plainSection({ type: 'Sleep', name: 'stage', more: ['source'] });
const workout = plainSection({
  type: 'Workout',
  name: 'kind',
  more: ['distance_value', 'distance_unit', 'energy_value', 'energy_unit', 'source'],
});

/** Sections in the order of the schema, with the models whose facts they hold. */
export const sections: readonly { readonly name: string; readonly models: Readonly<Record<string, Write>> }[] = [
  { name: 'Problems', models: { Problem: problem } },
  {
    name: 'SocialHistory',
    models: {
      SocialHistory: socialHistory,
      FamilyHistory: familyHistory,
      AdvanceDirective: advanceDirective,
      Coverage: coverage,
      Goal: goal,
      CarePlan: carePlan,
      Symptom: symptom,
      Sleep: sleep,
      Workout: workout,
    },
  },
  { name: 'Alerts', models: { Allergy: allergy, AllergyExclusion: allergyExclusion } },
  { name: 'Medications', models: { Medication: medication, Fill: loneFill } },
  { name: 'MedicalEquipment', models: { Equipment: equipment } },
  { name: 'Immunizations', models: { Immunization: immunization } },
  { name: 'VitalSigns', models: { VitalSigns: vitalSigns } },
  { name: 'Results', models: { LabResult: labResult, LabPanel: labPanel, Measurement: measurement } },
  { name: 'Procedures', models: { Procedure: procedure } },
  { name: 'Encounters', models: { Encounter: encounter, SimpleClinicalNote: clinicalNote } },
];
