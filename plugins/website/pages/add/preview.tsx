/** preview: shows what a file says before it is stored: every fact in words, and what would be left out and why. */
import type { JSX } from 'preact';
import { groupedBy } from '../../../../core/base/grouped-by';
import type { Model } from '../../../../core/facts/model/model';
import type { ValueOf } from '../../../../core/http/route';
import {
  factDate,
  factLine,
  factTitle,
  fieldLabel,
  modelOf,
  modelTitle,
  shortened,
  splitName,
  type Fact,
} from '../../words/facts';
import { isExactPlace, isMendOfFile, leftOutName, leftOutPlace, leftOutReason } from '../documents/left-out';
import type { operations } from '../../http/operations';
import type { Visit } from '../../http/page';
import { kindName } from '../../words/type-words';
import { commaSeparated, type Words } from '../../words/words';
import { checkWords } from '../../unlikely';
import { Check, Part, Rows } from '../../parts/layout';

export type Previewed = Omit<ValueOf<typeof operations.documents.documentPreview>, 'facts'> & {
  readonly facts: readonly Fact[];
};

type Row = {
  readonly model: string;
  readonly what: string;
  readonly title: string;
  readonly line: string;
  readonly date: string;
  /** What of it hardly can be. */ readonly check: string;
  readonly nested: readonly Row[];
  /** What a form calls it; absent: it has no tick. */ readonly name?: string;
  /** The same was left out when the file was added before. */ readonly isLeftOut?: boolean;
};

/** How the ticks of a file belong to the form that adds it. */
export type Ticks = {
  /** Id of the form. */ readonly form: string;
  /** The name of a field of this file. */ readonly field: (name: string) => string;
};

type Said = { readonly kind: string; readonly rows: readonly Row[] };

/** Rows for nested facts, with the name of their model, or of their field if people have no word for the model. */
function nestedRows(visit: Visit, model: Model, fact: Fact): readonly Row[] {
  return model.relations.flatMap(({ field }) => {
    const facts = [fact[field] ?? []].flat() as Fact[];
    return facts.map((one) =>
      modelOf(visit.models, one).words
        ? rowOf(visit, one)
        : { ...rowOf(visit, one), what: fieldLabel(model, field, visit.words) },
    );
  });
}

const MOST_REMARK = 280;

/** What the source remarks of a fact, such as "Morning" or "left arm", where its line does not say it. */
function remarkOf({ words }: Model, fact: Fact): string {
  const { notes } = fact;
  return typeof notes === 'string' && words?.line?.includes('notes') !== true ? shortened(notes, MOST_REMARK) : '';
}

export function rowOf(visit: Visit, fact: Fact): Row {
  const model = modelOf(visit.models, fact);
  return {
    model: model.name,
    what: kindName(model.name, visit.models, visit.words),
    title: factTitle(model, fact, visit.words),
    line: commaSeparated([factLine(model, fact, visit.words), remarkOf(model, fact)], visit.words),
    date: factDate(model, fact, visit.words),
    check: checkWords(model, fact, visit.words),
    nested: nestedRows(visit, model, fact),
  };
}

/** Formats that people have a word for. */
const formatTexts: Readonly<Record<string, string>> = {
  ccda: 'add.format-ccda',
  'fhir-bundle': 'add.format-fhir',
  models: 'add.format-models',
  'models-bare': 'add.format-models',
  demographics: 'add.format-person',
};

function previewedKind({ models, words }: Visit, { format, facts }: Previewed): string {
  const known = formatTexts[format ?? ''];
  if (known !== undefined) {
    return words.say(known);
  }
  const names = [...new Set(facts.map(({ __modelname__: name }) => name))];
  const only = names.length === 1 ? models.find(names[0]!) : undefined;
  return only ? modelTitle(only, words) : splitName((format ?? '').replaceAll('-', '_'));
}

export function factsSaid(visit: Visit, preview: Previewed): Said {
  return {
    kind: previewedKind(visit, preview),
    rows: preview.facts.map((fact, index) => {
      const { name = null, isLeftOut = false } = preview.offered[index] ?? {};
      return { ...rowOf(visit, fact), ...(name === null ? {} : { name, isLeftOut }) };
    }),
  };
}

/** The size of a file in words: "48 kB". */
export function SizeWords(bytes: number, { number }: Words): string {
  if (bytes < 1000) {
    return number(bytes, { style: 'unit', unit: 'byte', unitDisplay: 'long' });
  }
  const large = bytes >= 1_000_000;
  return number(bytes / (large ? 1_000_000 : 1000), {
    style: 'unit',
    unit: large ? 'megabyte' : 'kilobyte',
    maximumFractionDigits: large ? 1 : 0,
  });
}

