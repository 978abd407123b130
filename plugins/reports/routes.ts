/** routes: what a caller may read of the facts of a record, or of what one of its carenets contains. */
import { anyPrincipal, mayReadCarenet, mayReadRecord } from '../../core/access/rules';
import { genericQuery, inPath, inRecord, reportQuery, wholeOrPart, type RawQuery } from '../../core/http/inputs';
import { route, type Call, type RouteSpec } from '../../core/http/route';
import type { MinimalReport } from '../../core/reports/envelope';
import type { ReportField } from '../../core/facts/plans';
import { readCcr } from './ccr/document';
import { readGeneric } from './generic';
import {
  allergies,
  equipment,
  immunizations,
  labs,
  measurements,
  medications,
  problems,
  procedures,
  simpleClinicalNotes,
  type MinimalDefinition,
} from './minimal/definitions';
import { readingFields } from './minimal/readings';
import { labCode, pathCategory, readMinimalFacts, readReadings, type More } from './minimal/service';
import { readOntology } from './ontology';
import { listAllergies, listFacts, readAllergy, readFact } from './rdf';
import type { InScope } from './scope';
import { ccrReply, genericReply, graphReply, minimalReply, ontologyReply } from './serialize';

type Content = {
  readonly model: string;
  readonly fields: Readonly<Record<string, ReportField>>;
  readonly handle: (call: Call<InScope, RawQuery>) => Promise<MinimalReport>;
};
type Minimal = Content & {
  readonly name: string;
  readonly path: string;
  readonly summary: string;
  readonly parameter?: string;
};

function facts(definition: MinimalDefinition, more?: More): Content {
  return {
    ...definition,
    handle: readMinimalFacts(definition, more),
  };
}
function readings(more?: More): Content {
  return { model: 'VitalSigns', fields: readingFields, handle: readReadings(more) };
}

const minimal: readonly Minimal[] = [
  { name: 'problem_list', path: 'problems/', summary: 'problems', ...facts(problems) },
  { name: 'procedure_list', path: 'procedures/', summary: 'procedures', ...facts(procedures) },
  { name: 'allergy_list', path: 'allergies/', summary: 'allergies', ...facts(allergies) },
  { name: 'medication_list', path: 'medications/', summary: 'medications', ...facts(medications) },
  { name: 'immunization_list', path: 'immunizations/', summary: 'immunizations', ...facts(immunizations) },
  { name: 'lab_list', path: 'labs/', summary: 'laboratory results', ...facts(labs) },
  { name: 'equipment_list', path: 'equipment/', summary: 'equipment', ...facts(equipment) },
  {
    name: 'simple_clinical_notes_list',
    path: 'simple-clinical-notes/',
    summary: 'clinical notes',
    ...facts(simpleClinicalNotes),
  },
  {
    name: 'measurement_list',
    path: 'measurements/{LAB_CODE}/',
    parameter: 'LAB_CODE',
    summary: 'measurements of one code',
    ...facts(measurements, labCode),
  },
  { name: 'vitals_list', path: 'vitals/', summary: 'readings of vital signs', ...readings() },
  {
    name: 'vitals_category_list',
    path: 'vitals/{CATEGORY}/',
    parameter: 'CATEGORY',
    summary: 'readings of one vital sign',
    ...readings(pathCategory),
  },
  // The interface writes this address with and without the last slash.
  {
    name: 'vitals_category_list',
    path: 'vitals/{CATEGORY}',
    parameter: 'CATEGORY',
    summary: 'readings of one vital sign',
    ...readings(pathCategory),
  },
];

