/**
 * table: facts of one model as a table: four narrow columns of readings, or rows that become a list on a
 * telephone.
 */
import type { ComponentChildren, JSX } from 'preact';
import { parsePartialDate } from '../../../../core/facts/model/dates';
import type { Model, ModelField } from '../../../../core/facts/model/model';
import {
  dateField,
  dateWords,
  fieldLabel,
  fieldWords,
  factTitle,
  isCode,
  isDate,
  isReading,
  isText,
  isUnit,
  knownDate,
  normalRange,
  positionWords,
  readingState,
  findNamingField,
  titleFields,
  unitWords,
  type Fact,
  factAddress,
  withoutEarlyDone,
} from '../../words/facts';
import { missingFromList, paperWords, wrongWords } from '../../words/said-once';
import { isIn, pairWords, unitIn, valuesIn, type Series } from './series';
import { Check } from '../../parts/layout';
import { checkWords } from '../../unlikely';
import type { Words } from '../../words/words';
import { dayIn, dayOnly } from '../../words/zoned';

type Column = {
  readonly text: string;
  readonly unit?: string;
  readonly kind: 'num' | 'own' | 'plain';
  readonly of: (fact: Fact) => ComponentChildren;
  readonly strong?: boolean;
};

type Shown = {
  readonly model: Model;
  readonly facts: readonly Fact[];
  readonly series: readonly Series[];
  readonly chosen: Series | undefined;
  readonly words: Words;
};

const FIT = 3;
const FOLD = 5;

/** The column that names the facts, unless it is itself a reading. */
function namingColumn({ model, words }: Shown): readonly Column[] {
  const field = findNamingField(model);
  return field === undefined || isReading(field)
    ? []
    : [
        {
          text: fieldLabel(model, field.name, words),
          kind: 'own',
          of: (fact) => saidText(factTitle(model, fact, words)),
        },
      ];
}

/** The readings that facts of this page have, the chosen one first. */
function readingColumns(shown: Shown): readonly Column[] {
  const { model, facts, series, chosen, words } = shown;
  const naming = namingColumn(shown);
  const there = series.filter((one) => one.field !== chosen?.field && facts.some((fact) => isIn(one, fact)));
  const drawn = [...(chosen ? [chosen] : []), ...there];
  const position = chosen && `${chosen.field}_position_title`;
  const positioned = position !== undefined && facts.some((fact) => fact[position]);
  const stated = facts.some((fact) => readingState(model, fact, words) !== '');
  return [
    ...naming,
    ...drawn.slice(0, FIT - naming.length - Number(positioned) - Number(stated)).map((one): Column => ({
      text: one.label,
      unit: unitWords(
        unitIn(
          one,
          facts.find((fact) => isIn(one, fact)),
        ),
        words,
      ),
      kind: 'num',
      strong: one === chosen,
      of: (fact) => (isIn(one, fact) ? pairWords(valuesIn(one, fact), words) : '–'),
    })),
    ...(positioned
      ? [
          {
            text: fieldLabel(model, `${chosen!.field}_position`, words),
            kind: 'plain' as const,
            of: (fact: Fact) => positionWords(fact, chosen!.field, words) || '–',
          },
        ]
      : []),
    ...(stated
      ? [
          {
            text: fieldLabel(model, 'status', words),
            kind: 'plain' as const,
            of: (fact: Fact) => readingState(model, fact, words) || '–',
          },
        ]
      : []),
  ];
}

/** A long word, which may be broken so that no table is wider than its page. */
const LONG = /\S{18}/;
/** An amount, which stays in one line. */
const AMOUNT = /^[\p{N}.,٫]+ .{1,10}$/u;

function breaks(text: string): string | undefined {
  if (LONG.test(text)) {
    return 'long';
  }
  return AMOUNT.test(text) ? 'amount' : undefined;
}

/** An empty cell has no content, so that it is left out on a telephone. */
function saidText(text: string): ComponentChildren {
  return text !== '' && <bdi class={breaks(text)}>{text}</bdi>;
}

const numeric: readonly string[] = ['Number', 'Integer'];

type Said = {
  readonly text: string;
  readonly kind: Column['kind'];
  readonly of: (fact: Fact) => string;
  /**
   * Whether the column consists of words. Words that repeat another column are left out; equal numbers or days are not.
   */
  readonly worded: boolean;
};

/** A date as short as those in the first column; a month or a year if no more is known. */
function shortDate(fact: Fact, name: string, words: Words): string {
  const known = knownDate(fact, name);
  if (known === '' || parsePartialDate(known)) {
    return dateWords(known, words);
  }
  const day = known.includes('T') ? dayOnly(known) : known;
  return day === undefined ? words.date(known, 'short-time') : words.date(day, 'short-day');
}

/** The column of a field and, after a result, the range in which it is normal. */
function cellsOf({ model, words }: Shown, field: ModelField): readonly Said[] {
  return [
    {
      text: fieldLabel(model, field.name, words),
      kind: numeric.includes(field.type) ? 'num' : 'plain',
      of: (fact) => (isDate(field) ? shortDate(fact, field.name, words) : fieldWords(model, fact, field.name, words)),
      worded: isText(field),
    },
    {
      text: words.say('facts.normal-range'),
      kind: 'plain',
      of: (fact) => normalRange(model, fact, field.name, words),
      worded: false,
    },
  ];
}

/** The columns that say something that no column before them says. */
function sayingMore(columns: readonly Said[], facts: readonly Fact[]): readonly Said[] {
  return columns.filter(({ of, worded }, at) => {
    const before = worded ? columns.slice(0, at) : [];
    return facts.some((fact) => of(fact) !== '' && before.every((other) => other.of(fact) !== of(fact)));
  });
}

