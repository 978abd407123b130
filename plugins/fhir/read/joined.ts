/** joined: one resource for each line of what many sources say, with a note where they differ and who says it. */
import { groupedBy } from '../../../core/base/grouped-by';
import { derivedId } from '../../../core/base/ids';
import { flatMapInSlices, groupedInSlices } from '../../../core/base/turns/slices';
import * as documentStore from '../../../core/documents/store';
import type { StoredFact } from '../../../core/facts/plans';
import { reference, resourceName, type Versioned } from '../../../core/fhir/resource';
import {
  conflictWords,
  denialWords,
  ownVerdict,
  severityWords,
  type Source,
} from '../../../core/language/conflict-words';
import { DENIAL, deniedBy, type Denied } from '../../../core/lines/denials';
import { countsInLine, standsFor, valueIn, worstOf } from '../../../core/lines/heard';
import type { Line } from '../../../core/lines/lines';
import type { Told } from '../../../core/lines/told';
import type { Model } from '../../../core/facts/model/model';
import type { readCurrentScope } from '../../../core/records/current';
import { OWN_WORD, readJoined, type Joined } from '../../../core/records/lines';
import { categoriesSought, mayAlso, type Asking } from '../asking';
import { statementIn } from './stored-types';

type Current = Awaited<ReturnType<typeof readCurrentScope>>;

/** Models of which summaries show lines. */
export const LINES_OF_SUMMARIES = [
  'Allergy',
  'AllergyExclusion',
  'Problem',
  'Medication',
  'Immunization',
  'Procedure',
  'Equipment',
  'SocialHistory',
] as const;

const ALLERGY = 'Allergy';
const VITALS = 'VitalSigns';
/** Models of whose facts a summary has the newest only, but a clinic gets all of a year. */
export const LINES_OF_RESULTS = ['LabResult', VITALS, 'Measurement'] as const;

/** A line as it goes out. */
type Out = {
  readonly line: Line;
  readonly model: string;
  /** The statement whose resource goes out. */ readonly shown: string;
  /** What is said about it. */ readonly note: string;
  /** The worst severity of an allergy, for a resource that says none. */ readonly severity: string;
  /** The lines that deny what is shown. */ readonly denials: readonly Line[];
};

type Models = ReturnType<Asking['services']['models']>;

type Shown = Pick<Out, 'line' | 'model' | 'shown'>;

type Wish = {
  readonly models: readonly string[];
  /**
   * For doors that show only what is so now: whether they show a resource. Of a line in conflict one is shown whatever it
   * says, because another source says otherwise.
   */
  readonly isShown?: (resource: Versioned) => boolean;
};

/** What is said beside a resource, for those who put it into words of another language. */
type Aside = {
  /** The note in English that the resource has of it. */ readonly note: string;
  /** The worst severity of an allergy that no reaction of the resource says. */ readonly severity: string;
  /** What denies it. */ readonly denials: readonly Told[];
  readonly own: ReturnType<typeof ownVerdict>;
};

export type JoinedResources = {
  readonly resources: readonly Versioned[];
  /** What the sources say differently, by the id of the resource. */ readonly notes: ReadonlyMap<string, string>;
  /** Who says what several statements say together. */ readonly provenances: readonly Versioned[];
  /** The statements of a resource's line that count. */
  readonly statementsOf: (resourceId: string) => readonly string[];
  /** For a resource that sources contradict each other about, by its name: what each of them says, the newest first. */
  readonly sides: ReadonlyMap<string, readonly Versioned[]>;
  /** By the names of resources. */ readonly asides: ReadonlyMap<string, Aside>;
};

function isInConflict({ isConflict, standing }: Line): boolean {
  return isConflict || standing === 'unclear';
}

type ByStatement = ReadonlyMap<string, readonly Versioned[]>;

/**
 * What a door of what is so now leaves out: all of a line that is over, was not so or is to come. A summary keeps what a
 * source calls stopped, because a receiver has no other way to hear it.
 */
