/** validate: checks the document against the schema of its entry, if there is one. */
import { errors, type AppError } from '../../base/errors';
import { bindingRefusal } from '../../fhir/bindings';
import { bundleOf, sliceEntries, withReplaced, type EntrySlice } from '../../fhir/entry-slices';
import { FHIR } from '../../fhir/json-to-xml';
import { oldTypeRefusal, versionInTree } from '../../fhir/versions/other-versions';
import { mendCodes } from '../../fhir/mended-codes';
import {
  elementOf,
  isConverted,
  isLeftAlone,
  joinUnread,
  mayLeaveAlone,
  mayLeaveOut,
  saysSomething,
  unreadAlone,
  unreadEntry,
} from '../../fhir/readable-entries';
import type { XmlEngine } from '../../xml/engine';
import { gate, type Gated } from '../../xml/gate';
import type { LeftOut } from '../../base/left-out';
import type { Identified, Validated } from '../steps';
import { openDocument } from './identify';

type Schema = NonNullable<NonNullable<Identified['entry']>['schema']>;

/**
 * The refusal of a document. Codes that FHIR requires are checked after the schema, which ensures that dates are dates
 * and lists are lists.
 */
function refusalOf(document: Gated, schema: Schema | null): AppError | undefined {
  const problems = schema?.check(document) ?? [];
  const tree = document.root.namespace === FHIR ? document.tree() : null;
  if (problems.length === 0) {
    return tree ? (oldTypeRefusal(document.cleanText()) ?? bindingRefusal(tree)) : undefined;
  }
  return (
    (tree ? versionInTree(tree) : undefined) ??
    errors.invalidDocument('it does not fit the schema of its type', problems)
  );
}

/** The refusal of a text that passed the gate before. */
function refusalOfText(engine: XmlEngine, text: string, schema: Schema | null): AppError | undefined {
  const bytes = Buffer.from(text);
  const document = gate(engine, bytes, bytes.length);
  try {
    return refusalOf(document, schema);
  } finally {
    document.free();
  }
}

/** A resource without the element that a refusal names, where that has nothing inside. */
function withoutElement(resource: string, refusal: AppError): string {
  return resource.replace(new RegExp(`<(?:[^\\s/>:]+:)?${elementOf(refusal)}\\s[^>]*/>`), '');
}

/**
 * The document without the resources that are not as FHIR R4 has them, and what to tell of these; undefined when
 * nothing could be read, or it could not be told whose it is.
 */
function leaveOut(engine: XmlEngine, { document }: Identified, schema: Schema | null) {
  const sliced = sliceEntries(document.cleanText());
  const replaced = new Map<EntrySlice, string>();
  const unread: LeftOut[] = [];
  const refusalOfResource = (resource: string): AppError | undefined =>
    refusalOfText(engine, bundleOf(sliced, resource), schema);
  for (const slice of sliced.slices) {
    const resource = sliced.text.slice(slice.start, slice.end);
    const refusal = refusalOfResource(resource);
    if (refusal) {
      const rest = slice.name === 'Patient' ? withoutElement(resource, refusal) : '';
      if (rest !== '' && refusalOfResource(rest)) {
        return undefined;
      }
      replaced.set(slice, rest);
      unread.push(unreadEntry(slice.name, slice.index, refusal));
    }
  }
  const isUseful = sliced.slices.some((slice) => !replaced.has(slice) && saysSomething(slice.name));
  return isUseful && replaced.size > 0 ? { text: withReplaced(sliced, replaced), unread } : undefined;
}

function bundleType({ document }: Identified): unknown {
  return document
    .tree()
    .elements.find(({ name }) => name === 'type')
    ?.attributes.get('value');
}

/**
 * A resource of another version that was turned into R4 and is not valid there is refused by its version, as it is
 * without that.
 */
function refuseOther(engine: XmlEngine, { bytes, unread = [] }: Identified): void {
  if (unread.some(isConverted)) {
    openDocument({ engine, maxBytes: Number.MAX_SAFE_INTEGER }, bytes).free();
  }
}

/** The document of which only some resources are read. @throws the refusal if nothing can be read */
function readWithout(engine: XmlEngine, identified: Identified, refusal: AppError): Validated {
  const { root } = identified.document;
  if (isAlone(identified) && mayLeaveAlone(root.name, refusal)) {
    refuseOther(engine, identified);
    const { unread = [] } = identified;
    const told = unread.some(isLeftAlone) ? unread : [...unread, unreadAlone(root.name, refusal)];
    return { ...identified, unread: told, validated: false, isLeftOut: true };
  }
  const isBundle = root.namespace === FHIR && root.name === 'Bundle' && mayLeaveOut(bundleType(identified));
  const schema = identified.entry?.schema ?? null;
  const rest = isBundle && schema ? leaveOut(engine, identified, schema) : undefined;
  if (!rest) {
    refuseOther(engine, identified);
    throw refusal;
  }
  const bytes = Buffer.from(rest.text);
  const document = gate(engine, bytes, bytes.length);
  if (refusalOf(document, schema)) {
    document.free();
    throw refusal;
  }
  const unread = joinUnread(identified.unread ?? [], rest.unread);
  return { ...identified, document, unread, validated: true };
}

/** Whether the document is one resource, of which may be left out what is not as R4 has it. */
function isAlone({ document: { root }, strict = false }: Identified): boolean {
  return root.namespace === FHIR && root.name !== 'Bundle' && !strict;
}

/** The document with the codes mended that are written otherwise than R4 writes them; undefined where none is. */
function withCodes(engine: XmlEngine, identified: Identified): Identified | undefined {
  const { document, strict = false } = identified;
  const tree = document.root.namespace === FHIR && !strict ? document.tree() : null;
  const isOne = document.root.name === 'Bundle' && !mayLeaveOut(bundleType(identified));
  const mended = tree && !isOne ? mendCodes(document.cleanText(), tree) : undefined;
  if (!mended) {
    return undefined;
  }
  const bytes = Buffer.from(mended.text);
  const unread = [...(identified.unread ?? []), ...mended.told];
  return { ...identified, document: gate(engine, bytes, bytes.length), unread };
}

/** @throws as `validate`; the document that it is about is freed then, unless it is the one that was given */
function readMendedCodes(engine: XmlEngine, identified: Identified, mended: Identified): Validated {
  const schema = identified.entry?.schema ?? null;
  try {
    const refusal = refusalOf(mended.document, schema);
    const read = refusal ? readWithout(engine, mended, refusal) : { ...mended, validated: true };
    if (read.document !== mended.document) {
      mended.document.free();
    }
    return read;
  } catch (error) {
    mended.document.free();
    throw error;
  }
}

/**
 * @throws AppError invalid_document with a line and a rule per fault, or with the path of a code that FHIR does not
 * allow there
 */
export function validate(engine: XmlEngine) {
  return (identified: Identified): Validated => {
    const schema = identified.entry?.schema ?? null;
    const refusal = refusalOf(identified.document, schema);
    if (!refusal) {
      return { ...identified, validated: schema !== null };
    }
    const mended = withCodes(engine, identified);
    return mended ? readMendedCodes(engine, identified, mended) : readWithout(engine, identified, refusal);
  };
}
