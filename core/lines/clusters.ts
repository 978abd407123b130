/**
 * clusters: statements that have nothing in common that a rule looks at, so that each cluster becomes lines by itself
 * (pure).
 */
import { groupedBy } from '../base/grouped-by';
import { isByDay } from './apart';
import { dayNames, unions, type Item, type Joining } from './join';

/** Everything by which a statement may lead to others: the texts of all rules, and what is counted for a day. */
function linksOf({ told, keys }: Item, joining: Joining): readonly string[] {
  const byDay = joining.equal.flatMap((rule, number) =>
    isByDay(rule) ? dayNames(rule, told, joining).map((name) => `day ${number} ${name}`) : [],
  );
  return [...byDay, ...keys.flatMap((own, number) => own.map((key) => `${number} ${key}`))];
}

/** Statements in clusters, each with what the person says of its pairs. It yields after each statement. */
export function* clustersOf(
  items: readonly Item[],
  joining: Joining,
): Generator<undefined, readonly (readonly [readonly Item[], Joining])[]> {
  const { find, join } = unions(items.map((_, at) => at));
  const first = new Map<string, number>();
  const places = new Map<string, number>();
  for (const [at, item] of items.entries()) {
    places.set(item.told.id, at);
    for (const link of linksOf(item, joining)) {
      const other = first.get(link);
      if (other === undefined) {
        first.set(link, at);
      } else {
        join(at, other);
      }
    }
    yield;
  }
  const said = joining.same.filter((pair) => pair.every((id) => places.has(id)));
  said.forEach(([one, other]) => join(places.get(one)!, places.get(other)!));
  const pairs = groupedBy(said, ([one]) => find(places.get(one)!));
  const members = groupedBy(items.keys(), find);
  return [...members].map(([root, own]) => [own.map((at) => items[at]!), { ...joining, same: pairs.get(root) ?? [] }]);
}
