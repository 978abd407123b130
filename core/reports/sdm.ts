/** sdm: writes facts and aggregates as SDMJ and SDMX (specification 2.15). */
import type { Json } from '../base/types';
import { jsonValue, xmlText } from '../facts/model/column-values';
import type { ColumnKind, Model, Models, Scalar } from '../facts/model/model';
import { isPrecision, saidOfDates } from '../facts/partial-dates';
import { childrenIn, type AggregateRow, type Fact, type ReportPlan, type StoredFact } from '../facts/plans';
import { element, type XmlElement } from '../xml/write';

/** What is shown of a fact, whether it is stored or not. */
type Shown = Pick<Fact, 'model' | 'values' | 'partialDates'> & {
  readonly children: Readonly<Record<string, Shown | readonly Shown[] | null>>;
  readonly documentId?: string;
};

function modelOf(models: Models, fact: Pick<Fact, 'model'>): Model {
  const model = models.find(fact.model);
  if (!model) {
    throw new Error(`a fact of the unknown model ${fact.model} was read`);
  }
  return model;
}

/**
 * All columns, nulls too; a one-to-one field that is not set has no key. A fact that is not stored yet has no document.
 * `__partial_dates__` names the dates of which only the month or the year is known, and `__clocks__` the times that were
 * written without a zone or, with `offsets`, with an offset.
 */
export function toSdmj(models: Models, fact: Shown, offsets = true): Json {
  const model = modelOf(models, fact);
  const object: Record<string, Json> = {
    __modelname__: model.name,
    ...(fact.documentId === undefined ? {} : { __documentid__: fact.documentId }),
    ...saidOfDates(fact.partialDates, offsets),
  };
  for (const { name, kind } of model.columns) {
    object[name] = jsonValue(kind, fact.values[name] ?? null);
  }
  for (const { field, many } of model.relations) {
    const facts = childrenIn(fact, field).map((child) => toSdmj(models, child, offsets));
    if (many) {
      object[field] = facts;
    } else if (facts[0] !== undefined) {
      object[field] = facts[0];
    }
  }
  return object;
}

function relationField(models: Models, fact: StoredFact, field: string, many: boolean): XmlElement | false {
  const facts = childrenIn(fact, field).map((child) => toSdmxModel(models, child));
  if (many) {
    return element('Field', { name: field }, facts.length > 0 ? [element('Models', {}, facts)] : []);
  }
  return facts.length > 0 && element('Field', { name: field }, facts);
}

/**
 * Every column has a Field, an empty one when it is null. `partial`: how much of a date is known; `clock`: `local` for a
 * time that was written without a zone.
 */
export function toSdmxFields(models: Models, fact: StoredFact): readonly (XmlElement | false)[] {
  const model = modelOf(models, fact);
  const columns = model.columns.map(({ name, kind }) => {
    const value = fact.values[name] ?? null;
    const partial = fact.partialDates?.[name];
    return element(
      'Field',
      { name, ...(isPrecision(partial) && { partial }), ...(partial === 'local' && { clock: partial }) },
      value === null || value === '' ? [] : xmlText(kind, value),
    );
  });
  const relations = model.relations.map(({ field, many }) => relationField(models, fact, field, many));
  return [...columns, ...relations];
}

/** One `Model` element. */
function toSdmxModel(models: Models, fact: StoredFact): XmlElement {
  return element(
    'Model',
    { name: modelOf(models, fact).name, documentId: fact.documentId },
    toSdmxFields(models, fact),
  );
}

/** `Models` in no namespace. */
export function toSdmx(models: Models, facts: readonly StoredFact[]): XmlElement {
  return element(
    'Models',
    {},
    facts.map((fact) => toSdmxModel(models, fact)),
  );
}

/** The kinds of an aggregate's group and value; a period is text. */
function aggregateKinds({ group, aggregate }: ReportPlan): { readonly group: ColumnKind; readonly value: ColumnKind } {
  const isNumber = !aggregate?.field || aggregate.operator === 'count' || aggregate.operator === 'avg';
  return {
    group: !group || group.increment ? 'string' : group.field.kind,
    value: isNumber ? 'number' : aggregate.field.kind,
  };
}

function valueText(kind: ColumnKind, value: Scalar | undefined): string | undefined {
  return value === null || value === undefined ? undefined : xmlText(kind, value);
}

/** A null value becomes empty text. A null group is left out, and a flat aggregate has none. */
export function aggregateElement(plan: ReportPlan, row: AggregateRow): XmlElement {
  const kinds = aggregateKinds(plan);
  return element('AggregateReport', {
    value: valueText(kinds.value, row.value) ?? '',
    group: valueText(kinds.group, row.group),
  });
}

export function aggregateJson(plan: ReportPlan, row: AggregateRow): Json {
  const kinds = aggregateKinds(plan);
  return {
    __modelname__: 'AggregateReport',
    ...(row.group === undefined ? {} : { group: jsonValue(kinds.group, row.group) }),
    value: jsonValue(kinds.value, row.value),
  };
}
