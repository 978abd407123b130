/**
 * drafts: makes the Models of the drafts that a stylesheet wrote with `facts` of common/facts.xsl, where the words are
 * explained. It is not done in the stylesheet, because there each step copies all drafts (pure).
 */
import { groupedBy } from '../base/grouped-by';
import { cutText } from '../base/utf8';
import type { PlainElement } from './engine';

type Attributes = ReadonlyMap<string, string>;

/** A Model or a Reading that came, with what is needed to compare it. */
type Draft = {
  readonly isReading: boolean;
  /** The attributes of its fact. */
  readonly said: Attributes;
  readonly fields: readonly PlainElement[];
  readonly same: string;
  readonly place: string;
};

/** A Model or a Reading that came, or something that was left out, as it is counted. */
type Counted = {
  readonly model: string;
  readonly reason: string;
  readonly where: string;
  count: number;
  /** The numbers of the parts in which it was, as the stylesheet wrote them. */ readonly parts: string[];
};

/** The set to which a reading belongs, and the attributes that it has in it. */
type Ranked = { readonly draft: Draft; readonly set: string; readonly said: Attributes };

type Column = { readonly length: number; readonly isDropped: boolean };

type Tables = {
  readonly columns: ReadonlyMap<string, Column>;
  readonly terms: ReadonlyMap<string, string>;
  readonly reasons: ReadonlyMap<string, string>;
  readonly units: ReadonlyMap<string, string>;
  readonly loinc: string;
  readonly snomed: string;
  readonly lists: string;
};

/** The facts to which Members and Links lead. */
type Labelled = {
  /** What the facts of a label say, in the order of the document. */
  readonly sameOf: ReadonlyMap<string, readonly string[]>;
  readonly drafts: ReadonlyMap<string, Draft>;
  /** Their numbers, which are in the names that they have in the Models. */
  readonly numbers: ReadonlyMap<Draft, number>;
};

const NONE: Labelled = { sameOf: new Map(), drafts: new Map(), numbers: new Map() };
const NO_ATTRIBUTES: Attributes = new Map();
const USUAL: Column = { length: 255, isDropped: false };
/** No column is shorter. */
const SHORTEST = 12;

/** A text with single spaces, as XPath's normalize-space() makes it. */
function plainSpace(text: string): string {
  return /^[ \t\r\n]|[\t\r\n]| {2}|[ \t\r\n]$/.test(text)
    ? text.replace(/[ \t\r\n]+/g, ' ').replace(/^ | $/g, '')
    : text;
}

function isShortEnough(text: string, length: number): boolean {
  return text.length <= length || Array.from(text).length <= length;
}

function childrenOf({ elements }: PlainElement, name: string): readonly PlainElement[] {
  return elements.filter((element) => element.name === name);
}

function holds({ elements }: PlainElement, name: string): boolean {
  return elements.some((element) => element.name === name);
}

function allText({ text, elements }: PlainElement): string {
  return elements.length === 0 ? text : text + elements.map(allText).join('');
}

function element(
  name: string,
  attributes: Attributes,
  elements: readonly PlainElement[] = [],
  text = '',
): PlainElement {
  return { name, namespace: '', attributes, elements, text };
}

function makeField(name: string, text: string): PlainElement {
  return element('Field', new Map([['name', name]]), [], text);
}

/** `|code=title|code=title|` */
function rowsIn(text: string): ReadonlyMap<string, string> {
  const rows = new Map<string, string>();
  for (const row of text.split('|')) {
    const end = row.indexOf('=');
    if (end >= 0 && !rows.has(row.slice(0, end))) {
      rows.set(row.slice(0, end), row.slice(end + 1));
    }
  }
  return rows;
}

function columnIn(row: string): Column {
  const [length = '', drop = ''] = row.split(' ');
  return { length: Number(length), isDropped: drop !== '' };
}

function tablesIn(root: PlainElement): Tables {
  const given = (name: string): string => root.attributes.get(name) ?? '';
  const attribute = ({ attributes }: PlainElement, name: string): string => attributes.get(name) ?? '';
  return {
    columns: new Map([...rowsIn(given('columns'))].map(([name, row]) => [name, columnIn(row)])),
    terms: rowsIn(given('terms')),
    reasons: new Map(childrenOf(root, 'reason').map((one) => [attribute(one, 'code'), one.text])),
    units: new Map(childrenOf(root, 'reading').map((one) => [attribute(one, 'column'), attribute(one, 'unit')])),
    loinc: given('loinc'),
    snomed: given('snomed'),
    lists: given('lists'),
  };
}

