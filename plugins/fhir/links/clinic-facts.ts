/** clinic-facts: reads what a clinic is shown of a record or carenet, as it is when the clinic fetches it. */
import { eachInSlices, filterInSlices, mapInSlices } from '../../../core/base/turns/slices';
import { resourceName, type Versioned } from '../../../core/fhir/resource';
import { missingSince } from '../../../core/lines/newer';
import { readCurrentScope, readMissing } from '../../../core/records/current';
import { atLengthIfLarge, type Asking } from '../asking';
import { everythingOf } from '../read/everything';
import { joinedResources, LINES_OF_RESULTS, LINES_OF_SUMMARIES, type JoinedResources } from '../read/joined';
import { referencesIn } from '../read/summary';
import { SUMMARY_LISTS, withBeside } from '../read/summaries';
import { latestObservations, newestObservations } from '../search/latest-observations';
import { clinicKindNames, findClinicKind, kindShown, typesOf, type ClinicKind, type Times } from './clinic-content';

const OBSERVATION = 'Observation';
/** How many of the newest measurements a clinic is shown at most. */
const MOST_OBSERVATIONS = 5000;

const DAY_CHARACTERS = 10;

/** Types that go along where something refers to them. */
const BESIDE = ['Practitioner', 'Organization', 'Medication', 'Location'];

async function observationsOf(asking: Asking, { yearAgo }: Times): Promise<readonly Versioned[]> {
  const recent = await newestObservations(asking, yearAgo, MOST_OBSERVATIONS);
  const latest = await latestObservations(asking, recent);
  const known = new Set(recent.map(resourceName));
  return [...recent, ...latest.filter((resource) => !known.has(resourceName(resource)))];
}

/** "Not in the newer list of its source of 2026-03-03."; empty for what is in it. */
function missingNote(missingSince: string | undefined): string {
  const of = missingSince ? ` of ${missingSince.slice(0, DAY_CHARACTERS)}` : '';
  return missingSince === undefined ? '' : `Not in the newer list of its source${of}.`;
}

/** A statement that the newest list of its sender does not have any more is sent, and says so. */
function noted(resource: Versioned, text: string): Versioned {
  const notes = (resource['note'] ?? []) as readonly object[];
  return text === '' ? resource : ({ ...resource, note: [...notes, { text }] } as Versioned);
}

type ClinicGroups = ReadonlyMap<ClinicKind, readonly Versioned[]>;

async function grouped(
  resources: readonly Versioned[],
  kinds: readonly ClinicKind[],
  times: Times,
  sides: JoinedResources['sides'],
): Promise<ClinicGroups> {
  const groups = new Map<ClinicKind, Versioned[]>(clinicKindNames.map((kind) => [kind, []]));
  await eachInSlices(resources, (resource) => {
    const kind =
      kindShown(resource, kinds, times) ??
      (sides.has(resourceName(resource)) ? findClinicKind(resource, kinds) : undefined);
    if (kind !== undefined) {
      groups.get(kind)!.push(resource);
    }
  });
  return groups;
}

export type ClinicFactsRead = {
  readonly patient: Versioned;
  /** What is shown, by kinds in their order. */ readonly groups: ClinicGroups;
  readonly shown: readonly Versioned[];
  /** Of what sources contradict each other about: what each of them says. */ readonly sides: JoinedResources['sides'];
  /** What is said beside the resources, by their names. */ readonly asides: JoinedResources['asides'];
  /** The notes of resources that the newest list of their source lacks, by their names. */
  readonly lacking: ReadonlyMap<string, string>;
  /** People, places and medicines that these name. */ readonly beside: readonly Versioned[];
};

/** @returns undefined for a record that is not there any more */
export async function readClinicFacts(
  own: Asking,
  kinds: readonly ClinicKind[],
  times: Times,
): Promise<ClinicFactsRead | undefined> {
  const asking = await atLengthIfLarge(own);
  const current = await readCurrentScope(asking.services, asking.scope);
  const counting: Asking = { ...asking, scope: current.scope };
  const types = typesOf(kinds);
  const resources = types.includes(OBSERVATION) ? [...(await observationsOf(counting, times))] : [];
  let patient: Versioned | undefined;
  for await (const portion of everythingOf(counting, ['Patient', ...types.filter((type) => type !== OBSERVATION)])) {
    patient ??= portion.find(({ resourceType }) => resourceType === 'Patient');
    resources.push(...portion);
  }
  if (!patient) {
    return undefined;
  }
  const joined = await joinedResources(asking, current, resources, {
    models: [...LINES_OF_SUMMARIES, ...LINES_OF_RESULTS],
    isShown: (resource) => kindShown(resource, kinds, times) !== undefined,
  });
  const { sides, asides } = joined;
  const missing = await readMissing(asking.services, current, SUMMARY_LISTS);
  const lacking = new Map<string, string>();
  const once = await mapInSlices(joined.resources, (resource) => {
    const text = missingNote(missingSince(joined.statementsOf(resource.id), missing));
    if (text !== '') {
      lacking.set(resourceName(resource), text);
    }
    return noted(resource, text);
  });
  const groups = await grouped(once, kinds, times, sides);
  const shown = [...groups.values()].flat();
  const all = new Set(shown.map(resourceName));
  const beside = await filterInSlices(
    await withBeside(asking, shown, BESIDE),
    (resource) => !all.has(resourceName(resource)),
  );
  const sayers = await filterInSlices(joined.provenances, ({ target }) =>
    referencesIn(target).every((name) => all.has(name)),
  );
  return { patient, groups, shown, sides, asides, lacking, beside: [...beside, ...sayers] };
}
