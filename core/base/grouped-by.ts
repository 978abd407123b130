/** grouped-by: items in groups of one key; groups and items keep the order in which they came. */

/** Adds an item to the group of its key, which is made when it is the first. */
export function addToGroup<Item, Key>(groups: Map<Key, Item[]>, key: Key, item: Item): void {
  const group = groups.get(key);
  if (group) {
    group.push(item);
  } else {
    groups.set(key, [item]);
  }
}

export function groupedBy<Item, Key>(
  items: Iterable<Item>,
  keyOf: (item: Item) => Key,
): ReadonlyMap<Key, readonly Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    addToGroup(groups, keyOf(item), item);
  }
  return groups;
}
