/**
 * clinical-lists: what the columns of a list of vaccinations, medicines, allergies or diagnoses are, and the facts of
 * its rows. A row says no more than its cells: no status, no day and no dose that nobody wrote (pure).
 */
import { foldedText } from '../../base/words/folded-text';
import type { CsvField, CsvTable } from './csv-columns';
import { WHEN } from './other-heads';

/** What is looked at of a column. */
type Column = {
  readonly head: string;
  readonly samples: readonly string[];
  /** All its different cells, where these are few words. */ readonly few: readonly string[];
  readonly dates: readonly unknown[];
  readonly number: object | null;
};

/** Heads of the columns that name what a row is about, folded, without brackets and the word "name". */
const NAMES: Readonly<Record<string, RegExp>> = {
  vaccine:
    /^(vaccines?|vaccinations?|immuni[sz]ations?|impfstoffe?|impfung(en)?|vacunas?|vacunacion|vaccins?|vaccini?o?|vaccinazion[ei]|(ال)?(لقاح|تطعيم|اللقاح))$/,
  allergen:
    /^((drug |food |medikamenten ?)?allerg(y|ies|ie|ien|en|ens|ene|eni|ia|enes|ene) ?(to)?|alergias?|alergenos?|unvertraglichkeit(en)?|intolerances?|intolerancias?|intolleranz[ae]|(ال)?حساسيه)$/,
  medicine:
    /^(medicines?|medications?|drugs?|medikamente?|arzneimittel|wirkstoff|praparat|handelsname|medicamentos?|medicinas?|farmac[oi]s?|medicaments?|medicinal[ei]|principio attivo|(ال)?(دواء|ادويه))$/,
  diagnosis:
    /^(diagnos[iei]s?|diagnoses|diagnosen?|diagnosticos?|diagnostics?|conditions?|problems?|diseases?|illness(es)?|erkrankung(en)?|krankheit(en)?|vorerkrankung(en)?|enfermedad(es)?|maladies?|malatti[ae]|patologi[ae]|pathologies?|(ال)?(تشخيص|مرض))$/,
};
/** What such a list is about where only another column shows that it is one of allergies. */
const SUBSTANCES = /^(substances?|substanz|stoff|sustancias?|sostanz[ae]|triggers?|ausloser|(ال)?ماده)$/;
const REACTIONS = /\b(reactions?|reaktion(en)?|reaccion(es)?|reazion[ei])\b|تفاعل/;
const SYMPTOMS = /\b(symptome?s?|sintomas?|sintomi)\b|اعراض/;
const LOTS = /\b(lots?|lotes?|lotto|chargen?|chargennummer|chargennr|batch|ch b)\b|تشغيله/;
const STRENGTHS = /\b(strength|(wirk)?starke|potencia|concentra\w*|force|forza)\b|تركيز/;
/** In French and Italian a word for the strength, where another column has the dose. */
const DOSAGES = /^(dosages?|dosaggio)$/;
const DOSES =
  /\b(dose|dosis|dosierung|dosing|dosages?|dosaggio|posolog\w*|frequen\w*|einnahme|instructions?|directions|how (much|often)|sig|toma|tomas|morgens|mittags|abends|zur nacht|nachts)\b|جرعه/;
const SINCE =
  /^(since|start\w*|begin\w*|began|from|onset|first|seit|ab|von|desde|inicio|comienzo|depuis|debut|dal|inizio|da)\b|^(منذ|بدايه|من)/;
const UNTIL =
  /^(until|till|end\w*|stop\w*|to|bis|ende|abgesetzt|hasta|fin|final|jusqu.*|al|fine|resolved)\b|^(حتي|نهايه)/;