/** The column that says what a fact is, then the most informative fields that facts of this page have. */
function factColumns(shown: Shown): readonly Column[] {
  const { model, facts, words } = shown;
  const [first] = titleFields(model);
  const named = new Set([first, ...(model.words ? titleFields(model) : [])]);
  const preferred = model.words?.line ?? [];
  const place = ({ name }: ModelField): number => (preferred.includes(name) ? preferred.indexOf(name) : Infinity);
  const fields = [...model.fields]
    .filter((field) => !named.has(field.name) && field.name !== dateField(model))
    .filter((field) => !isUnit(model, field.name) && !isCode(model, field))
    .sort((a, b) => Number(place(a) > place(b)) - Number(place(a) < place(b)));
  const columns = sayingMore(
    fields.flatMap((field) => cellsOf(shown, field)),
    facts,
  );
  return [
    {
      text: first === undefined ? '' : fieldLabel(model, first, words),
      kind: 'own',
      of: (fact) => saidText(factTitle(model, fact, words)),
    },
    ...columns.slice(0, FOLD).map((column) => ({ ...column, of: (fact: Fact) => saidText(column.of(fact)) })),
  ];
}

/** The columns that the words file of the model names, the first of which says what a fact is. */
function declaredColumns(shown: Shown, names: readonly string[]): readonly Column[] {
  const { model } = shown;
  const fields = names.flatMap((name) => model.fields.find((field) => field.name === name) ?? []);
  return fields.map((field, at): Column => {
    const column = cellsOf(shown, field)[0]!;
    return {
      ...column,
      kind: at === 0 ? 'own' : column.kind,
      ...(model.words?.chart?.field === field.name ? chartUnit(shown) : {}),
      of: (fact) => saidText(column.of(fact)),
    };
  });
}

/** The unit of the number that is drawn, if it is one for all facts. */
function chartUnit({ model, series, words }: Shown): { readonly unit?: string } {
  const unit = series.find(({ field }) => field === model.words?.chart?.field)?.unit;
  return unit === undefined ? {} : { unit: unitWords(unit, words) };
}

/** The day only, with the time if several facts are of one day; the month or the year if no more is known. */
function dateCellWords(fact: Fact, facts: readonly Fact[], date: string, words: Words): string {
  const known = knownDate(fact, date);
  const day = dayIn(words.zone, known);
  if (day === '') {
    return words.say('data.no-date');
  }
  if (parsePartialDate(day)) {
    return dateWords(day, words);
  }
  const several = facts.filter((other) => dayIn(words.zone, knownDate(other, date)) === day).length > 1;
  return several && dayOnly(known) === undefined ? words.date(known, 'short-time') : words.date(day, 'short-day');
}

function ColumnHead({ column: { text, unit, kind } }: { readonly column: Column }): JSX.Element {
  return (
    <th scope="col" role="columnheader" class={kind === 'num' ? 'num' : undefined}>
      {text}
      {unit && (
        <>
          {' '}
          <bdi class="soft small">{unit}</bdi>
        </>
      )}
    </th>
  );
}

/** In how many documents the sender of each fact says it, if one of them is said in several. */
function sourcesColumn({ facts, words }: Shown): readonly Column[] {
  const countOf = ({ __documents__: documents }: Fact): number => (Array.isArray(documents) ? documents.length : 1);
  return facts.every((fact) => countOf(fact) === 1)
    ? []
    : [{ text: words.say('data.documents'), kind: 'plain', of: (fact) => words.number(countOf(fact)) }];
}

/**
 * Says that the person calls the fact wrong, that the newest list of its sender does not have it any more, and of when its
 * document is that stays closed.
 */
function BesideFact({ fact, words }: { readonly fact: Fact; readonly words: Words }): JSX.Element {
  const said = [wrongWords(fact, words), missingFromList(fact, words), paperWords(fact, words)].filter(
    (text) => text !== '',
  );
  return (
    <>
      {said.map((text) => (
        <div class="by">{text}</div>
      ))}
    </>
  );
}

export function FactsTable({
  shown,
  base,
  title,
}: {
  readonly shown: Shown;
  readonly base: string;
  readonly title: string;
}): JSX.Element {
  const { model, facts, words } = shown;
  const date = dateField(model);
  const declared = model.words?.columns;
  const fits = declared === undefined && model.fields.some(isReading);
  const own = fits ? readingColumns(shown) : factColumns(shown);
  const columns = [...(declared ? declaredColumns(shown, declared) : own), ...sourcesColumn(shown)];
  const rows = facts.map((one) => withoutEarlyDone(model, one, words));
  const link = (fact: Fact, text: ComponentChildren) =>
    fact.__documentid__ === undefined ? text : <a href={factAddress(base, fact)}>{text}</a>;
  return (
    <table class={fits ? 'fit' : 'fold'} role="table">
      <caption class="unseen">{title}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {date !== undefined && (
            <th scope="col" role="columnheader" class="date">
              {fieldLabel(model, date, words)}
            </th>
          )}
          {columns.map((column) => (
            <ColumnHead column={column} />
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((fact) => (
          <tr role="row" data-kind={model.name} data-id={fact.__id__}>
            {date !== undefined && (
              <th scope="row" role="rowheader" class="date">
                {link(fact, dateCellWords(fact, facts, date, words))}
              </th>
            )}
            {columns.map(({ text, kind, of, strong }, at) => {
              const value = date === undefined && kind === 'own' ? link(fact, of(fact)) : of(fact);
              return (
                <td role="cell" class={kind === 'plain' ? undefined : kind} data-label={text}>
                  {strong ? <b>{value}</b> : value}
                  {at === 0 && <Check text={checkWords(model, fact, words)} />}
                  {at === 0 && <BesideFact fact={fact} words={words} />}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
