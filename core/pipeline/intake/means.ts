/** means: finds what stands for a week, a month or a year, and for no reading of a day (pure). */
import { foldedText } from '../../base/words/folded-text';

const MEAN = `(?:${[
  'averages?|avg|means?|totals?|sums?|durchschnitte?|schnitt|mittel(?:wert)?|summen?|promedios?',
  'medi[ao]s?|suma|moyennes?|totaux|somme|(?:ال)?متوسط|(?:ال)?معدل|(?:ال)?مجموع',
].join('|')})`;
const OF = '(?:of|for|in|from|per|fur|im|in|vom|von|pro|de|del|de la|des|du|d|della|di|per|par|por|en|ل|في)';
const MONTH = `(?:${[
  'january|february|march|april|may|june|july|august|september|october|november|december|januar|janner',
  'februar|marz|mai|juni|juli|oktober|dezember|enero|febrero|marzo|abril|mayo|junio|julio|agosto',
  'septiembre|octubre|noviembre|diciembre|janvier|fevrier|mars|avril|juin|juillet|aout|septembre',
  'octobre|novembre|decembre|gennaio|febbraio|aprile|maggio|giugno|luglio|settembre|ottobre|dicembre',
  'jan|feb|mar|apr|jun|jul|aug|sep|sept|oct|okt|nov|dec|dez|ene|abr|ago|dic|gen|giu|lug|set|ott|fev|avr',
  'يناير|فبراير|مارس|ابريل|مايو|يونيو|يوليو|اغسطس|سبتمبر|اكتوبر|نوفمبر|ديسمبر',
].join('|')})\\.?`;
const SPAN_NAME = `(?:${[
  'weeks?|months?|quarters?|years?|wochen?|monate?s?|quartals?|jahr(?:es)?|semanas?|mes(?:es)?',
  'trimestres?|ano|semaines?|mois|annee|settimana|mese|anno|(?:ال)?اسبوع|(?:ال)?شهر|(?:ال)?سنه',
].join('|')})`;
const YEAR = '(?:\\d{4}|\\d{1,2}[/.-]\\d{4}|\\d{4}[/.-]\\d{1,2})';
const WEEK =
  '(?:(?:calendar )?(?:week|wk|w|kw|woche|semana|semaine|settimana|s|اسبوع|الاسبوع) ?\\d{1,2}|\\d{4}-?w\\d{1,2})';
const PERIOD = `(?:${MONTH}(?:,? (?:de )?\\d{2,4})?|${WEEK}(?:[ ,/-]+\\d{4})?|(?:q|t)[1-4](?:[ /-]\\d{4})?|${YEAR}|(?:the |last |this )?${SPAN_NAME})`;
const EVERY = `(?:${[
  'weekly|monthly|quarterly|yearly|annual|(?:wochen|monats|quartals|jahres)|wochentliche[rs]?',
  'monatliche[rs]?|jahrliche[rs]?',
].join('|')})`;
const EVERY_BEHIND = `(?:${[
  'semanal|mensual|trimestral|anual|hebdomadaires?|mensuell?es?|annuell?es?|settimanal[ei]|mensil[ei]',
  'annual[ei]|اسبوعي|شهري|سنوي)(?:es',
].join('|')})?`;

const SAYS_MEAN = new RegExp(
  `^(?:${[
    `${EVERY}[ -]?${MEAN}(?:\\W.{0,30})?`,
    `${MEAN} ${EVERY_BEHIND}(?:\\W.{0,30})?`,
    `${MEAN}:? (?:${OF} )?(?:the |den |dem |el |la |le )?${PERIOD}`,
    `${PERIOD}:? \\(?${MEAN}\\)?`,
  ].join('|')})$`,
  'u',
);
const ONLY_PERIOD = new RegExp(`^${PERIOD}$`, 'u');
/** Two whole days with a sign between them. */
const FROM_TO = /^(\d{1,4}[./-]\d{1,2}[./-]\d{1,4})\s*(?:[-–—]|to|bis|a|au|al)\s*\d{1,4}[./-]\d{1,2}[./-]\d{1,4}$/;
const TITLE = new RegExp(`^[^\\d]*(?:${EVERY}[ -]?${MEAN}|${MEAN} ${EVERY_BEHIND})\\b[^\\d]*(?:\\d{4})?$`, 'u');
/** A longer text tells of more than of its row. */
const LONGEST = 60;

function foldedCell(text: string): string {
  return foldedText(text).trim();
}

/** Whether a cell says that its row has means or sums of weeks, months or years: "Average of March 2024". */
export function saysMean(cell: string): boolean {
  return cell.length <= LONGEST && /\p{L}{2}/u.test(cell) && SAYS_MEAN.test(foldedCell(cell));
}

/** Whether a cell is a week, a month or a year, and no day: "March 2024", "2024-03", "KW 12", "1.3.2024 - 7.3.2024". */
export function isPeriodCell(cell: string): boolean {
  const text = foldedCell(cell);
  // Four digits may be any number.
  return (
    cell.length <= LONGEST && /[^\d\s]/.test(cell) && (ONLY_PERIOD.test(text) || FROM_TO.test(text) || saysMean(cell))
  );
}

/** Whether a line above a table says that all of its values are means: "Weekly averages". */
export function isTitleOfMeans(record: readonly string[]): boolean {
  const filled = record.filter((text) => text !== '');
  return filled.length === 1 && filled[0]!.length <= LONGEST && TITLE.test(foldedCell(filled[0]!));
}