/** The fields that are compared: those of facts inside, too, but not where they are apart. */
function comparedIn(fields: readonly PlainElement[], isNested: boolean): string {
  let text = '';
  for (const field of fields) {
    if (field.elements.length === 0) {
      text += `|${field.attributes.get('name') ?? ''}=${plainSpace(field.text)}`;
    } else if (isNested && !field.attributes.has('apart')) {
      text += field.elements.map((one) => comparedInside(one)).join('');
    }
  }
  return text;
}

function comparedInside(inside: PlainElement): string {
  return inside.name === 'Field'
    ? comparedIn([inside], true)
    : inside.elements.map((one) => comparedInside(one)).join('');
}

function attributesInside({ name, attributes, elements }: PlainElement): string {
  const own = [...attributes].map(([attribute, value]) => `|${name} ${attribute}=${value}`).join('');
  return own + elements.map(attributesInside).join('');
}

/** The words that are equal for drafts of which only the first is kept. */
function sameOf(model: PlainElement, fields: readonly PlainElement[], number: number): string {
  const id = model.attributes.get('id');
  if (id === undefined) {
    // No name contains a space.
    return ` ${number}`;
  }
  const isNested = fields.some((field) => holds(field, 'Models'));
  const dosages = fields.filter((field) => holds(field, 'Dosage'));
  return `${model.attributes.get('name') ?? ''}|${id}${comparedIn(fields, isNested)}${dosages.map((field) => attributesInside(field)).join('')}`;
}

const KEPT_OF_MODEL = /^(?:name|visit|statement|label|sent-(?!odd).*)$/;

function saidBy({ attributes }: PlainElement, part: string | undefined, isKept: (name: string) => boolean): Attributes {
  const said = new Map(part === undefined ? [] : [['part', part]]);
  attributes.forEach((value, name) => isKept(name) && said.set(name, value));
  return said;
}

const ODD_DATES = 'sent-odd-dates';

/** The field in which a model says what no other field holds; undefined where it has none. */
type NotesOf = (model: string) => string | undefined;

/** The fields of a draft, with its odd dates in its notes. */
function sdmxFields(draft: PlainElement, name: string | undefined): readonly PlainElement[] {
  const fields = childrenOf(draft, 'Field');
  const odd = draft.attributes.get(ODD_DATES);
  if (odd === undefined || name === undefined) {
    return fields;
  }
  const isNotes = ({ attributes }: PlainElement): boolean => attributes.get('name') === name;
  const before = fields.filter(isNotes).map(allText).join(' ').trim();
  const notes = before === '' || /[.!?]$/.test(before) ? before : `${before}.`;
  return [...fields.filter((field) => !isNotes(field)), makeField(name, `${notes} Date as it is written: ${odd}.`)];
}

function readDraft(model: PlainElement, part: string | undefined, number: number, notesOf: NotesOf): Draft {
  const fields = sdmxFields(model, notesOf(model.attributes.get('name') ?? ''));
  const same = sameOf(model, fields, number);
  const said = saidBy(model, part, (name) => KEPT_OF_MODEL.test(name));
  return { isReading: false, said, fields, same, place: same };
}

function readReading(reading: PlainElement, part: string | undefined, notesOf: NotesOf): Draft {
  const said = saidBy(reading, part, (name) => name !== ODD_DATES);
  const words = ['group', 'column', 'value', 'code', 'position', 'site', 'method'].map((name) => said.get(name) ?? '');
  return {
    isReading: true,
    said,
    fields: sdmxFields(reading, notesOf('VitalSigns')),
    same: words.join('|'),
    place: `readings|${words[0]}`,
  };
}

/** What came, in the order of the document. */
class Drafts {
  readonly kept = new Map<string, Draft>();
  readonly sameOf = new Map<string, string[]>();
  readonly counted = new Map<string, Counted>();
  private number = 0;

  constructor(private readonly notesOf: NotesOf) {}

