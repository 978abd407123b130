/** exports: Bulk Data: clients start an export, ask for its state, fetch its files one by one, and cancel it. */
import { Readable } from 'node:stream';
import { errors } from '../../../core/base/errors';
import { wireTime } from '../../../core/base/clock';
import { outcomeOf } from '../write/outcome';
import { header, rawQueryOf } from '../../../core/http/read-request';
import { operations } from '../routes';
import { parametersOf } from '../operations';
import { sortOut, type Takes } from '../parameters';
import { formOf, sendBody, type Address } from '../serve';

/** The path below `/fhir`. */
export const EXPORT_PATH = '/export/{JOB}';
const NDJSON = 'application/fhir+ndjson';
const RETRY_SECONDS = 2;

const EXPORT: Takes = { _type: 'many', _since: 'one', _outputFormat: 'one', _elements: 'many', _typeFilter: 'many' };

export const kickOff: Address['answer'] = async (visit) => {
  const { request, base, params, ask } = visit;
  if (!/(?:^|[,;\s])respond-async(?:$|[,;\s])/i.test(header(request, 'prefer'))) {
    throw errors.missingParameter('Prefer: respond-async');
  }
  formOf(visit);
  // The files have no place for a report of parameters that were not used.
  const { used } = sortOut(request, parametersOf(visit), EXPORT, false);
  const raw = rawQueryOf(request);
  const id = await ask(operations.fhirExport, {
    query: {
      _type: used.getAll('_type').join(','),
      _since: used.get('_since') ?? '',
      _outputFormat: used.get('_outputFormat') ?? '',
      _elements: used.getAll('_elements').join(','),
      filters: used
        .getAll('_typeFilter')
        .flatMap((filters) => filters.split(/,(?=[A-Z][A-Za-z]*\?)/))
        .join('\n'),
      asked: `${base}/Patient/${params['ID']!}/$export${raw === '' ? '' : `?${raw}`}`,
    },
  });
  const outcome = outcomeOf([
    {
      severity: 'information',
      code: 'informational',
      text: 'The export has begun: ask the address in Content-Location how far it is.',
    },
  ]);
  return (await sendBody(visit, outcome, 202)).header('content-location', `${base}/export/${id}`);
};

export const status: Address['answer'] = async (visit) => {
  const { h, base, ask } = visit;
  const { id, state, resources, asked, begun, expires, files } = await ask(operations.fhirExportStatus);
  if (state === 'failed') {
    return sendBody(
      visit,
      outcomeOf([{ severity: 'error', code: 'exception', text: 'The export failed: ask for it again.' }]),
      500,
    );
  }
  if (state === 'open') {
    return h
      .response()
      .code(202)
      .header('x-progress', `${resources} resources written`)
      .header('retry-after', String(RETRY_SECONDS));
  }
  const manifest = {
    transactionTime: wireTime(begun),
    request: asked,
    requiresAccessToken: true,
    output: files.map((file) => ({
      type: file.type,
      url: `${base}/export/${id}/${file.type}.ndjson`,
      count: file.resources,
    })),
    error: [],
  };
  return h
    .response(JSON.stringify(manifest))
    .type('application/json')
    .header('expires', new Date(Date.parse(`${expires.slice(0, 23)}Z`)).toUTCString())
    .header('cache-control', 'no-store');
};

export const giveUp: Address['answer'] = async (visit) => {
  await visit.ask(operations.fhirExportEnd);
  return visit.h.response().code(202);
};

type Range = { readonly from: number; readonly until: number };

/**
 * The range of bytes that the request asks for; undefined when the whole file is the answer, null when the file has no
 * such bytes (RFC 9110, 14.2).
 */
function byteRange(wanted: string, size: number): Range | undefined | null {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(wanted.replaceAll(' ', '')) ?? [];
  if (first === '' && last === '') {
    return undefined;
  }
  const from = first === '' ? Math.max(size - Number(last), 0) : Number(first);
  const until = first === '' || last === '' ? size : Math.min(Number(last) + 1, size);
  if (first !== '' && last !== '' && Number(last) < from) {
    return undefined;
  }
  return from < until ? { from, until } : null;
}

export const file: Address['answer'] = async (visit) => {
  const { request, h, ask } = visit;
  const { id, type, size, pieces } = await ask(operations.fhirExportFile);
  const etag = `"${id}-${type}"`;
  const sameFile = [etag, ''].includes(header(request, 'if-range'));
  const range = sameFile ? byteRange(header(request, 'range'), size) : undefined;
  if (range === null) {
    const outcome = outcomeOf([
      { severity: 'error', code: 'value', text: `The file has ${size} bytes: ask for some that it has.` },
    ]);
    return (await sendBody(visit, outcome, 416)).header('content-range', `bytes */${size}`);
  }
  const { from, until } = range ?? { from: 0, until: size };
  const response = h
    .response(Readable.from(pieces(from, until), { objectMode: false }))
    .code(range ? 206 : 200)
    .type(NDJSON)
    .bytes(until - from)
    .header('etag', etag)
    .header('accept-ranges', 'bytes')
    .header('content-disposition', `attachment; filename="${type}.ndjson"`);
  return range ? response.header('content-range', `bytes ${from}-${until - 1}/${size}`) : response;
};