function isLeftOut({ standing, isPlanned }: Line): boolean {
  return standing === 'over' || standing === 'undone' || isPlanned;
}

/** What is shown of each line that has a resource. */
function shownOf({ lines, out }: Joined, resources: ByStatement, { isShown }: Wish): readonly Shown[] {
  const isThere = (id: string): boolean => resources.has(id) && !out.has(id);
  const isHeld = (id: string): boolean => isThere(id) && resources.get(id)!.some((one) => isShown?.(one) ?? true);
  return [...lines].flatMap(([model, own]) =>
    own.flatMap((line) => {
      const shown = standsFor(line, isInConflict(line) ? isThere : isHeld);
      return shown === undefined || (isShown && isLeftOut(line)) ? [] : [{ line, model, shown }];
    }),
  );
}

function needsNote(line: Line): boolean {
  return isInConflict(line) || line.says.length > 1 || worstOf(line) !== undefined;
}

/** The documents that are named in notes. */
async function readSources(
  { services, scope }: Asking,
  lines: readonly Line[],
): Promise<(documentId: string) => Source | undefined> {
  const ids = [...new Set(lines.flatMap(({ says }) => says.map(({ told }) => told.documentId)))];
  const rows = ids.length === 0 ? [] : await documentStore.findDocuments(services.database.reads, scope, ids);
  const found = new Map(rows.map((row) => [row.id, row]));
  return (id) => found.get(id);
}

function isNow({ standing, isPlanned }: Line): boolean {
  return (standing === 'open' || standing === 'unclear') && !isPlanned;
}

/** What a line of denials denies. */
function deniedIn({ says: [newest] }: Line): Denied {
  return deniedBy(newest?.told.values ?? {});
}

/** What is said about lines; that somebody denies all allergies, medicines or problems is said of each of them. */
async function withNotes(asking: Asking, shown: readonly Shown[]): Promise<readonly Out[]> {
  const models = asking.services.models();
  const denials = shown.filter(({ model }) => model === DENIAL).map(({ line }) => line);
  const noted = shown.filter(({ line, model }) => needsNote(line) || model === DENIAL);
  const sourceOf = await readSources(
    asking,
    noted.map(({ line }) => line),
  );
  const exclusion = models.find(DENIAL);
  const denialsOf = (one: Shown): readonly Line[] =>
    isNow(one.line) ? denials.filter((line) => deniedIn(line) === one.model) : [];
  return shown.map((one): Out => {
    const model = models.find(one.model)!;
    const isAllergy = one.model === ALLERGY;
    const own = denialsOf(one);
    const words = [
      conflictWords(model, one.line, sourceOf),
      isAllergy ? severityWords(model, one.line, one.shown, sourceOf) : '',
      exclusion ? denialWords(exclusion, own, sourceOf) : '',
    ];
    const severity = isAllergy ? severityWords(model, one.line, undefined, sourceOf) : '';
    return { ...one, severity, denials: own, note: words.filter((text) => text !== '').join(' ') };
  });
}

type Reaction = { readonly severity?: string };

function saysSeverity(resource: Versioned): boolean {
  return ((resource['reaction'] ?? []) as readonly Reaction[]).some((one) => one.severity !== undefined);
}

/** What is said about a resource. FHIR has a severity of reactions only, and a sender may give one without a reaction. */
function noteOf(resource: Versioned, { note, severity }: Out): string {
  const isSaid = severity === '' || note.includes(severity) || saysSeverity(resource);
  return isSaid ? note : [note, severity].filter((text) => text !== '').join(' ');
}

const MEDICINES = ['MedicationStatement', 'MedicationRequest'];