  read({ elements, attributes }: PlainElement): void {
    const where = plainSpace(attributes.get('where') ?? '');
    for (const one of elements) {
      if (one.name === 'At') {
        this.read(one);
      } else if (one.name === 'LeftOut') {
        const reason = one.attributes.get('reason');
        const model = one.attributes.get('model') ?? '';
        this.count(model, where, attributes.get('part'), reason);
      } else if (one.name === 'Model' || one.name === 'Reading') {
        this.add(one, attributes.get('part'), where);
      }
    }
  }

  private add(one: PlainElement, part: string | undefined, where: string): void {
    this.number += 1;
    const draft =
      one.name === 'Model' ? readDraft(one, part, this.number, this.notesOf) : readReading(one, part, this.notesOf);
    const model = draft.isReading ? 'VitalSigns' : (one.attributes.get('name') ?? '');
    const isFirst = !this.kept.has(draft.same);
    if (isFirst) {
      this.kept.set(draft.same, draft);
    }
    if (isFirst && one.attributes.has(ODD_DATES)) {
      this.count(model, where, part, 'odd_date');
    }
    // Also what is not repeated, so that the order of what is told does not follow from what is.
    this.count(model, where, part, 'repeated', isFirst ? 0 : 1);
    const label = draft.isReading ? undefined : draft.said.get('label');
    if (label !== undefined) {
      const known = this.sameOf.get(label) ?? [];
      known.push(draft.same);
      this.sameOf.set(label, known);
    }
  }

  private count(model: string, where: string, part: string | undefined, reason = '', times = 1): void {
    const what = `${model}|${reason}|${where}`;
    const counted = this.counted.get(what) ?? { model, where, reason, count: 0, parts: [] };
    counted.count += times;
    counted.parts.push(...(part === undefined || times === 0 ? [] : [part]));
    this.counted.set(what, counted);
  }
}

/** A second reading of a column that differs from the first goes into a second set. */
function rankedIn(readings: readonly Draft[]): readonly Ranked[] {
  const slots = groupedBy(readings, ({ said }) => `${said.get('group') ?? ''}|${said.get('column') ?? ''}`);
  return [...slots.values()].flatMap((slot) =>
    slot.map((draft, index) => {
      const set = draft.said.get('set') ?? `${draft.said.get('group') ?? ''}|${index + 1}`;
      const statement = draft.said.get('statement');
      const isLater = statement !== undefined && index > 0;
      return {
        draft,
        set,
        said: isLater ? new Map(draft.said).set('statement', `${statement}#${index + 1}`) : draft.said,
      };
    }),
  );
}

function draftName(number: number): string {
  return `fact${number}`;
}

/** Makes the facts of drafts. */
class Tidying {
  private readonly labelled: Labelled;
  private readonly sets: ReadonlyMap<string, readonly Ranked[]>;
  private readonly groups: ReadonlyMap<string, readonly Ranked[]>;
  /** For each encounter what the first reading that names it says, and the encounter itself. */
  private readonly takers = new Map<string, string>();
  private readonly visits = new Map<string, Draft>();
  private number = 0;

  constructor(
    private readonly tables: Tables,
    private readonly drafts: Drafts,
  ) {
    const kept = [...drafts.kept.values()];
    const labelled = kept.filter((draft) => !draft.isReading && draft.said.has('label'));
    this.labelled = {
      sameOf: drafts.sameOf,
      drafts: new Map(labelled.map((draft) => [draft.same, draft])),
      numbers: new Map(labelled.map((draft, index) => [draft, index + 1])),
    };
    const readings = kept.filter(({ isReading }) => isReading);
    const ranked = rankedIn(readings);
    this.sets = groupedBy(ranked, ({ set }) => set);
    this.groups = groupedBy(ranked, ({ draft }) => draft.said.get('group') ?? '');
    for (const { said, same } of readings) {
      const encounter = said.get('encounter');
      if (encounter !== undefined && !this.takers.has(encounter)) {
        this.takers.set(encounter, same);
      }
    }
    for (const draft of kept) {
      const visit = draft.isReading ? undefined : draft.said.get('visit');
      if (visit !== undefined && !this.visits.has(visit)) {
        this.visits.set(visit, draft);
      }
    }
  }

  models(): readonly PlainElement[] {
    const places = groupedBy(this.drafts.kept.values(), ({ place }) => place);
    return [...places.values()].flatMap(([draft]) => {
      if (!draft!.isReading) {
        const visit = draft!.said.get('visit');
        return visit !== undefined && this.takers.has(visit) ? [] : [this.model(draft!, this.labelled)];
      }
      const group = this.groups.get(draft!.said.get('group') ?? '') ?? [];
      return [...new Set(group.map(({ set }) => set))].map((set) => this.vitalSigns(this.sets.get(set)!));
    });
  }