function Nested({ rows }: { readonly rows: readonly Row[] }): JSX.Element | null {
  return rows.length === 0 ? null : (
    <ul class="nested">
      {rows.map(({ what, title, line, date, check, nested }) => (
        <li>
          {what === title ? what : `${what}: ${title}`}
          {[line, date, check].filter(Boolean).map((more) => `, ${more}`)}
          <Nested rows={nested} />
        </li>
      ))}
    </ul>
  );
}

/** The kind of a fact, with the tick by which it is taken in. */
function Kind({ visit, row, ticks }: { readonly visit: Visit; readonly row: Row; readonly ticks?: Ticks | undefined }) {
  const { what, title, name, isLeftOut = false } = row;
  return ticks === undefined || name === undefined ? (
    <>{what}</>
  ) : (
    <label class="choice">
      <input type="checkbox" form={ticks.form} name={ticks.field('take')} value={name} checked={!isLeftOut} />
      <span>
        {what}
        {title !== what && (
          <span class="unseen">
            {' '}
            <bdi>{title}</bdi>
          </span>
        )}
        {isLeftOut && <span class="hint">{visit.words.say('add.left-before')}</span>}
      </span>
    </label>
  );
}

type Listed = { readonly visit: Visit; readonly rows: readonly Row[]; readonly ticks?: Ticks | undefined };

