/** lines: one entry for each line of what many sources say, with all of its documents and what they say differently. */
import type { Id } from '../../../core/base/types';
import type { ReportScope } from '../../../core/sharing/containment';
import type { StoredFact } from '../../../core/facts/plans';
import * as documentStore from '../../../core/documents/store';
import { conflictWords, severityWords, sourceWords } from '../../../core/language/conflict-words';
import { byShown } from '../../../core/lines/heard';
import type { Line } from '../../../core/lines/lines';
import type { CurrentScope } from '../../../core/records/current';
import { readJoined } from '../../../core/records/lines';
import type { Services } from '../../../core/services';
import { element, type XmlElement } from '../../../core/xml/write';
import type { Comments } from './comments';
import { describeNamed, source } from './parts';

type Source = documentStore.DocumentRow;

export type EntryLines = {
  /** Whether a fact is written: it stands for its line, or belongs to none. */
  readonly isWritten: (fact: StoredFact) => boolean;
  /** What sources say differently, by the statement that stands for the line. */ readonly notes: ReadonlyMap<
    Id,
    string
  >;
  /** The other documents that say what a statement says. */
  readonly othersOf: (fact: StoredFact) => readonly Source[];
  /** The statement that stands for the line of a fact that is not written; undefined where no line is. */
  readonly standsFor: (fact: StoredFact) => Id | undefined;
  /** Whether some line of the model has several statements. */ readonly isJoined: (model: string) => boolean;
};

/** The lines of all models that have rules. */
export async function readEntryLines(services: Services, current: CurrentScope<ReportScope>): Promise<EntryLines> {
  const models = services.models();
  const names = models.all.filter(({ same }) => same !== undefined).map(({ name }) => name);
  const { lines, lineOf, out } = await readJoined(services, current, names);
  const shown = new Map([...lines].map(([model, own]) => [model, byShown(own, out)]));
  const several = [...shown.values()].flatMap((own) => [...own.values()].filter(({ says }) => says.length > 1));
  const ids = [...new Set(several.flatMap(({ says }) => says.map(({ told }) => told.documentId)))];
  const rows = await documentStore.findDocuments(services.database.reads, current.scope, ids);
  const documents = new Map(rows.map((row) => [row.id, row]));
  const noteOf = (model: string, id: Id, line: Line): string =>
    [
      conflictWords(models.find(model)!, line, (document) => documents.get(document)),
      model === 'Allergy' ? severityWords(models.find(model)!, line, id, (document) => documents.get(document)) : '',
    ]
      .filter((text) => text !== '')
      .join(' ');
  const notes = [...shown].flatMap(([model, own]) =>
    [...own].map(([id, line]) => [id, noteOf(model, id, line)] as const),
  );
  const standing = new Map(
    [...shown.values()].flatMap((own) =>
      [...own].flatMap(([id, line]) =>
        line.says.flatMap(({ told, isWrong }) => (isWrong || told.id === id ? [] : [[told.id, id] as const])),
      ),
    ),
  );
  const joined = new Set(
    [...shown].flatMap(([model, own]) => ([...own.values()].some(({ says }) => says.length > 1) ? [model] : [])),
  );
  return {
    standsFor: ({ statementId }) => standing.get(statementId),
    isJoined: (model) => joined.has(model),
    isWritten: ({ model, statementId: id }) =>
      !out.has(id) && (lineOf.has(id) ? shown.get(model)?.has(id) !== false : true),
    notes: new Map(notes.filter(([, note]) => note !== '')),
    othersOf: ({ statementId: id, documentId: own }) => {
      const others = lineOf.get(id)?.says.filter(({ isWrong }) => !isWrong) ?? [];
      const found = new Set(others.map(({ told }) => told.documentId).filter((document) => document !== own));
      return [...found].flatMap((document) => documents.get(document) ?? []);
    },
  };
}

function isElementNamed(child: unknown, name: string): boolean {
  return typeof child === 'object' && child !== null && (child as XmlElement).name === name;
}

/** An entry with a source for each other document that says the same, and the link to its comment. */
export function withSources(
  entry: XmlElement,
  fact: StoredFact,
  { othersOf }: EntryLines,
  comments: Comments,
): XmlElement {
  const children = [...(entry.children as readonly XmlElement[])];
  const at = children.findIndex((child) => isElementNamed(child, 'Source'));
  if (at < 0) {
    return entry;
  }
  const sources = othersOf(fact).map((document) =>
    source({ description: describeNamed('Description', `${sourceWords(document)} (document ${document.id})`) }),
  );
  const comment = children.some((child) => isElementNamed(child, 'CommentID'))
    ? undefined
    : comments.add(fact, undefined);
  const added = comment === undefined ? [] : [element('CommentID', {}, comment)];
  children.splice(at + 1, 0, ...sources, ...added);
  return { ...entry, children };
}
