/** serialize: writes reports as responses. */
import { xml, XML_TYPE } from '../../core/http/replies';
import type { Serializer } from '../../core/http/route';
import { reportsElement, type MinimalReport } from '../../core/reports/envelope';
import { formats } from './formats';
import type { GenericReport } from './generic';

const RDF_TYPE = 'application/rdf+xml';

/** The format of a report has no place for paging, so headers contain it. */
export const genericReply: Serializer<GenericReport> = {
  describes: {
    type: 'application/json',
    also: formats,
    headers: {
      'X-Total-Count': 'How many facts or groups there are in all',
      'X-Limit': 'The limit in force',
      'X-Offset': 'The offset in force',
    },
  },
  from: ({ type, body, total, limit, offset }) => ({
    kind: 'body',
    type,
    body,
    headers: { 'x-total-count': String(total), 'x-limit': String(limit), 'x-offset': String(offset) },
  }),
};

export const minimalReply: Serializer<MinimalReport> = xml('Reports', reportsElement);

export const ccrReply: Serializer<AsyncGenerator<string>> = {
  describes: { type: 'application/xml', element: 'ContinuityOfCareRecord' },
  from: (pieces) => ({ kind: 'pieces', type: XML_TYPE, pieces }),
};

export const graphReply: Serializer<AsyncGenerator<string>> = {
  describes: { type: RDF_TYPE, element: 'rdf:RDF' },
  from: (pieces) => ({ kind: 'pieces', type: RDF_TYPE, pieces }),
};

export const ontologyReply: Serializer<string> = {
  describes: { type: RDF_TYPE },
  from: (body) => ({ kind: 'body', type: RDF_TYPE, body }),
};
