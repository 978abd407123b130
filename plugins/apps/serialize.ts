/** serialize: documents of app storage as XML, preferences as they were stored. */
import { wireTime } from '../../core/base/clock';
import { sha256 } from '../../core/base/ids';
import { storedContent, xml } from '../../core/http/replies';
import type { Serializer } from '../../core/http/route';
import { principalElement } from '../../core/documents/document-element';
import type { AppDocumentRow } from '../../core/apps/documents-store';
import type { Preferences } from '../../core/apps/preferences-store';
import { element, type XmlElement } from '../../core/xml/write';

function documentElement(document: AppDocumentRow): XmlElement {
  return element(
    'Document',
    {
      id: document.id,
      type: document.type ?? '',
      size: document.size,
      digest: document.digest,
      record_id: document.recordId ?? '',
    },
    [
      element('createdAt', {}, wireTime(document.createdAt)),
      principalElement('creator', document.creator),
      element('original', { id: document.id }),
      element('latest', { id: document.id, createdAt: wireTime(document.createdAt), createdBy: document.creator.id }),
      document.label !== null && element('label', {}, document.label),
      element('status', {}, 'active'),
      element('nevershare', {}, 'false'),
    ],
  );
}

export const appDocumentReply: Serializer<AppDocumentRow> = xml('Document', documentElement);

export type AppDocuments = {
  readonly appId: string;
  readonly recordId: string | null;
  readonly total: number;
  readonly documents: readonly AppDocumentRow[];
};

export const appDocumentList: Serializer<AppDocuments> = xml('Documents', ({ appId, recordId, total, documents }) =>
  element(
    'Documents',
    { record_id: recordId ?? '', total_document_count: total, pha: appId },
    documents.map(documentElement),
  ),
);

/** Nothing stored: an empty body. */
export const preferencesReply: Serializer<Preferences | undefined> = {
  describes: storedContent.describes,
  from: (preferences, request) =>
    preferences
      ? storedContent.from({ ...preferences, digest: sha256(preferences.content) }, request)
      : { kind: 'body', body: '', type: 'text/plain' },
};
