/** places: the places of a record or carenet to which the frame leads, and the one that a page belongs to. */
import type { InRecord, Visit } from '../http/page';
import type { Model } from '../../../core/facts/model/model';
import { isMeasured, modelTitle } from '../words/facts';
import type { IconName } from './icons';

export type Place = {
  readonly name: string;
  /** After the base of the record. */ readonly path: string;
  readonly icon: IconName;
  readonly text: string;
};

/** Places under a title; the first places have none. */
type Group = { readonly title: string; readonly places: readonly Place[] };

const first = [
  ['overview', '', 'home'],
  ['timeline', 'timeline', 'timeline'],
  ['documents', 'documents/', 'document'],
] as const;
const decided = [
  ['clinic', 'clinic', 'qr'],
  ['sharing', 'sharing', 'people'],
  ['apps', 'apps', 'app'],
  ['history', 'history', 'eye'],
] as const;
/** Read beside the facts of each model. */
const told = [
  ['visits', 'visits/', 'visit'],
  ['people', 'people', 'people'],
] as const;
const taken = [
  ['paper', 'paper', 'print'],
  ['card', 'card', 'alert'],
  ['export', 'export', 'take'],
] as const;

/** The model whose facts are listed by the test that they are a result of. */
const RESULT = 'LabResult';
const MEASURED = 'VitalSigns';

/** The models with a place of their own. */
const models: readonly (readonly [string, IconName])[] = [
  [MEASURED, 'pulse'],
  [RESULT, 'lab'],
  ['Medication', 'pill'],
  ['Problem', 'problem'],
  ['Allergy', 'alert'],
  ['Immunization', 'vaccine'],
];

/** Where the facts of a model are read: results by test, what goes on in lines, all else as a table. */
export function pathOfModel(model: Model): string {
  if (model.name === RESULT) {
    return 'tests';
  }
  return `${model.same !== undefined && !isMeasured(model) ? 'list' : 'data'}/${model.name}`;
}

type Listed = readonly (readonly [string, string, IconName])[];

/** The places of a record, or of a carenet, which has fewer. */
export function groupsOf(visit: Visit, { carenet }: InRecord): readonly Group[] {
  const { say } = visit.words;
  const placesOf = (listed: Listed): readonly Place[] =>
    listed.map(([name, path, icon]) => ({ name, path, icon, text: say(`frame.${name}`) }));
  const health = models.flatMap(([name, icon]): readonly Place[] => {
    const model = visit.models.find(name);
    return model ? [{ name, path: pathOfModel(model), icon, text: modelTitle(model, visit.words) }] : [];
  });
  return [
    { title: '', places: placesOf(first) },
    { title: say('frame.health'), places: [...health, ...placesOf(told)] },
    ...(carenet === undefined
      ? [
          { title: say('frame.you-decide'), places: placesOf(decided) },
          { title: say('frame.in-and-out'), places: placesOf(taken) },
        ]
      : []),
  ];
}

/** The name of the place that a page belongs to; empty for pages for adding, and for data without a place. */
export function hereOf({ path, models }: Visit, { base }: InRecord): string {
  const [begin = '', next = ''] = path.slice(base.length).split('/');
  if (begin === 'data' || begin === 'list') {
    return next;
  }
  if (begin === 'tests') {
    return models.labTests.body.some(({ id }) => id === next) ? MEASURED : RESULT;
  }
  if (begin === 'links' || begin === 'hand-over') {
    return 'sharing';
  }
  if (begin === 'print') {
    return 'paper';
  }
  return begin === '' || begin === 'details' ? 'overview' : begin;
}
