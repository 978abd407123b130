/** identify: bytes -> well-formed XML, its type and the entry for it. */
import { errors } from '../../base/errors';
import type { XmlEngine } from '../../xml/engine';
import { gate } from '../../xml/gate';
import type { CompiledEntry } from '../compile';
import { documentType } from '../entries';
import type { Identified, Received } from '../steps';

export type IdentifyTools = {
  readonly engine: XmlEngine;
  readonly maxBytes: number;
  readonly find: (type: string) => CompiledEntry | undefined;
};

/** Types are kept in indexed columns. */
const TYPE_LENGTH = 255;

/** @throws AppError too_large or invalid_document. An unknown type passes, without an entry. */
export const identify =
  ({ engine, maxBytes, find }: IdentifyTools) =>
  (received: Received): Identified => {
    const document = gate(engine, received.bytes, maxBytes);
    const type = documentType(document.root.namespace, document.root.name);
    if (type.length > TYPE_LENGTH) {
      document.free();
      throw errors.invalidDocument(`its namespace and root name are longer than ${TYPE_LENGTH} characters together`);
    }
    return { ...received, document, type, entry: find(type) ?? null };
  };
