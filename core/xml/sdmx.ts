/**
 * sdmx: turns a Models document, as posted or as a transform wrote it, into SDMJ, the list of what the transform left
 * out, and what the document says of itself.
 */
import { errors, type Problem } from '../base/errors';
import { isObject } from '../base/json';
import type { LeftOut } from '../base/left-out';
import type { Json } from '../base/types';
import { readAbout } from '../facts/model/about';
import { FHIR } from '../fhir/json-to-xml';
import { dosageTextOf } from '../facts/model/dosage';
import type { About } from '../facts/about';
import type { Source, TakenBack } from '../facts/sent';
import type { PlainElement } from './engine';

export type Sdmx = {
  readonly sdmj: Json;
  readonly leftOut: readonly LeftOut[];
  /** What the document says of itself as a whole. */ readonly about?: About;
  /** What it says of its sender and its earlier versions. */ readonly source?: Source;
  /** Statements that their sender took back. */ readonly takenBack?: readonly TakenBack[];
  /** A Bundle of FHIR of what it states and no model holds. */ readonly stated?: PlainElement;
};

const WORDS_KEPT = 255;
/** At most this many different things that a document leaves out are kept; the counts of equal ones are added up. */
const LEFT_OUT_KEPT = 200;

/**
 * A name as a message may repeat it: names of fields are no health data, but only a text that could be a name is
 * repeated.
 */
function showableField(name: string): string {
  return /^[A-Za-z_][A-Za-z0-9_]{0,63}$/.test(name) ? name : 'with this name';
}

const PROBLEMS_KEPT = 20;

type Reading = { readonly problems: Problem[] };

function complain(reading: Reading, message: string): null {
  if (reading.problems.length < PROBLEMS_KEPT) {
    reading.problems.push({ message });
  }
  return null;
}

/**
 * Compares names in any namespace: a default namespace easily gets into the output of one file of a stylesheet and not
 * of another, without being noticed.
 */
function isNamed(node: PlainElement, name: string): boolean {
  return node.name === name;
}

/**
 * Reads a field, in which a nested fact wins over adjacent text (SDMX allows both). Dosages, written as elements of
 * FHIR, become their JSON text.
 */
function readField(field: PlainElement, place: string, reading: Reading): Json {
  const [nested] = field.elements;
  if (!nested) {
    return field.text === '' ? null : field.text;
  }
  if (field.elements.every((one) => isNamed(one, 'Dosage'))) {
    return dosageTextOf(field.elements) ?? null;
  }
  if (field.elements.length > 1) {
    return complain(
      reading,
      `${place}: a Field holds at most one Model or Models element; several Model elements stand in one Models`,
    );
  }
  if (isNamed(nested, 'Model')) {
    return readModel(nested, place, reading);
  }
  return isNamed(nested, 'Models')
    ? readModels(nested, nested.elements, `${place}, `, reading)
    : complain(reading, `${place}: a Field holds text, a Model or a Models element only`);
}

/** The sender's id of a statement, which is in the attributes of its Model. */
function sentIn({ attributes }: PlainElement): TakenBack | undefined {
  const said = (name: string): string => (attributes.get(name) ?? '').trim();
  const [system, value] = [said('sent-in'), said('sent-as')];
  const more = { sender: said('sent-by'), said: said('sent-at'), version: said('sent-version') };
  const filled = Object.entries(more).filter(([, text]) => text !== '');
  return system === '' && value === ''
    ? undefined
    : { system, value, ...Object.fromEntries(filled), model: said('model'), name: said('name') };
}

function sentMarker(node: PlainElement): readonly (readonly [string, Json])[] {
  const { model: _model, name: _name, ...sent } = sentIn(node) ?? { model: '', name: '' };
  return Object.keys(sent).length === 0 ? [] : [['__sent__', sent as Json]];
}

/** At most this many codes of one field are kept beside the one in the field. */
const CODINGS_KEPT = 9;

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

/** The other codes of what a field names: `system|code`, each encoded as in an address, with spaces between them. */
function alsoIn({ attributes }: PlainElement): Json {
  const written = (attributes.get('also') ?? '').split(/\s+/).filter((text) => text !== '');
  return written.slice(0, CODINGS_KEPT).map((text) => {
    const [system = '', code = ''] = text.split('|');
    return { system: decoded(system), code: decoded(code) };
  });
}

