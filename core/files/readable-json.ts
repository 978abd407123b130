/**
 * readable-json: FHIR in JSON as people's files have it, made into what FHIR knows where nothing has to be guessed
 * (pure): UTF-16 becomes UTF-8, and several resources, in a list or one after the other, become a Bundle of them. What is
 * in no encoding that says so is read as Windows-1252, which the Bundle tells.
 */
import { isUtf8 } from 'node:buffer';
import { decodeWindows } from '../xml/mend';
import { bundleInside } from './bundle-inside';
import { LIST_OF_RESOURCES, textAtStart } from './sniff';

const [QUOTE, BACKSLASH, OPEN, CLOSE] = [...'"\\{}'].map((sign) => sign.charCodeAt(0)) as [
  number,
  number,
  number,
  number,
];

/** The beginning of a Bundle that is no mere collection, and of one whose entries have an outcome each. */
const MEANS_MORE = /"type"\s*:\s*"(?:document|history|transaction|batch|message)"/;
const HAS_OUTCOMES = /"type"\s*:\s*"(?:transaction|batch)"/;

/** What may stand between two resources: a comma, brackets and white space. */
const BETWEEN = /^[\s,[\]]*$/;

function inUtf8(bytes: Buffer): Buffer {
  const [first, second] = bytes;
  const isLittle = (first === 0xff && second === 0xfe) || second === 0;
  const isBig = (first === 0xfe && second === 0xff) || first === 0;
  if (!isLittle && !isBig) {
    return isUtf8(bytes) ? bytes : Buffer.from(decodeWindows(bytes));
  }
  return Buffer.from(new TextDecoder(isLittle ? 'utf-16le' : 'utf-16be').decode(bytes));
}

/** The place behind a string that begins here. */
function behindString(bytes: Buffer, start: number): number {
  for (let at = start + 1; at < bytes.length; at += 1) {
    if (bytes[at] === QUOTE) {
      return at + 1;
    }
    at += bytes[at] === BACKSLASH ? 1 : 0;
  }
  return bytes.length;
}

/** The outermost objects; undefined where something else stands between them, or one does not end. */
function objectsIn(bytes: Buffer): readonly Buffer[] | undefined {
  const objects: Buffer[] = [];
  let [depth, start, behind] = [0, 0, 0];
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      at = behindString(bytes, at) - 1;
    } else if (byte === OPEN) {
      start = depth === 0 ? at : start;
      if (depth === 0 && !BETWEEN.test(bytes.toString('latin1', behind, at))) {
        return undefined;
      }
      depth += 1;
    } else if (byte === CLOSE) {
      depth -= 1;
      if (depth === 0) {
        objects.push(bytes.subarray(start, at + 1));
        behind = at + 1;
      }
    }
  }
  return depth === 0 && BETWEEN.test(bytes.toString('latin1', behind)) ? objects : undefined;
}

/** A resource that tells what was mended in its Bundle. */
function toldOutcome(reason: string): Buffer {
  const coding = [{ system: 'urn:svc:mended', code: reason }];
  const issue = [{ severity: 'information', code: 'informational', details: { coding } }];
  return Buffer.from(JSON.stringify({ resourceType: 'OperationOutcome', issue }));
}

/** A Bundle of several resources; their own text is not touched, so that numbers keep their digits. */
function bundleOf(resources: readonly Buffer[]): Buffer {
  const entries = resources.flatMap((resource, index) => [
    Buffer.from(`${index === 0 ? '' : ','}{"resource":`),
    resource,
    Buffer.from('}'),
  ]);
  return Buffer.concat([
    Buffer.from('{"resourceType":"Bundle","type":"collection","entry":['),
    ...entries,
    Buffer.from(']}'),
  ]);
}

/** The place before the end of the entries of a Bundle; undefined where it has none. */
function endOfEntries(bytes: Buffer): number | undefined {
  let [depth, isEntries] = [0, false];
  for (let at = 0; at < bytes.length; at += 1) {
    const sign = String.fromCharCode(bytes[at]!);
    if (sign === '"') {
      const behind = behindString(bytes, at);
      const isName = depth === 1 && bytes.toString('latin1', at, behind) === '"entry"';
      isEntries ||= isName && /^\s*:\s*\[/.test(bytes.toString('latin1', behind, behind + 100));
      at = behind - 1;
    } else if (sign === '{' || sign === '[') {
      depth += 1;
    } else if (sign === '}' || sign === ']') {
      depth -= 1;
      if (isEntries && depth === 1) {
        return at;
      }
    }
  }
  return undefined;
}

/** A Bundle whose entries have an outcome each, so that what was guessed is told beside its type. */
function withToldType(bundle: Buffer): Buffer {
  const start = bundle.indexOf('{') + 1;
  const extension = [{ url: 'urn:svc:mended', valueCode: 'mended_western' }];
  const told = Buffer.from(`"_type":${JSON.stringify({ extension })},`);
  return bundle.includes('"_type"') ? bundle : Buffer.concat([bundle.subarray(0, start), told, bundle.subarray(start)]);
}

/** A Bundle with one more entry behind the others; its own text is not touched. */
function withEntry(bundle: Buffer, resource: Buffer): Buffer {
  const end = endOfEntries(bundle);
  return end === undefined
    ? bundle
    : Buffer.concat([
        bundle.subarray(0, end),
        Buffer.from(',{"resource":'),
        resource,
        Buffer.from('}'),
        bundle.subarray(end),
      ]);
}

/** A text in UTF-8 as one Bundle of the resources of its list, or of those inside of it; undefined for any other. */
function inOneBundle(text: Buffer): Buffer | undefined {
  if (!LIST_OF_RESOURCES.test(textAtStart(text))) {
    return bundleInside(text);
  }
  // A list without its end is a file that was cut off.
  const isWhole = /\]\s*$/.test(text.toString('latin1', Math.max(text.length - 1024, 0)));
  const resources = isWhole ? objectsIn(text.subarray(text.indexOf('['))) : undefined;
  return resources && bundleOf(resources);
}

/**
 * @returns the file in UTF-8, and a list of resources, Parameters or a Bundle of Bundles as one Bundle; undefined when
 * the file is none of these
 */
export function readableJson(bytes: Buffer): Buffer | undefined {
  if (!/^\s*[[{]/.test(textAtStart(bytes))) {
    return undefined;
  }
  const text = inUtf8(bytes);
  const bundle = inOneBundle(text);
  if (text === bytes || bytes.includes(0)) {
    return bundle ?? (text === bytes ? undefined : text);
  }
  // What was guessed is told, beside the resources that were read, or behind those that mean more together.
  if (MEANS_MORE.test(textAtStart(text))) {
    return HAS_OUTCOMES.test(textAtStart(text)) ? withToldType(text) : withEntry(text, toldOutcome('mended_western'));
  }
  const told = bundleOf([bundle ?? text, toldOutcome('mended_western')]);
  return bundleInside(told) ?? told;
}

/** @returns a Bundle of the resources that stand one after the other; undefined when it is not several */
export function severalResources(bytes: Buffer): Buffer | undefined {
  const resources = objectsIn(bytes.subarray(Math.max(bytes.indexOf('{'), 0)));
  return resources && resources.length > 1 ? bundleOf(resources) : undefined;
}
