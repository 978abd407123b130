/** described-lines: the lines of a record in words, without ids, for files that a person reads and a test compares. */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { inProject } from '../../core/base/paths';
import type { Signs } from './cast';
import type { Read } from './fhir';
import type { TestService } from './server';
import { succeeded } from './world';

const MOST = 70;

/** The words of the longest, cut: what a file says must fit beside its name. */
function shorten(text: string): string {
  const plain = text.replace(/\s+/g, ' ').trim();
  return plain.length > MOST ? `${plain.slice(0, MOST)} ...` : plain;
}

/** What a statement says, without the codes of what has a title, and without systems. */
function describeFact(fields: Read): string {
  return Object.entries(fields)
    .filter(([name, value]) => ['string', 'number'].includes(typeof value) && !/^__|_(system|type)$/.test(name))
    .filter(([name]) => !name.endsWith('_identifier') || fields[name.replace(/identifier$/, 'title')] === null)
    .map(([name, value]) => `${name.replace(/_title$/, '')}=${shorten(String(value).replace(/ id:[0-9a-f-]{36}/, ''))}`)
    .join('; ');
}

/** A statement may have several facts, such as the reactions of an allergy. */
const describeStatement = (said: Read): string =>
  [said['fields']]
    .flat()
    .map((fields) => describeFact(fields as Read))
    .join('\n      and ');

function describeLine(line: Read): string {
  const [first, last] = [line['first'], line['last']].map((date) => String(date).slice(0, 10));
  const sources = line['sources'] === 1 ? '' : `, ${String(line['sources'])} sources`;
  const differs = (line['differs'] as readonly Read[]).map(({ field }) => String(field)).sort();
  const words = [
    line['standing'],
    first === last ? first : `${first} to ${last}`,
    ...(line['conflict'] === true ? ['conflict'] : []),
    ...(differs.length > 0 ? [`differs in ${differs.join(', ')}`] : []),
    ...((line['perhaps'] as readonly unknown[]).length > 0 ? ['perhaps the same as another'] : []),
  ].filter((one) => one !== '');
  const says = (line['says'] as readonly Read[]).map((said) => `    ${describeStatement(said)}`);
  return [`  ${words.join(', ')}${sources}`, ...says].join('\n');
}

/** The lines of each model that has some, sorted by their words: `Model: lines of statements`, and what each says. */
export async function describeRecord(service: TestService, signs: Signs, recordId: string): Promise<string> {
  const parts: string[] = [];
  for (const { name } of service.services.models().all) {
    const path = `/records/${recordId}/lines/${name}/?response_format=application/json&limit=1000`;
    const answer = await service.call(signs, 'GET', path);
    // Parts of facts have no lines of their own.
    const lines = answer.status === 404 ? [] : (JSON.parse(succeeded(answer).text) as Read)['lines'];
    if (lines.length > 0) {
      const statements = lines.flatMap(({ says }: Read) => says).length;
      parts.push(`${name}: ${lines.length} of ${statements}`, ...lines.map(describeLine).sort());
    }
  }
  return `${parts.join('\n')}\n`;
}

/** How many lines of how many statements each model has, and a digest of all that they say. */
export function summarizeLines(described: string): string {
  const counts = described.split('\n').filter((line) => /^\S/.test(line));
  return [...counts, `digest ${createHash('sha256').update(described).digest('hex')}`, ''].join('\n');
}

/** What was read once under this name; `UPDATE_FIXTURES=1` writes it anew. */
export function readOnce(name: string, found: string): string {
  const file = inProject('test', 'fixtures', 'lines', `${name}.txt`);
  if (process.env['UPDATE_FIXTURES'] === '1') {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, found);
  }
  return readFileSync(file, 'utf8');
}
