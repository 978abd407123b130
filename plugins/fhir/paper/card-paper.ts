/** card-paper: lays out the emergency card of what a person ticked, and the text of its code (pure). */
import { encode, renderSVG } from 'uqr';
import type { Resource } from '../../../core/fhir/resource';
import { speechIn, type Speech } from '../../../core/language/resource-words';
import { inOrder, isolated, type CardLine, type CardPaper, type Paper, type PaperRow } from '../../../core/paper/paper';
import { madeOf, paperPerson } from './summary-paper';

/** The kinds that a card can have, in their order. */
export const cardKinds = ['allergies', 'medicines', 'problems', 'procedures'] as const;
export type CardKind = (typeof cardKinds)[number];

/** What is left out where there is no room, the first kind first. Allergies and people to call never are. */
const DROPPED = ['procedures', 'problems', 'medicines'];

/** What a person wants on the card. Nothing else is on it but name and birth date. */
export type CardChoices = {
  readonly kinds: readonly CardKind[];
  readonly blood: boolean;
  /** People to call who are ticked, each as it is written. */ readonly contacts: readonly string[];
  /** People to call who are written for the card alone. */ readonly own: readonly string[];
  readonly organ: string;
  readonly hasOrgan: boolean;
  readonly directive: string;
  readonly hasDirective: boolean;
};

/** A card of which nothing is ticked. */
export const noChoices: CardChoices = {
  kinds: [],
  blood: false,
  contacts: [],
  own: [],
  organ: '',
  hasOrgan: false,
  directive: '',
  hasDirective: false,
};

/** What the card is made of. */
export type CardFacts = {
  readonly patient: Resource;
  readonly label: string;
  readonly choices: CardChoices;
  readonly blood: string;
  /** The people to call whom the details of the record name. */ readonly known: readonly string[];
  /** The same sections in the person's language and in English. */
  readonly sections: Readonly<Record<'own' | 'english', Paper['sections']>>;
  readonly now: number;
};

type Item = {
  readonly name: string;
  readonly said: string;
  readonly english: string;
  /** Says that sources differ, where nothing else of what is said has room. */ readonly mark?: string;
};
type Line = Omit<CardLine, 'items'> & { readonly items: readonly Item[] };

/** Space for more than these there is nowhere on a card. */
const MOST_ITEMS = 60;

function plainItem(name: string): Item {
  return { name, said: '', english: '' };
}

/** What each side says stands between strokes; a side without words is told by its date, else by its source. */
function rowWords({ sayings, differs }: PaperRow, speech: Speech): string {
  const said = sayings.map((one) => one.said || (differs === undefined ? '' : one.when || one.source));
  const words = [...new Set(said)].filter((part) => part !== '').join(' | ');
  return differs === undefined ? words : `${speech.say('card.differs')} ${words}`;
}

function itemsOf(kind: CardKind, { sections }: CardFacts, speech: Speech): readonly Item[] {
  const rowsIn = (all: Paper['sections']): readonly PaperRow[] => all.find((one) => one.kind === kind)?.rows ?? [];
  const english = rowsIn(sections.english);
  return rowsIn(sections.own).map((row, at) => ({
    name: row.name,
    ...(row.differs === undefined ? {} : { mark: speech.say('card.differs').replace(/:$/, '') }),
    said: rowWords(row, speech),
    english: english[at] ? rowWords(english[at], speechIn('en', speech.zone)) : '',
  }));
}

type Titled = Pick<CardLine, 'kind' | 'title' | 'english' | 'alert'>;

/** A heading in the person's language, and in English beside it. */
function titled(kind: string, key: string, speech: Speech, alert = false): Titled {
  const title = speech.say(key);
  const english = speechIn('en', speech.zone).say(key);
  return { kind, title, english: english === title ? '' : english, alert };
}

/** A kind of which nothing is known says so, because its tick promises something. */
function kindLine(kind: CardKind, facts: CardFacts, speech: Speech): Line {
  const items = itemsOf(kind, facts, speech);
  const nothing = {
    ...plainItem(speech.say('paper.nothing')),
    english: speechIn('en', speech.zone).say('paper.nothing'),
  };
  const known = items.length > 0 || kind === 'procedures' ? items : [nothing];
  return { ...titled(kind, `kind.${kind}`, speech, kind === 'allergies'), items: known };
}

/** The people to call who are ticked, and still written somewhere. */
function contactsOn({ choices, known }: Pick<CardFacts, 'choices' | 'known'>): readonly string[] {
  return [...new Set([...known, ...choices.own])].filter((line) => choices.contacts.includes(line));
}

function cardLines(facts: CardFacts, speech: Speech): readonly Line[] {
  const { choices, blood } = facts;
  const text = (kind: string, words: string, on: boolean): readonly Line[] =>
    on && words !== '' ? [{ ...titled(kind, `card.${kind}`, speech), items: [plainItem(words)] }] : [];
  const kindOf = (kind: CardKind): readonly Line[] =>
    choices.kinds.includes(kind) ? [kindLine(kind, facts, speech)] : [];
  const contacts = contactsOn(facts).map((line) => plainItem(isolated(line, speech.dir)));
  return [
    ...kindOf('allergies'),
    ...(contacts.length > 0 ? [{ ...titled('contacts', 'card.contacts', speech), items: contacts }] : []),
    ...text('blood', inOrder(blood, speech.dir), choices.blood),
    ...text('organ', isolated(choices.organ, speech.dir), choices.hasOrgan),
    ...text('directive', isolated(choices.directive, speech.dir), choices.hasDirective),
    ...kindOf('medicines'),
    ...kindOf('problems'),
    ...kindOf('procedures'),
  ].filter(({ items }) => items.length > 0);
}

