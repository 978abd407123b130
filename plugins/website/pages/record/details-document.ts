/** details-document: writes the fields of demographics as their document. */
import type { Scalar } from '../../../../core/facts/plans';
import { element, writeXml, type XmlElement } from '../../../../core/xml/write';

export type Details = Readonly<Record<string, Scalar>>;

function detailText(values: Details, column: string): string {
  return String(values[column] ?? '');
}

type Child = XmlElement | false;

function filledElement(name: string, words: string): Child {
  return words !== '' && element(name, {}, words);
}

function group(name: string, children: readonly Child[]): Child {
  return children.some((child) => child !== false) && element(name, {}, children);
}

function telephoneElement(values: Details, name: string): Child {
  const number = detailText(values, `${name}_number`);
  return (
    number !== '' &&
    element('Telephone', {}, [
      filledElement('type', detailText(values, `${name}_type`)),
      element('number', {}, number),
      filledElement('preferred', Number(values[`${name}_preferred_p`] ?? 0) === 1 ? 'true' : ''),
    ])
  );
}

/** The document in the order of its schema, with every field that has a value. */
export function demographicsXml(values: Details, namespace: string): Buffer {
  const of = (name: string, column: string): Child => filledElement(name, detailText(values, column));
  const contacts = detailText(values, 'emergency_contacts').split('\n');
  return Buffer.from(
    writeXml(
      element('Demographics', { xmlns: namespace }, [
        element('dateOfBirth', {}, detailText(values, 'bday')),
        element('gender', {}, detailText(values, 'gender')),
        of('email', 'email'),
        of('ethnicity', 'ethnicity'),
        of('preferredLanguage', 'preferred_language'),
        of('race', 'race'),
        element('Name', {}, [
          element('familyName', {}, detailText(values, 'name_family')),
          element('givenName', {}, detailText(values, 'name_given')),
          of('middleName', 'name_middle'),
          of('prefix', 'name_prefix'),
          of('suffix', 'name_suffix'),
        ]),
        telephoneElement(values, 'tel_1'),
        telephoneElement(values, 'tel_2'),
        group('Address', [
          of('country', 'adr_country'),
          of('city', 'adr_city'),
          of('postalCode', 'adr_postalcode'),
          of('region', 'adr_region'),
          of('street', 'adr_street'),
        ]),
        of('bloodGroup', 'blood_group'),
        ...contacts.map((line) => filledElement('emergencyContact', line)),
        of('insurance', 'insurance'),
      ]),
    ),
  );
}
