/**
 * kinds: names what is measured, in words of at most 24 characters (the column of a Measurement), and translates
 * Apple's units to UCUM.
 */

const QUANTITY = /^HKQuantityTypeIdentifier([A-Za-z0-9]{1,80})$/;
const LONGEST = 24;

/** Names for kinds that would be too long or odd if they were only split into words. */
const names = {
  ActiveEnergyBurned: 'Active energy',
  AppleExerciseTime: 'Exercise time',
  AppleMoveTime: 'Move time',
  AppleSleepingBreathingDisturbances: 'Breathing disturbances',
  AppleSleepingWristTemperature: 'Wrist temperature asleep',
  AppleStandTime: 'Stand time',
  AppleWalkingSteadiness: 'Walking steadiness',
  AtrialFibrillationBurden: 'Atrial fibrillation',
  BasalBodyTemperature: 'Basal body temperature',
  BasalEnergyBurned: 'Resting energy',
  BodyFatPercentage: 'Body fat',
  CyclingFunctionalThresholdPower: 'Cycling threshold power',
  CrossCountrySkiingSpeed: 'Skiing speed',
  DietaryEnergyConsumed: 'Dietary energy',
  DietaryFatMonounsaturated: 'Monounsaturated fat',
  DietaryFatPolyunsaturated: 'Polyunsaturated fat',
  DistanceCrossCountrySkiing: 'Distance skiing',
  DistanceDownhillSnowSports: 'Distance downhill',
  DistanceSkatingSports: 'Distance skating',
  DistanceWalkingRunning: 'Distance on foot',
  EnvironmentalAudioExposure: 'Sound around',
  EnvironmentalSoundReduction: 'Sound reduction',
  EstimatedWorkoutEffortScore: 'Estimated effort',
  ForcedExpiratoryVolume1: 'FEV1',
  ForcedVitalCapacity: 'FVC',
  HeadphoneAudioExposure: 'Sound of headphones',
  HeartRateRecoveryOneMinute: 'Heart rate recovery',
  HeartRateVariabilitySDNN: 'Heart rate variability',
  NumberOfAlcoholicBeverages: 'Alcoholic drinks',
  NumberOfTimesFallen: 'Falls',
  PeakExpiratoryFlowRate: 'Peak flow',
  PeripheralPerfusionIndex: 'Perfusion index',
  RunningGroundContactTime: 'Ground contact time',
  RunningVerticalOscillation: 'Vertical oscillation',
  SixMinuteWalkTestDistance: 'Six-minute walk',
  StepCount: 'Steps',
  UVExposure: 'UV exposure',
  VO2Max: 'VO2 max',
  WalkingAsymmetryPercentage: 'Walking asymmetry',
  WalkingDoubleSupportPercentage: 'Double support',
  WalkingHeartRateAverage: 'Heart rate walking',
};

/** `SleepAnalysis` -> "Sleep analysis" */
export const inWords = (name) => {
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2');
  return words.charAt(0) + words.slice(1).toLowerCase();
};

const BLOOD_PRESSURE = { BloodPressureSystolic: 'systolic', BloodPressureDiastolic: 'diastolic' };

/** Kinds that are counted bit by bit, so that only the sum of a day says something. */
const COUNTED = /^(StepCount|FlightsClimbed|PushCount|SwimmingStrokeCount|ActiveEnergyBurned|BasalEnergyBurned|Apple(Exercise|Move|Stand)Time|TimeInDaylight|Distance[A-Z]\w*)$/;

export const isCounted = (kind) => COUNTED.test(kind);

/**
 * What a type of record is: its kind, and for a blood pressure, which part of it.
 * @returns undefined for a type that is no quantity
 */
export const kindOf = (type) => {
  const short = QUANTITY.exec(type)?.[1];
  if (short === undefined) {
    return undefined;
  }
  const part = Object.hasOwn(BLOOD_PRESSURE, short) ? BLOOD_PRESSURE[short] : undefined;
  const kind = part ? 'BloodPressure' : short;
  return { kind, part, words: (Object.hasOwn(names, kind) ? names[kind] : inWords(kind)).slice(0, LONGEST) };
};

