/** parts: the building blocks of a Continuity of Care Record; the order of children is that of its published schema. */
import { wireTime } from '../../../core/base/clock';
import type { Scalar } from '../../../core/facts/model/model';
import type { StoredFact } from '../../../core/facts/plans';
import { element, type XmlElement } from '../../../core/xml/write';
import { isSet, scalarText, type Code, type Part } from '../minimal/parts';

/** The service itself, as an actor. */
export const SYSTEM_ACTOR = 'svc';

export function textPart(name: string, value: Scalar | undefined): Part {
  return isSet(value) && element(name, {}, String(value));
}

function codeElement({ code, system }: Code): Part {
  return isSet(code) && element('Code', {}, [textPart('Value', code), textPart('CodingSystem', system)]);
}

/** Attributes that the schema has no element for: name -> value. */
type Attributes = Readonly<Record<string, Scalar | undefined>>;

function attributeElements(attributes: Attributes): readonly XmlElement[] {
  return Object.entries(attributes)
    .filter(([, value]) => isSet(value))
    .map(([name, value]) =>
      element('ObjectAttribute', {}, [
        element('Attribute', {}, name),
        element('AttributeValue', {}, [element('Value', {}, scalarText(value))]),
      ]),
    );
}

/** A text with codes; nothing without both. */
export function described(name: string, codes: readonly Code[], attributes: Attributes = {}): Part {
  const children = [textPart('Text', codes[0]?.title), ...attributeElements(attributes), ...codes.map(codeElement)];
  return children.some((child) => child !== false) && element(name, {}, children);
}

export function describeNamed(name: string, title: Scalar | undefined, attributes: Attributes = {}): Part {
  return described(name, [{ title }], attributes);
}

function isStamp(value: string): boolean {
  return value.length > 10;
}

/** A date or time with its kind, such as the start; nothing without a date. */
export function when(type: string, value: Scalar | undefined): Part {
  return (
    isSet(value) &&
    element('DateTime', {}, [
      describeNamed('Type', type),
      element('ExactDateTime', {}, isStamp(String(value)) ? wireTime(String(value)) : String(value)),
    ])
  );
}

/** As `when`, with words instead of a date. */
export function whenInWords(type: string, words: Scalar | undefined): Part {
  return (
    isSet(words) && element('DateTime', {}, [describeNamed('Type', type), describeNamed('ApproximateDateTime', words)])
  );
}

export function actorLink(name: string, actorId: string, role?: string): XmlElement {
  return element(name, {}, [element('ActorID', {}, actorId), role !== undefined && describeNamed('ActorRole', role)]);
}

/** An actor with its role. */
type Involved = { readonly actorId: string | undefined; readonly role?: string };

export type Origin = { readonly description?: Part; readonly by?: readonly Involved[] };

/** The source of a fact: the people and organizations that it names, else this service. */
export function source({ description = false, by = [] }: Origin = {}): XmlElement {
  const links = by.flatMap(({ actorId, role }) => (actorId === undefined ? [] : [actorLink('Actor', actorId, role)]));
  return element('Source', {}, [description, ...(links.length > 0 ? links : [actorLink('Actor', SYSTEM_ACTOR)])]);
}

function identity(type: string, id: string): XmlElement {
  return element('IDs', {}, [describeNamed('Type', type), element('ID', {}, id), source()]);
}

type ObjectParts = {
  readonly dates?: readonly Part[];
  readonly ids?: readonly (readonly [string, Scalar | undefined])[];
  readonly type?: Part;
  readonly description?: Part;
  readonly status?: string;
  readonly origin?: Origin;
  readonly commentId?: string | undefined;
};

/** The elements with which every object begins. Facts of one document share its id; their own ids tell them apart. */
export function objectStart(
  fact: StoredFact,
  { dates = [], ids = [], type = false, description = false, status }: ObjectParts,
): readonly Part[] {
  return [
    element('CCRDataObjectID', {}, fact.documentId),
    ...dates,
    identity('Fact', fact.id),
    ...ids.filter(([, id]) => isSet(id)).map(([kind, id]) => identity(kind, String(id))),
    type,
    description,
    describeNamed('Status', status),
  ];
}

/** The source of an object and the link to its comment. */
export function objectEnd({ origin, commentId }: ObjectParts): readonly Part[] {
  return [source(origin), textPart('CommentID', commentId)];
}

export function dataObject(fact: StoredFact, parts: ObjectParts): readonly Part[] {
  return [...objectStart(fact, parts), ...objectEnd(parts)];
}

/** An amount; nothing without a number. */
export function measure(name: string, value: Scalar | undefined, unit: Scalar | undefined): Part {
  return (
    isSet(value) &&
    element(name, {}, [
      element('Value', {}, String(value)),
      isSet(unit) && element('Units', {}, [element('Unit', {}, String(unit))]),
    ])
  );
}
