/** definitions: the minimal reports whose items are one fact each: query names and items. */
import type { Scalar } from '../../../core/facts/model/model';
import { childrenIn, type ReportField, type StoredFact } from '../../../core/facts/plans';
import { element, type XmlElement } from '../../../core/xml/write';
import {
  around,
  coded,
  codedElement,
  codeOf,
  column,
  isSet,
  noColumn,
  part,
  provider,
  frequencyText,
  scalarText,
  type Part,
  type Values,
} from './parts';

export type MinimalDefinition = {
  readonly model: string;
  /** Names that the query may use besides the model's columns. They take precedence over columns of the same name. */
  readonly fields: Readonly<Record<string, ReportField>>;
  readonly item: (fact: StoredFact) => XmlElement;
};

/**
 * The state of a fact as its source gives it. The older documents do not have this element, but without it something
 * that is over would look as if it still went on.
 */
function statusPart(values: Values, field: string): Part {
  return coded(field, codeOf(values, field));
}

function own(name: string, values: Values, field: string): Part {
  return coded(name, {
    title: values[field],
    system: values[`${field}_type`],
    code: values[`${field}_value`],
    abbrev: values[`${field}_abbrev`],
  });
}

export const equipment: MinimalDefinition = {
  model: 'Equipment',
  fields: {
    date_started: column('date', 'date_started'),
    date_stopped: column('date', 'date_stopped'),
    equipment_name: column('string', 'name'),
    equipment_vendor: column('string', 'vendor'),
  },
  item: ({ values }) =>
    element('Equipment', {}, [
      part('dateStarted', values['date_started'], 'date'),
      part('dateStopped', values['date_stopped'], 'date'),
      element('name', {}, scalarText(values['name'])),
      part('vendor', values['vendor']),
      part('description', values['description']),
    ]),
};

export const procedures: MinimalDefinition = {
  model: 'Procedure',
  fields: { procedure_name: column('string', 'name'), date_performed: column('datetime', 'date_performed') },
  item: ({ values }) =>
    element('Procedure', {}, [
      part('datePerformed', values['date_performed'], 'datetime'),
      own('name', values, 'name'),
      provider(values['provider_name'], values['provider_institution']),
      part('location', values['location']),
      part('comments', values['comments']),
      statusPart(values, 'status'),
    ]),
};

export const measurements: MinimalDefinition = {
  model: 'Measurement',
  fields: {
    lab_code: { ...column('string', 'type'), matches: ['type'] },
    value: column('number', 'value'),
    date_measured: column('datetime', 'datetime'),
  },
  item: ({ id, documentId, values }) => {
    const attribute = (name: string, kind: 'number' | 'datetime' | 'string'): string => {
      const shown = part(name, values[name], kind);
      return shown ? String(shown.children[0]) : '';
    };
    return element('Measurement', {
      id,
      value: attribute('value', 'number'),
      type: attribute('type', 'string'),
      datetime: attribute('datetime', 'datetime'),
      unit: attribute('unit', 'string'),
      source_doc: documentId,
      ...(isSet(values['status_title']) ? { status: scalarText(values['status_title']) } : {}),
    });
  },
};

export const simpleClinicalNotes: MinimalDefinition = {
  model: 'SimpleClinicalNote',
  fields: {
    specialty: column('string', 'specialty'),
    provider_name: column('string', 'provider_name'),
    date_of_visit: column('datetime', 'date_of_visit'),
  },
  item: ({ values }) =>
    element('SimpleClinicalNote', {}, [
      part('dateOfVisit', values['date_of_visit'], 'datetime'),
      part('finalizedAt', values['finalized_at'], 'datetime'),
      own('visitType', values, 'visit_type'),
      part('visitLocation', values['visit_location']),
      own('specialty', values, 'specialty'),
      isSet(values['provider_name']) &&
        element('signature', {}, [
          part('at', values['signed_at'], 'datetime'),
          provider(values['provider_name'], values['provider_institution']),
        ]),
      part('chiefComplaint', values['chief_complaint']),
      part('content', values['content']),
    ]),
};

export const problems: MinimalDefinition = {
  model: 'Problem',
  fields: {
    problem_name: column('string', 'name_title'),
    date_onset: column('datetime', 'startDate'),
    date_resolution: column('datetime', 'endDate'),
  },
  item: ({ values }) =>
    element('Problem', {}, [
      part('dateOnset', values['startDate'], 'datetime'),
      part('dateResolution', values['endDate'], 'datetime'),
      coded('name', codeOf(values, 'name')),
      part('comments', values['notes']),
      statusPart(values, 'clinicalStatus'),
      statusPart(values, 'verificationStatus'),
    ]),
};

const allergens = ['drug_allergen', 'drug_class_allergen', 'food_allergen', 'allergen'];

/** The allergen of the fact: the drug, else the class of drugs, else the food, else the one of any coding system. */
export function allergenOf(values: Values): string | undefined {
  return allergens.find((field) => isSet(values[`${field}_title`]) || isSet(values[`${field}_identifier`]));
}

