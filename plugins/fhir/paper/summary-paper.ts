/** summary-paper: lays out what a clinic or a doctor is shown as a page of words (pure). */
import { groupedBy } from '../../../core/base/grouped-by';
import { foldedText } from '../../../core/base/words/folded-text';
import { documentIn, resourceName, type Resource, type Versioned } from '../../../core/fhir/resource';
import {
  commaJoined,
  dateIn,
  dayWords,
  denialWordsIn,
  measureWords,
  nameWords,
  numberIn,
  saidWords,
  severityName,
  speechIn,
  whenWords,
  type Speech,
} from '../../../core/language/resource-words';
import { isolated, type Paper, type PaperRow, type PaperSection, type Saying } from '../../../core/paper/paper';
import type { ClinicKind } from '../links/clinic-content';
import type { ClinicFactsRead } from '../links/clinic-facts';
import { isToCome } from '../read/summary';
import { chartOf, type Point } from './chart';

/** Allergies come first, so that nobody overlooks them. */
const ORDER: readonly ClinicKind[] = [
  'allergies',
  'medicines',
  'problems',
  'immunizations',
  'results',
  'vitals',
  'procedures',
  'visits',
  'devices',
  'insurance',
];
/** Of these it is told that nothing is known. */
const ALWAYS: readonly ClinicKind[] = ['allergies', 'medicines', 'problems'];

export type PaperSource = {
  readonly name: string;
  /** What it is called beside a row that has its name already. */ readonly instead: string;
};

type PaperFacts = Pick<ClinicFactsRead, 'patient' | 'groups' | 'sides' | 'asides' | 'lacking' | 'beside'> & {
  readonly kinds: readonly ClinicKind[];
  /** The names of documents as sources, by id. */ readonly sources: ReadonlyMap<string, PaperSource>;
  /** The record's name, if the person's own is not known. */ readonly label: string;
  readonly isCircle: boolean;
  /** Milliseconds. */ readonly now: number;
  readonly charts: boolean;
};

type Telling = PaperFacts & { readonly speech: Speech; readonly named: ReadonlyMap<string, Resource> };

/** A medicine that another resource names has the name of that. */
function withName(resource: Versioned, { named }: Telling): Versioned {
  const { medicationReference: referred, contained } = resource as {
    readonly medicationReference?: { readonly reference?: string; readonly display?: string };
    readonly contained?: readonly Resource[];
  };
  const name = referred?.reference ?? '';
  const found = name.startsWith('#') ? contained?.find(({ id }) => `#${id}` === name) : named.get(name);
  return referred === undefined || referred.display !== undefined || found?.['code'] === undefined
    ? resource
    : { ...resource, medicationCodeableConcept: found['code'] };
}

/** A document that is called as the row itself, such as "Vaccination: Influenza", is told by who wrote it or its day. */
function sourceWords(documentId: string, row: string, { sources, speech }: Telling): string {
  const { name = '', instead = '' } = sources.get(documentId) ?? {};
  const isRepeated = row !== '' && foldedText(name).endsWith(foldedText(row));
  return isolated(isRepeated ? instead : name, speech.dir);
}

/** @param row the name of the row below which it stands */
function sayingOf(resource: Versioned, row: string, telling: Telling): Saying {
  const { speech, now } = telling;
  const check = isToCome(resource, now) ? [speech.say('paper.to-come')] : [];
  return {
    said: commaJoined([saidWords(resource, speech), ...check], speech),
    when: whenWords(resource, speech),
    source: sourceWords(documentIn(resource), row, telling),
  };
}

type Note = { readonly text?: string };

/** The resource without the notes that the service gives it in English: paper says the same in its own language. */
function withoutOwnNotes(resource: Versioned, { asides, lacking }: Telling): Versioned {
  const name = resourceName(resource);
  const own = [asides.get(name)?.note, lacking.get(name)];
  const notes = (resource['note'] ?? []) as readonly Note[];
  return notes.length === 0 ? resource : { ...resource, note: notes.filter(({ text }) => !own.includes(text)) };
}

