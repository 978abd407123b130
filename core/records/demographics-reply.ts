/**
 * demographics-reply: writes the demographic fields of a record in the formats of `response_format` (specification
 * 4.5).
 */
import { errors, type AppError } from '../base/errors';
import { jsonValue, xmlText } from '../facts/model/column-values';
import { demographicsMapping, writtenColumns } from '../facts/model/demographics';
import type { Models } from '../facts/model/model';
import type { ReplyBody, Serializer } from '../http/route';
import { describeValues, type RdfPlace } from '../rdf/describe';
import type { Services } from '../services';
import type { Scalar } from '../facts/plans';
import type { Demographics } from './store';
import { element, writeXml } from '../xml/write';

type DemographicsFormat = 'application/rdf+xml' | 'application/json' | 'application/xml' | 'text/xml';

const formats: readonly DemographicsFormat[] = [
  'application/rdf+xml',
  'application/json',
  'application/xml',
  'text/xml',
];

/**
 * The format asked for, or platform RDF when none is. A plus sign that was not escaped arrives as a space.
 * @throws AppError invalid_parameter
 */
export function demographicsFormat(given: string | undefined): DemographicsFormat {
  const name = (given ?? 'application/rdf+xml').trim().replace(' ', '+');
  const format = formats.find((known) => known === name);
  if (!format) {
    throw errors.invalidParameter('response_format', `it can be ${formats.join(', ')}`);
  }
  return format;
}

export type DemographicsView = {
  readonly demographics: Demographics;
  readonly format: DemographicsFormat;
  readonly place: RdfPlace;
  readonly models: Models;
  readonly vocabBase: string;
};

export function demographicsView(
  { baseUrl, config, models }: Services,
  recordId: string,
  demographics: Demographics,
  format: DemographicsFormat,
): DemographicsView {
  return {
    demographics,
    format,
    place: { baseUrl: baseUrl(), platformBase: config.platformBase, recordId },
    models: models(),
    vocabBase: config.vocabBase,
  };
}

function demographicsValue(name: string, kind: string, values: Demographics['values']): Scalar {
  return kind === 'boolean' ? Boolean(values[name]) : (values[name] ?? null);
}

function asXml({ documentId, values }: Demographics): string {
  return writeXml(
    element('Models', {}, [
      element(
        'Model',
        { name: 'Demographics', documentId },
        writtenColumns(values).map(({ name, kind }) => {
          const value = demographicsValue(name, kind, values);
          return element('Field', { name }, value === null ? '' : xmlText(kind, value));
        }),
      ),
    ]),
  );
}

function asJson({ documentId, values }: Demographics): string {
  return JSON.stringify([
    {
      __modelname__: 'Demographics',
      __documentid__: documentId,
      ...Object.fromEntries(
        writtenColumns(values).map(({ name, kind }) => [name, jsonValue(kind, demographicsValue(name, kind, values))]),
      ),
    },
  ]);
}

function asRdf({ demographics: { values }, models, place, vocabBase }: DemographicsView): string {
  return writeXml(
    describeValues(models.find('Demographics')!, demographicsMapping(values, vocabBase), values, models, place),
  );
}

function bodyOf(view: DemographicsView): string {
  const { demographics, format } = view;
  switch (format) {
    case 'application/rdf+xml':
      return asRdf(view);
    case 'application/json':
      return asJson(demographics);
    default:
      return asXml(demographics);
  }
}

export const demographicsReply: Serializer<DemographicsView> = {
  describes: { type: 'application/rdf+xml', also: formats },
  from: (view): ReplyBody => ({ kind: 'body', type: view.format, body: bodyOf(view) }),
};

/** The reply for a record or carenet without demographics. */
export function noDemographics(): AppError {
  return errors.notFound('demographics document');
}
