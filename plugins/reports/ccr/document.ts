/** document: a whole record as one Continuity of Care Record. */
import { toTimestamp, wireTime } from '../../../core/base/clock';
import { newId } from '../../../core/base/ids';
import type { Id } from '../../../core/base/types';
import { factTables } from '../../../core/datamodel/fact-tables';
import type { Call } from '../../../core/http/route';
import type { Services } from '../../../core/services';
import type { StoredFact } from '../../../core/storage/plans';
import { runReport } from '../../../core/storage/run-report';
import { element, type XmlElement } from '../../../core/xml/write';
import { everything } from '../rdf';
import { collectActors, patientActor, systemActor } from './actors';
import { collectComments } from './comments';
import { actorLink, SYSTEM_ACTOR } from './parts';
import { sections, type Context } from './sections';

const allFacts = async (services: Services, recordId: Id): Promise<ReadonlyMap<string, readonly StoredFact[]>> => {
  const tables = factTables(services.models());
  const facts = new Map<string, readonly StoredFact[]>();
  for (const name of sections.flatMap(({ models }) => Object.keys(models))) {
    const table = tables.get(name);
    facts.set(name, table ? (await runReport(services.database, tables, { table }, { recordId }, everything)).facts : []);
  }
  return facts;
};

/** mm/dd/yy */
const displayDate = (today: string): string => `${today.slice(5, 7)}/${today.slice(8, 10)}/${today.slice(2, 4)}`;

const madeNow = (now: string): XmlElement =>
  element('DateTime', {}, [
    element('Type', {}, [
      element('Text', {}, 'Create'),
      element('ObjectAttribute', {}, [
        element('Attribute', {}, 'DisplayDate'),
        element('AttributeValue', {}, [element('Value', {}, displayDate(now))]),
      ]),
    ]),
    element('ExactDateTime', {}, wireTime(now)),
  ]);

const sectionElements = (facts: ReadonlyMap<string, readonly StoredFact[]>, context: Context): readonly XmlElement[] =>
  sections.flatMap(({ name, models }) => {
    const entries = Object.entries(models).flatMap(([model, write]) => (facts.get(model) ?? []).flatMap((fact) => write(fact, context)));
    // The schema has no empty sections.
    return entries.length > 0 ? [element(name, {}, entries)] : [];
  });

/** Every active fact of the record and its demographics. */
export const readCcr = async ({ params, services }: Call<{ RECORD_ID: string }>): Promise<XmlElement> => {
  const recordId = params.RECORD_ID;
  const now = toTimestamp(services.clock.now());
  const demographics = await services.stores.records.findDemographics(services.database.knex, recordId);
  const context: Context = { actors: collectActors([recordId, SYSTEM_ACTOR]), comments: collectComments(), today: now.slice(0, 10) };
  const body = sectionElements(await allFacts(services, recordId), context);
  const comments = context.comments.elements();
  return element('ContinuityOfCareRecord', { xmlns: 'urn:astm-org:CCR' }, [
    element('CCRDocumentObjectID', {}, newId()),
    element('Language', {}, [element('Text', {}, 'ENGLISH')]),
    element('Version', {}, 'V1.0'),
    madeNow(now),
    element('Patient', {}, [element('ActorID', {}, recordId)]),
    element('From', {}, [actorLink('ActorLink', SYSTEM_ACTOR)]),
    element('Body', {}, body),
    element('Actors', {}, [patientActor(recordId, demographics?.values ?? {}), systemActor('Personal Health Records Service'), ...context.actors.elements()]),
    comments.length > 0 && element('Comments', {}, comments),
  ]);
};