/** The newest statement's own resource; of a line in conflict with the line's id, and medicines without a standing. */
function saidResource(resource: Versioned, { line }: Out, note: string): Versioned {
  if (note === '') {
    return resource;
  }
  const rest = resource.id.slice(statementIn(resource.id).length);
  const notes = (resource['note'] ?? []) as readonly object[];
  return {
    ...resource,
    ...(isInConflict(line) ? { id: `${line.id}${rest}` } : {}),
    ...(isInConflict(line) && MEDICINES.includes(resource.resourceType) ? { status: 'unknown' } : {}),
    note: [...notes, { text: note }],
  } as Versioned;
}

type TypeOf = (statement: string) => string | undefined;

function provenanceOf(resource: Versioned, { line }: Out, typeOf: TypeOf, now: string): Versioned {
  const { resourceType } = resource;
  return {
    resourceType: 'Provenance',
    id: derivedId(resourceName(resource), 'Provenance', ''),
    meta: resource.meta,
    target: [reference(resourceType, resource.id)],
    recorded: now,
    agent: [{ who: { display: 'Personal Health Records Service' } }],
    entity: line.says.map(({ told }) => ({
      role: 'source',
      what: reference(typeOf(told.id) ?? resourceType, told.id),
    })),
  } as unknown as Versioned;
}

type Entity = { readonly what: { readonly reference: string } };

/**
 * Who says what, for a Bundle with resources of these names: a statement that is not in it is named by its number, so
 * that every reference leads to a resource.
 */
export function provenanceInside(provenance: Versioned, names: { has: (name: string) => boolean }): Versioned {
  const entity = (provenance['entity'] as readonly Entity[]).map((one) => {
    const { reference: name } = one.what;
    const [type, id] = name.split('/');
    const number = { system: 'urn:ietf:rfc:3986', value: `urn:uuid:${id}` };
    return names.has(name) ? one : { ...one, what: { type, identifier: number } };
  });
  return { ...provenance, entity };
}

function codeKey(resource: Versioned): string {
  return JSON.stringify(resource['code'] ?? resource.id);
}

/** Of one visit two sources may have measured different things: of each the newest goes out. */
function newestOfEach(
  lines: readonly Line[],
  resources: ByStatement,
  out: ReadonlySet<string>,
): ReadonlySet<Versioned> {
  const all = lines.flatMap(({ says }) => {
    const counting = says.filter((one) => countsInLine(one) && !out.has(one.told.id));
    const own = groupedBy(
      counting.flatMap(({ told }) => resources.get(told.id) ?? []),
      codeKey,
    );
    return [...own.values()].map(([newest]) => newest!);
  });
  return new Set(all);
}

/** The severity of an allergy as FHIR writes it; in the words of its source where it has no such code. */
function severityIn(model: Model, told: Told): string {
  return valueIn(model, told, 'severity').toLowerCase();
}

/** FHIR has a severity of reactions alone: a side that says one without a reaction says it as one of an unknown reaction. */
function withSeverity(resource: Versioned, severity: string): Versioned {
  const reactions = (resource['reaction'] ?? []) as readonly Reaction[];
  return severity === '' || saysSeverity(resource)
    ? resource
    : ({ ...resource, reaction: [...reactions, { severity }] } as Versioned);
}

/** What each source says, of a line in conflict, the newest first. */
function sidesOf({ says }: Line, model: Model, resources: ByStatement, out: ReadonlySet<string>): readonly Versioned[] {
  return says.flatMap(({ told, isWrong, isFormer }) => {
    const own = isWrong || isFormer || out.has(told.id) ? [] : (resources.get(told.id) ?? []);
    return model.name === ALLERGY ? own.map((one) => withSeverity(one, severityIn(model, told))) : own;
  });
}

function asideOf(resource: Versioned, { line, model, denials }: Out, note: string, models: Models): Aside {
  const worst = model === ALLERGY && !saysSeverity(resource) ? worstOf(line) : undefined;
  return {
    note,
    severity: worst ? severityIn(models.find(ALLERGY)!, worst.told) : '',
    denials: denials.flatMap(({ says: [newest] }) => (newest ? [newest.told] : [])),
    own: ownVerdict(line),
  };
}