function PreviewTable({ visit, rows, ticks }: Listed): JSX.Element {
  const { say } = visit.words;
  return (
    <table class="fold said" role="table">
      <caption class="unseen">{say('add.facts')}</caption>
      <thead role="rowgroup">
        <tr role="row">
          <th scope="col" role="columnheader">
            {say('add.what')}
          </th>
          <th scope="col" role="columnheader" class="own">
            {say('add.says')}
          </th>
          <th scope="col" role="columnheader" class="beside">
            {say('add.date')}
          </th>
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row) => (
          <tr role="row">
            <th scope="row" role="rowheader">
              <Kind visit={visit} row={row} ticks={ticks} />
            </th>
            <td role="cell" class="own" data-label={say('add.says')}>
              <b>
                <bdi>{row.title}</bdi>
              </b>
              {row.line !== '' && (
                <div class="by">
                  <bdi>{row.line}</bdi>
                </div>
              )}
              <Check text={row.check} />
              <Nested rows={row.nested} />
            </td>
            <td role="cell" class="beside" data-label={say('add.date')}>
              {row.date}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** How many facts are shown at once; the others are in a part that can be opened. */
const SEEN = 50;
/** How many facts have a tick of their own; the others have one for each kind. */
const TICKED = 200;

/** What is said of ticks that were sent and are not shown: the same as they said. */
export function SentTicks({ visit, ticks }: { readonly visit: Visit; readonly ticks: Ticks }): JSX.Element {
  const names = (['offered', 'take', 'rest', 'take-rest'] as const).map(ticks.field);
  return (
    <>
      {names.flatMap((name) => visit.form.all(name).map((value) => <input type="hidden" name={name} value={value} />))}
    </>
  );
}

/** Ticks for all facts of a kind that have none of their own. */
function RestTicks({ visit, rows, ticks }: Listed & { readonly ticks: Ticks }): JSX.Element {
  const kinds = groupedBy(
    rows.filter(({ name }) => name !== undefined),
    ({ model }) => model,
  );
  return (
    <>
      {[...kinds].map(([model, [first, ...others]]) => (
        <label class="choice">
          <input type="hidden" form={ticks.form} name={ticks.field('rest')} value={model} />
          <input type="checkbox" form={ticks.form} name={ticks.field('take-rest')} value={model} checked />
          <span>{visit.words.say('add.take-rest', { kind: first!.what, count: others.length + 1 })}</span>
        </label>
      ))}
    </>
  );
}

/** The facts behind the first ones: those that still have a tick of their own, and the others. */
function MoreFacts({ visit, rows, ticks }: Listed): JSX.Element {
  const ticked = ticks === undefined ? [] : rows.slice(0, TICKED - SEEN);
  const others = rows.slice(ticked.length);
  return (
    <details class="more-below">
      <summary>{visit.words.say('add.rest', { count: rows.length })}</summary>
      <div>
        {ticked.length > 0 && <PreviewTable visit={visit} rows={ticked} ticks={ticks} />}
        {others.length > 0 && ticks && <RestTicks visit={visit} rows={others} ticks={ticks} />}
        {others.length > 0 && <PreviewTable visit={visit} rows={others} />}
      </div>
    </details>
  );
}

/** @param hint a sentence about the number of facts; without it, the number itself */
export function WouldBeAdded({
  visit,
  said,
  hint,
  ticks,
}: {
  readonly visit: Visit;
  readonly said: Said;
  readonly hint?: string;
  /** Absent: nothing can be left out. */ readonly ticks?: Ticks;
}): JSX.Element {
  const { say } = visit.words;
  const [first, rest] = [said.rows.slice(0, SEEN), said.rows.slice(SEEN)];
  const offered = said.rows.slice(0, TICKED).flatMap(({ name }) => name ?? []);
  return (
    <Part title={say('add.would')} hint={hint ?? say('add.count', { count: said.rows.length })}>
      {ticks && offered.length > 0 && (
        <>
          <p>{say('add.take-hint')}</p>
          <input type="hidden" form={ticks.form} name={ticks.field('offered')} value={offered.join(' ')} />
        </>
      )}
      {first.length === 0 ? <p>{say('add.no-facts')}</p> : <PreviewTable visit={visit} rows={first} ticks={ticks} />}
      {rest.length > 0 && <MoreFacts visit={visit} rows={rest} ticks={ticks} />}
    </Part>
  );
}

type LeftOut = Previewed['leftOut'];
type LeftOutOf = {
  readonly visit: Visit;
  readonly leftOut: LeftOut;
  /** In a file of many */ readonly ofMany: boolean;
};

function countOf(leftOut: LeftOut): number {
  return leftOut.reduce((sum, one) => sum + one.count, 0);
}

/** The places of what was left out; of lines and entries it must be clear in which document they are. */
function placesOf(leftOut: LeftOut, ofMany: boolean, words: Words): string {
  const places = leftOut.flatMap(({ where }) =>
    where === undefined || (ofMany && isExactPlace(where)) ? [] : [where],
  );
  return commaSeparated([...new Set(places.map((where) => leftOutPlace(where, words)))], words);
}

function Places({ places }: { readonly places: string }): JSX.Element | null {
  return places === '' ? null : (
    <span class="by">
      <bdi>{places}</bdi>
    </span>
  );
}

/** What was mended in the file before it was read: by its reason, because nothing is missing. */
function Mended({ visit, leftOut, ofMany }: LeftOutOf): JSX.Element | null {
  const { say, number } = visit.words;
  return leftOut.length === 0 ? null : (
    <Part title={say('add.mended')} hint={say('add.things', { count: countOf(leftOut) })}>
      <Rows>
        {[...groupedBy(leftOut, ({ reason }) => reason)].map(([reason, ones]) => {
          const [count, places] = [countOf(ones), placesOf(ones, ofMany, visit.words)];
          return (
            <li>
              <span>
                {leftOutReason(reason, visit.words)}
                {count > 1 && ` × ${number(count)}`}
              </span>
              <Places places={places} />
            </li>
          );
        })}
      </Rows>
      <p class="more soft">{say('add.mended-noted')}</p>
    </Part>
  );
}

function Missing({ visit, leftOut, ofMany }: LeftOutOf): JSX.Element | null {
  const { say, number } = visit.words;
  const groups = groupedBy(leftOut, ({ model, reason, where }) => JSON.stringify([model, reason, ofMany || where]));
  return leftOut.length === 0 ? null : (
    <Part
      title={say(ofMany ? 'add-file.unsaid' : 'add.left-out')}
      hint={say('add.things', { count: countOf(leftOut) })}
    >
      <Rows>
        {[...groups.values()].map((ones) => {
          const { model, reason } = ones[0]!;
          const [count, places] = [countOf(ones), placesOf(ones, ofMany, visit.words)];
          return (
            <li>
              <span class="name">
                <bdi>{leftOutName(model, visit.models, visit.words)}</bdi>
                {count > 1 && ` × ${number(count)}`}
              </span>
              <span class="by">{leftOutReason(reason, visit.words)}</span>
              <Places places={places} />
            </li>
          );
        })}
      </Rows>
      <p class="more soft">{say('add.nothing-lost')}</p>
    </Part>
  );
}

/** What a file says and no fact does, and apart from it what was mended in the file. */
export function LeftOutPart({
  visit,
  leftOut,
  ofMany = false,
}: {
  readonly visit: Visit;
  readonly leftOut: LeftOut;
  /** They are of several documents in a file. */ readonly ofMany?: boolean;
}): JSX.Element {
  return (
    <>
      <Missing visit={visit} leftOut={leftOut.filter((one) => !isMendOfFile(one))} ofMany={ofMany} />
      <Mended visit={visit} leftOut={leftOut.filter(isMendOfFile)} ofMany={ofMany} />
    </>
  );
}
