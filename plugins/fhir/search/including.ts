/** including: the resources that a page of matches brings along, by `_include` and `_revinclude`. */
import * as referenceStore from '../read/document-references-store';
import { groupedBy } from '../../../core/base/grouped-by';
import { flatMapInSlices, mapInSlices } from '../../../core/base/turns/slices';
import { provenanceOf } from '../map/document-reference';
import type { JsonObject } from '../../../core/fhir/from-xml';
import type { Resource, Versioned } from '../../../core/fhir/resource';
import { documentIn, resourceName } from '../../../core/fhir/resource';
import { readReference, type SearchQuery, type Unused } from './search-query';
import { referencesBy } from '../../../core/fhir/search-values';
import { fhirBase, mayAlso, mayRead, type Asking } from '../asking';
import { readTargets, type Target } from '../read/kept-resources';
import { allReferences, definedReferences, MOST_REFERRING, referringKept } from './kept-searches';
import { ownReaders } from '../read/own-types';
import { referringSeen } from './seen-searches';

const PROVENANCE = 'Provenance:target';

type Includes = Pick<SearchQuery, 'includes' | 'reverseIncludes'>;

type Included = { readonly resources: readonly Resource[]; readonly unused: readonly Unused[] };

/** Reads `_include=Observation:encounter` and `Observation:encounter:Encounter`; `*` names all parameters. */
function includedNames(type: string, { includes }: Includes) {
  const references = definedReferences(type).map((name) => name.slice(type.length + 1));
  return includes.flatMap((include) => {
    const [source, name = '', target] = include.split(':');
    const names = include === '*' || name === '*' ? references : references.filter((one) => one === name);
    return source === type || include === '*' ? names.map((one) => ({ name: one, target })) : [];
  });
}

/** The resources of this record to which the matches refer by the parameters that the search names. */
async function includeNamed(
  asking: Asking,
  type: string,
  matches: readonly Versioned[],
  query: Includes,
): Promise<readonly Resource[]> {
  const base = fhirBase(asking.services);
  const wanted = includedNames(type, query);
  const words = await flatMapInSlices(matches, (match) =>
    wanted.flatMap(({ name, target }) =>
      referencesBy(type, match as unknown as JsonObject, name).map((word) => ({ word, target })),
    ),
  );
  const isMatch = new Set(matches.map(resourceName));
  const targets = new Map<string, Target>();
  for (const { word, target } of words) {
    const found = readReference(word, base);
    const isWanted = found?.type !== undefined && (target === undefined || found.type === target);
    if (isWanted && mayAlso(asking, found.type!, 'r') && !isMatch.has(`${found.type}/${found.id}`)) {
      targets.set(`${found.type}/${found.id}`, { type: found.type!, id: found.id });
    }
  }
  const own = [...targets.values()].filter(({ type: one }) => one === 'Patient');
  const patients = await Promise.all(own.map(({ id }) => ownReaders['Patient']!.read(asking, id)));
  const others = [...targets.values()].filter(({ type: one }) => one !== 'Patient');
  return [...patients.filter((one) => one !== undefined), ...(await readTargets(asking, others))];
}

/** The Provenance of the matches, one for each of their documents, which names the matches on this page. */
async function provenances(asking: Asking, matches: readonly Versioned[]): Promise<readonly Resource[]> {
  const { database } = asking.services;
  const documents = [...new Set(matches.map(documentIn).filter((id) => id !== ''))];
  if (documents.length === 0) {
    return [];
  }
  const rows = await referenceStore.listReferences(database.reads, asking.scope, {
    conditions: [referenceStore.conditionsOn.ids(documents)],
    oldestFirst: false,
    after: null,
    limit: documents.length,
  });
  const stated = groupedBy(matches, documentIn);
  return mapInSlices(rows, (row) => {
    const names = (stated.get(row.id) ?? []).map(resourceName);
    // A document's own Provenance names the document itself.
    const isItself = names.length === 1 && names[0] === `DocumentReference/${row.id}`;
    return isItself ? provenanceOf(row) : provenanceOf(row, names);
  });
}

/** Whether the search asks for resources that refer to its matches by a parameter of another type. */
function asks({ reverseIncludes }: Includes, type: string, one: string): boolean {
  return reverseIncludes.some((value) => {
    const [source, name, target = type] = value.split(':');
    return (
      value === '*' ||
      ((one === `${source}:${name}` || (name === '*' && one.startsWith(`${source}:`))) && target === type)
    );
  });
}

/** All resources that refer to the matches by the parameters that the search names. */
async function referring(
  asking: Asking,
  type: string,
  matches: readonly Versioned[],
  query: Includes,
): Promise<Included> {
  const wanted = allReferences().filter((one) => asks(query, type, one) && mayAlso(asking, one.split(':')[0]!, 'r'));
  const found = await Promise.all(
    wanted.map(async (one): Promise<Included> => {
      const [source = '', name = ''] = one.split(':');
      const by = { source, name };
      const resources = [...(await referringKept(asking, matches, by)), ...(await referringSeen(asking, matches, by))];
      const reason = `there are more than ${MOST_REFERRING} of ${one} for this page: search for them`;
      return {
        resources: resources.slice(0, MOST_REFERRING),
        unused: resources.length > MOST_REFERRING ? [{ name: '_revinclude', reason }] : [],
      };
    }),
  );
  return {
    resources: found.flatMap(({ resources }) => resources),
    unused: found.flatMap(({ unused }) => unused),
  };
}

/** What resources of one type bring along. */
async function broughtBy(
  asking: Asking,
  type: string,
  matches: readonly Versioned[],
  query: Includes,
): Promise<Included> {
  const { resources, unused } =
    query.reverseIncludes.length === 0 ? { resources: [], unused: [] } : await referring(asking, type, matches, query);
  const isStated = asks(query, type, PROVENANCE) && mayAlso(asking, 'Provenance', 'r');
  const brought = [
    ...(query.includes.length === 0 ? [] : await includeNamed(asking, type, matches, query)),
    ...resources,
  ];
  return {
    resources: [
      ...brought.filter((one) => mayRead(asking, one)),
      ...(isStated ? await provenances(asking, matches) : []),
    ],
    unused,
  };
}

/** How often what was included brings more along, and how many resources that may be. */
const MOST_ROUNDS = 5;
const MOST_INCLUDED = 2000;

/** Everything that a page of matches brings along, each resource once. */
export async function includedBy(
  asking: Asking,
  type: string,
  matches: readonly Versioned[],
  query: SearchQuery,
): Promise<Included> {
  const known = new Set(matches.map(resourceName));
  const isNew = (one: Resource): boolean => !known.has(resourceName(one)) && known.add(resourceName(one)) !== undefined;
  const { resources, unused } = await broughtBy(asking, type, matches, query);
  const all = resources.filter(isNew);
  const told = [...unused];
  const isAgain = query.again.includes.length + query.again.reverseIncludes.length > 0;
  let last: readonly Resource[] = isAgain ? all : [];
  for (let round = 0; round < MOST_ROUNDS && last.length > 0 && all.length < MOST_INCLUDED; round += 1) {
    const next: Resource[] = [];
    for (const [of, some] of groupedBy(last as readonly Versioned[], ({ resourceType }) => resourceType)) {
      const more = await broughtBy(asking, of, some, query.again);
      next.push(...more.resources.filter(isNew));
      told.push(...more.unused);
    }
    all.push(...next);
    last = next;
  }
  const reason = 'what was included brings more along than one page has: search for it';
  return { resources: all, unused: last.length === 0 ? told : [...told, { name: '_include:iterate', reason }] };
}
