/**
 * slices: long loops in slices. All loops of the process share one slice in each turn of the event loop. Others, such
 * as a request that only asks whether the service is alive, wait for one slice at most, however many loops are under
 * way.
 */
import { performance } from 'node:perf_hooks';
import { addToGroup } from '../grouped-by';

/** How many items, such as facts or resources, one slice has at most. */
export const ITEMS_IN_SLICE = 200;
/** After this time a slice ends even when its items were few, because items may be large. */
const MILLISECONDS_IN_SLICE = 5;

const waiting: (() => void)[] = [];
let isOpen = false;
let began = 0;
let items = 0;

function beginSlice(): void {
  isOpen = true;
  items = 0;
  began = performance.now();
  setImmediate(endSlice);
}

function endSlice(): void {
  isOpen = false;
  const next = waiting.shift();
  if (next) {
    beginSlice();
    next();
  }
}

/**
 * Counts an item of a loop, after it was worked on. @returns a promise when the slice of this turn of the event loop is
 * used up: the loop awaits it before its next item
 * @param count how many items count for one that needs more work
 */
export function sliced(count = 1): Promise<void> | undefined {
  if (!isOpen) {
    beginSlice();
  }
  items += count;
  if (items < ITEMS_IN_SLICE && performance.now() - began < MILLISECONDS_IN_SLICE) {
    return undefined;
  }
  return new Promise((resolve) => void waiting.push(resolve));
}

/** As `forEach`, in slices. */
export async function eachInSlices<Item>(items: Iterable<Item>, work: (item: Item) => void): Promise<void> {
  for (const item of items) {
    work(item);
    const turn = sliced();
    if (turn) {
      await turn;
    }
  }
}

/** As `map`, in slices. */
export async function mapInSlices<Item, Result>(
  items: Iterable<Item>,
  work: (item: Item) => Result,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  await eachInSlices(items, (item) => void results.push(work(item)));
  return results;
}

/** As `flatMap`, in slices. */
export async function flatMapInSlices<Item, Result>(
  items: Iterable<Item>,
  work: (item: Item) => readonly Result[],
): Promise<readonly Result[]> {
  const results: Result[] = [];
  await eachInSlices(items, (item) => work(item).forEach((result) => results.push(result)));
  return results;
}

/** As `filter`, in slices. */
export async function filterInSlices<Item>(
  items: Iterable<Item>,
  isWanted: (item: Item) => boolean,
): Promise<readonly Item[]> {
  return flatMapInSlices(items, (item) => (isWanted(item) ? [item] : []));
}

/** As `groupedBy`, in slices. */
export async function groupedInSlices<Item, Key>(
  items: Iterable<Item>,
  keyOf: (item: Item) => Key,
): Promise<ReadonlyMap<Key, readonly Item[]>> {
  const groups = new Map<Key, Item[]>();
  await eachInSlices(items, (item) => addToGroup(groups, keyOf(item), item));
  return groups;
}

/** Merges two sorted lists; of equal items, those of the first list come first. */
async function merged<Item>(
  first: readonly Item[],
  second: readonly Item[],
  compare: (one: Item, other: Item) => number,
): Promise<readonly Item[]> {
  let [left, right] = [0, 0];
  const nextOf = (): Item =>
    right >= second.length || (left < first.length && compare(first[left]!, second[right]!) <= 0)
      ? first[left++]!
      : second[right++]!;
  return mapInSlices(new Array(first.length + second.length).keys(), nextOf);
}

/** As `toSorted`, in slices; equal items keep their order. */
export async function sortedInSlices<Item>(
  items: readonly Item[],
  compare: (one: Item, other: Item) => number,
): Promise<readonly Item[]> {
  if (items.length <= ITEMS_IN_SLICE) {
    await sliced(items.length);
    return [...items].sort(compare);
  }
  const middle = Math.ceil(items.length / 2);
  const first = await sortedInSlices(items.slice(0, middle), compare);
  const second = await sortedInSlices(items.slice(middle), compare);
  return merged(first, second, compare);
}

const LEAST_CHARACTERS = 16_384;

/** A text in pieces that is made in slices. Pieces that are short are put together. */
export async function* textInSlices(pieces: Iterable<string>): AsyncGenerator<string> {
  let text = '';
  for (const piece of pieces) {
    text += piece;
    const turn = sliced();
    if (turn) {
      await turn;
    }
    if (text.length >= LEAST_CHARACTERS) {
      yield text;
      text = '';
    }
  }
  yield text;
}

/** Bytes in parts of one size; the last one may be shorter. */
export function bytesInParts(bytes: Buffer, size: number): readonly Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
}