/** What the service says beside a resource: the person's own word, and that the newest list lacks it. */
function besideWords(resource: Versioned, { speech, asides, lacking }: Telling): readonly string[] {
  const { own } = asides.get(resourceName(resource)) ?? {};
  const key = own?.takes ? 'paper.own-taking' : 'paper.own-stopped';
  return [
    ...(own ? [speech.say(key, { date: dayWords(own.date, speech) })] : []),
    ...(lacking.has(resourceName(resource)) ? [speech.say('paper.not-newer')] : []),
  ];
}

/** Who says that there are none of what stands in a section, once below all of it. */
function denyingRows(resources: readonly Versioned[], telling: Telling): readonly PaperRow[] {
  const { speech, asides } = telling;
  const denials = resources.flatMap((resource) => asides.get(resourceName(resource))?.denials ?? []);
  const once = new Map(denials.map((told) => [told.id, told]));
  return [...once.values()].map(({ documentId, values, said }) => ({
    name: commaJoined([denialWordsIn(values, speech), speech.say('paper.contradicts')], speech),
    sayings: [
      {
        said: '',
        when: dayWords(said.slice(0, 10), speech),
        source: sourceWords(documentId, '', telling),
      },
    ],
  }));
}

/** Where one side says another status, it is told of each, of a medicine in use, too. */
function sideSaying(side: Versioned, sides: readonly Versioned[], row: string, telling: Telling): Saying {
  const saying = sayingOf(side, row, telling);
  const isTold = side['status'] === 'active' && sides.some(({ status }) => status !== side['status']);
  const { speech } = telling;
  return isTold && /^Medication/.test(side.resourceType)
    ? { ...saying, said: commaJoined([speech.say('state.medicine-active'), saying.said], speech) }
    : saying;
}

function differingRow(resource: Versioned, sides: readonly Versioned[], telling: Telling): PaperRow {
  const beside = besideWords(resource, telling).map((said) => ({ said, when: '', source: '' }));
  const name = nameWords(withName(resource, telling), telling.speech);
  return {
    name,
    differs: telling.speech.say('paper.differs'),
    sayings: [...sides.map((side) => sideSaying(side, sides, name, telling)), ...beside],
  };
}

function paperRow(resource: Versioned, telling: Telling): PaperRow {
  const { speech, sides, asides } = telling;
  const both = sides.get(resourceName(resource));
  if (both !== undefined) {
    return differingRow(resource, both, telling);
  }
  const { severity = '' } = asides.get(resourceName(resource)) ?? {};
  const name = nameWords(withName(resource, telling), speech);
  const saying = sayingOf(withoutOwnNotes(resource, telling), name, telling);
  const how = severity === '' ? [] : [severityName(severity, speech)];
  const said = commaJoined([...how, saying.said, ...besideWords(resource, telling)], speech);
  return { name, sayings: [{ ...saying, said }] };
}

function newestResources(resources: readonly Versioned[]): readonly Versioned[] {
  return [...resources].sort((one, other) => Number(dateIn(one) < dateIn(other)) - Number(dateIn(one) > dateIn(other)));
}

const NOT_IN_USE = ['on-hold', 'draft', 'intended'];

/** What is taken comes before what is paused or planned. */
function usedFirst(resources: readonly Versioned[]): readonly Versioned[] {
  const waits = ({ status }: Versioned): number => Number(NOT_IN_USE.includes(String(status)));
  return [...resources].sort((one, other) => waits(one) - waits(other));
}

const FEWEST_POINTS = 3;

function chartIn(name: string, resources: readonly Versioned[], { speech }: Telling): PaperRow['chart'] {
  const measured = resources.flatMap((resource) => {
    const [number, date] = [numberIn(resource), dateIn(resource)];
    return number && date.length >= 10 ? [{ ...number, at: Date.parse(date), date }] : [];
  });
  const unit = measured[0]?.unit ?? '';
  const points: readonly Point[] = measured.filter((point) => point.unit === unit && Number.isFinite(point.at));
  if (points.length < FEWEST_POINTS || new Set(points.map(({ at }) => at)).size < 2) {
    return undefined;
  }
  const values = points.map(({ value }) => value);
  const alt = speech.say('paper.chart', {
    name,
    count: points.length,
    first: dayWords(measured.at(-1)!.date, speech),
    last: dayWords(measured[0]!.date, speech),
    low: measureWords(Math.min(...values), unit, speech),
    high: measureWords(Math.max(...values), unit, speech),
  });
  return { svg: chartOf(points), alt };
}

