/** plain-cells: cells with the digits, signs and spaces of one alphabet, so that all of them are read alike (pure). */
import { isTimeZone } from '../../base/time-zones';
import { foldedText } from '../../base/words/folded-text';

const ZEROS = [0x660, 0x6f0];

/** Digits of Arabic and Persian as 0 to 9, their signs in numbers as point and comma, and no marks of direction. */
export function plainDigits(text: string): string {
  return text
    .replace(/[\u200E\u200F\u061C\u202A-\u202E\u2066-\u2069]/g, '')
    .replace(/[\u0660-\u0669\u06F0-\u06F9]/g, (digit) => {
      const code = digit.codePointAt(0)!;
      return String(code - ZEROS.findLast((zero) => code >= zero)!);
    })
    .replaceAll('\u066B', '.')
    .replaceAll('\u066C', ',')
    .replaceAll('\u2212', '-');
}

/** Names of days in English, German, Spanish, French and Italian, whole or short, before a date. */
const WEEKDAY =
  /^(?:mon|tue|wed|thu|fri|sat|sun|mo|di|mi|do|fr|sa|so|lun|mar|mi[eé]|jue|vie|s[aá]b|dom|mer|jeu|ven|sam|dim|gio|السبت|الأحد|الاثنين|الثلاثاء|الأربعاء|الخميس|الجمعة)(?:\p{L}*)[.,]*\s+(?=\d|\p{L}{3,}\.? \d)/iu;

/**
 * A date and a time in one of the few ways in which formats name them, where this changes no meaning: the day before the
 * time, 2026-07-05 for 2026/7/5, no comma before a year, 07:05 for "7:05", "7.05 Uhr" and "7h05", 07:00 for "7 Uhr",
 * and zones as offsets.
 */
function inPlainOrder(text: string): string {
  return (
    text
      .replace(/^(\d{1,2}:\d{2}(?::\d{2})?(?: ?[ap]\.?m\.?)?),?\s+(?=.*\d{4})(.+)$/i, '$2 $1')
      .replace(
        /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)/,
        (_, year, month, day) => `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`,
      )
      // "25.06.2015 - 19:14", "12.03.2024 um 07:15", "Mar 12, 2024 at 7:15 AM".
      .replace(
        /(\d{2})(?:,? (?:at|um|a las?|à|alle(?: ore)?|kl\.?|om|o|الساعة) | [-–|@] )(?=\d{1,2}[:.h]\d{2})/iu,
        '$1 ',
      )
      // "12 de marzo de 2025", "1er mai 2025", "March 3rd, 2025".
      .replace(/^(\d{1,2})(?:\.?[ºª°]|er)? (?:de )?(\p{L}{3,12}\.?) (?:del? )?(?=\d{4}\b)/iu, '$1 $2 ')
      .replace(/^(\p{L}{3,12}\.? )?(\d{1,2})(?:st|nd|rd|th)\b/iu, '$1$2')
      .replace(/^(\p{L}{3,12}\.? \d{1,2}), ?(\d{4})\b,?/u, '$1 $2')
      .replace(/ ?(?:GMT|UTC)$/, 'Z')
      .replace(/ ?(?:GMT|UTC)?([+-]\d{2}:?\d{2})(?: \([^()]*\))?$/, (whole, zone) => (/:\d/.test(text) ? zone : whole))
      .replace(/(^| )(\d{1,2}) ?uhr$/i, '$1$2:00')
      .replace(/(^| )(\d{1,2})(?:[.:](\d{2}) ?(?:uhr|h)|h(\d{2}))$/i, (_, space, hour, one, other) =>
        [space, hour, ':', one ?? other].join(''),
      )
      .replace(/(^|[ T])(\d):(?=\d{2})/, '$10$2:')
  );
}

let lastDate: { readonly text: string; readonly ways: readonly string[] } = { text: '', ways: [''] };

/**
 * The ways to read a cell as a date: as it is, with plain spaces and digits, and in a plain order, with and without the
 * name of its day. A cell is tried with one form after the other, so the last one is kept.
 */
