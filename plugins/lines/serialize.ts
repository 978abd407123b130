/** serialize: writes lines as XML, and as JSON with the same names and lists in the plural. */
import type { Json } from '../../core/base/types';
import { XML_TYPE } from '../../core/http/replies';
import type { ReplyBody, Serializer } from '../../core/http/route';
import type { StoredFact } from '../../core/facts/plans';
import type { Line, Says } from '../../core/lines/lines';
import { toSdmj, toSdmxFields } from '../../core/reports/sdm';
import { element, writeXml, type XmlElement } from '../../core/xml/write';
import type { LinesView, LineView } from './service';

function toldFacts({ told }: Says, { facts }: LinesView): readonly StoredFact[] {
  return told.facts.map((fact) => facts.get(fact.id) ?? fact);
}

function saysElement(says: Says, view: LinesView): XmlElement {
  const { told, date, isWrong, isFormer } = says;
  const marks = { ...(isWrong ? { wrong: 'true' } : {}), ...(isFormer ? { former: 'true' } : {}) };
  return element(
    'Says',
    { id: told.id, documentId: told.documentId, date, ...marks },
    toldFacts(says, view).flatMap((fact) => toSdmxFields(view.models, fact)),
  );
}

function lineAttributes(line: Line, { model }: LinesView) {
  const { id, standing, isConflict: conflict, sources, first, last, isPlanned } = line;
  return { id, model, standing, conflict, sources, first, last, ...(isPlanned ? { planned: true } : {}) };
}

function lineElement(line: Line, view: LinesView): XmlElement {
  const attributes = lineAttributes(line, view);
  return element('Line', Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, String(value)])), [
    ...line.says.map((says) => saysElement(says, view)),
    ...line.times.map(({ from, until }) => element('Time', { from, until })),
    ...line.differs.map(({ field, statements }) =>
      element(
        'Differs',
        { field },
        statements.map((id) => element('Statement', { id })),
      ),
    ),
    ...line.perhaps.map((id) => element('Perhaps', { line: id })),
    ...line.ownWords.map(({ id, verdict, date, documentId }) => element('OwnWord', { id, verdict, date, documentId })),
  ]);
}

function saysJson(says: Says, view: LinesView): Json {
  const { told, date, isWrong, isFormer } = says;
  const fields = toldFacts(says, view).map((fact) => toSdmj(view.models, fact));
  return {
    id: told.id,
    documentId: told.documentId,
    date,
    ...(isWrong ? { wrong: true } : {}),
    ...(isFormer ? { former: true } : {}),
    fields: fields.length === 1 ? fields[0]! : fields,
  };
}

function lineJson(line: Line, view: LinesView): Json {
  return {
    ...lineAttributes(line, view),
    says: line.says.map((says) => saysJson(says, view)),
    times: line.times.map(({ from, until }) => ({ from, until })),
    differs: line.differs.map(({ field, statements }) => ({ field, statements: statements.map((id) => ({ id })) })),
    perhaps: line.perhaps.map((id) => ({ line: id })),
    ownWords: line.ownWords.map(({ id, verdict, date, documentId }) => ({ id, verdict, date, documentId })),
  };
}

function written({ format }: LinesView, asJson: () => Json, asXml: () => XmlElement): ReplyBody {
  if (format === 'application/json') {
    return { kind: 'body', type: format, body: JSON.stringify(asJson()) };
  }
  return { kind: 'body', type: format === 'text/xml' ? 'text/xml; charset=utf-8' : XML_TYPE, body: writeXml(asXml()) };
}

const also = ['application/json', 'text/xml'] as const;

export const linesReply: Serializer<LinesView> = {
  describes: { type: 'application/xml', also, element: 'Lines' },
  from: (view) =>
    written(
      view,
      () => ({
        record_id: view.recordId,
        total_line_count: view.total,
        lines: view.lines.map((line) => lineJson(line, view)),
      }),
      () =>
        element(
          'Lines',
          { record_id: view.recordId, total_line_count: view.total },
          view.lines.map((line) => lineElement(line, view)),
        ),
    ),
};

export const lineReply: Serializer<LineView> = {
  describes: {
    type: 'application/xml',
    also,
    element: 'Line',
    headers: { Location: 'Address of the line, with status 303, if the id is that of another statement of it' },
  },
  from: (view) =>
    'location' in view
      ? { kind: 'body', status: 303, body: '', type: 'text/plain; charset=utf-8', headers: { location: view.location } }
      : written(
          view,
          () => lineJson(view.lines[0]!, view),
          () => lineElement(view.lines[0]!, view),
        ),
};
