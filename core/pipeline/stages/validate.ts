/** validate: checks the document against the schema of its entry, if there is one. */
import { errors, type AppError } from '../../base/errors';
import { bindingRefusal } from '../../fhir/bindings';
import { bundleOf, sliceEntries, withReplaced, type EntrySlice } from '../../fhir/entry-slices';
import { FHIR } from '../../fhir/json-to-xml';
import { versionInTree } from '../../fhir/other-versions';
import { elementOf, joinUnread, mayLeaveOut, saysSomething, unreadEntry } from '../../fhir/readable-entries';
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
const refusalOf = (document: Gated, schema: Schema | null): AppError | undefined => {
  const problems = schema?.check(document) ?? [];
  const tree = document.root.namespace === FHIR ? document.tree() : null;
  if (problems.length === 0) {
    return tree ? bindingRefusal(tree) : undefined;
  }
  return (
    (tree ? versionInTree(tree) : undefined) ??
    errors.invalidDocument('it does not fit the schema of its type', problems)
  );
};

/** The refusal of a text that passed the gate before. */
const refusalOfText = (engine: XmlEngine, text: string, schema: Schema | null): AppError | undefined => {
  const bytes = Buffer.from(text);
  const document = gate(engine, bytes, bytes.length);
  try {
    return refusalOf(document, schema);
  } finally {
    document.free();
  }
};

/** A resource without the element that a refusal names, where that has nothing inside. */
const withoutElement = (resource: string, refusal: AppError): string =>
  resource.replace(new RegExp(`<(?:[^\\s/>:]+:)?${elementOf(refusal)}\\s[^>]*/>`), '');

/**
 * The document without the resources that are not as FHIR R4 has them, and what to tell of these; undefined when
 * nothing could be read, or it could not be told whose it is.
 */
const leaveOut = (engine: XmlEngine, { document }: Identified, schema: Schema | null) => {
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
};

const bundleType = ({ document }: Identified): unknown =>
  document
    .tree()
    ?.elements.find(({ name }) => name === 'type')
    ?.attributes.get('value');

/**
 * A resource of an older version that was turned into R4 and is not valid there is refused by its version, as it is
 * without that.
 */
const refuseOlder = (engine: XmlEngine, { bytes, unread = [] }: Identified): void => {
  if (unread.some(({ reason }) => reason === 'fhir_converted')) {
    openDocument({ engine, maxBytes: bytes.length }, bytes).free();
  }
};

/** The document of which only some resources are read. @throws the refusal if nothing can be read */
const readWithout = (engine: XmlEngine, identified: Identified, refusal: AppError): Validated => {
  const { root } = identified.document;
  const isBundle = root.namespace === FHIR && root.name === 'Bundle' && mayLeaveOut(bundleType(identified));
  const schema = identified.entry?.schema ?? null;
  const rest = isBundle && schema ? leaveOut(engine, identified, schema) : undefined;
  if (!rest) {
    refuseOlder(engine, identified);
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
};

/**
 * @throws AppError invalid_document with a line and a rule per fault, or with the path of a code that FHIR does not
 * allow there
 */
export const validate =
  (engine: XmlEngine) =>
  (identified: Identified): Validated => {
    const schema = identified.entry?.schema ?? null;
    const refusal = refusalOf(identified.document, schema);
    return refusal ? readWithout(engine, identified, refusal) : { ...identified, validated: schema !== null };
  };