export function plainDates(text: string): readonly string[] {
  if (lastDate.text !== text) {
    const plain = plainDigits(text)
      .replace(/[\u00A0\u2009\u202F]/g, ' ')
      .trim();
    // "Mar" and "Dic" begin names of days in one language and are months in another: they are months first.
    const ordered = [plain, plain.replace(WEEKDAY, '')].map(inPlainOrder);
    lastDate = { text, ways: [...new Set([plain, ...ordered])] };
  }
  return lastDate.ways;
}

/** What people and programs write where there is no value, folded as cells are; the stylesheets know the same words. */
const NO_VALUE = new RegExp(
  `^(?:${[
    '[-–—]{1,3}|#?n\\/?a|n\\. ?[av]\\.?|null|nan|none|unknown|not (?:done|performed|measured|taken|available|recorded|known|applicable)',
    'no (?:data|value)|k\\.? ?a\\.?|keine (?:angaben?|daten|messung)|nicht (?:gemessen|durchgefuhrt|bekannt|verfugbar)',
    'unbekannt|sin (?:datos|dato|medir)|no (?:medido|realizado|disponible|aplica|consta)|desconocido',
    'non (?:mesure|realise|disponible|renseigne|misurato|eseguito|fatto|disponibile)|inconnu|geen(?: gegevens)?',
    'niet (?:gemeten|uitgevoerd|bekend)|onbekend|nao (?:medido|informado|realizado|disponivel)|n\\.?d\\.?',
    'غير (?:متوفر|متاح|معروف|محدد)|لا (?:يوجد|توجد)|لم يتم',
  ].join('|')})$`,
);
const LONGEST_NO_VALUE = 20;

/** Whether a cell stands for nothing: a dash, or what is written where there is no value. */
export function isNothing(text: string): boolean {
  const bare = text.trim();
  return bare.length <= LONGEST_NO_VALUE && !/^\d/.test(bare) && NO_VALUE.test(foldedText(bare));
}

const PRESSURE_AND_RATE =
  /^(\d{2,3}(?:[.,]\d+)?)\s*\/\s*(\d{1,3}(?:[.,]\d+)?)\s*(mm ?hg|cm ?hg|kpa)?(?:\s*[/,;(]\s*|\s+)?(?:(?:p|puls[eo]?|hr)\b[:.=]?\s*)?(\d{2,3})?\s*(?:bpm|\/min)?\s*\)?$/iu;

/** Other signs and words between the two numbers: "120-80", "120 over 80", "120 zu 80". */
const OTHER_SIGN = /^(\d{2,3})(?: ?[-–—\\|:] ?| (?:over|on|zu|auf|sobre|sur|su|per|por|op|na|على) )(\d{2,3})(?!\d)/iu;
const UPPER = { from: 60, to: 280 };
const LOWER = { from: 30, to: 180 };

/** A text with another sign between two numbers that only a blood pressure has, with the usual sign between them. */
function withSlash(text: string): string {
  const [whole = '', upper = '', lower = ''] = OTHER_SIGN.exec(text) ?? [];
  const [high, low] = [Number(upper), Number(lower)];
  const isPressure =
    high >= UPPER.from && high <= UPPER.to && low >= LOWER.from && low <= LOWER.to && high - low >= LEAST_BETWEEN;
  const rest = text.slice(whole.length).replace(/^ ?[-–—\\|:] ?/, '/');
  return whole !== '' && isPressure ? `${upper}/${lower}${rest}` : text;
}
/** In mmHg: a smaller difference is rather that of two other numbers. */
const LEAST_BETWEEN = 10;

/**
 * The two numbers of a blood pressure, each with its unit, and the heart rate behind them or an empty text: "128/82",
 * "128/82 mmHg", "128/82/64", "128/82 (64)", "128-82" and "128 over 82". Undefined for any other text.
 */
export function pressureParts(text: string): readonly [string, string, string] | undefined {
  const written = withSlash(plainDigits(text).trim());
  const [, upper, lower, unit = '', rate = ''] = PRESSURE_AND_RATE.exec(written) ?? [];
  return upper === undefined || lower === undefined
    ? undefined
    : [`${upper} ${unit}`.trim(), `${lower} ${unit}`.trim(), rate];
}

