/**
 * conditional-references: finds what is meant by the searches that stand in the place of references in a transaction,
 * such as `Practitioner?identifier=urn:clinic|7` (R4, "Conditional References").
 */
import { errors } from '../../../core/base/errors';
import { looksLikeJson } from '../../../core/fhir/json-to-xml';
import type { OutlinePart } from '../../../core/fhir/outline';
import { withArticle } from '../../../core/fhir/resource';
import { escaped } from '../../../core/fhir/write';
import { fhirBase, mayAlso, type Asking } from '../asking';
import { firstMatches } from '../search/search';
import { readToken } from '../search/search-query';
import { ofEntry } from './of-entry';

/** What is referred to, by the search in its place. */
type Meant = ReadonlyMap<string, string>;

/** So many different searches a transaction may have in the place of references. */
const MOST_SEARCHES = 100;

/** The entry of the same transaction that has the identifier for which is searched. */
function ownEntry(parts: readonly OutlinePart[], type: string, pairs: URLSearchParams): OutlinePart | undefined {
  const [[name, value] = ['', ''], ...others] = [...pairs];
  const { system, code } = readToken(value);
  return name === 'identifier' && others.length === 0
    ? parts.find(
        (part) =>
          part.type === type &&
          part.fullUrl !== '' &&
          part.identifiers.some((one) => one.value === code && (system === undefined || one.system === system)),
      )
    : undefined;
}

async function meantBy(asking: Asking, parts: readonly OutlinePart[], search: string): Promise<string> {
  const base = `${fhirBase(asking.services)}/`;
  const [type = '', query = ''] = (search.startsWith(base) ? search.slice(base.length) : search).split(/\?(.*)/s);
  const pairs = new URLSearchParams(query);
  const own = ownEntry(parts, type, pairs);
  if (own) {
    return own.fullUrl;
  }
  if (!mayAlso(asking, type, 's')) {
    throw errors.outsideScope(`patient/${type}.s`);
  }
  const [found, ...others] = await firstMatches(asking, type, pairs);
  if (!found || others.length > 0) {
    throw errors.preconditionFailed(
      `${found ? 'several resources meet' : 'no resource meets'} the search in the place of a reference to ${withArticle(type)}`,
    );
  }
  return `${type}/${found.id}`;
}

/** @throws errors.preconditionFailed for none and for several, errors.invalidParameter, errors.outsideScope */
async function meantIn(asking: Asking, parts: readonly OutlinePart[]): Promise<Meant> {
  const searches = [...new Set(parts.flatMap((part) => part.searches))];
  if (searches.length > MOST_SEARCHES) {
    throw errors.unprocessable(`a transaction has at most ${MOST_SEARCHES} searches in the place of references`);
  }
  const meant = new Map<string, string>();
  for (const search of searches) {
    const index = parts.findIndex((part) => part.searches.includes(search));
    meant.set(search, await ofEntry(index, () => meantBy(asking, parts, search)));
  }
  return meant;
}

function inJson(text: string, meant: Meant): string {
  return text.replace(/("reference"\s*:\s*)("(?:[^"\\]|\\.)*")/g, (whole, start: string, written: string) => {
    const name = meant.get(JSON.parse(written) as string);
    return name === undefined ? whole : `${start}${JSON.stringify(name)}`;
  });
}

function inXml(text: string, meant: Meant): string {
  const written = new Map([...meant].map(([search, name]) => [escaped(search), name]));
  return text.replace(/(<reference\s+value=)(["'])(.*?)\2/g, (whole, start: string, _quote, value: string) => {
    const name = written.get(value) ?? meant.get(value);
    return name === undefined ? whole : `${start}"${escaped(name)}"`;
  });
}

/** The transaction with references in the place of searches. */
export async function withReferences(asking: Asking, parts: readonly OutlinePart[], bytes: Buffer): Promise<Buffer> {
  const meant = await meantIn(asking, parts);
  if (meant.size === 0) {
    return bytes;
  }
  const text = bytes.toString('utf8');
  return Buffer.from(looksLikeJson(bytes) ? inJson(text, meant) : inXml(text, meant));
}
