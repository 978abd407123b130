/**
 * kinds: the tables of Health Connect that are read, and the facts of their rows. Names, units and numbers for words are
 * those of the Android sources (packages/modules/HealthFitness).
 */

const LOINC = 'http://purl.bioontology.org/ontology/LNC/';

/** A number without an exponent, to fifteen digits. Further digits only come from rounding. */
export const inDigits = (value) => {
  const short = String(Number(value.toPrecision(15)));
  return short.includes('e') ? value.toFixed(12) : short;
};

const reading = (column, code, title, unit, value) => ({
  [`${column}_unit`]: unit,
  [`${column}_value`]: inDigits(value),
  [`${column}_name_identifier`]: code,
  [`${column}_name_title`]: title,
  [`${column}_name_system`]: LOINC,
});

const vital = (column, code, title, unit, { times = 1, notes } = {}) => ({
  model: 'VitalSigns',
  when: 'date',
  fields: ({ value }) => ({ ...reading(column, code, title, unit, value * times), ...(notes ? { notes } : {}) }),
});

const measurement = (type, unit, { times = 1, notes = () => undefined } = {}) => ({
  model: 'Measurement',
  when: 'datetime',
  fields: (row) => ({ type, value: inDigits(row.value * times), unit, notes: notes(row) }),
});

/** Words for the numbers of a column; a number that is not here says nothing. */
const words = (list) => (number) => list[Number(number)];

const POSITIONS = words([undefined, 'standing', 'sitting', 'lying', 'reclining']);
const ARMS = words([undefined, 'left wrist', 'right wrist', 'left upper arm', 'right upper arm']);
const MEALS = words([undefined, undefined, 'fasting', 'before a meal', 'after a meal']);
const STAGES = words(['Sleep', 'Awake', 'Asleep', 'Out of bed', 'Light sleep', 'Deep sleep', 'REM sleep', 'Awake in bed']);

const said = (...parts) => parts.filter(Boolean).join(', ') || undefined;

const pressure = {
  model: 'VitalSigns',
  when: 'date',
  fields: ({ value, diastolic, position, arm }) => ({
    ...reading('bp_systolic', '8480-6', 'Systolic blood pressure', 'mm[Hg]', value),
    ...(typeof diastolic === 'number' ? reading('bp_diastolic', '8462-4', 'Diastolic blood pressure', 'mm[Hg]', diastolic) : {}),
    notes: said(POSITIONS(position), ARMS(arm)),
  }),
};

/** Rows with one time each. `value` is the column of the number, `more` are further columns by the name of a field. */
export const INSTANTS = {
  weight_record_table: { value: 'weight', ...vital('weight', '3141-9', 'Body weight', 'kg', { times: 0.001 }) },
  height_record_table: { value: 'height', ...vital('height', '8302-2', 'Body height', 'm') },
  blood_pressure_record_table: {
    value: 'systolic',
    more: { diastolic: 'diastolic', position: 'body_position', arm: 'measurement_location' },
    ...pressure,
  },
  resting_heart_rate_record_table: {
    value: 'beats_per_minute',
    ...vital('heart_rate', '8867-4', 'Heart rate', '{beats}/min', { notes: 'at rest' }),
  },
  oxygen_saturation_record_table: {
    value: 'percentage',
    ...vital('oxygen_saturation', '2710-2', 'Oxygen saturation', '%{HemoglobinSaturation}'),
  },
  respiratory_rate_record_table: {
    value: 'rate',
    ...vital('respiratory_rate', '9279-1', 'Respiration rate', '{breaths}/min'),
  },
  body_temperature_record_table: {
    value: 'temperature',
    ...vital('temperature', '8310-5', 'Body temperature', 'Cel'),
  },
  basal_body_temperature_record_table: { value: 'temperature', ...measurement('Basal body temperature', 'Cel') },
  blood_glucose_record_table: {
    value: 'level',
    more: { meal: 'relation_to_meal' },
    ...measurement('Blood glucose', 'mmol/L', { notes: ({ meal }) => MEALS(meal) }),
  },
  body_fat_record_table: { value: 'percentage', ...measurement('Body fat', '%') },
  lean_body_mass_record_table: { value: 'mass', ...measurement('Lean body mass', 'kg', { times: 0.001 }) },
  bone_mass_record_table: { value: 'mass', ...measurement('Bone mass', 'kg', { times: 0.001 }) },
  heart_rate_variability_rmssd_record_table: {
    value: 'heart_rate_variability_millis',
    ...measurement('Heart rate variability', 'ms'),
  },
  vo2_max_record_table: { value: 'vo2_milliliters_per_minute_kilogram', ...measurement('VO2 max', 'mL/min/kg') },
};

/** What is counted bit by bit, so that only the sum of a day and an app says something. */
export const COUNTED = {
  steps_record_table: { value: 'count', name: 'Steps', unit: '1', times: 1 },
  floors_climbed_record_table: { value: 'floors', name: 'Floors climbed', unit: '1', times: 1 },
  distance_record_table: { value: 'distance', name: 'Distance', unit: 'm', times: 1 },
  active_calories_burned_record_table: { value: 'energy', name: 'Active energy', unit: 'kcal', times: 0.001 },
  total_calories_burned_record_table: { value: 'energy', name: 'Total energy', unit: 'kcal', times: 0.001 },
  hydration_record_table: { value: 'volume', name: 'Water', unit: 'L', times: 1 },
};

export const heartRate = vital('heart_rate', '8867-4', 'Heart rate', '{beats}/min').fields;

export const stageOf = (number) => STAGES(number) ?? 'Sleep';
