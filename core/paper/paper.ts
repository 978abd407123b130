/** paper: what stands on a printed page: texts as data, which a template of Typst lays out (pure). */
import type { Language } from '../base/languages';

/** One thing that was said: in words, when, and by whom. */
export type Saying = {
  readonly said: string;
  readonly when: string;
  readonly source: string;
};

type Chart = {
  /** A drawing of numbers alone. */ readonly svg: string;
  /** What it shows, as a sentence. */ readonly alt: string;
};

export type PaperRow = {
  readonly name: string;
  /** The newest first; several for what was measured several times. */ readonly sayings: readonly Saying[];
  /** Says that sources contradict each other; both sides are among the sayings. */ readonly differs?: string;
  readonly chart?: Chart;
};

export type PaperSection = {
  readonly kind: string;
  readonly title: string;
  /** The heading in English, where the page is in another language. */ readonly english?: string;
  readonly rows: readonly PaperRow[];
  /** What the section says without rows. */ readonly empty: string;
};

type PaperPerson = { readonly name: string; /** "Born 3 March 1970", or empty. */ readonly born: string };

/** How its pages are laid out. */
type Layout = {
  readonly language: Language;
  readonly dir: 'ltr' | 'rtl';
  readonly size: 'a4' | 'us-letter';
  /** The digit one, by which pages are numbered. */ readonly one: string;
  /** The words around the number of a page and that of all pages. */ readonly pages: readonly [string, string, string];
};

export type Paper = Layout & {
  readonly title: string;
  readonly person: PaperPerson;
  /** Who made it, when, and what it is not. */ readonly made: readonly string[];
  readonly sections: readonly PaperSection[];
  /** The person's own words, as the last page. */ readonly story?: StoryPaper;
};

/** The person's own words as a page. */
export type StoryPaper = Layout & {
  readonly title: string;
  readonly person: PaperPerson;
  readonly made: readonly string[];
  readonly paragraphs: readonly string[];
};

export type CardLine = {
  readonly kind: string;
  readonly title: string;
  /** The heading in English, where the card is in another language. */ readonly english: string;
  readonly items: readonly string[];
  readonly alert: boolean;
};

/** An emergency card of two sides. */
export type CardPaper = Pick<Layout, 'language' | 'dir'> & {
  readonly title: string;
  readonly person: PaperPerson;
  readonly lines: readonly CardLine[];
  /** The kinds of which items are left out where there is no room, the first ones first. */
  readonly dropped: readonly string[];
  /** Says that something was left out. */ readonly more: string;
  /** Whether something was left out already. */ readonly isPart: boolean;
  /** The picture of the code, and what it is. */ readonly code: Chart;
  readonly made: string;
};

export type Papers = { readonly summary: Paper; readonly story: StoryPaper; readonly card: CardPaper };
export type PaperName = keyof Papers;
export const paperNames: readonly PaperName[] = ['summary', 'story', 'card'];

/** Keeps numbers with their units in their order within a line that runs from right to left. */
export function inOrder(text: string, dir: 'ltr' | 'rtl'): string {
  return dir === 'ltr' || text === '' ? text : `\u2066${text}\u2069`;
}

const FROM_RIGHT = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;
/** Numbers that belong together, such as 132 / 82. Letters from the right would turn them around. */
const SEVERAL_NUMBERS = /\p{Nd}[\p{Nd}.,٫]*(?: ?[/–-] ?\p{Nd}[\p{Nd}.,٫]*)+/gu;

/** Text of a source keeps its own direction within a line, and its numbers theirs. */
export function isolated(text: string, dir: 'ltr' | 'rtl'): string {
  const isFromRight = FROM_RIGHT.test(text);
  if (text === '' || (dir === 'ltr' && !isFromRight)) {
    return text;
  }
  return `\u2068${isFromRight ? text.replace(SEVERAL_NUMBERS, '\u2066$&\u2069') : text}\u2069`;
}

/** Letters that the fonts of paper lack: theirs are of the six scripts that are named here. */
const WITHOUT_FONT =
  /[^\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Devanagari}\p{Script=Common}\p{Script=Inherited}]|[\u{1f000}-\u{1faff}]/u;

/** Whether a page has letters that are printed as empty boxes. */
export function lacksLetters(paper: object): boolean {
  return WITHOUT_FONT.test(JSON.stringify(paper));
}
