/** answers: what was typed into a quick form, as answers to the form of its model. */
import { localTime } from '../../words/zoned';
import { answersOf, type Answers } from '../add/model-answers';
import type { FieldPlan, FormPlan } from '../add/model-form';
import type { Form } from '../../http/page';
import type { Words } from '../../words/words';
import { usualTimes, type QuickField, type QuickKind } from './kinds';

/** The hidden field with the day and the time with which a form was filled: "2026-12-01T09:12". */
export function filledField(column: string): string {
  return `${column}:filled`;
}

/** Today and now, with which the fields of a form that nobody has sent yet are filled. */
export function filledIn(kind: QuickKind, now: number, { zone }: Words): Answers {
  const { day, time } = localTime(zone, now);
  const texts = new Map(
    kind.fields.flatMap((field) =>
      field.kind === 'when'
        ? [
            [field.column, day] as const,
            [`${field.column}:time`, field.isDay ? '' : time] as const,
            [filledField(field.column), `${day}T${time}`] as const,
          ]
        : [],
    ),
  );
  return { text: (name) => texts.get(name) ?? '', rows: () => 1 };
}

function choiceOf(field: QuickField, form: Form) {
  return field.kind === 'pick' ? field.choices.find(({ name }) => name === form.text(field.name)) : undefined;
}

/** An amount with a unit of UCUM that people write the same way. */
const AMOUNT = /^(\p{Nd}+(?:[.,\u066B]\p{Nd}+)?)\s*(mg|g|ug|mL|ml|L|l)$/u;

/** How much and how often of a medicine, as columns where they say it, and otherwise in the person's own words. */
function dosageColumns(form: Form, words: Words): readonly (readonly [string, string])[] {
  const [much, often] = [form.text('how-much'), form.text('how-often')];
  const [, value = '', unit = ''] = AMOUNT.exec(much) ?? [];
  const said = often.toLocaleLowerCase(words.locale);
  const [, frequency = '', times = ''] =
    usualTimes(words).find(([one]) => one.toLocaleLowerCase(words.locale) === said) ?? [];
  const own = [value === '' ? much : '', frequency === '' ? often : ''].filter((part) => part !== '');
  return [
    ['quantity_value', value],
    ['quantity_unit', unit],
    ['frequency_value', frequency],
    ['frequency_unit', times],
    ['instructions', own.join(', ')],
  ];
}

/**
 * Leaves out the time that the form was filled with where a person chose another day: nobody has said that time of it.
 * A form that tells nothing of what it was filled with is taken as it is.
 */
function saidTimes(kind: QuickKind, form: Form): readonly (readonly [string, string])[] {
  return kind.fields.flatMap((field) => {
    if (field.kind !== 'when' || field.isDay) {
      return [];
    }
    const [day, time] = form.text(filledField(field.column)).split('T');
    const isLeft = time !== undefined && form.text(`${field.column}:time`) === time && form.text(field.column) !== day;
    return isLeft ? [[`${field.column}:time`, ''] as const] : [];
  });
}

/** The answers of a form that was sent. */
export function quickAnswers(kind: QuickKind, form: Form, words: Words): Answers {
  const typed = answersOf(form);
  const meant = new Map([
    ...kind.fields.flatMap((field) => Object.entries(choiceOf(field, form)?.columns ?? {})),
    ...(kind.name === 'medicine' ? dosageColumns(form, words) : []),
    ...saidTimes(kind, form),
  ]);
  return { ...typed, text: (name) => meant.get(name) ?? typed.text(name) };
}

/** The labels of the quick form, so that what is wrong is said in its words. */
function labelsOf(kind: QuickKind, { say }: Words): ReadonlyMap<string, string> {
  return new Map(
    kind.fields.flatMap((field): readonly (readonly [string, string])[] => {
      switch (field.kind) {
        case 'pad':
          return field.fields.map(([column, label]) => [column, say(`quick.${label}`)]);
        case 'when':
          return [[field.column, say('quick.day')]];
        case 'pick':
          return [];
        default:
          return [[field.column, say(`quick.${field.label}`)]];
      }
    }),
  );
}

export function withQuickLabels(plan: FormPlan, kind: QuickKind, words: Words): FormPlan {
  const labels = labelsOf(kind, words);
  const named = (fields: readonly FieldPlan[]): readonly FieldPlan[] =>
    fields.map((field) => {
      const renamed = (controls: FieldPlan['main']) =>
        controls.map((control) => ({ ...control, label: labels.get(control.name) ?? control.label }));
      return { ...field, main: renamed(field.main), more: renamed(field.more) };
    });
  return { ...plan, first: named(plan.first), rest: named(plan.rest) };
}
