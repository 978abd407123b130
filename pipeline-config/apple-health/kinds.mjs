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
