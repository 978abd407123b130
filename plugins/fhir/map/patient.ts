/** patient: expresses a record as a Patient, and a person who reads it without owning it as a RelatedPerson (pure). */
import type { Id, Timestamp } from '../../../core/base/types';
import type { Scalar } from '../../../core/facts/plans';
import { telephoneUses } from '../../../core/pipeline/resources/blocks';
import { withProfiles } from '../../../core/fhir/profiles';
import { filled, filledList, instant, reference, type Versioned } from '../../../core/fhir/resource';

/** The demographics of a record, and the version of the document that they come from. */
export type PatientFacts = {
  readonly documentId: Id;
  readonly createdAt: Timestamp;
  readonly values: Readonly<Record<string, Scalar>>;
  /** Begin of the addresses of our own extensions. */ readonly vocabBase: string;
};

const US_CORE = 'http://hl7.org/fhir/us/core/StructureDefinition';

function patientText(values: PatientFacts['values'], name: string): string {
  const value = values[name];
  return value === null || value === undefined ? '' : String(value);
}

function humanName(values: PatientFacts['values']): object {
  const [prefix, given, middle, family, suffix] = ['prefix', 'given', 'middle', 'family', 'suffix'].map((part) =>
    patientText(values, `name_${part}`),
  );
  return filled({
    use: 'official',
    text: filledList([prefix, given, middle, family, suffix]).join(' '),
    family,
    given: filledList([given, middle]),
    prefix: filledList([prefix]),
    suffix: filledList([suffix]),
  });
}

function telephoneOf(values: PatientFacts['values'], name: string): object | undefined {
  const number = patientText(values, `${name}_number`);
  return number === ''
    ? undefined
    : filled({
        system: 'phone',
        value: number,
        use: telephoneUses[patientText(values, `${name}_type`).toLowerCase()],
        rank: Number(values[`${name}_preferred_p`] ?? 0) === 1 ? 1 : undefined,
      });
}

function homeAddress(values: PatientFacts['values']): object {
  const part = (name: string): string => patientText(values, `adr_${name}`);
  const address = filled({
    line: filledList([part('street')]),
    city: part('city'),
    state: part('region'),
    postalCode: part('postalcode'),
    country: part('country'),
  });
  return Object.keys(address).length === 0 ? {} : { use: 'home', ...address };
}

/** A language: a BCP 47 tag becomes a code, everything else becomes text. */
function languageOf(language: string): object | undefined {
  if (language === '') {
    return undefined;
  }
  const isTag = /^[a-z]{2,3}(-[A-Z]{2})?$/.test(language);
  return {
    language: {
      ...(isTag ? { coding: [{ system: 'urn:ietf:bcp:47', code: language }] } : {}),
      text: language,
    },
    preferred: true,
  };
}

/** An extension of US Core that holds the person's own words as text. */
function saidAs(extension: string, words: string): object | undefined {
  return words === ''
    ? undefined
    : { url: `${US_CORE}/${extension}`, extension: [{ url: 'text', valueString: words }] };
}

/** What only a person's own form says. R4 has no element for it, and US Core no extension. */
function ownWords(vocabBase: string, name: string, words: string): object | undefined {
  return words === '' ? undefined : { url: `${vocabBase}/fhir/StructureDefinition/${name}`, valueString: words };
}

const EMERGENCY = { system: 'http://terminology.hl7.org/CodeSystem/v2-0131', code: 'C', display: 'Emergency Contact' };
const NUMBER_AT_END = /[\s,;:]*(\+?\(?\d[\d\s()/.-]{3,30}\d)\s*$/;

/** A line of the emergency contacts: who it is, and the telephone number at its end. */
function contactOf(line: string): object {
  const number = NUMBER_AT_END.exec(line)?.[1];
  const who = number === undefined ? line : line.replace(NUMBER_AT_END, '');
  return filled({
    relationship: [{ coding: [EMERGENCY] }],
    name: who === '' ? undefined : { text: who },
    telecom: number === undefined ? [] : [{ system: 'phone', value: number }],
  });
}

function contactsOf(values: PatientFacts['values']): readonly object[] {
  return filledList(patientText(values, 'emergency_contacts').split('\n')).map(contactOf);
}

const genders = ['male', 'female'];

function patientElements({ values, vocabBase }: PatientFacts): object {
  return {
    extension: filledList([
      saidAs('us-core-race', patientText(values, 'race')),
      saidAs('us-core-ethnicity', patientText(values, 'ethnicity')),
      ownWords(vocabBase, 'blood-group', patientText(values, 'blood_group')),
      ownWords(vocabBase, 'insurance', patientText(values, 'insurance')),
    ]),
    name: [humanName(values)],
    telecom: filledList([
      telephoneOf(values, 'tel_1'),
      telephoneOf(values, 'tel_2'),
      patientText(values, 'email') === '' ? undefined : { system: 'email', value: patientText(values, 'email') },
    ]),
    gender: genders.includes(patientText(values, 'gender')) ? patientText(values, 'gender') : 'unknown',
    birthDate: patientText(values, 'bday').slice(0, 10),
    address: filledList([homeAddress(values)]),
    contact: contactsOf(values),
    communication: filledList([languageOf(patientText(values, 'preferred_language'))]),
  };
}

/** The version id of a Patient that shows nothing of the person. */
const NAMELESS = 'nameless';

/**
 * @param facts absent where there are no demographics or the reader may not see them; the Patient then shows nothing of
 * the person
 */
export function patientOf(record: { readonly id: Id; readonly createdAt: Timestamp }, facts?: PatientFacts): Versioned {
  return withProfiles(
    filled({
      resourceType: 'Patient',
      id: record.id,
      meta: {
        versionId: facts?.documentId ?? NAMELESS,
        lastUpdated: instant(facts?.createdAt ?? record.createdAt),
      },
      identifier: [{ system: 'urn:ietf:rfc:3986', value: `urn:uuid:${record.id}` }],
      active: true,
      ...(facts ? patientElements(facts) : {}),
    }),
  );
}

/** @param id id by which the account is known towards this record */
export function relatedPersonOf(
  id: string,
  record: { readonly id: Id },
  account: { readonly fullName: string; readonly createdAt: Timestamp },
): Versioned {
  return withProfiles(
    filled({
      resourceType: 'RelatedPerson',
      id,
      meta: { versionId: '1', lastUpdated: instant(account.createdAt) },
      active: true,
      patient: reference('Patient', record.id),
      name: account.fullName === '' ? [] : [{ text: account.fullName }],
    }),
  );
}