function codingsMarker({ elements }: PlainElement): readonly (readonly [string, Json])[] {
  const coded = elements.filter(({ attributes }) => (attributes.get('also') ?? '').trim() !== '');
  const codings = coded.map((field) => [field.attributes.get('name') ?? '', alsoIn(field)] as const);
  return codings.length === 0 ? [] : [['__codings__', Object.fromEntries(codings)]];
}

function readModel(node: PlainElement, place: string, reading: Reading): Json {
  const statement = node.attributes.get('statement') ?? '';
  const part = (node.attributes.get('part') ?? '').trim();
  const label = node.attributes.get('label') ?? '';
  const fields = new Map<string, Json>([
    ['__modelname__', node.attributes.get('name') ?? ''],
    ...(statement === '' ? [] : [['__statement__', statement] as const]),
    ...(part === '' ? [] : [['__part__', part] as const]),
    ...(label === '' ? [] : [['__label__', label] as const]),
    ...sentMarker(node),
    ...codingsMarker(node),
  ]);
  for (const field of node.elements) {
    const name = field.attributes.get('name') ?? '';
    if (!isNamed(field, 'Field')) {
      complain(reading, `${place}: a Model holds Field elements only`);
    } else if (name === '' || name.startsWith('__')) {
      complain(reading, `${place}: a Field needs the name of a field`);
    } else if (fields.has(name)) {
      complain(reading, `${place}, ${showableField(name)}: the field occurs twice`);
    } else {
      fields.set(name, readField(field, `${place}, ${showableField(name)}`, reading));
    }
  }
  return node.text.trim() === ''
    ? Object.fromEntries(fields)
    : complain(reading, `${place}: a Model holds no text beside its fields`);
}

function readModels(models: PlainElement, nodes: readonly PlainElement[], prefix: string, reading: Reading): Json {
  return models.text.trim() !== ''
    ? complain(reading, `${prefix}Models: text is allowed in fields only`)
    : nodes.map((node, index) =>
        isNamed(node, 'Model')
          ? readModel(node, `${prefix}Model ${index + 1}`, reading)
          : complain(reading, `${prefix}element ${index + 1}: Models holds Model elements only`),
      );
}

/** The numbers of parts in a list such as "1 3". */
function numbersIn(list = ''): readonly number[] {
  return list
    .split(' ')
    .map(Number)
    .filter((number) => Number.isInteger(number) && number > 0);
}

function readLeftOut(nodes: readonly PlainElement[]): readonly LeftOut[] {
  const found = new Map<string, LeftOut>();
  for (const { attributes, text } of nodes) {
    const said = (name: string): string => (attributes.get(name) ?? '').slice(0, WORDS_KEPT);
    const [model, reason, where, words] = [
      said('model'),
      said('reason'),
      said('where'),
      text.trim().slice(0, WORDS_KEPT),
    ];
    const count = Number.parseInt(attributes.get('count') ?? '1', 10);
    const key = JSON.stringify([model, reason, where]);
    const parts = [...(found.get(key)?.parts ?? []), ...numbersIn(attributes.get('parts'))];
    found.set(key, {
      model,
      reason,
      count: (found.get(key)?.count ?? 0) + (count > 0 ? count : 1),
      ...(parts.length === 0 ? {} : { parts }),
      ...(where === '' ? {} : { where }),
      ...(words === '' ? {} : { words }),
    });
  }
  return [...found.values()].slice(0, LEFT_OUT_KEPT);
}

const SOURCE_NAMES = ['sender', 'date', 'id', 'set', 'version', 'replaces', 'adds', 'kind', 'lists'] as const;
/** The ids of a document that replaces many are the longest of these texts. */
const SOURCE_KEPT = 4000;

/** What the document says of its sender; a text that is too long says nothing. */
function sourceIn(nodes: readonly PlainElement[]): Pick<Sdmx, 'source'> {
  const attributes = nodes[0]?.attributes;
  const said = SOURCE_NAMES.map((name) => [name, (attributes?.get(name) ?? '').replace(/\s+/g, ' ').trim()] as const);
  const filled = said.filter(([, text]) => text !== '' && text.length <= SOURCE_KEPT);
  return filled.length === 0 ? {} : { source: Object.fromEntries(filled) };
}