  private model(draft: Draft, labelled: Labelled): PlainElement {
    const { said, fields } = draft;
    const attributes = new Map([...said].filter(([name]) => name !== 'visit' && name !== 'label'));
    if (said.has('label')) {
      const number = labelled.numbers.get(draft);
      attributes.set('label', number === undefined ? this.otherName() : draftName(number));
    }
    return element('Model', attributes, this.fields(fields, said.get('name') ?? '', labelled));
  }

  /** The name of a fact to which nothing leads. */
  private otherName(): string {
    this.number += 1;
    return `other${this.number}`;
  }

  private nested(model: PlainElement, labelled: Labelled): PlainElement {
    const attributes = saidBy(model, undefined, (name) => /^(?:name|statement|part|sent-(?!odd).*)$/.test(name));
    const label = model.attributes.has('label') ? [['label', this.otherName()] as const] : [];
    const fields = this.fields(childrenOf(model, 'Field'), model.attributes.get('name') ?? '', labelled);
    return element('Model', new Map([...attributes, ...label]), fields);
  }

  private fields(fields: readonly PlainElement[], model: string, labelled: Labelled): readonly PlainElement[] {
    return fields.flatMap((field) => this.field(field, model, labelled) ?? []);
  }

  private field(field: PlainElement, model: string, labelled: Labelled): PlainElement | undefined {
    const name = field.attributes.get('name') ?? '';
    if (field.elements.length === 0 || holds(field, 'Dosage')) {
      return field.elements.length === 0 ? this.plainField(field, name, model) : field;
    }
    if (holds(field, 'Models')) {
      const models = childrenOf(field, 'Models').flatMap((one) => childrenOf(one, 'Model'));
      const nested = models.map((one) => this.nested(one, labelled));
      return element('Field', new Map([['name', name]]), [element('Models', NO_ATTRIBUTES, nested)]);
    }
    if (holds(field, 'Link')) {
      const meant = sameNamed(labelled, childrenOf(field, 'Link')).find((same) => labelled.drafts.has(same));
      const draft = meant === undefined ? undefined : labelled.drafts.get(meant);
      return draft && makeField(name, draftName(labelled.numbers.get(draft)!));
    }
    return holds(field, 'Member') ? membersField(field, name, labelled) : this.plainField(field, name, model);
  }

  /** A text as its column can hold it; undefined where nothing of it is kept. */
  private plainField(field: PlainElement, name: string, model: string): PlainElement | undefined {
    const value = plainSpace(allText(field));
    const { length, isDropped } =
      value.length <= SHORTEST ? USUAL : (this.tables.columns.get(`${model}.${name}`) ?? USUAL);
    if (value === '') {
      return undefined;
    }
    if (length === 0 || isShortEnough(value, length)) {
      const also = field.attributes.get('also');
      const more = also === undefined ? [] : [['also', also] as const];
      return value === field.text && field.elements.length === 0
        ? field
        : element('Field', new Map([['name', name], ...more]), [], value);
    }
    return isDropped || name.endsWith('_identifier') || name.endsWith('_system')
      ? undefined
      : makeField(name, `${cutText(value, length - 3)}...`);
  }

  /** The first reading of a set makes the fact for all of the set. */
  private vitalSigns(readings: readonly Ranked[]): PlainElement {
    const [{ draft, said }] = readings as readonly [Ranked];
    const attributes = new Map([...said].filter(([name]) => name === 'statement' || name.startsWith('sent-'))).set(
      'name',
      'VitalSigns',
    );
    if (said.has('part')) {
      attributes.set('part', readings.map((one) => `${one.said.get('part') ?? ''} `).join(''));
    }
    return element('Model', attributes, [
      makeField('date', said.get('date') ?? ''),
      ...this.fields(draft.fields, said.get('name') ?? '', NONE),
      ...this.encounter(draft),
      ...readings.flatMap((one) => this.measured(one)),
      ...this.listed('bp_position', this.tables.snomed, readings, 'position'),
      ...this.listed('bp_site', this.tables.snomed, readings, 'site'),
      ...this.listed('bp_method', `${this.tables.lists}BloodPressureMethod#`, readings, 'method'),
    ]);
  }