const units = {
  count: '1',
  'count/min': '/min',
  'count/s': '/s',
  mmHg: 'mm[Hg]',
  lb: '[lb_av]',
  oz: '[oz_av]',
  st: '[stone_av]',
  in: '[in_i]',
  ft: '[ft_i]',
  yd: '[yd_i]',
  mi: '[mi_i]',
  'mi/hr': '[mi_i]/h',
  'ft/s': '[ft_i]/s',
  'km/hr': 'km/h',
  degC: 'Cel',
  degF: '[degF]',
  Cal: 'kcal',
  hr: 'h',
  mcg: 'ug',
  IU: '[iU]',
  fl_oz_us: '[foz_us]',
  cup_us: '[cup_us]',
  pt_us: '[pt_us]',
  'mL/min·kg': 'mL/min/kg',
  'kcal/hr·kg': 'kcal/h/kg',
  dBASPL: 'dB[SPL]',
  appleEffortScore: '{score}',
};
const LONGEST_UNIT = 40;

/** The unit in UCUM, if that differs. The molar mass in `mmol<180.15588000005408>/L` is removed. */
export const ucum = (unit) =>
  Object.hasOwn(units, unit) ? units[unit] : unit.replace(/<[^<>]*>/g, '').slice(0, LONGEST_UNIT);

/** Apple writes percentages from 0 to 1, and some other apps from 0 to 100. */
export const inUnit = (value, unit) => (unit === '%' && value <= 1 ? value * 100 : value);

/** Kinds of records that say something in words, by what they are. */
const categories = {
  sleep: ['SleepAnalysis'],
  symptom: `
  AbdominalCramps Acne AppetiteChanges BladderIncontinence Bloating BreastPain ChestTightnessOrPain Chills
  Constipation Coughing Diarrhea Dizziness DrySkin Fainting Fatigue Fever GeneralizedBodyAche HairLoss Headache
  Heartburn HotFlashes LossOfSmell LossOfTaste LowerBackPain MemoryLapse MoodChanges Nausea NightSweats PelvicPain
  RapidPoundingOrFlutteringHeartbeat RunnyNose ShortnessOfBreath SinusCongestion SkippedHeartbeat SleepChanges
  SoreThroat VaginalDryness Vomiting Wheezing`.trim().split(/\s+/),
  notification: `
  AppleWalkingSteadinessEvent AudioExposureEvent EnvironmentalAudioExposureEvent HeadphoneAudioExposureEvent
  HighHeartRateEvent HypertensionEvent IrregularHeartRhythmEvent LowCardioFitnessEvent LowHeartRateEvent
  SleepApneaEvent`.trim().split(/\s+/),
  cycle: `
  BleedingAfterPregnancy BleedingDuringPregnancy CervicalMucusQuality Contraceptive InfrequentMenstrualCycles
  IntermenstrualBleeding IrregularMenstrualCycles Lactation MenstrualFlow OvulationTestResult
  PersistentIntermenstrualBleeding Pregnancy PregnancyTestResult ProgesteroneTestResult ProlongedMenstrualPeriods`.trim().split(/\s+/),
};
const groups = new Map(Object.entries(categories).flatMap(([group, kinds]) => kinds.map((kind) => [kind, group])));

const CATEGORY = /^HKCategoryTypeIdentifier([A-Za-z0-9]{1,80})$/;

/** What Apple calls the time that somebody lies in bed, and so on. */
const stages = { Asleep: 'Asleep', AsleepUnspecified: 'Asleep', AsleepCore: 'Core sleep', AsleepDeep: 'Deep sleep', AsleepREM: 'REM sleep', InBed: 'In bed', Awake: 'Awake' };

/** `HKCategoryValueSeverityModerate` -> "Moderate"; empty where the value says no more than that it was so. */
const valueInWords = (kind, value) => {
  const short = value.replace(/^HKCategoryValue/, '');
  const [said] = [kind, 'SleepAnalysis', 'Severity', 'Presence', 'VaginalBleeding']
    .filter((beginning) => short.startsWith(beginning) && short !== beginning)
    .map((beginning) => short.slice(beginning.length));
  const words = said ?? short;
  if (['NotApplicable', 'Present', '0', ''].includes(words)) {
    return '';
  }
  return kind === 'SleepAnalysis' && Object.hasOwn(stages, words) ? stages[words] : inWords(words).slice(0, 200);
};

/**
 * What a record says in words: its kind, the group it belongs to, and its value.
 * @returns undefined for a kind that is not taken
 */
