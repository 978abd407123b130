/** fields: the fields of a quick form: large numbers, few choices, and the time, which is filled in. */
import type { JSX } from 'preact';
import { Icon } from '../../parts/icons';
import { Field, idOf, TextArea, type Wrong } from '../../parts/form';
import type { PersonVisit } from '../../http/page';
import type { Answers } from '../add/model-answers';
import { filledField } from './answers';
import { localTime, zoneName } from '../../words/zoned';
import { commaSeparated, type Words } from '../../words/words';
import type { QuickField } from './kinds';

export type QuickView = {
  readonly visit: PersonVisit;
  /** The words in the time zone of the record's owner. */ readonly words: Words;
  readonly answers: Answers;
  readonly wrong: Wrong | undefined;
};

type Of<K extends QuickField['kind']> = {
  readonly view: QuickView;
  readonly field: Extract<QuickField, { readonly kind: K }>;
};

type LargeProps = {
  readonly view: QuickView;
  readonly column: string;
  readonly label: string;
  readonly inputmode: 'numeric' | 'decimal';
  /** The id of what stands below. */ readonly hint?: string;
};

/** A number in large digits, for which a telephone shows its pad. */
function LargeNumber({ view: { answers, wrong, words }, column, label, inputmode, hint }: LargeProps): JSX.Element {
  const why = wrong?.[column];
  const about = [why === undefined ? '' : `${idOf(column)}-why`, hint ?? ''].filter(Boolean).join(' ');
  return (
    <div class={why === undefined ? undefined : 'bad'}>
      <label for={idOf(column)}>{words.say(`quick.${label}`)}</label>
      {why !== undefined && (
        <p class="why" id={`${idOf(column)}-why`}>
          {why}
        </p>
      )}
      <input
        id={idOf(column)}
        name={column}
        inputmode={inputmode}
        autocomplete="off"
        value={answers.text(column)}
        aria-invalid={why === undefined ? undefined : 'true'}
        aria-describedby={about || undefined}
      />
    </div>
  );
}

function Pad({ view, field }: Of<'pad'>): JSX.Element {
  return (
    <div>
      <div class="pad">
        {field.fields.map(([column, label], index) => (
          <>
            {index > 0 && <span aria-hidden="true">/</span>}
            <LargeNumber view={view} column={column} label={label} inputmode="numeric" hint="pad-hint" />
          </>
        ))}
      </div>
      <p class="by" id="pad-hint">
        {view.words.say('quick.pad-hint')}
      </p>
    </div>
  );
}

function Numeric({ view, field }: Of<'number'>): JSX.Element {
  const { answers, wrong, words } = view;
  return field.isLarge ? (
    <div class="pad">
      <LargeNumber view={view} column={field.column} label={field.label} inputmode="decimal" hint="pad-unit" />
      <span id="pad-unit">{words.say(`quick.${field.unit}`)}</span>
    </div>
  ) : (
    <Field
      label={words.say(`quick.${field.label}`)}
      name={field.column}
      value={answers.text(field.column)}
      wrong={wrong}
      unit={words.say(`quick.${field.unit}`)}
      decimal
      short
      autocomplete="off"
    />
  );
}

function Written({ view: { answers, wrong, words }, field }: Of<'text' | 'long'>): JSX.Element {
  const { column, hint, suggested } = field;
  const list = suggested ? `${idOf(column)}-list` : undefined;
  const common = {
    label: words.say(`quick.${field.label}`),
    name: column,
    value: answers.text(column),
    wrong,
    hint: hint && words.say(`quick.${hint}`),
  };
  return field.kind === 'long' ? (
    <TextArea {...common} />
  ) : (
    <>
      <Field {...common} dir="auto" autocomplete="off" list={list} />
      {suggested && (
        <datalist id={list}>
          {suggested(words).map((one) => (
            <option value={one} />
          ))}
        </datalist>
      )}
    </>
  );
}

function Pick({ view: { visit, words }, field }: Of<'pick'>): JSX.Element {
  return (
    <fieldset>
      <legend>{words.say(`quick.${field.label}`)}</legend>
      <div class="pick">
        {field.choices.map(({ name }) => (
          <label>
            <input type="radio" name={field.name} value={name} checked={visit.form.text(field.name) === name} />
            {words.say(`quick.${name}`)}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function isToday({ answers, visit, words }: QuickView, column: string): boolean {
  return answers.text(column) === localTime(words.zone, visit.now).day;
}

function ownDigits(time: string, { number }: Words): string {
  return time.replace(/\d+/g, (digits) => number(Number(digits), { minimumIntegerDigits: digits.length }));
}

/** "Today, 09:12": what is filled in. It can be changed in two fields below. */
function When({ view, field: { column, isDay } }: Of<'when'>): JSX.Element {
  const { answers, wrong, words, visit } = view;
  const { say } = words;
  const [day, time] = [answers.text(column), answers.text(`${column}:time`)];
  const said = isToday(view, column) ? say('quick.today') : say('quick.another-day');
  return (
    <details class="box when-box" open={wrong?.[column] !== undefined || !isToday(view, column)}>
      <summary>
        <Icon name="clock" />
        <b>{isDay || time === '' ? said : commaSeparated([said, ownDigits(time, words)], words)}</b>
        <span class="soft small">{say('quick.change')}</span>
      </summary>
      <div class="side-by">
        <Field label={say('quick.day')} name={column} type="date" value={day} wrong={wrong} />
        {!isDay && (
          <Field label={say('add-model.time')} name={`${column}:time`} type="time" value={time} wrong={wrong} />
        )}
        {!isDay && <input type="hidden" name={filledField(column)} value={answers.text(filledField(column))} />}
      </div>
      {!isDay && words.zone !== visit.words.zone && (
        <p class="hint">{say('quick.zone', { zone: zoneName(words.zone) })}</p>
      )}
    </details>
  );
}

export function QuickInput({ view, field }: { readonly view: QuickView; readonly field: QuickField }): JSX.Element {
  switch (field.kind) {
    case 'pad':
      return <Pad view={view} field={field} />;
    case 'number':
      return <Numeric view={view} field={field} />;
    case 'pick':
      return <Pick view={view} field={field} />;
    case 'when':
      return <When view={view} field={field} />;
    default:
      return <Written view={view} field={field} />;
  }
}
