/** kinds: what the quick forms ask for: at most five fields each, and the columns of the model that these fill. */
import { frequencyWords } from '../../../../core/facts/model/dosage-words';
import type { IconName } from '../../parts/icons';
import type { Words } from '../../words/words';

/** One of a few answers; its columns are filled with what it means. */
type Choice = { readonly name: string; readonly columns: Readonly<Record<string, string>> };

/** A field of a quick form. `label` is the end of its text `quick.…`; `column` is the name of the field, too. */
export type QuickField =
  | { readonly kind: 'pad'; readonly fields: readonly (readonly [column: string, label: string])[] }
  | {
      readonly kind: 'number';
      readonly column: string;
      readonly label: string;
      readonly unit: string;
      /** It is what the form is about, in large digits. */ readonly isLarge?: boolean;
    }
  | {
      readonly kind: 'text' | 'long';
      readonly column: string;
      readonly label: string;
      readonly hint?: string;
      readonly suggested?: (words: Words) => readonly string[];
    }
  | { readonly kind: 'pick'; readonly name: string; readonly label: string; readonly choices: readonly Choice[] }
  /** The day, and the time unless the column has none. */
  | { readonly kind: 'when'; readonly column: string; readonly isDay?: boolean };

export type QuickKind = {
  /** In the address, and the end of its text `quick.…`. */ readonly name: string;
  /** Undefined for a photo, which is a file. */ readonly model?: string;
  readonly icon: IconName;
  readonly hue: string;
  readonly fields: readonly QuickField[];
};

const SNOMED = 'http://purl.bioontology.org/ontology/SNOMEDCT/';

/** The title is English where pages translate it (`states.…`). */
function codedChoices(field: string, codes: readonly (readonly [name: string, code: string, title: string])[]) {
  return codes.map(([name, code, title]) => ({
    name,
    columns: { [`${field}_identifier`]: code, [`${field}_system`]: SNOMED, [`${field}_title`]: title },
  }));
}

const severities = codedChoices('severity', [
  ['mild', '255604002', 'Mild'],
  ['moderate', '6736007', 'Moderate'],
  ['severe', '24484000', 'Severe'],
]);

const positions = codedChoices('bp_position', [
  ['sitting', '33586001', 'Sitting'],
  ['standing', '10904000', 'Standing'],
  ['lying', '102538003', 'Lying'],
]);

function listedWords(key: string) {
  return ({ say }: Words): readonly string[] =>
    say(`quick.${key}`)
      .split(';')
      .map((one) => one.trim());
}

const NOTE = { kind: 'text', column: 'notes', label: 'note' } as const;

/** How often a medicine is usually taken: the words, and the columns for them. */
export function usualTimes({
  language,
}: Words): readonly (readonly [words: string, frequency: string, unit: string])[] {
  return ['1 d', '2 d', '3 d', '4 d', '1 wk'].map((one) => {
    const [frequency = '', period = ''] = one.split(' ');
    return [frequencyWords(frequency, `/(1.${period})`, language) ?? '', frequency, `/${period}`];
  });
}

export const quickKinds: readonly QuickKind[] = [
  {
    name: 'blood-pressure',
    model: 'VitalSigns',
    icon: 'pulse',
    hue: 'k-meas',
    fields: [
      {
        kind: 'pad',
        fields: [
          ['bp_systolic_value', 'upper'],
          ['bp_diastolic_value', 'lower'],
        ],
      },
      { kind: 'number', column: 'heart_rate_value', label: 'pulse', unit: 'a-minute' },
      { kind: 'when', column: 'date' },
      { kind: 'pick', name: 'position', label: 'position', choices: positions },
      { ...NOTE, hint: 'note-hint' },
    ],
  },
  {
    name: 'weight',
    model: 'VitalSigns',
    icon: 'scale',
    hue: 'k-meas',
    fields: [
      { kind: 'number', column: 'weight_value', label: 'weight', unit: 'kg', isLarge: true },
      { kind: 'when', column: 'date' },
      NOTE,
    ],
  },
  {
    name: 'medicine',
    model: 'Medication',
    icon: 'pill',
    hue: 'k-med',
    fields: [
      { kind: 'text', column: 'drugName_title', label: 'what', hint: 'what-medicine' },
      { kind: 'text', column: 'how-much', label: 'how-much', hint: 'how-much-hint' },
      {
        kind: 'text',
        column: 'how-often',
        label: 'how-often',
        hint: 'how-often-hint',
        suggested: (words) => [...usualTimes(words).map(([said]) => said), words.say('quick.when-needed')],
      },
      { kind: 'when', column: 'startDate', isDay: true },
      NOTE,
    ],
  },
  {
    name: 'journal',
    model: 'Symptom',
    icon: 'journal',
    hue: 'k-prob',
    fields: [
      { kind: 'text', column: 'name_title', label: 'journal', hint: 'feel-hint', suggested: listedWords('feelings') },
      { kind: 'pick', name: 'severity', label: 'how-strong', choices: severities },
      { kind: 'when', column: 'start' },
      { kind: 'long', column: 'said', label: 'said' },
    ],
  },
  { name: 'photo', icon: 'camera', hue: 'k-doc', fields: [{ kind: 'when', column: 'date', isDay: true }] },
  {
    name: 'allergy',
    model: 'Allergy',
    icon: 'alert',
    hue: 'k-all',
    fields: [
      { kind: 'text', column: 'allergen_title', label: 'what', hint: 'what-allergy' },
      { kind: 'text', column: 'allergic_reaction_title', label: 'reaction', suggested: listedWords('reactions') },
      { kind: 'pick', name: 'severity', label: 'how-bad', choices: severities },
      NOTE,
    ],
  },
  {
    name: 'note',
    model: 'SimpleClinicalNote',
    icon: 'note',
    hue: 'k-who',
    fields: [
      { kind: 'long', column: 'content', label: 'note', hint: 'note-long' },
      { kind: 'when', column: 'date_of_visit' },
    ],
  },
];

export function quickKind(name: string): QuickKind | undefined {
  return quickKinds.find((kind) => kind.name === name);
}