/** What was measured several times has one name, and all its values, the newest first. */
function measuredRows(resources: readonly Versioned[], telling: Telling): readonly PaperRow[] {
  const groups = groupedBy(resources, (resource) => nameWords(resource, telling.speech));
  return [...groups].map(([name, own]) => {
    const sorted = newestResources(own);
    const chart = telling.charts ? chartIn(name, sorted, telling) : undefined;
    return {
      name,
      sayings: sorted.map((resource) => sayingOf(resource, name, telling)),
      ...(chart ? { chart } : {}),
    };
  });
}

function paperRows(kind: ClinicKind, telling: Telling): readonly PaperRow[] {
  const resources = telling.groups.get(kind) ?? [];
  return kind === 'results' || kind === 'vitals'
    ? measuredRows(resources, telling)
    : [
        ...usedFirst(newestResources(resources)).map((resource) => paperRow(resource, telling)),
        ...denyingRows(resources, telling),
      ];
}

function paperSection(kind: ClinicKind, telling: Telling): readonly PaperSection[] {
  const { speech, kinds } = telling;
  const rows = kinds.includes(kind) ? paperRows(kind, telling) : [];
  const english = speech.language === 'en' ? {} : { english: speechIn('en', speech.zone).say(`kind.${kind}`) };
  const isTold = rows.length > 0 || (ALWAYS.includes(kind) && kinds.includes(kind));
  return isTold
    ? [{ kind, title: speech.say(`kind.${kind}`), ...english, rows, empty: speech.say('paper.nothing') }]
    : [];
}

type Name = { readonly text?: string; readonly given?: readonly string[]; readonly family?: string };

/** Name and birth date, as they stand on every page. */
export function paperPerson(patient: Resource, label: string, speech: Speech): Paper['person'] {
  const [name] = (patient['name'] ?? []) as readonly Name[];
  const full = name?.text ?? [...(name?.given ?? []), name?.family ?? ''].join(' ').trim();
  const born = dayWords(patient['birthDate'], speech);
  return {
    name: isolated(full || label, speech.dir),
    born: born === '' ? '' : speech.say('paper.born', { date: born }),
  };
}

/** Where paper has the size Letter, as people write it in addresses. */
const LETTER =
  /^(us|usa|u\.s\.a?\.?|united states.*|ee\.? ?uu\.?|estados unidos.*|vereinigte staaten.*|الولايات المتحدة.*|ca|can|canada|kanada|canadá|كندا|mx|mex|mexico|méxico|mexiko|المكسيك|ph|phl|philippines|the philippines|filipinas|philippinen|الفلبين)$/i;

function sizeFor(patient: Resource): Paper['size'] {
  const addresses = (patient['address'] ?? []) as readonly { readonly country?: string }[];
  return addresses.some(({ country = '' }) => LETTER.test(country.trim())) ? 'us-letter' : 'a4';
}

/** The digit one, as the language writes it. */
function oneIn({ locale }: Speech): string {
  return new Intl.NumberFormat(locale).format(1);
}

export function layoutFor(
  patient: Resource,
  speech: Speech,
): Pick<Paper, 'language' | 'dir' | 'size' | 'one' | 'pages'> {
  const { language, dir } = speech;
  const [before = '', between = '', after = ''] = speech.say('paper.page', { page: '|', pages: '|' }).split('|');
  return { language, dir, size: sizeFor(patient), one: oneIn(speech), pages: [before, between, after] };
}

/** Who made a page and when, and that nobody has checked it. */
export function madeOf(now: number, isCircle: boolean, speech: Speech): readonly string[] {
  const date = dayWords(new Date(now).toISOString(), speech);
  return [
    speech.say('paper.made', { date }),
    speech.say('paper.unchecked'),
    ...(isCircle ? [speech.say('paper.part')] : []),
  ];
}

export function summaryPaper(facts: PaperFacts, speech: Speech, title: string): Paper {
  const named = new Map(facts.beside.map((resource) => [resourceName(resource), resource]));
  const telling: Telling = { ...facts, speech, named };
  return {
    ...layoutFor(facts.patient, speech),
    title,
    person: paperPerson(facts.patient, facts.label, speech),
    made: madeOf(facts.now, facts.isCircle, speech),
    sections: ORDER.flatMap((kind) => paperSection(kind, telling)),
  };
}
