/** serialize: how reports leave. */
import { xml } from '../../core/http/replies';
import type { Serializer } from '../../core/http/route';
import { reportsElement, type MinimalReport } from '../../core/reports/envelope';
import { writeXml, type XmlElement } from '../../core/xml/write';
import { formats } from './formats';
import type { GenericReport } from './generic';

const RDF_TYPE = 'application/rdf+xml';

/** The report's own format says nothing of paging: the headers do. */
export const genericReply: Serializer<GenericReport> = {
  describes: {
    type: 'application/json', also: formats,
    headers: { 'X-Total-Count': 'How many facts or groups there are in all', 'X-Limit': 'The limit in force', 'X-Offset': 'The offset in force' },
  },
  from: ({ type, body, total, limit, offset }) => ({
    kind: 'body', type, body,
    headers: { 'x-total-count': String(total), 'x-limit': String(limit), 'x-offset': String(offset) },
  }),
};

export const minimalReply: Serializer<MinimalReport> = xml('Reports', reportsElement);

export const ccrReply: Serializer<XmlElement> = xml('ContinuityOfCareRecord', (root) => root);

export const graphReply: Serializer<XmlElement> = {
  describes: { type: RDF_TYPE, element: 'rdf:RDF' },
  from: (root) => ({ kind: 'body', type: RDF_TYPE, body: writeXml(root) }),
};

export const ontologyReply: Serializer<string> = {
  describes: { type: RDF_TYPE },
  from: (body) => ({ kind: 'body', type: RDF_TYPE, body }),
};
