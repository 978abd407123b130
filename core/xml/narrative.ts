/**
 * narrative: reads the text for people that a format's narrative stylesheet wrote: sections, paragraphs, lists, tables.
 */
import { errors } from '../base/errors';
import type { PlainElement } from './engine';
import { hasTags, wordsOfMarkup } from './markup-words';

/** An entry of a list, with the entries of the lists inside it. */
export type NarrativeItem = { readonly text: string; readonly items: readonly NarrativeItem[] };

export type NarrativeBlock =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly NarrativeItem[] }
  /** `head` is empty when the table names no columns. */
  | { readonly kind: 'table'; readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] };

export type NarrativeSection = {
  /** Empty when the document gives no title. */ readonly title: string;
  readonly blocks: readonly NarrativeBlock[];
  readonly sections: readonly NarrativeSection[];
};

/** The texts are plain text; a line break in them is one of the document. */
export type Narrative = {
  readonly sections: readonly NarrativeSection[];
  /** True when the document has more than this. */ readonly cut: boolean;
};

/** The most elements and letters that a page can show. */
const MOST_ELEMENTS = 20_000;
const MOST_LETTERS = 1_000_000;

type Budget = { left: number; letters: number };

/** The children, as many as the budget permits. */
function within(node: PlainElement, budget: Budget): readonly PlainElement[] {
  const kept = node.elements.slice(0, Math.max(budget.left, 0));
  budget.left -= node.elements.length;
  return kept;
}

function tidy(text: string): string {
  return text
    .split('\n')
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .filter((line) => line !== '')
    .join('\n');
}

/** Tags that were written as characters become what they mean for the text. */
function plainText(text: string): string {
  return hasTags(text) ? `\n${wordsOfMarkup(text)}\n` : text.replace(/\s+/g, ' ');
}

/**
 * The text of some nodes. White space of the file is not part of it; a Break, and the end of a node that is on lines of
 * its own, become a line break.
 */
function nodesText(nodes: readonly PlainElement[], budget: Budget): string {
  return nodes
    .map((node) => {
      if (node.name === 'Text') {
        budget.letters -= node.text.length;
        return budget.letters < 0 ? '' : plainText(node.text);
      }
      const inner = nodesText(within(node, budget), budget);
      return node.name === 'Cell' ? `${inner} ` : `\n${inner}\n`;
    })
    .join('');
}

function itemOf(node: PlainElement, budget: Budget): NarrativeItem {
  const children = within(node, budget);
  const isList = ({ name }: PlainElement): boolean => name === 'List';
  const own = children.filter((child) => !isList(child));
  return {
    text: tidy(nodesText(own, budget)),
    items: children.filter(isList).flatMap((list) => listItems(list, budget)),
  };
}

function listItems(list: PlainElement, budget: Budget): readonly NarrativeItem[] {
  return within(list, budget)
    .map((item) => itemOf(item, budget))
    .filter(({ text, items }) => text !== '' || items.length > 0);
}

function tableOf(table: PlainElement, budget: Budget): NarrativeBlock {
  const rows = within(table, budget).map((row) => ({
    isHead: row.attributes.get('head') === 'true',
    cells: within(row, budget).map((cell) => tidy(nodesText(within(cell, budget), budget))),
  }));
  const [first] = rows;
  return {
    kind: 'table',
    head: first?.isHead ? first.cells : [],
    rows: rows.slice(first?.isHead ? 1 : 0).map(({ cells }) => cells),
  };
}

function isFilledBlock(block: NarrativeBlock): boolean {
  if (block.kind === 'text') {
    return block.text !== '';
  }
  return block.kind === 'list' ? block.items.length > 0 : block.rows.some((row) => row.some((cell) => cell !== ''));
}

/** Turns nodes into blocks; adjacent texts become one paragraph. */
function blocksOf(nodes: readonly PlainElement[], budget: Budget): readonly NarrativeBlock[] {
  const blocks: NarrativeBlock[] = [];
  let inline: PlainElement[] = [];
  const close = (): void => {
    blocks.push({ kind: 'text', text: tidy(nodesText(inline, budget)) });
    inline = [];
  };
  for (const node of nodes) {
    if (node.name === 'Text' || node.name === 'Break') {
      inline.push(node);
      continue;
    }
    close();
    if (node.name === 'List') {
      blocks.push({ kind: 'list', items: listItems(node, budget) });
    } else if (node.name === 'Table') {
      blocks.push(tableOf(node, budget));
    } else {
      blocks.push(...blocksOf(within(node, budget), budget));
    }
  }
  close();
  return blocks.filter(isFilledBlock);
}

function narrativeSection(node: PlainElement, budget: Budget): NarrativeSection {
  const children = within(node, budget);
  const isSection = ({ name }: PlainElement): boolean => name === 'Section';
  return {
    title: (node.attributes.get('title') ?? '').trim(),
    blocks: blocksOf(
      children.filter((child) => !isSection(child)),
      budget,
    ),
    sections: children
      .filter(isSection)
      .map((child) => narrativeSection(child, budget))
      .filter(hasText),
  };
}

function hasText({ blocks, sections }: NarrativeSection): boolean {
  return blocks.length > 0 || sections.length > 0;
}

/**
 * Reads the output of a narrative stylesheet. `Narrative` holds `Section`s with a `title`, which hold further ones, and
 * `Text`, `Break`, `Paragraph`, `List` of `Item`s, and `Table` of `Row`s (`head="true"`) of `Cell`s.
 * @throws AppError transform_failed when it is something else
 */
export function readNarrative(root: PlainElement | null): Narrative {
  if (root?.name !== 'Narrative') {
    throw errors.transformFailed('the narrative stylesheet did not yield a Narrative element');
  }
  const budget = { left: MOST_ELEMENTS, letters: MOST_LETTERS };
  const sections = within(root, budget)
    .map((section) => narrativeSection(section, budget))
    .filter(hasText);
  return { sections, cut: budget.left < 0 || budget.letters < 0 };
}

function itemWords({ text, items }: NarrativeItem): string {
  return [text, ...items.map(itemWords)].join('\n');
}

function blockWords(block: NarrativeBlock): string {
  if (block.kind === 'text') {
    return block.text;
  }
  return block.kind === 'list'
    ? block.items.map(itemWords).join('\n')
    : [block.head, ...block.rows].map((row) => row.join(' ')).join('\n');
}

/** All of it as plain text, with the titles. */
export function narrativeWords(sections: readonly NarrativeSection[]): string {
  return sections
    .map(({ title, blocks, sections: inside }) => [title, ...blocks.map(blockWords), narrativeWords(inside)].join('\n'))
    .join('\n');
}
