/**
 * opened-texts: the texts of resources that were opened last, so that who asks for them again waits neither for the
 * cipher nor for unpacking. A text counts only for the same bytes of the same row under the same key.
 */
import { LRUCache } from 'lru-cache';
import type { Contents, ContentKey, ContentPlace, StoredContent } from '../sealing/contents-store';
import { unpackText } from './resource-texts-store';

/** A resource as its row stores it. */
type Sealed = {
  readonly seq: number;
  readonly place: ContentPlace;
  readonly key: ContentKey;
  readonly stored: StoredContent;
};

type Opened = Sealed & { readonly text: string };

/** Of all kept texts together, and of one. */
const MOST_CHARACTERS = 8_388_608;
const LONGEST = 65_536;
/** After this time all are let go, also those that are asked for all the time. */
const KEPT_MS = 600_000;

const ofServices = new WeakMap<Contents, LRUCache<number, Opened>>();

function keptTexts(contents: Contents): LRUCache<number, Opened> {
  const known = ofServices.get(contents);
  if (known) {
    return known;
  }
  const made = new LRUCache<number, Opened>({
    maxSize: MOST_CHARACTERS,
    maxEntrySize: LONGEST,
    sizeCalculation: ({ text, stored }) => text.length + stored.content.length,
  });
  ofServices.set(contents, made);
  setTimeout(() => ofServices.delete(contents), KEPT_MS).unref();
  return made;
}

function isSameRow(one: Sealed, other: Sealed): boolean {
  return (
    one.key === other.key &&
    one.place.every((name, index) => name === other.place[index]) &&
    one.stored.sealed === other.stored.sealed &&
    one.stored.content.equals(other.stored.content)
  );
}

/** The text of a resource. @throws UnreadableContent */
export function openText(contents: Contents, sealed: Sealed): string {
  const kept = keptTexts(contents);
  const known = kept.get(sealed.seq);
  if (known && isSameRow(known, sealed)) {
    return known.text;
  }
  const text = unpackText(contents.under(sealed.key).open(sealed.place, sealed.stored));
  kept.set(sealed.seq, { ...sealed, text });
  return text;
}
