/**
 * lined: of what several sources say of one thing, the newest resource. Where they contradict each other, it says so
 * with both sides.
 */
import { groupedBy } from '../../../core/base/grouped-by';
import type { ReportScope } from '../../../core/db/plans';
import type { Versioned } from '../../../core/fhir/resource';
import { lineOf } from '../../../core/language/summary-lines';
import type { Line } from '../../../core/lines/lines';
import type { CurrentScope } from '../../../core/records/current';
import { readLines } from '../../../core/records/lines';
import type { Asking } from '../asking';
import { statementIn } from './fact-resources';

/** The models whose statements are joined, with the types that they become. */
const LINED: Readonly<Record<string, readonly string[]>> = {
  Problem: ['Condition'],
  Medication: ['MedicationStatement', 'MedicationRequest'],
  Allergy: ['AllergyIntolerance'],
  Immunization: ['Immunization'],
};

/** The lines of what becomes resources of these types. */
export async function readResourceLines(
  { services }: Asking,
  current: CurrentScope<ReportScope>,
  types: readonly string[],
): Promise<readonly Line[]> {
  const models = Object.entries(LINED)
    .filter(([, own]) => own.some((type) => types.includes(type)))
    .flatMap(([name]) => services.models().find(name) ?? []);
  return models.length === 0
    ? []
    : [...(await readLines(services, current, models, { countsSources: false })).values()].flat();
}

export type Lined = {
  readonly resources: readonly Versioned[];
  /** For a resource that sources contradict each other about, by its name: what each of them says, the newest first. */
  readonly sides: ReadonlyMap<string, readonly Versioned[]>;
};

/** What a line leaves: nothing of what is over or was not so. */
const isLeftOut = ({ standing, isPlanned }: Line): boolean => standing === 'over' || standing === 'undone' || isPlanned;

const noteOf = (sides: readonly Versioned[]): object => ({
  text: `Sources differ. ${sides.map((side) => `${lineOf(side)}.`).join(' ')}`,
});

/** The newest resource of a line that nobody agrees about. */
function inConflict(line: Line, newest: Versioned, sides: readonly Versioned[]): Versioned {
  const isMedicine = newest.resourceType.startsWith('Medication');
  return {
    ...newest,
    id: line.id,
    ...(isMedicine ? { status: 'unknown' } : {}),
    note: [...((newest['note'] ?? []) as readonly object[]), noteOf(sides)],
  };
}

type Chosen = { readonly resource: Versioned; readonly sides: readonly Versioned[] };

function chosenOf(line: Line, own: readonly Versioned[], holds: (resource: Versioned) => boolean): readonly Chosen[] {
  if (isLeftOut(line)) {
    return [];
  }
  const order = new Map(line.says.map(({ told }, index) => [told.id, index]));
  const place = ({ id }: Versioned): number => order.get(statementIn(id)) ?? order.size;
  const sorted = [...own].sort((one, other) => place(one) - place(other));
  if (line.isConflict && sorted.length > 1) {
    return [{ resource: inConflict(line, sorted[0]!, sorted), sides: sorted }];
  }
  const newest = sorted.find(holds);
  return newest ? [{ resource: newest, sides: [] }] : [];
}

/**
 * @param holds whether a resource is shown by itself; of a line in conflict one is shown whatever it says, because
 * another source says otherwise
 */
export function linedUp(
  resources: readonly Versioned[],
  lines: readonly Line[],
  holds: (resource: Versioned) => boolean,
): Lined {
  const lineOfStatement = new Map(lines.flatMap((line) => line.says.map(({ told }) => [told.id, line] as const)));
  const isLined = ({ id }: Versioned): boolean => lineOfStatement.has(statementIn(id));
  const groups = groupedBy(resources.filter(isLined), ({ id }) => lineOfStatement.get(statementIn(id))!.id);
  const byId = new Map(lines.map((line) => [line.id, line]));
  const chosen = [...groups].flatMap(([id, own]) => chosenOf(byId.get(id)!, own, holds));
  const named = ({ resourceType, id }: Versioned): string => `${resourceType}/${id}`;
  return {
    resources: [
      ...resources.filter((resource) => !isLined(resource) && holds(resource)),
      ...chosen.map(({ resource }) => resource),
    ],
    sides: new Map(chosen.filter(({ sides }) => sides.length > 0).map((one) => [named(one.resource), one.sides])),
  };
}