  /** An encounter is one fact, and is nested in the first set that names it. */
  private encounter({ said, same }: Draft): readonly PlainElement[] {
    const named = said.get('encounter');
    const visit = named !== undefined && this.takers.get(named) === same ? this.visits.get(named) : undefined;
    return visit ? [element('Field', new Map([['name', 'encounter']]), [this.model(visit, NONE)])] : [];
  }

  private measured({ said }: Ranked): readonly PlainElement[] {
    const column = said.get('column') ?? '';
    return [
      makeField(`${column}_value`, said.get('value') ?? ''),
      makeField(`${column}_unit`, this.tables.units.get(column) ?? ''),
      makeField(`${column}_name_identifier`, said.get('code') ?? ''),
      makeField(`${column}_name_title`, said.get('title') ?? ''),
      makeField(`${column}_name_system`, this.tables.loinc),
    ];
  }

  private listed(field: string, system: string, readings: readonly Ranked[], name: string): readonly PlainElement[] {
    const code = readings.map(({ said }) => said.get(name) ?? '').find((one) => one !== '');
    return code === undefined
      ? []
      : [
          makeField(`${field}_identifier`, code),
          makeField(`${field}_title`, this.tables.terms.get(code) || code),
          makeField(`${field}_system`, system),
        ];
  }
}

/** What the facts say to which the elements lead. */
function sameNamed({ sameOf: known }: Labelled, leading: readonly PlainElement[]): readonly string[] {
  const labels = new Set(leading.map(({ attributes }) => attributes.get('of') ?? ''));
  return [...labels].flatMap((label) => known.get(label) ?? []);
}

function membersField(field: PlainElement, name: string, labelled: Labelled): PlainElement {
  const { drafts, numbers } = labelled;
  const named = new Set(sameNamed(labelled, childrenOf(field, 'Member')));
  const members = [...named].flatMap((same) => drafts.get(same) ?? []);
  members.sort((one, other) => numbers.get(one)! - numbers.get(other)!);
  const models = members.map((draft) => {
    const title = draft.fields.find(({ attributes }) => attributes.get('name') === 'test_name_title');
    return element('Model', new Map([['name', 'LabPanelResult']]), [
      makeField('result', draftName(numbers.get(draft)!)),
      makeField('test', title ? cutText(plainSpace(allText(title)), USUAL.length) : ''),
    ]);
  });
  return element('Field', new Map([['name', name]]), [element('Models', NO_ATTRIBUTES, models)]);
}

function leftOutIn({ counted }: Drafts, { reasons }: Tables): readonly PlainElement[] {
  return [...counted.values()]
    .filter(({ count }) => count > 0)
    .map(({ model, reason, where, count, parts }) => {
      const said = Object.entries({ model, reason, count: String(count), where, parts: parts.join(' ') }).filter(
        ([name, value]) => !['where', 'parts'].includes(name) || value !== '',
      );
      return element('LeftOut', new Map(said), [], reasons.get(reason) ?? '');
    });
}

const CODE_LENGTH = 100;

/** A part of a code or of an address would be another code or address. */
function aboutOf({ attributes }: PlainElement): PlainElement {
  const [code = '', system = ''] = ['code', 'system'].map((name) => attributes.get(name) ?? '');
  const isCoded = plainSpace(code) !== '' && isShortEnough(code, CODE_LENGTH) && isShortEnough(system, USUAL.length);
  const said = [...attributes]
    .map(([name, text]) => [name, cutText(plainSpace(text), USUAL.length)] as const)
    .filter(([name, text]) => text !== '' && (isCoded || !['code', 'system'].includes(name)));
  return element('About', new Map(said));
}

/** The `Models` of a `Drafts` element. */
export function modelsOfDrafts(root: PlainElement, notesOf: NotesOf): PlainElement {
  const tables = tablesIn(root);
  const drafts = new Drafts(notesOf);
  drafts.read(root);
  return element('Models', NO_ATTRIBUTES, [
    ...new Tidying(tables, drafts).models(),
    ...leftOutIn(drafts, tables),
    ...childrenOf(root, 'About').map(aboutOf),
    ...childrenOf(root, 'Source'),
    ...childrenOf(root, 'Bundle'),
    ...childrenOf(root, 'At').flatMap((at) => childrenOf(at, 'TakenBack')),
  ]);
}