/** The unit of a dose that has columns for the times of the day. */
const UNITS = /^(unit|units|einheit|unidad|unidades|unite|unita)$/;
const STATES = /^(status|state|estado|statut|stato|(ال)?حاله)$/;
/** Numbers of rows say nothing of a person. */
const COUNTERS = /^(#|nr|no|n|id|lfd\.? ?nr)\.?$/;
/** What is still to be done is nothing that was. */
const DUE =
  /\b(due|next|planned|recommended|booster|fallig|nachste\w*|auffrisch\w*|geplant|empfohlen|proxim[ao]|pendiente|prochaine?|rappel|prossim[ao]|richiamo)\b|القادم/;
/** Lists of what runs in a family. */
const RELATIVES =
  /relati(on|ve)|verwandt|famili|family|parent|lien\b|\b(mother|father|mum|mom|dad|brother|sister|pet|animal|dog|cat|haustier|tier|mascota|mutter|vater|bruder|schwester|madre|padre|herman[oa]|mere|pere|frere|soeur|fratello|sorella)\b|القرابه/;

/** What was tested, had once or is to be avoided is not what somebody has or takes. */
const NOT_SO =
  /\b(results?|ergebnis\w*|resultados?|resultats?|risultat[oi]|class|klasse|titer|titre|tried|worked|why stopped|failed|avoid\w*|previous\w*|past|former\w*|fruher\w*|ehemalig\w*|anterior\w*|pasad[ao]s?|ancien\w*|precedent\w*)\b|نتيجه/;
const ANSWERS = /^(y|n|yes|no|true|false|x|-|ja|nein|j|si|oui|non|o|s|نعم|لا)$/;

/** Whether a column answers whether what its row names is so at all. */
function isAnswered({ head, few }: Column): boolean {
  return NOT_SO.test(headWords(head)) || (few.length > 0 && few.every((text) => ANSWERS.test(foldedText(text))));
}

/** The roles of columns of such lists; the first four name what a row is about. */
export const CLINICAL_ROLES = [
  ...['vaccine', 'medicine', 'allergen', 'diagnosis'],
  ...['lot', 'strength', 'dose', 'reaction', 'since', 'until', 'state'],
] as const;
const NAMING: readonly string[] = CLINICAL_ROLES.slice(0, 4);

/** Whether a role names what the rows of a list are about. */
export function namesStatement(role: string): boolean {
  return NAMING.includes(role);
}

function headWords(head: string): string {
  return foldedText(head.replace(/[([].*$/, ''))
    .replace(/\bnames?\b( of( the)?)?/, '')
    .trim();
}

function namingRole(head: string): string | undefined {
  const words = headWords(head);
  return ['vaccine', 'allergen', 'medicine', 'diagnosis'].find((role) => NAMES[role]!.test(words));
}

/** Whether a record of words is rather the heads of such a list than its first row. */
export function isClinicalHead(record: readonly string[]): boolean {
  const words = record.map(headWords);
  return (
    record.some((head) => namingRole(head) !== undefined) ||
    (words.some((head) => SUBSTANCES.test(head)) && words.some((head) => REACTIONS.test(head)))
  );
}

/** The column that names what the rows are about; several columns may sound like one: vaccines count before diseases. */
function findNaming(columns: readonly Column[]): readonly [at: number, role: string] | undefined {
  const isText = ({ dates, number, samples }: Column): boolean =>
    dates.length === 0 && number === null && samples.length > 0;
  const words = columns.map(({ head }) => headWords(head));
  const found = words.map((_, at) => (isText(columns[at]!) ? namingRole(columns[at]!.head) : undefined));
  const hasReaction = words.some((head) => REACTIONS.test(head));
  const hasDose = words.some((head) => DOSES.test(head) || STRENGTHS.test(head));
  const isOfAllergies = hasReaction && !hasDose;
  const substance = words.findIndex((head, at) => SUBSTANCES.test(head) && isText(columns[at]!));
  if (!found.some(Boolean) && isOfAllergies && substance !== -1) {
    return [substance, 'allergen'];
  }
  const [first] = ['vaccine', 'allergen', 'medicine', 'diagnosis'].filter((role) => found.includes(role));
  if (first === undefined) {
    return undefined;
  }
  // A medicine with a reaction and no dose is what somebody does not tolerate.
  return [found.indexOf(first), first === 'medicine' && isOfAllergies ? 'allergen' : first];
}

function roleOf(head: string, kind: string, all: readonly string[]): string {
  const words = headWords(head);
  const hasDose = all.some((one) => DOSES.test(one) && !DOSAGES.test(one));
  const isStrength = STRENGTHS.test(words) || (DOSAGES.test(words) && hasDose);
  const ways: readonly (readonly [string, boolean])[] = [
    ['none', COUNTERS.test(words)],
    ['remark', DUE.test(words)],
    ['since', kind !== 'vaccine' && SINCE.test(words)],
    ['until', kind !== 'vaccine' && UNTIL.test(words)],
    ['lot', kind === 'vaccine' && LOTS.test(words)],
    ['reaction', kind === 'allergen' && (REACTIONS.test(words) || SYMPTOMS.test(words))],
    ['strength', kind === 'medicine' && isStrength],
    ['dose', kind === 'medicine' && (DOSES.test(words) || UNITS.test(words))],
    ['state', STATES.test(words)],
  ];
  return ways.find(([, isIt]) => isIt)?.[0] ?? 'remark';
}

/**
 * The roles of the columns of such a list; undefined for other tables. What has no place of its own is a remark, so that
 * nothing of a row is lost.
 */
export function guessClinicalRoles(columns: readonly Column[]): readonly string[] | undefined {
  const naming = findNaming(columns);
  if (naming === undefined || columns.some(({ head }) => RELATIVES.test(headWords(head)))) {
    return undefined;
  }
  const [at, kind] = naming;
  const all = columns.map(({ head }) => headWords(head));
  const roles = columns.map(({ head, samples }) => {
    const role = roleOf(head, kind, all);
    return samples.length === 0 && !['since', 'until'].includes(role) ? 'none' : role;
  });
  const date = columns.findIndex(
    ({ dates, head }, place) =>
      (dates.length > 0 || WHEN.test(foldedText(head))) && roles[place] === 'remark' && !DUE.test(headWords(head)),
  );
  if (columns.some((column, place) => place !== at && isAnswered(column))) {
    return undefined;
  }
  // A diary has a row for each time that something was taken.
  if (kind === 'medicine' && !roles.includes('since') && all.some((head) => WHEN.test(head))) {
    return undefined;
  }
  // A list of what is due says nothing of what was given.
  if (kind === 'vaccine' && date === -1 && all.some((head) => DUE.test(head))) {
    return undefined;
  }
  const single = (role: string, place: number): string =>
    role === 'remark' || role === 'dose' || roles.indexOf(role) === place ? role : 'remark';
  return roles.map((role, place) => {
    if (place === at) {
      return kind;
    }
    return place === date && ['vaccine', 'diagnosis'].includes(kind) ? 'date' : single(role, place);
  });
}

/** What people write for what goes on, has ended or was not done, folded, and the word of FHIR. */
const STATE_CODES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    active: 'active|ongoing|current|aktiv|laufend|activo|activa|actif|active|attivo|attiva',
    stopped:
      'stopped|discontinued|ended|past|abgesetzt|beendet|suspendido|terminado|retirado|arrete|termine|sospeso|interrotto',
    resolved: 'resolved|cured|healed|geheilt|ausgeheilt|resuelto|resuelta|curado|gueri|guerie|guarito|risolto',
    planned: 'planned|geplant|planificado|planificada|previsto|prevista|prevu|prevue',
    'on-hold': 'on hold|paused|pausiert|en pausa|en pause|in pausa',
    refuted:
      'ruled out|excluded|refuted|ausgeschlossen|descartado|descartada|ecarte|ecartee|exclu|exclue|escluso|esclusa',
    'not-done':
      'declined|refused|not given|not done|abgelehnt|verweigert|nicht geimpft|rechazado|rechazada|no puesta|refuse|refusee|non fait|rifiutato|rifiutata|non eseguito',
  }).flatMap(([code, words]) => words.split('|').map((word) => [word, code])),
);

