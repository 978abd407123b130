/**
 * column-sets: finds in the heads of columns to which of several sets of readings they belong, such as "Morning" in
 * "Morning systolic" or "left arm" in "SYS left arm" (pure).
 */
import { foldedText } from '../../base/words/folded-text';

/** Words, folded, that tell sets apart: times of the day, meals, sides, sensors and numbers. */
const TELLING = new RegExp(
  `^(?:${[
    'breakfast|lunch|dinner|supper|fruhstuck|mittagessen|abendessen|desayuno|almuerzo|cena|dejeuner|diner',
    'colazione|pranzo|الافطار|الغداء|العشاء',
    'mornings?|evenings?|noon|midday|afternoons?|nights?|bedtime|am|pm|fasting|before|after|pre|post',
    'morgens?|fruh|abends?|mittags?|nachmittags?|vormittags?|nachts?|nuchtern|vor|nach',
    'mananas?|tardes?|noches?|mediodia|ayunas|antes|despues|matin|soir|midi|coucher|jeun|avant|apres',
    'mattin[ao]|sera|pomeriggio|mezzogiorno|notte|digiuno|prima|dopo|(?:ال)?(?:صباح|مساء|ظهر|ليل)[اي]?|قبل|بعد|صائم',
    'left|right|links|rechts|linke[rns]?|rechte[rns]?|izquierd[oa]|derech[oa]|gauche|droite?|sinistr[oa]|destr[oa]',
    '(?:ال)?(?:ايسر|ايمن|يسار|يمين|يسري|يمني)|sensor|cgm|strip|historic|scan|verlauf|teststreifen|historial|escaneo|tira|historique|numerisation|bandelette|lying|standing|sitting|seated|supine|liegend|stehend|sitzend|acostad[oa]|sentad[oa]|couche|debout|assis|1st|2nd|3rd|first|second|third|[1-9]\\.?',
  ].join('|')})$`,
);
/** Words that may stand beside those. */
const BESIDE = new RegExp(
  `^(?:${[
    'arms?|the|in|of|at|by|am|im|an|en|el|la|de|du|al|del|a|le|brazo|bras|braccio|ذراع|الذراع',
    'meals?|sleep|essen|mahlzeit|schlafen|comida|petit|repas|pasto|الاكل',
    'readings?|measurements?|messung|wert|medida|mesure|misura',
  ].join('|')})$`,
);
/** Words of heads that say nothing more where the reading is known. */
const FILLING = /^(?:blood|pressure|rate|heart|values?|blutdruck|druck|presion|arterial|tension|pression|arterielle)$/;

/** `key`: equal for the columns of one set, empty for those of none. */
export type ColumnSet = { readonly key: string; /** How its heads say it. */ readonly words: string };

const NO_SET: ColumnSet = { key: '', words: '' };

/** The words of a head, without a unit in brackets; "SYS1" has two. */
function headParts(head: string): readonly string[] {
  return (
    head
      .replace(/\s*[([][^()[\]]*[)\]]\s*$/, '')
      // "SpO2" is no second measurement.
      .replace(/(\p{L}{3,})(?<!spo)([1-9])(?!\p{N})/giu, '$1 $2')
      .match(/[\p{L}\p{M}\p{N}]+\.?/gu) ?? []
  );
}

function isTelling(word: string): boolean {
  return TELLING.test(foldedText(word));
}

/**
 * The set that a head names. What it says besides, and what no name of the reading is, makes its words the whole head,
 * so that nothing of it is lost.
 * @param isName whether a word, folded, only names the reading
 */
export function setInHead(head: string, isName: (word: string) => boolean): ColumnSet {
  const words = headParts(head);
  if (!words.some(isTelling)) {
    return NO_SET;
  }
  const own = words.filter((word) => isTelling(word) || BESIDE.test(foldedText(word)));
  const others = words.filter((word) => !own.includes(word)).map(foldedText);
  const isWhole = others.some((word) => !isName(word) && !FILLING.test(word));
  const isNumber = own.every((word) => /^\d/.test(word));
  return { key: own.map(foldedText).join(' '), words: isWhole || isNumber ? head : own.join(' ') };
}

/** The head without the words of its set. */
export function withoutSet(head: string): string {
  return headParts(head)
    .filter((word) => !isTelling(word) && !BESIDE.test(foldedText(word)))
    .join(' ');
}
