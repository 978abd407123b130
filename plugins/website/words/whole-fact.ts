/** whole-fact: everything that a fact says, field by field, with the parts that its short words leave out (pure). */
import type { Model, ModelField } from '../../../core/facts/model/model';
import {
  amount,
  codedWords,
  dateWords,
  factTitle,
  fieldLabel,
  fieldWords,
  isCode,
  isText,
  isUnit,
  knownDate,
  normalRange,
  numberWords,
  withoutEarlyDone,
  type Values,
} from './facts';
import { choiceWords, controlsOf, type Control, type Naming } from '../pages/add/model-form';
import { checkWords } from '../unlikely';
import { joinedBy, type Words } from './words';

/** The name of a field, or of a part of one, and its value in words. */
type Pair = { readonly field: ModelField; readonly label: string; readonly value: string };

/**
 * Type of a field -> the columns that `fieldWords` and `normalRange` leave out, by their names after that of the field.
 */
const otherParts: Readonly<Record<string, RegExp>> = {
  BloodPressure: /^(?:site|method)_/,
  Pharmacy: /^ncpdpid$/,
  Provider: /^(?!name_)/,
  QuantitativeResult: /^non_critical_range_/,
  Telephone: /^(?:type|preferred_p)$/,
};

function partWords(fact: Values, control: Control, words: Words): string {
  const { kind, name, unit } = control;
  const value = fact[name];
  if (value === null || value === undefined || value === '') {
    return '';
  }
  switch (kind) {
    case 'coded':
      return codedWords(fact, name.replace(/_title$/, ''), words);
    case 'choice':
      return choiceWords(control, value, words);
    case 'yes-no':
      // False is not shown: a number for which nobody gave a preference is stored as not preferred.
      return String(value) === 'true' ? words.say('facts.yes') : '';
    case 'day':
    case 'moment':
      return dateWords(knownDate(fact, name), words);
    case 'number':
      return unit ? amount(value, fact[unit.column.name], words) : numberWords(value, words);
    default:
      return unit ? amount(value, fact[unit.column.name], words) : String(value);
  }
}

/** "Sex: female; Date of birth: 2 January 1970"; empty when nothing was said. */
function otherPartsWords(naming: Naming, model: Model, field: ModelField, fact: Values): string {
  const pattern = otherParts[field.type];
  const { words } = naming;
  const controls = pattern === undefined ? [] : controlsOf(naming, model, field);
  const said = controls
    .filter(({ name }) => pattern!.test(name.slice(field.name.length + 1)))
    .map((control) => ({ label: control.label, value: partWords(fact, control, words) }))
    .filter(({ value }) => value !== '')
    .map(({ label, value }) => words.say('document.named', { label, value }));
  return joinedBy('; ', said, words);
}

/** A field in words; "Dose given; Please check: Day" where it says that something was done on a day that is to come. */
function checkedWords(model: Model, fact: Values, name: string, words: Words): string {
  const said = fieldWords(model, fact, name, words);
  const isEarly = said !== fieldWords(model, withoutEarlyDone(model, fact, words), name, words);
  return isEarly ? joinedBy('; ', [said, checkWords(model, fact, words)], words) : said;
}

/**
 * Everything that a fact says in fields of its own, in their order, without nested facts.
 * @param naming the model whose words name the fields; for a nested fact, it is the outer model
 */
export function factPairs(model: Model, fact: Values, naming: Naming): readonly Pair[] {
  const { root, path, words } = naming;
  return model.fields
    .filter((field) => !isCode(model, field) && !isUnit(model, field.name))
    .flatMap((field): readonly Pair[] => {
      const label = fieldLabel(root, `${path}${field.name}`, words);
      const value = checkedWords(model, fact, field.name, words);
      return [
        { field, label, value },
        { field, label: words.say('facts.normal-range'), value: normalRange(model, fact, field.name, words) },
        {
          field,
          label: value === '' ? label : words.say('add-model.more-of', { label }),
          value: otherPartsWords(naming, model, field, fact),
        },
      ];
    })
    .filter(({ value }) => value !== '');
}

/** As `factPairs`, with the fields that name the fact first. A text that only repeats the name is left out. */
export function nameFirst(
  model: Model,
  fact: Values,
  words: Words,
): { readonly named: Pair | undefined; readonly others: readonly Pair[] } {
  const title = factTitle(model, fact, words);
  const pairs = factPairs(model, fact, { root: model, path: '', words });
  const named = pairs.find(({ value }) => value === title);
  return { named, others: pairs.filter((pair) => pair !== named && !(isText(pair.field) && pair.value === title)) };
}