function shown({ name, said }: Item): string {
  return said === '' ? name : `${name} (${said})`;
}

/** Both languages, where they differ. */
function readableItem({ name, said, english }: Item): string {
  const more = [said, english === said ? '' : english].filter((part) => part !== '').join(' / ');
  return more === '' ? name : `${name} (${more})`;
}

/** What a code holds at most: characters, and bytes with which its squares are large enough on the card. */
const MOST_CHARACTERS = 500;
const MOST_BYTES = 1270;

function fitsQrCode(text: string): boolean {
  return text.length <= MOST_CHARACTERS && Buffer.byteLength(text) <= MOST_BYTES;
}

/** The lines without the last `count` items of the kinds that may be left out. */
function without(lines: readonly Line[], count: number): readonly Line[] {
  let left = count;
  const out = new Map<string, number>();
  for (const kind of DROPPED) {
    const here = Math.min(left, lines.find((line) => line.kind === kind)?.items.length ?? 0);
    out.set(kind, here);
    left -= here;
  }
  return lines.map((line) => ({ ...line, items: line.items.slice(0, line.items.length - (out.get(line.kind) ?? 0)) }));
}

type Head = { readonly first: readonly string[]; /** Says that there is more. */ readonly more: string };

function writtenCard(
  { first, more }: Head,
  lines: readonly Line[],
  isPart: boolean,
  say: (item: Item) => string,
): string {
  const body = lines
    .filter(({ items }) => items.length > 0)
    .map(({ title, english, items }) => `${[title, english].filter(Boolean).join('/')}: ${items.map(say).join('; ')}`);
  return [...first, ...body, ...(isPart ? [more] : [])].join('\n');
}

/** Cut before a character that is too much, with a sign that there was more. */
function cutToLine(text: string): string {
  const characters = [...text];
  while (!fitsQrCode(`${characters.join('')}…`)) {
    characters.pop();
  }
  return `${characters.join('')}…`;
}

function countDropped(lines: readonly Line[]): number {
  return lines.filter(({ kind }) => DROPPED.includes(kind)).reduce((sum, { items }) => sum + items.length, 0);
}

/** What is said of an item where there is less and less room: in one language, that sources differ, its name alone. */
const SHORTER: readonly ((item: Item) => string)[] = [
  shown,
  ({ name, mark }) => (mark === undefined ? name : `${name} (${mark})`),
  ({ name }) => name,
];

/**
 * The text of the code: as much as fits. First items are left out; then what is said of allergies, so that all their
 * names stay; at last the notes at the end.
 */
function codeText(head: Head, lines: readonly Line[], isPart: boolean): string {
  const most = countDropped(lines);
  for (let count = 0; count <= most; count++) {
    const text = writtenCard(head, without(lines, count), isPart || count > 0, readableItem);
    if (fitsQrCode(text)) {
      return text;
    }
  }
  const fewer = SHORTER.map((say) => writtenCard(head, without(lines, most), true, say));
  return fewer.find(fitsQrCode) ?? cutToLine(fewer.at(-1)!);
}

export type Card = { readonly paper: CardPaper; /** The text of the code. */ readonly text: string };

/** The card of a person, with the text of its code and the picture of it. */
export function cardOf(facts: CardFacts, speech: Speech): Card {
  const { patient, label, now } = facts;
  const full = cardLines(facts, speech);
  const lines = full.map((line) => ({ ...line, items: line.items.slice(0, MOST_ITEMS) }));
  const isPart = full.some(({ items }) => items.length > MOST_ITEMS);
  const person = paperPerson(patient, label, speech);
  const title = titled('title', 'card.title', speech);
  const more = titled('more', 'card.more', speech);
  const both = ({ title: own, english }: Titled): string =>
    [own, isolated(english, speech.dir)].filter(Boolean).join(' / ');
  const born = typeof patient['birthDate'] === 'string' ? inOrder(`* ${patient['birthDate']}`, speech.dir) : '';
  const first = [both(title), [person.name, born].filter(Boolean).join(' ')];
  const text = codeText({ first, more: both(more) }, lines, isPart);
  const paper: CardPaper = {
    language: speech.language,
    dir: speech.dir,
    title: both(title),
    person,
    lines: lines.map((line) => ({ ...line, items: line.items.map((item) => isolated(shown(item), speech.dir)) })),
    dropped: DROPPED,
    more: both(more),
    isPart,
    code: { svg: renderSVG(text, { ecc: eccOf(text), border: 4 }), alt: speech.say('card.code') },
    made: madeOf(now, false, speech).join(' '),
  };
  return { paper, text };
}

/** The squares of a code with much text are larger without a part that mends more damage. */
const WIDEST = 105;
function eccOf(text: string): 'L' | 'M' {
  return encode(text, { ecc: 'M', border: 0 }).size <= WIDEST ? 'M' : 'L';
}
