/** document-element: metadata as XML (specification 2.5); used wherever a document is described. */
import { wireTime } from '../base/clock';
import { xml } from '../http/replies';
import type { Serializer } from '../http/route';
import type { NamedPrincipal } from './store';
import { element, type XmlElement } from '../xml/write';
import type { DocumentMeta, Related } from './document-meta';

/** `creator` or `suppressor`: who, of what kind, and by what name. */
export function principalElement(name: string, { id, kind, name: fullname }: NamedPrincipal): XmlElement {
  return element(name, { id, type: kind }, [element('fullname', {}, fullname)]);
}

function relations(name: string, related: readonly Related[]): XmlElement | false {
  return (
    related.length > 0 &&
    element(
      name,
      {},
      related.map(({ type, count }) => element('relation', { type, count })),
    )
  );
}

const WITHOUT_FORMAT =
  'No format is registered for documents of this type: it is kept as it is, and no report shows anything of it.';

/** How many facts of each model the document made, even if it made none. Absent for documents of earlier releases. */
function factsElement({ entry, facts }: DocumentMeta): XmlElement | false {
  if (entry === null) {
    return element('facts', { count: 0 }, [element('note', {}, WITHOUT_FORMAT)]);
  }
  if (facts === null) {
    return false;
  }
  const made = Object.entries(facts);
  const total = made.reduce((sum, [, count]) => sum + count, 0);
  return element(
    'facts',
    { count: total },
    made.map(([name, count]) => element('model', { name, count })),
  );
}

/** The `Document` element. */
export function documentElement(document: DocumentMeta): XmlElement {
  return element(
    'Document',
    {
      id: document.id,
      type: document.type,
      size: document.size,
      digest: document.digest,
      record_id: document.recordId,
    },
    [
      element('createdAt', {}, wireTime(document.createdAt)),
      principalElement('creator', document.creator),
      document.suppressedAt !== null && element('suppressedAt', {}, wireTime(document.suppressedAt)),
      document.suppressor && principalElement('suppressor', document.suppressor),
      document.replacedById !== null && element('replacedBy', { id: document.replacedById }),
      document.replacesId !== null && element('replaces', { id: document.replacesId }),
      document.originalId !== null && element('original', { id: document.originalId }),
      element('latest', {
        id: document.latest.id,
        createdAt: wireTime(document.latest.createdAt),
        createdBy: document.latest.createdBy,
      }),
      document.label !== null && element('label', {}, document.label),
      element('status', {}, document.status),
      element('nevershare', {}, String(document.nevershare)),
      relations('relatesTo', document.relatesTo),
      relations('isRelatedFrom', document.isRelatedFrom),
      // These go beyond the specification: what the document says that it is, and which parts of it are in no report,
      // so that nobody thinks that the facts are all of it.
      factsElement(document),
      document.about && element('about', document.about),
      document.leftOut.length > 0 &&
        element(
          'leftOut',
          {},
          document.leftOut.map(({ model, reason, count, where, words }) =>
            element('entry', { model, reason, count, where: where ?? null }, words ?? []),
          ),
        ),
    ],
  );
}

export const documentReply: Serializer<DocumentMeta> = xml('Document', documentElement);

export type DocumentPage = {
  readonly recordId: string;
  readonly total: number;
  readonly documents: readonly DocumentMeta[];
};

/** `Documents`: one page, and how many there are in all. */
export const documentPage: Serializer<DocumentPage> = xml('Documents', ({ recordId, total, documents }) =>
  element('Documents', { record_id: recordId, total_document_count: total }, documents.map(documentElement)),
);