export const categoryOf = (type, value) => {
  const kind = CATEGORY.exec(type)?.[1];
  const group = kind === undefined ? undefined : groups.get(kind);
  if (group === undefined) {
    return undefined;
  }
  const words = kind === 'AppleWalkingSteadinessEvent' ? 'Walking steadiness' : inWords(kind).replace(/ event$/, '');
  return { kind, group, words, said: valueInWords(kind, value) || (group === 'sleep' ? 'Asleep' : '') };
};

/** `HKWorkoutActivityTypeTraditionalStrengthTraining` -> "Traditional strength training" */
export const workoutInWords = (type) => inWords(type.replace(/^HKWorkoutActivityType/, '').slice(0, 80)) || 'Workout';

/** What Apple says of the circumstances of a reading, by the key of its metadata, and its values in words. */
const circumstances = {
  HKMetadataKeyHeartRateMotionContext: { 1: 'at rest', 2: 'in motion' },
  HKMetadataKeyBloodGlucoseMealTime: { 1: 'before a meal', 2: 'after a meal' },
  HKBloodGlucoseMealTime: { 1: 'before a meal', 2: 'after a meal' },
  HKMetadataKeyInsulinDeliveryReason: { 1: 'basal insulin', 2: 'bolus of insulin' },
  HKInsulinDeliveryReason: { 1: 'basal insulin', 2: 'bolus of insulin' },
  HKMetadataKeyHeartRateSensorLocation: { 1: 'on the chest', 2: 'on the wrist', 3: 'on the finger', 4: 'on the hand', 5: 'on the ear lobe', 6: 'on the foot' },
  HKHeartRateSensorLocation: { 1: 'on the chest', 2: 'on the wrist', 3: 'on the finger', 4: 'on the hand', 5: 'on the ear lobe', 6: 'on the foot' },
  HKMetadataKeyBodyTemperatureSensorLocation: { 1: 'in the armpit', 2: 'in the body', 3: 'in the ear', 4: 'on the finger', 5: 'in the gut', 6: 'in the mouth', 7: 'in the rectum', 8: 'on the toe', 9: 'in the ear (eardrum)', 10: 'at the temple', 11: 'on the forehead' },
  HKBodyTemperatureSensorLocation: { 1: 'in the armpit', 2: 'in the body', 3: 'in the ear', 4: 'on the finger', 5: 'in the gut', 6: 'in the mouth', 7: 'in the rectum', 8: 'on the toe', 9: 'in the ear (eardrum)', 10: 'at the temple', 11: 'on the forehead' },
  HKVO2MaxTestType: { 1: 'measured at the highest effort', 2: 'estimated from an effort below the highest', 3: 'estimated without exercise' },
  HKMetadataKeyVO2MaxTestType: { 1: 'measured at the highest effort', 2: 'estimated from an effort below the highest', 3: 'estimated without exercise' },
  HKMetadataKeyHeartRateRecoveryTestType: { 1: 'measured at the highest effort', 2: 'estimated from an effort below the highest', 3: 'estimated without exercise' },
  HKIndoorWorkout: { 0: 'outdoors', 1: 'indoors' },
  HKMenstrualCycleStart: { 1: 'a cycle began' },
};

/** Circumstances that have a value of their own. */
const measured = {
  HKHeartRateEventThreshold: 'threshold',
  HKMetadataKeyHeartRateEventThreshold: 'threshold',
  HKLowCardioFitnessEventThreshold: 'threshold',
  HKVO2MaxValue: 'VO2 max',
  HKAudioExposureLevel: 'level',
  HKAudioExposureDuration: 'duration',
};

/** Metadata of apps that say something in words have names such as "Notes" and "comment". */
const REMARK = /(?:^|[^a-z])(?:notes?|comments?|remarks?|meal|tags?|bemerkung|notiz|notizen|kommentar)$/i;

/** What an entry of metadata says, in words; empty for what says nothing of the reading. */
export const circumstance = (key, value) => {
  if (Object.hasOwn(circumstances, key)) {
    return circumstances[key][value] ?? '';
  }
  if (Object.hasOwn(measured, key)) {
    return `${measured[key]} ${value}`.slice(0, 60);
  }
  return !key.startsWith('HK') && REMARK.test(key) && value.trim() !== '' ? value.trim().slice(0, 120) : '';
};
