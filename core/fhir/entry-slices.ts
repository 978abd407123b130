/** entry-slices: finds the resources of a Bundle in the text that libxml2 wrote of it. */

/** Where one resource stands in the text, between the tags that hold it. */
export type EntrySlice = {
  readonly name: string;
  /** The index of its entry. */ readonly index: number;
  readonly start: number;
  readonly end: number;
};

/** The text, the names of its tags down to a resource, and the resources. */
type Sliced = {
  readonly text: string;
  readonly tags: readonly string[];
  readonly slices: readonly EntrySlice[];
};

const TAG = /<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<!\[CDATA\[[\s\S]*?\]\]>|<(\/?)([^\s/>!?]+)([^>]*)>/g;

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** The place of a resource: Bundle, entry, resource. */
const DEPTH = 3;

export function sliceEntries(text: string): Sliced {
  const open: { readonly name: string; readonly tag: string; readonly start: number }[] = [];
  const slices: EntrySlice[] = [];
  let tags: readonly string[] = [];
  let index = -1;
  const close = (end: number): void => {
    const closed = open.pop();
    if (closed && open.length === DEPTH && open[1]?.name === 'entry' && open[2]?.name === 'resource') {
      tags = tags.length > 0 ? tags : open.map(({ tag }) => tag);
      slices.push({ name: closed.name, index, start: closed.start, end });
    }
  };
  for (const { 0: tag, 1: slash, 2: name, 3: rest, index: start } of text.matchAll(TAG)) {
    if (name === undefined) {
      continue;
    }
    if (slash === '/') {
      close(start + tag.length);
      continue;
    }
    index += open.length === 1 && localName(name) === 'entry' ? 1 : 0;
    open.push({ name: localName(name), tag, start });
    if (rest?.endsWith('/') === true) {
      close(start + tag.length);
    }
  }
  return { text, tags, slices };
}

function tagName(tag: string): string {
  return /^<([^\s/>]+)/.exec(tag)?.[1] ?? '';
}

/** A Bundle of one resource alone, under the same tags. */
export function bundleOf({ tags }: Sliced, resource: string): string {
  const [bundle = '', ...inner] = tags;
  const prefix = tagName(bundle).replace(/[^:]+$/, '');
  const closing = [...tags].reverse().map((tag) => `</${tagName(tag)}>`);
  return `${bundle}<${prefix}type value="collection"/>${inner.join('')}${resource}${closing.join('')}`;
}

/** The text with some resources replaced. The `resource` around one without a replacement goes with it. */
export function withReplaced({ text }: Sliced, replaced: ReadonlyMap<EntrySlice, string>): string {
  const parts: string[] = [];
  let place = 0;
  for (const [{ start, end }, instead] of replaced) {
    const from = instead === '' ? text.lastIndexOf('<', start - 1) : start;
    const to = instead === '' ? text.indexOf('>', end) + 1 : end;
    parts.push(text.slice(place, from), instead);
    place = to;
  }
  return parts.join('') + text.slice(place);
}