const minimalRoutes = minimal.flatMap(
  ({ name, path, parameter, summary, model, fields, handle }): readonly RouteSpec[] => {
    const more = parameter === undefined ? [] : [parameter];
    const query = reportQuery(Object.entries(fields));
    return [
      route({
        name,
        method: 'GET',
        path: `/records/{RECORD_ID}/reports/minimal/${path}`,
        summary: `Report the ${summary} of a record: facts of ${model}`,
        access: mayReadRecord,
        params: inPath('RECORD_ID', ...more),
        query,
        reply: minimalReply,
        handle,
      }),
      route({
        name: `carenet_${name}`,
        method: 'GET',
        path: `/carenets/{CARENET_ID}/reports/minimal/${path}`,
        summary: `Report the ${summary} that a carenet contains: facts of ${model}`,
        access: mayReadCarenet,
        params: inPath('CARENET_ID', ...more),
        query,
        reply: minimalReply,
        handle,
      }),
    ];
  },
);

const ownFormat = { 500: 'The module that writes the reports of this model failed' };

export const operations = {
  genericList: route({
    name: 'generic_list',
    method: 'GET',
    path: '/records/{RECORD_ID}/reports/{DATA_MODEL}/',
    summary: 'Report the facts of one data model of a record',
    access: mayReadRecord,
    params: inPath('RECORD_ID', 'DATA_MODEL'),
    query: genericQuery,
    reply: genericReply,
    fails: ownFormat,
    handle: readGeneric,
  }),
  carenetGenericList: route({
    name: 'carenet_generic_list',
    method: 'GET',
    path: '/carenets/{CARENET_ID}/reports/{DATA_MODEL}/',
    summary: 'Report the facts of one data model that a carenet contains',
    access: mayReadCarenet,
    params: inPath('CARENET_ID', 'DATA_MODEL'),
    query: genericQuery,
    reply: genericReply,
    fails: ownFormat,
    handle: readGeneric,
  }),
  reportCcr: route({
    name: 'report_ccr',
    method: 'GET',
    path: '/records/{RECORD_ID}/reports/experimental/ccr',
    summary: 'Export a record as a Continuity of Care Record',
    access: mayReadRecord,
    params: inRecord,
    reply: ccrReply,
    handle: readCcr,
  }),
  smartAllergies: route({
    name: 'smart_allergies',
    method: 'GET',
    path: '/records/{RECORD_ID}/allergies/',
    summary: 'Read the allergies of a record, and their exclusions, as RDF',
    access: mayReadRecord,
    params: inRecord,
    query: wholeOrPart,
    reply: graphReply,
    handle: listAllergies,
  }),
  smartAllergiesInstance: route({
    name: 'smart_allergies_instance',
    method: 'GET',
    path: '/records/{RECORD_ID}/allergies/{MODEL_ID}',
    summary: 'Read one allergy or exclusion as RDF',
    access: mayReadRecord,
    params: inPath('RECORD_ID', 'MODEL_ID'),
    reply: graphReply,
    handle: readAllergy,
  }),
  smartGeneric: route({
    name: 'smart_generic',
    method: 'GET',
    path: '/records/{RECORD_ID}/{MODEL_NAME}/',
    summary: 'Read the facts of a record that have a list in RDF, such as problems or medications',
    access: mayReadRecord,
    params: inPath('RECORD_ID', 'MODEL_NAME'),
    query: wholeOrPart,
    reply: graphReply,
    handle: listFacts,
  }),
  smartGenericInstance: route({
    name: 'smart_generic_instance',
    method: 'GET',
    path: '/records/{RECORD_ID}/{MODEL_NAME}/{MODEL_ID}',
    summary: 'Read one fact of a record as RDF',
    access: mayReadRecord,
    params: inPath('RECORD_ID', 'MODEL_NAME', 'MODEL_ID'),
    reply: graphReply,
    handle: readFact,
  }),
  smartOntology: route({
    name: 'smart_ontology',
    method: 'GET',
    path: '/ontology',
    summary: 'Read the vocabulary of the RDF replies',
    access: anyPrincipal,
    reply: ontologyReply,
    handle: readOntology,
  }),
};

export const routes: readonly RouteSpec[] = [...minimalRoutes, ...Object.values(operations)];