/** A time zone as `Europe/Berlin` or `+02:00`; undefined for a cell that names none. */
export function zoneInCell(text: string): string | undefined {
  const form = /^(?:UTC|GMT)?\s*([+-])(?:(\d{1,2})|(\d{1,2}):(\d\d)|(\d\d)(\d\d))$/i;
  const [, sign, alone, before, behind, first, second] = form.exec(plainDigits(text)) ?? [];
  const [hours, minutes] = [alone ?? before ?? first, behind ?? second ?? '00'];
  if (hours !== undefined) {
    return Number(hours) > 14 || Number(minutes) > 59 ? undefined : `${sign}${hours.padStart(2, '0')}:${minutes}`;
  }
  return isTimeZone(text) ? text : undefined;
}

/** The words of a control solution, folded as cells are. */
const CONTROL_SOLUTION = new RegExp(
  [
    '\\bcontrol[ -]?(solution|sol\\b|test|fluid|result)',
    '\\bkontroll?[ -]?(losung|messung|test|flussigkeit)',
    'solucion(es)? (de )?control|prueba de control',
    'solution (de )?controle|test de controle|soluzione di controllo',
    'controle ?(vloeistof|oplossing|meting)|kontrollosning|kontrolvaeske|(plyn|roztwor) kontrolny',
    'محلول (ال)?(ضبط|معايره|تحكم|مراقبه|اختبار)',
  ].join('|'),
);
const CONTROL = /^(control|ctrl|ctl|kontroll?e?|controle|controllo|qc)( ?(level )?(high|low|normal|hi|lo|\d))?$/;
const YES = /^(yes|true|1|x|y|ja|j|si|oui|o|نعم)$/;
/** Where no word begins, none is said, which is true of most cells. */
const BEGINS_WITH_WORD = /^(?:[("'[]?\p{L}|1$)/u;
const REMARKS = /note|comment|remark|bemerk|notiz|kommentar|nota|observ|comentario|remarque|ملاحظ/;
/** A longer remark tells of more than the row. */
const SHORT_REMARK = 40;

/**
 * Whether a cell says that its row is the test of a meter with a control solution, and no value of a person: in words
 * for the solution, by the word "control" where no remarks stand, or by a yes below such a head.
 */
export function saysControl(head: string, cell: string): boolean {
  if (cell.length > SHORT_REMARK || !BEGINS_WITH_WORD.test(cell)) {
    return false;
  }
  const [named, text] = [head, cell].map((text) => foldedText(text.trim())) as [string, string];
  const isHead = CONTROL.test(named.replace(/^is[ _-]?/, '')) || CONTROL_SOLUTION.test(named);
  return CONTROL_SOLUTION.test(text) || (CONTROL.test(text) && !REMARKS.test(named)) || (isHead && YES.test(text));
}

/** Words for a goal, for what was deleted, and for what went wrong, folded as cells are. */
const NO_READING = new RegExp(
  `^(?:${[
    'goal|target|ziel|zielwert|objetivo|objectif|meta|هدف|planned|plan|geplant|planificado',
    'deleted|removed|geloscht|eliminado|borrado|supprime|محذوف|cancell?ed|void',
    'invalid|error|ungultig|fehler|invalido|invalide',
  ].join('|')})$`,
);

/** Whether a cell, where no remarks stand, says that its row is a goal, or a value that was deleted or went wrong. */
export function saysNoReading(head: string, cell: string): boolean {
  return BEGINS_WITH_WORD.test(cell) && NO_READING.test(foldedText(cell.trim())) && !REMARKS.test(foldedText(head));
}

/** UTF-16, which spreadsheets write: by its mark, or by the zeros beside plain letters; undefined for other text. */
export function wideEncoding(beginning: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  const mark = beginning.subarray(0, 2).toString('hex');
  const letters = beginning.subarray(0, 200);
  const zeros = [0, 1].map((side) => letters.filter((byte, at) => at % 2 === side && byte === 0).length) as [
    number,
    number,
  ];
  if (mark === 'fffe' || (zeros[0] === 0 && zeros[1] * 3 > letters.length)) {
    return 'utf-16le';
  }
  return mark === 'feff' || (zeros[1] === 0 && zeros[0] * 3 > letters.length) ? 'utf-16be' : undefined;
}

/** Whether a file begins as a workbook (XLSX) does, whatever its name says. */
export function isWorkbook(beginning: Buffer): boolean {
  return beginning.subarray(0, 2).toString('latin1') === 'PK';
}