type Date = { readonly head: string; readonly forms: readonly string[] };

/** A day; what is none of the forms stands in other words of the fact. */
function dayField({ head, forms }: Date, elseIn: string): CsvField {
  return { column: head, date: forms, elseIn, aside: true };
}

/** The columns of each role. */
type Heads = (role: string) => readonly string[];

function statesOf(field: string, columns: readonly string[]): CsvTable['fields'] {
  const [column] = columns;
  return column === undefined
    ? {}
    : {
        [`${field}_title`]: { column, aside: true },
        [`${field}_identifier`]: { column, codes: STATE_CODES, aside: true },
      };
}

function textField(name: string, [column, ...more]: readonly string[]): CsvTable['fields'] {
  if (column === undefined) {
    return {};
  }
  return { [name]: more.length === 0 ? { column, aside: true } : { any: [column, ...more] } };
}

/** That something was refused may stand where others have a day. */
function refusedIn(column: string | undefined): CsvTable['fields'] {
  const codes = Object.fromEntries(Object.entries(STATE_CODES).filter(([, code]) => code === 'not-done'));
  const also = { status_title: 'Not done' };
  return column === undefined ? {} : { status_identifier: { column, codes, also, aside: true } };
}

function dateFields(names: Readonly<Record<string, Date | undefined>>, elseIn: string): CsvTable['fields'] {
  return Object.fromEntries(
    Object.entries(names).flatMap(([name, date]) => (date === undefined ? [] : [[name, dayField(date, elseIn)]])),
  );
}

