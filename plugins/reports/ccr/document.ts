/** document: a whole record as one Continuity of Care Record. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { toTimestamp, wireTime } from '../../../core/base/clock';
import { newId } from '../../../core/base/ids';
import type { Id } from '../../../core/base/types';
import { factTables } from '../../../core/facts/model/fact-tables';
import type { Call } from '../../../core/http/route';
import { readCurrentScope, readMissing } from '../../../core/records/current';
import type { Services } from '../../../core/services';
import { allChildren, childrenIn, type StoredFact } from '../../../core/facts/plans';
import { type ReportScope } from '../../../core/sharing/containment';
import { inParts } from '../../../core/db/in-parts';
import { withKnownValues } from '../../../core/facts/partial-dates';
import { openReport } from '../../../core/facts/run-report';
import { closeTag, DECLARATION, element, openTag, writeElement, type XmlElement } from '../../../core/xml/write';
import { everything } from '../rdf';
import { collectActors, patientActor, systemActor } from './actors';
import { collectComments } from './comments';
import { actorLink, SYSTEM_ACTOR } from './parts';
import { sections, type Context } from './sections';
import { readEntryLines, withSources, type EntryLines } from './lines';
import * as recordStore from '../../../core/records/store';

async function* readModelFacts(
  services: Services,
  scope: ReportScope,
  model: string,
): AsyncGenerator<readonly StoredFact[]> {
  const tables = factTables(services.models());
  const table = tables.get(model);
  if (table) {
    const report = await openReport(services.database, tables, { table }, scope, everything);
    for await (const facts of report.pages()) {
      yield facts.map(withKnownValues);
    }
  }
}

/** mm/dd/yy */
function displayDate(today: string): string {
  return `${today.slice(5, 7)}/${today.slice(8, 10)}/${today.slice(2, 4)}`;
}

function madeNow(now: string): XmlElement {
  return element('DateTime', {}, [
    element('Type', {}, [
      element('Text', {}, 'Create'),
      element('ObjectAttribute', {}, [
        element('Attribute', {}, 'DisplayDate'),
        element('AttributeValue', {}, [element('Value', {}, displayDate(now))]),
      ]),
    ]),
    element('ExactDateTime', {}, wireTime(now)),
  ]);
}

/** What is nested in statements whose line another one stands for, such as the fills of a medicine, by the latter. */
async function nestedInOthers(
  services: Services,
  scope: ReportScope,
  model: string,
  lines: EntryLines,
): Promise<ReadonlyMap<Id, readonly StoredFact[]>> {
  const others = new Map<Id, StoredFact[]>();
  if (!lines.isJoined(model)) {
    return others;
  }
  for await (const facts of readModelFacts(services, scope, model)) {
    for (const fact of facts.filter((one) => allChildren(one).length > 0)) {
      const id = lines.standsFor(fact);
      if (id !== undefined) {
        others.set(id, [...(others.get(id) ?? []), fact]);
      }
    }
  }
  return others;
}

function withNested(fact: StoredFact, others: readonly StoredFact[]): StoredFact {
  const fields = new Set([fact, ...others].flatMap(({ children }) => Object.keys(children)));
  const children = [...fields].map((field) => {
    const all = [fact, ...others].flatMap((one) => childrenIn(one, field));
    return [field, Array.isArray(fact.children[field]) ? all : (all[0] ?? null)] as const;
  });
  return others.length === 0 ? fact : { ...fact, children: Object.fromEntries(children) };
}

async function* sectionPieces(
  services: Services,
  scope: ReportScope,
  context: Context,
  lines: EntryLines,
): AsyncGenerator<string> {
  for (const { name, models } of sections) {
    let begun = false;
    for (const [model, write] of Object.entries(models)) {
      const nested = await nestedInOthers(services, scope, model, lines);
      for await (const facts of readModelFacts(services, scope, model)) {
        const entries = facts
          .filter(lines.isWritten)
          .map((fact) => withNested(fact, nested.get(fact.statementId) ?? []))
          .flatMap((fact) => write(fact, context).map((entry) => withSources(entry, fact, lines, context.comments)));
        // The schema has no empty sections.
        if (entries.length > 0) {
          yield `${begun ? '' : openTag(name)}${entries.map(writeElement).join('')}`;
          begun = true;
        }
      }
    }
    if (begun) {
      yield closeTag(name);
    }
  }
}

const ELEMENTS_AT_ONCE = 500;

async function* listPieces(name: string, elements: readonly XmlElement[]): AsyncGenerator<string> {
  if (elements.length > 0) {
    yield openTag(name);
    for (const some of inParts(elements, ELEMENTS_AT_ONCE)) {
      yield some.map(writeElement).join('');
      await nextTurn();
    }
    yield closeTag(name);
  }
}

function head(recordId: Id, now: string): readonly XmlElement[] {
  return [
    element('CCRDocumentObjectID', {}, newId()),
    element('Language', {}, [element('Text', {}, 'ENGLISH')]),
    element('Version', {}, 'V1.0'),
    madeNow(now),
    element('Patient', {}, [element('ActorID', {}, recordId)]),
    element('From', {}, [actorLink('ActorLink', SYSTEM_ACTOR)]),
  ];
}

/** Every active fact of the record that counts now, but for what the person calls wrong, and its demographics. */
async function* ccrPieces(services: Services, recordId: Id): AsyncGenerator<string> {
  const now = toTimestamp(services.clock.now());
  const demographics = await recordStore.findDemographics(services.database.reads, recordId);
  const current = await readCurrentScope(services, { recordId });
  const { scope } = current;
  const listed = services.models().all.flatMap(({ name, parent }) => (parent ? [] : [name]));
  const lines = await readEntryLines(services, current);
  const context: Context = {
    actors: collectActors([recordId, SYSTEM_ACTOR]),
    comments: collectComments(await readMissing(services, current, listed), lines.notes),
    today: now.slice(0, 10),
  };
  yield `${DECLARATION}${openTag('ContinuityOfCareRecord', { xmlns: 'urn:astm-org:CCR' })}${head(recordId, now).map(writeElement).join('')}${openTag('Body')}`;
  yield* sectionPieces(services, scope, context, lines);
  yield closeTag('Body');
  yield* listPieces('Actors', [
    patientActor(recordId, demographics?.values ?? {}),
    systemActor('Personal Health Records Service'),
    ...context.actors.elements(),
  ]);
  yield* listPieces('Comments', context.comments.elements());
  yield closeTag('ContinuityOfCareRecord');
}

export async function readCcr({ params, services }: Call<{ RECORD_ID: string }>): Promise<AsyncGenerator<string>> {
  return ccrPieces(services, params.RECORD_ID);
}
