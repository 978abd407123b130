/** actors: the people and organizations that the sections name, collected while they are written. */
import { newId } from '../../../core/base/ids';
import { element, type XmlElement } from '../../../core/xml/write';
import { addressLine, fullName } from '../minimal/definitions';
import { isSet, scalarText, type Part, type Values } from '../minimal/parts';
import { describeNamed, source, SYSTEM_ACTOR, textPart } from './parts';

export type Actors = {
  /** Adds the provider of a field and answers its id; undefined when the field names nobody. */
  readonly person: (values: Values, field: string) => string | undefined;
  readonly personCalled: (name: string) => string | undefined;
  readonly organization: (name: string, values?: Values, addressField?: string) => string | undefined;
  readonly elements: () => readonly XmlElement[];
};

function addressElement(values: Values, field: string): Part {
  return (
    addressLine(values, field) !== '' &&
    element('Address', {}, [
      textPart('Line1', values[`${field}_street`]),
      textPart('City', values[`${field}_city`]),
      textPart('State', values[`${field}_region`]),
      textPart('Country', values[`${field}_country`]),
      textPart('PostalCode', values[`${field}_postalcode`]),
    ])
  );
}

const phoneKinds: Readonly<Record<string, string>> = { h: 'Home', w: 'Work', c: 'Cell' };

function telephones(values: Values, fields: readonly string[]): readonly Part[] {
  return fields.map(
    (field) =>
      isSet(values[`${field}_number`]) &&
      element('Telephone', {}, [
        textPart('Value', values[`${field}_number`]),
        describeNamed('Type', phoneKinds[scalarText(values[`${field}_type`])]),
        values[`${field}_preferred_p`] ? element('Priority', {}, 'Preferred') : false,
      ]),
  );
}

function email(values: Values, field: string): Part {
  return isSet(values[field]) && element('EMail', {}, [textPart('Value', values[field])]);
}

function currentName(values: Values, field: string): Part {
  return (
    fullName(values, field) !== '' &&
    element('Name', {}, [
      element('CurrentName', {}, [
        textPart('Given', values[`${field}_given`]),
        textPart('Middle', values[`${field}_middle`]),
        textPart('Family', values[`${field}_family`]),
        textPart('Suffix', values[`${field}_suffix`]),
        textPart('Title', values[`${field}_prefix`]),
      ]),
      element('DisplayName', {}, fullName(values, field)),
    ])
  );
}

const numberKinds = [
  ['DEA', 'dea_number'],
  ['NPI', 'npi_number'],
] as const;

function numbers(values: Values, field: string): readonly Part[] {
  return numberKinds.map(
    ([type, suffix]) =>
      isSet(values[`${field}_${suffix}`]) &&
      element('IDs', {}, [describeNamed('Type', type), textPart('ID', values[`${field}_${suffix}`]), source()]),
  );
}

function actor(id: string, who: XmlElement, parts: readonly Part[] = []): XmlElement {
  return element('Actor', {}, [element('ActorObjectID', {}, id), who, ...parts, source()]);
}

const genders: Readonly<Record<string, string>> = { m: 'Male', f: 'Female', male: 'Male', female: 'Female' };

/** The person whom the record is about. */
export function patientActor(recordId: string, values: Values): XmlElement {
  return actor(
    recordId,
    element('Person', {}, [
      currentName(values, 'name'),
      isSet(values['bday']) && element('DateOfBirth', {}, [element('ExactDateTime', {}, String(values['bday']))]),
      describeNamed('Gender', genders[scalarText(values['gender'])], {
        Ethnicity: values['ethnicity'],
        Race: values['race'],
        PreferredLanguage: values['preferred_language'],
        BloodGroup: values['blood_group'],
        EmergencyContacts: values['emergency_contacts'],
        Insurance: values['insurance'],
      }),
    ]),
    [addressElement(values, 'adr'), ...telephones(values, ['tel_1', 'tel_2']), email(values, 'email')],
  );
}

export function systemActor(name: string): XmlElement {
  return actor(SYSTEM_ACTOR, element('InformationSystem', {}, [element('Name', {}, name)]));
}

/** The DEA number and the NPI of a provider, empty where the fact has none. */
function telephoneNumbers(values: Values, field: string): readonly string[] {
  return numberKinds.map(([, suffix]) => scalarText(values[`${field}_${suffix}`]));
}

const noNumbers = numberKinds.map(() => '');

function differ(some: readonly string[], others: readonly string[]): boolean {
  return some.some((number, index) => number !== '' && others[index] !== '' && number !== others[index]);
}

function eitherNumbers(some: readonly string[], others: readonly string[]): readonly string[] {
  return some.map((number, index) => number || others[index]!);
}

type Known = { readonly id: string; written: XmlElement; numbers: readonly string[] };

/**
 * Collects actors of one kind. Facts with the same name mean the same actor, unless their numbers differ; the fact with
 * the most details describes it. The id of an actor is its name, unless another actor has that id. Actors without a
 * name are the same only if everything that is said about them is the same.
 * @param taken ids that other actors have already
 */
// eslint-disable-next-line max-lines-per-function -- its inner functions share the state at its top
export function collectActors(taken: readonly string[]): Actors {
  const ids = new Set(taken);
  const namesakes = new Map<string, Known[]>();
  const add = (
    kind: 'person' | 'organization',
    name: string,
    numbers: readonly string[],
    who: XmlElement,
    parts: readonly Part[] = [],
  ): string | undefined => {
    // An actor without a name and any other detail is left out. An organization in `who` always has a name, if only
    // "Unknown", because the schema requires one.
    if (
      name === '' &&
      (kind === 'organization' || who.children.length === 0) &&
      parts.every((part) => part === false)
    ) {
      return undefined;
    }
    const key = `${kind} ${name || JSON.stringify([who, parts])}`;
    const others = namesakes.get(key) ?? [];
    const known = others.find((other) => !differ(numbers, other.numbers));
    const id = known?.id ?? (name === '' || ids.has(name) ? newId() : name);
    const written = actor(id, who, parts);
    if (!known) {
      ids.add(id);
      namesakes.set(key, [...others, { id, written, numbers }]);
      return id;
    }
    known.numbers = eitherNumbers(known.numbers, numbers);
    // Some facts contain only the name of an actor.
    if (written.children.length > known.written.children.length) {
      known.written = written;
    }
    return id;
  };
  return {
    person: (values, field) =>
      add(
        'person',
        fullName(values, `${field}_name`),
        telephoneNumbers(values, field),
        element('Person', {}, [
          currentName(values, `${field}_name`),
          isSet(values[`${field}_bday`]) &&
            element('DateOfBirth', {}, [element('ExactDateTime', {}, String(values[`${field}_bday`]))]),
          describeNamed('Gender', genders[scalarText(values[`${field}_gender`])]),
        ]),
        [
          ...numbers(values, field),
          addressElement(values, `${field}_adr`),
          ...telephones(values, [`${field}_tel_1`, `${field}_tel_2`]),
          email(values, `${field}_email`),
        ],
      ),
    personCalled: (name) =>
      name === ''
        ? undefined
        : add(
            'person',
            name,
            noNumbers,
            element('Person', {}, [element('Name', {}, [element('DisplayName', {}, name)])]),
          ),
    organization: (name, values, addressField) =>
      add('organization', name, noNumbers, element('Organization', {}, [element('Name', {}, name || 'Unknown')]), [
        values !== undefined && addressField !== undefined && addressElement(values, addressField),
      ]),
    elements: () => [...namesakes.values()].flat().map(({ written }) => written),
  };
}
