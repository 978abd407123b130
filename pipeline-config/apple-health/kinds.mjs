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