/** The first fields of a fact, which name it. */
function named(field: string, column: string): CsvTable['fields'] {
  return { [field]: { column, needed: true } };
}

/** Roles that have no place of their own in a fact of each kind. */
const PLACELESS: Readonly<Record<string, readonly string[]>> = {
  vaccine: ['strength', 'dose', 'reaction', 'since', 'until'],
  medicine: ['lot', 'reaction', 'date'],
  allergen: ['lot', 'strength', 'dose', 'date', 'until'],
  diagnosis: ['lot', 'strength', 'dose', 'reaction'],
};

/** What a row says besides, each with the head of its column. */
function notesBeside(kind: string, heads: Heads): CsvTable['fields'] {
  const others = NAMING.filter((role) => role !== kind);
  const columns = [...others, 'remark', 'note', 'other', ...PLACELESS[kind]!].flatMap(heads);
  return columns.length === 0 ? {} : { notes: { any: [...new Set(columns)] } };
}

type Days = Readonly<Record<'date' | 'since' | 'until', Date | undefined>>;

function doseFields(column: string, heads: Heads, { date }: Days): CsvTable['fields'] {
  return {
    ...named('product_name_title', column),
    ...dateFields({ date }, 'date_in_words'),
    ...textField('lotNumber', heads('lot')),
    ...(heads('state').length > 0 ? statesOf('status', heads('state')) : refusedIn(date?.head)),
  };
}

function medicineFields(column: string, heads: Heads, { since, until }: Days): CsvTable['fields'] {
  return {
    ...named('drugName_title', column),
    ...dateFields({ startDate: since, endDate: until }, 'notes'),
    ...textField('strength', heads('strength')),
    ...textField('instructions', heads('dose')),
    ...statesOf('status', heads('state')),
  };
}

function allergyFields(column: string, heads: Heads, { since }: Days): CsvTable['fields'] {
  return {
    ...named('allergen_title', column),
    ...dateFields({ onset: since }, 'notes'),
    ...textField('allergic_reaction_title', heads('reaction')),
    ...statesOf('clinicalStatus', heads('state')),
  };
}

function problemFields(column: string, heads: Heads, { date, since, until }: Days): CsvTable['fields'] {
  return {
    ...named('name_title', column),
    ...dateFields({ startDate: since, endDate: until, diagnosedDate: date }, 'notes'),
    ...statesOf('clinicalStatus', heads('state')),
  };
}

const FACTS: Readonly<Record<string, readonly [model: string, fields: typeof doseFields]>> = {
  vaccine: ['Immunization', doseFields],
  medicine: ['Medication', medicineFields],
  allergen: ['Allergy', allergyFields],
  diagnosis: ['Problem', problemFields],
};

/**
 * The facts of the rows of such a list; empty for other tables.
 * @param heads the heads of the columns of a role
 * @param dayOf the column of a role of days, and their forms
 */
export function clinicalTables(heads: Heads, dayOf: (role: string) => Date | undefined): readonly CsvTable[] {
  const kind = NAMING.find((role) => heads(role).length > 0) ?? '';
  const [[column] = [], known] = [heads(kind), FACTS[kind]];
  if (column === undefined || known === undefined) {
    return [];
  }
  const [model, fieldsOf] = known;
  const days: Days = { date: dayOf('date'), since: dayOf('since'), until: dayOf('until') };
  const fields = { ...fieldsOf(column, heads, days), ...notesBeside(kind, heads) };
  const none: CsvTable = {
    model: 'AllergyExclusion',
    only: { column, says: 'none' },
    fields: named('name_title', column),
  };
  return [{ model, only: { column, says: 'some' }, fields }, ...(kind === 'allergen' ? [none] : [])];
}

const NONE =
  /^(none|no|nil|nka|nkda|nkfa|keine?|ninguna?|aucune?|neant|nessuna?|لا|no known|keine bekannten?|sin|pas)( |$)|^no (known )?(drug |food |medication )?allerg|^(لا يوجد|لا توجد)/;
const EXCEPTION =
  /\b(except|but|apart|ausser|bis auf|salvo|excepto|menos|sauf|hormis|eccetto|tranne)\b|الا|باستثناء|ما عدا/;

/** Whether a name says that there is none: "No known drug allergies", "keine". */
export function saysNone(name: string): boolean {
  const text = foldedText(name.trim());
  return NONE.test(text) && !EXCEPTION.test(text);
}