/** The facts that a token opens, if it opens only some of these types. */
function meantFor(asking: Asking, types: readonly string[], resources: ByStatement) {
  const opensAll = types.every((type) => mayAlso(asking, type, 'r') && categoriesSought(asking, type) === undefined);
  return opensAll
    ? undefined
    : ({ model, statementId }: StoredFact): boolean => model === OWN_WORD || resources.has(statementId);
}

/** Reads the lines of models of which there are resources, and of nothing that the caller may not see. */
function readLinesFor(asking: Asking, current: Current, resources: ByStatement, names: readonly string[]) {
  const there = new Set([...resources.values()].flat().map(({ resourceType }) => resourceType));
  const typesOf = (name: string): readonly string[] =>
    asking.services
      .models()
      .find(name)
      ?.fhir?.resources.map(({ resource }) => resource) ?? [];
  const wanted = names.filter((name) => typesOf(name).some((type) => there.has(type)));
  const isMeant = meantFor(asking, [...new Set(wanted.flatMap(typesOf))], resources);
  return readJoined(asking.services, current, [...wanted, OWN_WORD], { isMeant });
}

/**
 * One resource for each line of these models. What the person takes out goes; what belongs to no line stays as it is.
 * An allergy, medicine or problem stays although somebody says that there is none: then what denies it goes, and it says
 * so.
 */
export async function joinedResources(
  asking: Asking,
  current: Current,
  all: readonly Versioned[],
  wish: Wish,
): Promise<JoinedResources> {
  const resources = await groupedInSlices(all, ({ id }) => statementIn(id));
  const joined = await readLinesFor(asking, current, resources, wish.models);
  const outs = await withNotes(asking, shownOf(joined, resources, wish));
  const byShown = new Map(outs.map((out) => [out.shown, out]));
  const measured = newestOfEach(joined.lines.get(VITALS) ?? [], resources, joined.out);
  const there = new Set(outs.filter(({ line }) => isNow(line)).map(({ model }) => model));
  const now = new Date(asking.services.clock.now()).toISOString();
  const typeOf: TypeOf = (statement) => resources.get(statement)?.[0]?.resourceType;
  const notes = new Map<string, string>();
  const provenances: Versioned[] = [];
  const sides = new Map<string, readonly Versioned[]>();
  const asides = new Map<string, Aside>();
  const models = asking.services.models();
  const found = await flatMapInSlices(all, (resource): readonly Versioned[] => {
    const statement = statementIn(resource.id);
    const out = byShown.get(statement);
    if (!out) {
      return measured.has(resource) || !(joined.lineOf.has(statement) || joined.out.has(statement)) ? [resource] : [];
    }
    if (out.model === OWN_WORD || (out.model === DENIAL && there.has(deniedIn(out.line)))) {
      return [];
    }
    const note = noteOf(resource, out);
    const said = saidResource(resource, out, note);
    if (note !== '') {
      notes.set(said.id, note);
      asides.set(resourceName(said), asideOf(resource, out, note, models));
    }
    if (out.line.says.length > 1) {
      provenances.push(provenanceOf(said, out, typeOf, now));
    }
    const both = isInConflict(out.line) ? sidesOf(out.line, models.find(out.model)!, resources, joined.out) : [];
    if (both.length > 1) {
      sides.set(resourceName(said), both);
    }
    return [said];
  });
  const lineOf = (id: string): Line | undefined => joined.lineOf.get(statementIn(id));
  const statementsOf = (id: string): readonly string[] =>
    lineOf(id)?.says.flatMap(({ told, isWrong }) => (isWrong || told.isOlder ? [] : [told.id])) ?? [statementIn(id)];
  return { resources: found, notes, provenances, statementsOf, sides, asides };
}
