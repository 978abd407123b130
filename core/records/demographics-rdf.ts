/** demographics-rdf: demographics in the vocabulary of the health-app platform, as RDF/XML. */
import type { Config } from '../config/schema';
import type { Scalar } from '../storage/plans';
import { element, writeXml, type XmlElement } from '../xml/write';

type Values = Readonly<Record<string, Scalar>>;

const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';
const VCARD = 'http://www.w3.org/2006/vcard/ns#';

/** What record numbers are issued by. */
const NUMBERING_SYSTEM = 'Personal health record';

const phoneKinds: Readonly<Record<string, string>> = { h: 'Home', w: 'Work', c: 'Cell' };

const textOf = (value: Scalar | undefined): string => (value === null || value === undefined ? '' : String(value));

/** Literals of those fields that are set: [predicate, field]. */
const literals = (values: Values, pairs: readonly (readonly [string, string])[]): readonly XmlElement[] =>
  pairs.filter(([, field]) => textOf(values[field]) !== '').map(([predicate, field]) => element(predicate, {}, textOf(values[field])));

const typed = (uri: string): XmlElement => element('rdf:type', { 'rdf:resource': uri });

const blank = (predicate: string, types: readonly string[], children: readonly XmlElement[]): XmlElement =>
  element(predicate, {}, [element('rdf:Description', {}, [...types.map(typed), ...children])]);

const name = (values: Values): XmlElement =>
  blank('v:n', [`${VCARD}Name`], literals(values, [
    ['v:family-name', 'name_family'], ['v:given-name', 'name_given'], ['v:additional-name', 'name_middle'],
    ['v:honorific-prefix', 'name_prefix'], ['v:honorific-suffix', 'name_suffix'],
  ]));

const address = (values: Values): XmlElement | false => {
  const parts = literals(values, [
    ['v:street-address', 'adr_street'], ['v:locality', 'adr_city'], ['v:region', 'adr_region'],
    ['v:postal-code', 'adr_postalcode'], ['v:country', 'adr_country'],
  ]);
  return parts.length > 0 && blank('v:adr', [`${VCARD}Address`], parts);
};

const telephone = (values: Values, field: string): XmlElement | false => {
  const number = textOf(values[`${field}_number`]);
  const kind = phoneKinds[textOf(values[`${field}_type`])];
  const types = ['Tel', ...(kind === undefined ? [] : [kind]), ...(values[`${field}_preferred_p`] ? ['Pref'] : [])];
  return number !== '' && blank('v:tel', types.map((type) => `${VCARD}${type}`), [element('rdf:value', {}, number)]);
};

const recordNumber = (recordId: string, record: string, sp: string): XmlElement =>
  blank('sp:medicalRecordNumber', [`${sp}Code`], [
    element('dcterms:title', {}, `${NUMBERING_SYSTEM} ${recordId}`),
    element('sp:system', {}, NUMBERING_SYSTEM),
    element('dcterms:identifier', {}, record),
  ]);

/** The RDF/XML document of one record's demographics. */
export const demographicsRdf = (recordId: string, values: Values, { vocabBase, platformBase }: Pick<Config, 'vocabBase' | 'platformBase'>): string => {
  const sp = `${platformBase}/terms#`;
  const record = `${new URL(vocabBase).origin}/records/${recordId}`;
  const namespaces = {
    'xmlns:rdf': RDF, 'xmlns:sp': sp, 'xmlns:v': VCARD, 'xmlns:foaf': 'http://xmlns.com/foaf/0.1/', 'xmlns:dcterms': 'http://purl.org/dc/terms/',
  };
  return writeXml(element('rdf:RDF', namespaces, [
    element('rdf:Description', { 'rdf:about': `${record}/demographics` }, [
      typed(`${sp}Demographics`),
      ...literals(values, [
        ['v:bday', 'bday'], ['foaf:gender', 'gender'], ['sp:ethnicity', 'ethnicity'], ['sp:preferredLanguage', 'preferred_language'], ['sp:race', 'race'], ['sp:email', 'email'],
      ]),
      name(values),
      recordNumber(recordId, record, sp),
      address(values),
      telephone(values, 'tel_1'),
      telephone(values, 'tel_2'),
      element('sp:belongsTo', { 'rdf:resource': record }),
    ]),
    element('rdf:Description', { 'rdf:about': record }, [typed(`${sp}MedicalRecord`)]),
  ]));
};