function takenBackIn(nodes: readonly PlainElement[]): Pick<Sdmx, 'takenBack'> {
  const takenBack = nodes
    .flatMap((node) => sentIn(node) ?? [])
    .filter(({ model, name }) => model !== '' && name !== '');
  return takenBack.length === 0 ? {} : { takenBack };
}

function statedIn(bundle: PlainElement | undefined): Pick<Sdmx, 'stated'> {
  return bundle === undefined || bundle.elements.length === 0 ? {} : { stated: bundle };
}

/** The `About` of the facts, of which there may be one. An `About` that says nothing is ignored. */
function aboutIn(
  found: readonly Readonly<Record<string, unknown>>[],
  complainOf: (problem: string) => void,
): Pick<Sdmx, 'about'> {
  if (found.length > 1) {
    complainOf('About: it occurs twice');
  }
  const read = readAbout(found[0] ?? {});
  if ('problems' in read) {
    read.problems.forEach(complainOf);
    return {};
  }
  return Object.keys(read.about).length > 0 ? { about: read.about } : {};
}

/**
 * Reads what a module returned: facts, and among them at most one object with the single member `__about__`.
 * @throws AppError invalid_document when that object is wrong
 */
export function readSdmj(value: Json): Sdmx {
  const list: readonly Json[] = Array.isArray(value) ? value : [value];
  const isAbout = (item: Json): boolean => isObject(item) && Object.hasOwn(item, '__about__');
  if (!list.some(isAbout)) {
    return { sdmj: value, leftOut: [] };
  }
  const reading: Reading = { problems: [] };
  const found = list.filter(isAbout).map((item) => (item as Readonly<Record<string, Json>>)['__about__']);
  const about = aboutIn(found.filter(isObject), (problem) => complain(reading, problem));
  if (!found.every(isObject)) {
    complain(reading, 'About: it is no object');
  }
  if (reading.problems.length > 0) {
    throw errors.invalidDocument('its facts are not well-formed SDMX', reading.problems);
  }
  return { sdmj: list.filter((item) => !isAbout(item)), leftOut: [], ...about };
}

/**
 * Reads a `Models` element by the local names in it: text is kept as it is, an empty field is null. The attribute
 * `statement` of a Model is the source's own key of the statement, and `part` has the numbers of the document's parts
 * from which it was made. The attribute `also` of a Field has other codes of what it names. `LeftOut` elements next to
 * the models list what a transform could not use, with the numbers of its `parts`, and one `About` says what the
 * document is as a whole. One `Source` says who sent it and which documents it replaces, and `TakenBack` elements are
 * statements that their sender says were never true. A `Bundle` of FHIR has what no model holds.
 * @throws AppError invalid_document with every structural fault, naming places and never values
 */
export function readSdmx(root: PlainElement): Sdmx {
  const reading: Reading = { problems: [] };
  const isLeftOut = (node: PlainElement): boolean => isNamed(node, 'LeftOut');
  const isAbout = (node: PlainElement): boolean => isNamed(node, 'About');
  const isSource = (node: PlainElement): boolean => isNamed(node, 'Source');
  const isTakenBack = (node: PlainElement): boolean => isNamed(node, 'TakenBack');
  const isStated = (node: PlainElement): boolean => isNamed(node, 'Bundle') && node.namespace === FHIR;
  const isBeside = (node: PlainElement): boolean =>
    [isLeftOut, isAbout, isSource, isTakenBack, isStated].some((isOne) => isOne(node));
  const sdmj = readModels(
    root,
    root.elements.filter((node) => !isBeside(node)),
    '',
    reading,
  );
  const about = aboutIn(
    root.elements.filter(isAbout).map(({ attributes }) => Object.fromEntries(attributes)),
    (problem) => complain(reading, problem),
  );
  if (reading.problems.length > 0) {
    throw errors.invalidDocument('its facts are not well-formed SDMX', reading.problems);
  }
  return {
    sdmj,
    leftOut: readLeftOut(root.elements.filter(isLeftOut)),
    ...about,
    ...sourceIn(root.elements.filter(isSource)),
    ...takenBackIn(root.elements.filter(isTakenBack)),
    ...statedIn(root.elements.find(isStated)),
  };
}
