/**
 * survey: what becomes of real documents: statements of the source by kind, the facts made of them, and what is left
 * out by reason. The statements are counted by statements.ts, which does not use the stylesheets. `node
 * dist/test/intake/survey.js` prints the table.
 */
import { loadConfig } from '../../core/config/load';
import { allChildren, type Fact } from '../../core/facts/plans';
import { openReader, type DocumentReader } from '../../core/pipeline/readers/document-reader';
import { readModels } from '../../core/server/migrate-all';
import { unhurried } from '../support/unhurried';
import { clinicalDocuments, fhirBundles, fhirExamples, hasData } from './examples';
import { inFhir } from './fhir-statements';
import { add, inClinicalDocument, type Kind, type Statements } from './statements';

export type Row = {
  readonly source: string;
  readonly kind: Kind;
  readonly stated: number;
  readonly says: number;
  readonly facts: number;
  readonly none: string;
  readonly leftOut: string;
  readonly share: number;
};
export type Survey = {
  /** Reason of the pipeline -> a sentence that explains it. */
  readonly reasons: ReadonlyMap<string, string>;
  readonly rows: readonly Row[];
  readonly refused: readonly string[];
  readonly short: readonly string[];
};

/** How many statements of the source a fact stands for: a set of vital signs has as many as readings. */
const countOf = ({ model, values }: Fact): readonly (readonly [Kind | null, number])[] => {
  switch (model) {
    case 'AllergyExclusion':
      return [['Allergy', 1]];
    case 'Measurement':
      return [['VitalSigns', 1]];
    case 'VitalSigns':
      return [
        [
          'VitalSigns',
          Object.entries(values).filter(([name, value]) => name.endsWith('_value') && value !== null).length,
        ],
      ];
    case 'Fill':
    case 'SimpleClinicalNote':
      return [[null, 0]];
    default:
      return [[model as Kind, 1]];
  }
};

const factsOf = (facts: readonly Fact[]): Map<Kind, number> => {
  const found = new Map<Kind, number>();
  const walk = (all: readonly Fact[]): void => {
    for (const fact of all) {
      countOf(fact).forEach(([kind, count]) => kind && found.set(kind, (found.get(kind) ?? 0) + count));
      walk(allChildren(fact));
    }
  };
  walk(facts);
  return found;
};

const text = (counts: ReadonlyMap<string, number>): string =>
  [...counts]
    .sort((a, b) => b[1] - a[1])
    .map(([reason, count]) => `${count} ${reason}`)
    .join(', ');

export type Source = { readonly name: string; readonly bytes: Buffer; readonly statements: Statements };

/** Reads all documents of one source and adds up the results. */
export const surveyOf = async (
  reader: DocumentReader,
  source: string,
  documents: readonly Source[],
): Promise<Survey> => {
  const stated: Statements = new Map();
  const made = new Map<Kind, number>();
  const left = new Map<Kind, Map<string, number>>();
  const refused: string[] = [];
  const short: string[] = [];
  const sentences = new Map<string, string>();
  for (const { name, bytes, statements } of documents) {
    try {
      const read = await reader.read(bytes);
      const facts = factsOf(read.facts);
      for (const [kind, { says, no }] of statements) {
        add(stated, kind, says);
        Object.entries(no).forEach(([reason, count]) => Array.from({ length: count }, () => add(stated, kind, reason)));
        // Facts beyond the counted statements do not make up for missing ones. (The stylesheets also find statements by
        // their section alone.)
        made.set(kind, (made.get(kind) ?? 0) + Math.min(says, facts.get(kind) ?? 0));
        if ((facts.get(kind) ?? 0) < says) {
          short.push(
            `${name}: ${kind}: ${says} stated, ${facts.get(kind) ?? 0} facts; ${JSON.stringify(read.leftOut)}`,
          );
        }
      }
      for (const { model, reason, count, words } of read.leftOut) {
        sentences.set(reason, words ?? reason);
        const reasons = left.get(model as Kind) ?? new Map<string, number>();
        left.set(model as Kind, reasons.set(reason, (reasons.get(reason) ?? 0) + count));
      }
    } catch (error) {
      refused.push(
        `${name}: ${(error as Error).message} ${JSON.stringify((error as { details?: unknown[] }).details?.[0])}`,
      );
    }
  }
  const rows = [...stated].map(([kind, { says, no }]): Row => {
    const none = Object.values(no).reduce((sum, count) => sum + count, 0);
    const facts = made.get(kind) ?? 0;
    return {
      source,
      kind,
      stated: says + none,
      says,
      facts,
      none: text(new Map(Object.entries(no))),
      leftOut: text(left.get(kind) ?? new Map<string, number>()),
      share: says === 0 ? 1 : facts / says,
    };
  });
  return { rows, refused, short, reasons: sentences };
};

const asSources = (documents: readonly { readonly name: string; readonly json: string }[]): readonly Source[] =>
  documents.map(({ name, json }) => ({ name, bytes: Buffer.from(json), statements: inFhir(json) }));

export const survey = async (reader: DocumentReader): Promise<readonly Survey[]> => [
  await surveyOf(
    reader,
    'C-CDA',
    clinicalDocuments().map(({ name, xml }) => ({
      name,
      bytes: Buffer.from(xml),
      statements: inClinicalDocument(xml),
    })),
  ),
  await surveyOf(reader, 'patients', asSources(fhirBundles())),
  await surveyOf(reader, 'guides', asSources(fhirExamples())),
];

const print = ({ rows, refused, short, reasons }: Survey): void => {
  for (const { source, kind, stated, says, facts, none, leftOut, share } of rows) {
    process.stdout.write(
      `${source.padEnd(8)} ${kind.padEnd(13)} stated ${String(stated).padStart(5)}  to be facts ` +
        `${String(says).padStart(5)}  facts ${String(facts).padStart(5)}  ${(share * 100).toFixed(1).padStart(5)} % ` +
        ` | no facts by rule: ${none || 'none'} | left out: ${leftOut || 'none'}\n`,
    );
  }
  [...reasons].forEach(([reason, words]) => process.stdout.write(`${reason}: ${words}\n`));
  [...refused.map((line) => `refused ${line}`), ...short.map((line) => `short ${line}`)].forEach((line) =>
    process.stdout.write(`${line}\n`),
  );
};

const main = async (): Promise<void> => {
  if (!hasData()) {
    process.stdout.write('the examples are not beside the project: nothing to survey\n');
    return;
  }
  const config = loadConfig(unhurried);
  const reader = await openReader(config, readModels(config));
  try {
    (await survey(reader)).forEach(print);
  } finally {
    await reader.close();
  }
};

if (require.main === module) {
  void main();
}