export const allergies: MinimalDefinition = {
  model: 'Allergy',
  fields: {
    allergen_name: column('string', ...allergens.map((field) => `${field}_title`)),
    allergen_type: column('string', 'category_title'),
    date_diagnosed: noColumn('date'),
  },
  item: ({ values }) => {
    const allergen = allergenOf(values);
    return element('Allergy', {}, [
      element('allergen', {}, [
        coded('type', codeOf(values, 'category')),
        allergen !== undefined && coded('name', codeOf(values, allergen)),
      ]),
      part('reaction', values['allergic_reaction_title']),
      part('specifics', values['severity_title']),
      statusPart(values, 'clinicalStatus'),
      statusPart(values, 'verificationStatus'),
      statusPart(values, 'criticality'),
    ]);
  },
};

/** An amount: a number with its unit, or words. */
function amountElement(name: string, value: Scalar | undefined, unit: Scalar | undefined): XmlElement {
  const isNumber = isSet(value) && /^[+-]?(\d+\.?\d*|\.\d+)$/.test(String(value).trim());
  return element(name, {}, [part(isNumber ? 'value' : 'textValue', value), coded('unit', { title: unit, code: unit })]);
}

/** A person's name from its parts, in the order in which people say it. */
export function fullName(values: Values, field: string): string {
  return ['prefix', 'given', 'middle', 'family', 'suffix']
    .map((suffix) => scalarText(values[`${field}_${suffix}`]))
    .filter((word) => word !== '')
    .join(' ');
}

export const medications: MinimalDefinition = {
  model: 'Medication',
  fields: {
    medication_name: column('string', 'drugName_title'),
    medication_brand_name: noColumn('string'),
    date_started: column('date', 'startDate'),
    date_stopped: column('date', 'endDate'),
  },
  item: (fact) => {
    const { values } = fact;
    const prescriber = childrenIn(fact, 'fulfillments')
      .map((fill) => fullName(fill.values, 'provider_name'))
      .find((name) => name !== '');
    return element('Medication', {}, [
      part('dateStarted', values['startDate'], 'date'),
      part('dateStopped', values['endDate'], 'date'),
      codedElement('name', codeOf(values, 'drugName')),
      amountElement('dose', values['quantity_value'], values['quantity_unit']),
      element('frequency', {}, frequencyText(values)),
      around('prescription', [around('by', [part('name', prescriber)]), part('instructions', values['instructions'])]),
      statusPart(values, 'status'),
      statusPart(values, 'reasonStopped'),
    ]);
  },
};

export const immunizations: MinimalDefinition = {
  model: 'Immunization',
  fields: { vaccine_type: column('string', 'product_name_title'), date_administered: column('datetime', 'date') },
  item: ({ values }) =>
    element('Immunization', {}, [
      part('dateAdministered', values['date'], 'datetime'),
      around('vaccine', [coded('type', codeOf(values, 'product_name')), part('lot', values['lotNumber'])]),
      statusPart(values, 'administration_status'),
    ]),
};

function valueWithUnit(values: Values, field: string): string {
  return `${scalarText(values[`${field}_value`])}${isSet(values[`${field}_unit`]) ? ` ${scalarText(values[`${field}_unit`])}` : ''}`;
}

/** One end of a range as a text; empty without a number. */
function rangeEnd(name: string, values: Values, field: string): Part {
  return isSet(values[`${field}_value`]) && element(name, {}, valueWithUnit(values, field));
}

/** An address as one line. */
export function addressLine(values: Values, field: string): string {
  return ['street', 'city', 'region', 'postalcode', 'country']
    .map((suffix) => scalarText(values[`${field}_${suffix}`]))
    .filter((word) => word !== '')
    .join(', ');
}

export const labs: MinimalDefinition = {
  model: 'LabResult',
  fields: {
    lab_type: noColumn('string'),
    date_measured: column('datetime', 'collected_at'),
    lab_test_name: column('string', 'test_name_title'),
  },
  item: ({ values }) =>
    element('LabReport', {}, [
      part('dateMeasured', values['collected_at'], 'datetime') || element('dateMeasured'),
      element('labType'),
      element('laboratory', {}, [
        element('name', {}, scalarText(values['collected_by_org_name'])),
        element('address', {}, addressLine(values, 'collected_by_org_adr')),
      ]),
      element('comments', {}, scalarText(values['notes'])),
      part('firstLabTestName', values['test_name_title']),
      isSet(values['quantitative_result_value_value'])
        ? element('firstLabTestValue', {}, valueWithUnit(values, 'quantitative_result_value'))
        : part('firstLabTestValue', values['narrative_result'] ?? values['value']),
      rangeEnd('normalRangeMinimum', values, 'quantitative_result_normal_range_min'),
      rangeEnd('normalRangeMaximum', values, 'quantitative_result_normal_range_max'),
      rangeEnd('nonCriticalRangeMinimum', values, 'quantitative_result_non_critical_range_min'),
      rangeEnd('nonCriticalRangeMaximum', values, 'quantitative_result_non_critical_range_max'),
    ]),
};
