/** statements: counts the statements in a source by kind, without the service's stylesheets (pure). */
import { parseXml, type Element } from 'libxmljs2';

export type Kind =
  | 'Allergy'
  | 'Problem'
  | 'Medication'
  | 'Immunization'
  | 'LabResult'
  | 'VitalSigns'
  | 'Procedure'
  | 'Encounter'
  | 'Equipment';

/**
 * `says` counts the statements that say something about the person; `no` counts those that are no facts by rule, by
 * reason.
 */
export type Stated = { readonly says: number; readonly no: Readonly<Record<string, number>> };
export type Statements = Map<Kind, Stated>;

/** The number of facts that a statement stands for, or the reason why it stands for none. */
export type Judged = number | string;

export const add = (statements: Statements, kind: Kind, judged: Judged): void => {
  const { says, no } = statements.get(kind) ?? { says: 0, no: {} };
  statements.set(
    kind,
    typeof judged === 'number' ? { says: says + judged, no } : { says, no: { ...no, [judged]: (no[judged] ?? 0) + 1 } },
  );
};

const V3 = { h: 'urn:hl7-org:v3' };
const TEMPLATE = '2.16.840.1.113883.10.20.22.4.';

const find = (node: Element, path: string): readonly Element[] => node.find(path, V3) as unknown as Element[];
const has = (node: Element, path: string): boolean => find(node, path).length > 0;
const attributeOf = (node: Element, name: string): string | undefined => node.attr(name)?.value();

/**
 * Whether a coded element says anything: it has a code, a name, words, or refers to a part of the narrative that has
 * words.
 */
const saysSomething = (root: Element, coded: readonly Element[]): boolean =>
  coded.some((node) => {
    if (
      find(node, 'descendant-or-self::*').some((part) => attributeOf(part, 'code') ?? attributeOf(part, 'displayName'))
    ) {
      return true;
    }
    const words = node.text().trim() !== '' || (attributeOf(node, 'value') ?? '') !== '';
    const target = find(node, './/h:reference')
      .map((reference) => attributeOf(reference, 'value')?.replace('#', ''))
      .find((id) => id !== undefined && id !== '');
    return (
      words || (target !== undefined && find(root, `//*[@ID="${target}"]`).some((place) => place.text().trim() !== ''))
    );
  });

/** Rules of the interface: a statement that is negated, retracted or about another person is no fact. */
const byRule = (node: Element, negatedToo: boolean): string | undefined => {
  if (attributeOf(node, 'nullFlavor') !== undefined || has(node, 'ancestor::h:entry[@nullFlavor]')) {
    return 'no information';
  }
  if (has(node, 'h:subject | ancestor::h:section[1]/h:subject')) {
    return 'other person';
  }
  if (attributeOf(node, 'negationInd') === 'true' && !negatedToo) {
    return 'negated';
  }
  return has(node, 'h:statusCode[@code="nullified"] | ancestor::h:act[1]/h:statusCode[@code="nullified"]')
    ? 'taken back'
    : undefined;
};

const isPlanned = (node: Element, orders: boolean): boolean => {
  const mood = attributeOf(node, 'moodCode') ?? 'EVN';
  return mood !== 'EVN' && !(orders && ['INT', 'RQO'].includes(mood));
};

const NOTHING = /^(no known (problems?|medications?)|no current (problems?|medications?))/i;
const nothingCodes = ['160245001', '182849000', '182904002', '787481004'];

const coded = (
  root: Element,
  node: Element,
  paths: string,
  { negated = false, orders = false }: { readonly negated?: boolean; readonly orders?: boolean } = {},
): Judged => {
  const names = find(node, paths);
  const rule = byRule(node, negated) ?? (isPlanned(node, orders) ? 'planned' : undefined);
  if (rule !== undefined) {
    return rule;
  }
  if (!saysSomething(root, [...names, ...find(node, 'h:text')])) {
    return 'says nothing';
  }
  return names.some(
    (name) =>
      nothingCodes.includes(attributeOf(name, 'code') ?? '') || NOTHING.test(attributeOf(name, 'displayName') ?? ''),
  )
    ? 'negated'
    : 1;
};

const reactionsOf = (root: Element, node: Element): number =>
  find(node, 'h:entryRelationship[@typeCode="MFST"]/h:observation[not(@negationInd="true")]').filter((reaction) =>
    saysSomething(root, [
      ...find(reaction, 'h:value | h:text'),
      ...find(reaction, 'h:entryRelationship/h:observation/h:value'),
    ]),
  ).length;

const allergy = (root: Element, node: Element): Judged => {
  const rule = byRule(node, true);
  if (rule !== undefined) {
    return rule;
  }
  const substances = find(
    node,
    'h:participant/h:participantRole/h:playingEntity/h:code | h:participant/h:participantRole/h:playingEntity/h:name',
  );
  if (attributeOf(node, 'negationInd') === 'true') {
    // "No known allergies" is a fact, "not allergic to aspirin" is not.
    return saysSomething(root, substances) ? 'negated' : 1;
  }
  return saysSomething(root, [...substances, ...find(node, 'h:text')])
    ? Math.max(1, reactionsOf(root, node))
    : 'says nothing';
};

const lab = (root: Element, node: Element): Judged => {
  const judged = coded(root, node, 'h:code');
  const gone = has(node, 'h:statusCode[@code="cancelled" or @code="aborted" or @code="obsolete"]');
  return (gone && !has(node, 'h:value[not(@nullFlavor)]')) ||
    has(node, 'ancestor::h:organizer[1]/h:statusCode[@code="cancelled"]')
    ? 'cancelled'
    : judged;
};

const vital = (root: Element, node: Element): Judged => {
  const judged = coded(root, node, 'h:code');
  return typeof judged === 'number' && !has(node, 'h:value[@value]') ? 'no number' : judged;
};

/** Finds statements by their template. Parts of others (indications, diagnoses behind a device) are no statements. */
const own = (template: string, name: string, around: readonly string[]): string =>
  `//h:${name}[h:templateId/@root="${TEMPLATE}${template}"][parent::h:entry${around
    .map((id) => ` or ../parent::*/h:templateId/@root="${TEMPLATE}${id}"`)
    .join('')}]`;

type Source = readonly [kind: Kind, path: string, judge: (root: Element, node: Element) => Judged];
const sources: readonly Source[] = [
  ['Allergy', own('7', 'observation', ['30']), allergy],
  [
    'Problem',
    own('4', 'observation', ['3', '33', '34', '51', '65', '80', '132']),
    (root, node) => coded(root, node, 'h:value'),
  ],
  [
    'Medication',
    own('16', 'substanceAdministration', ['35', '36']),
    (root, node) =>
      coded(root, node, 'h:consumable/h:manufacturedProduct/*/h:code | h:consumable/h:manufacturedProduct/*/h:name', {
        orders: true,
      }),
  ],
  [
    'Immunization',
    own('52', 'substanceAdministration', []),
    (root, node) =>
      coded(root, node, 'h:consumable/h:manufacturedProduct/*/h:code | h:consumable/h:manufacturedProduct/*/h:name', {
        negated: true,
      }),
  ],
  ['LabResult', own('2', 'observation', ['1']), lab],
  ['VitalSigns', own('27', 'observation', ['26']), vital],
  ['Procedure', own('14', 'procedure', []), (root, node) => coded(root, node, 'h:code')],
  ['Procedure', own('12', 'act', []), (root, node) => coded(root, node, 'h:code')],
  ['Procedure', own('13', 'observation', []), (root, node) => coded(root, node, 'h:code')],
  [
    'Encounter',
    own('49', 'encounter', []),
    (_root, node) =>
      byRule(node, false) ??
      (isPlanned(node, false) ? 'planned' : undefined) ??
      (has(node, 'h:statusCode[@code="cancelled"]') ? 'cancelled' : 1),
  ],
];

/**
 * What distinguishes two statements with the same id: those of their codes, names, times and states that the models
 * have fields for.
 */
const identityOf = (kind: Kind, node: Element): string => {
  const id = find(node, 'h:id[1]')[0];
  const told = find(
    node,
    'descendant::h:value | descendant::h:consumable//* | h:effectiveTime/descendant-or-self::* | ' +
      `h:statusCode${kind === 'Problem' ? '' : ' | h:code'}`,
  ).map((part) => ['code', 'displayName', 'value', 'unit'].map((name) => attributeOf(part, name) ?? '').join('|'));
  return id && attributeOf(id, 'root') !== undefined ? JSON.stringify([id.toString(), told]) : node.path();
};

/** Counts the statements of a C-CDA document. Equal statements with the same id count once. */
export const inClinicalDocument = (xml: string): Statements => {
  const root = parseXml(xml).root()!;
  const statements: Statements = new Map();
  for (const [kind, path, judge] of sources) {
    const seen = new Set<string>();
    for (const node of find(root, path)) {
      const identity = identityOf(kind, node);
      add(statements, kind, seen.has(identity) ? 'repeated' : judge(root, node));
      seen.add(identity);
    }
  }
  return statements;
};
