/** model-fields: the fields of a model's form, filled in and with their errors, laid out as GOV.UK does. */
import type { ComponentChildren, JSX } from 'preact';
import type { FoundCode } from './code-look-up';
import { unitWords } from '../../words/facts';
import { choiceValue, partialName, writtenName, type Answers } from './model-answers';
import { choiceWords, type Control, type FieldPlan, type FormPlan, type NestedPlan } from './model-form';
import type { Visit } from '../../http/page';
import { Field, idOf, Select, TextArea, type Wrong } from '../../parts/form';
import { Part } from '../../parts/layout';

export type FormView = {
  readonly visit: Visit;
  readonly answers: Answers;
  readonly wrong: Wrong | undefined;
  /** The codes that were just looked up, and the field for which. */
  readonly found?: { readonly name: string; readonly codes: readonly FoundCode[] };
};

function choices(control: Control, { words }: Visit) {
  return [
    { value: '', text: words.say('add-model.unsaid') },
    ...(control.column.values ?? []).map((value) => ({
      value: String(value),
      text: choiceWords(control, value, words),
    })),
  ];
}

function yesNo({ words: { say } }: Visit) {
  return [
    { value: '', text: say('add-model.unsaid') },
    { value: 'true', text: say('facts.yes') },
    { value: 'false', text: say('facts.no') },
  ];
}

function Codes({ view, name }: { readonly view: FormView; readonly name: string }): JSX.Element | null {
  const { visit, found } = view;
  const { say } = visit.words;
  if (found?.name !== name) {
    return null;
  }
  return (
    <div class="codes" role="group" aria-labelledby={`${idOf(name)}-found`}>
      {/* The page begins here, so that the answer is read out and the keyboard goes on from it. */}
      <p id={`${idOf(name)}-found`} tabindex={-1} autofocus={found.codes.length === 0}>
        {say('add-model.found', { count: found.codes.length })}
      </p>
      {found.codes.map(({ identifier, system, title, also }, index) => (
        <label class="choice">
          <input
            type="radio"
            name={`pick:${name}`}
            value={choiceValue(identifier, system, title)}
            checked={index === 0}
            autofocus={index === 0}
          />
          <span>
            <bdi>{title}</bdi>
            {also !== '' && (
              <span class="hint">
                <bdi>{also}</bdi>
              </span>
            )}
          </span>
        </label>
      ))}
      {found.codes.length > 0 && (
        <label class="choice">
          <input type="radio" name={`pick:${name}`} value="" />
          <span>{say('add-model.own-words')}</span>
        </label>
      )}
    </div>
  );
}

type ControlProps = { readonly view: FormView; readonly control: Control; readonly path: string };

/** A nested fact may be missing as a whole, so none of its fields is required. */
function isNeeded({ control, path }: ControlProps): boolean {
  return control.column.required && path === '';
}

function Coded(props: ControlProps): JSX.Element {
  const { view, control, path } = props;
  const { visit, answers, wrong } = view;
  const { say } = visit.words;
  const name = `${path}${control.name}`;
  const value = answers.text(name);
  const { identifier, system } = control.code!;
  const code = answers.text(`${path}${identifier}`);
  return (
    <div class="coded">
      <Field
        label={control.label}
        name={name}
        value={value}
        wrong={wrong}
        dir="auto"
        autocomplete="off"
        required={isNeeded(props)}
        {...(code === '' ? {} : { hint: say('add-model.has-code') })}
      />
      <input type="hidden" name={`${path}${identifier}`} value={code} />
      <input type="hidden" name={`${path}${system}`} value={answers.text(`${path}${system}`)} />
      <input type="hidden" name={`coded:${name}`} value={value} />
      <button class="button little" name="look" value={name} formnovalidate>
        {say('add-model.look-up')}
        <span class="unseen">: {control.label}</span>
      </button>
      <Codes view={view} name={name} />
    </div>
  );
}

function controlWithUnit({ view, control, path }: ControlProps, field: JSX.Element): JSX.Element {
  const { visit, answers, wrong } = view;
  const { unit } = control;
  if (!unit) {
    return field;
  }
  return unit.fixed === undefined ? (
    <div class="side">
      {field}
      <Field
        label={visit.words.say('add-model.unit')}
        name={`${path}${unit.column.name}`}
        value={answers.text(`${path}${unit.column.name}`)}
        wrong={wrong}
        autocomplete="off"
        exact
      />
    </div>
  ) : (
    field
  );
}

function More({
  open,
  text,
  children,
}: {
  readonly open: boolean;
  readonly text: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  return (
    <details class="more-below" open={open}>
      <summary>{text}</summary>
      <div>{children}</div>
    </details>
  );
}

/**
 * A field for people who do not know the day. There is none for a date that every fact of the model has, such as that
 * of a measurement, because people know that day.
 */
function Partial({ view, control, path }: ControlProps): JSX.Element | null {
  const { answers, wrong, visit } = view;
  const { say, rich } = visit.words;
  const name = partialName(`${path}${control.name}`);
  return control.column.required ? null : (
    <More
      open={answers.text(name) !== '' || wrong?.[name] !== undefined}
      text={rich('add-model.partial-open', {
        label: control.label,
        u: (chunks) => <span class="unseen">{chunks}</span>,
      })}
    >
      <Field
        label={say('add-model.partial')}
        hint={say('add-model.partial-hint')}
        name={name}
        value={answers.text(name)}
        wrong={wrong}
        short
        autocomplete="off"
      />
    </More>
  );
}

/** Keeps a time as it was written, so that it has the same offset when only something else is changed. */
function WrittenField({ name, answers }: { readonly name: string; readonly answers: Answers }): JSX.Element | null {
  const text = answers.text(name);
  return text === '' ? null : <input type="hidden" name={name} value={text} />;
}

function Plain(props: ControlProps): JSX.Element {
  const { view, control, path } = props;
  const { visit, answers, wrong } = view;
  const name = `${path}${control.name}`;
  const { label, hint } = control;
  const common = { label, hint, name, wrong, value: answers.text(name), required: isNeeded(props) };
  switch (control.kind) {
    case 'long':
      return <TextArea {...common} />;
    case 'choice':
      return <Select {...common} short options={choices(control, visit)} />;
    case 'yes-no':
      return <Select {...common} short options={yesNo(visit)} />;
    case 'day':
      return (
        <>
          <Field {...common} type="date" short autocomplete="off" />
          <Partial {...props} />
        </>
      );
    case 'moment':
      return (
        <>
          <div class="side">
            <Field {...common} type="date" autocomplete="off" />
            <Field
              label={visit.words.say('add-model.time')}
              name={`${name}:time`}
              value={answers.text(`${name}:time`)}
              type="time"
              autocomplete="off"
            />
          </div>
          <WrittenField name={writtenName(name)} answers={answers} />
          <Partial {...props} />
        </>
      );
    case 'number':
      return controlWithUnit(
        props,
        <Field
          {...common}
          short
          decimal
          autocomplete="off"
          {...(control.unit?.fixed ? { unit: unitWords(control.unit.fixed, visit.words) } : {})}
        />,
      );
    default:
      return controlWithUnit(
        props,
        <Field
          {...common}
          dir="auto"
          autocomplete="off"
          {...(control.unit?.fixed ? { unit: unitWords(control.unit.fixed, visit.words) } : {})}
        />,
      );
  }
}

function Controls({ view, controls, path }: { view: FormView; controls: readonly Control[]; path: string }) {
  return (
    <>
      {controls.map((control) =>
        control.kind === 'coded' ? (
          <Coded view={view} control={control} path={path} />
        ) : (
          <Plain view={view} control={control} path={path} />
        ),
      )}
    </>
  );
}

/** Whether something in a part was filled in, is wrong or was looked up, so that the part is open. */
function isTouched({ answers, wrong, found }: FormView, controls: readonly Control[], path: string): boolean {
  return controls.some(({ name, unit }) =>
    [name, partialName(name), unit?.column.name ?? name].some(
      (one) =>
        wrong?.[`${path}${one}`] !== undefined ||
        answers.text(`${path}${one}`) !== '' ||
        found?.name === `${path}${one}`,
    ),
  );
}

/** A field with one control is that control; one with several is a group with its name. */
function OneField({ view, plan, path }: { view: FormView; plan: FieldPlan; path: string }): JSX.Element {
  const { say } = view.visit.words;
  const controls = [...plan.main, ...plan.more];
  if (controls.length <= 1) {
    return <Controls view={view} controls={controls.map((one) => ({ hint: plan.hint, ...one }))} path={path} />;
  }
  return (
    <fieldset>
      <legend>{plan.label}</legend>
      {plan.hint && <p class="hint">{plan.hint}</p>}
      <Controls view={view} controls={plan.main} path={path} />
      {plan.more.length > 0 && (
        <More open={isTouched(view, plan.more, path)} text={say('add-model.more-of', { label: plan.label })}>
          <Controls view={view} controls={plan.more} path={path} />
        </More>
      )}
    </fieldset>
  );
}

function Fields({ view, plans, path }: { view: FormView; plans: readonly FieldPlan[]; path: string }): JSX.Element {
  return (
    <>
      {plans.map((plan) => (
        <OneField view={view} plan={plan} path={path} />
      ))}
    </>
  );
}

function touched(view: FormView, plans: readonly FieldPlan[], path: string): boolean {
  return plans.some(({ main, more }) => isTouched(view, [...main, ...more], path));
}

function FieldRow({ view, plan, path }: { view: FormView; plan: FormPlan; path: string }): JSX.Element {
  return (
    <>
      <Fields view={view} plans={plan.first} path={path} />
      {plan.rest.length > 0 && (
        <More open={touched(view, plan.rest, path)} text={view.visit.words.say('add-model.more')}>
          <Fields view={view} plans={plan.rest} path={path} />
        </More>
      )}
      {plan.nested.map((nested) => (
        <Nested view={view} nested={nested} prefix={path} />
      ))}
    </>
  );
}

function Rows({ view, nested, prefix }: { view: FormView; nested: NestedPlan; prefix: string }): JSX.Element {
  const { say, number } = view.visit.words;
  const path = `${prefix}${nested.field}`;
  const count = view.answers.rows(path);
  return (
    <>
      <input type="hidden" name={`rows:${path}`} value={String(count)} />
      {Array.from({ length: count }, (_, index) => (
        <fieldset class="row" id={idOf(`${path}.${index + 1}`)}>
          <legend>{say('add-model.row', { label: nested.label, number: number(index + 1) })}</legend>
          <FieldRow view={view} plan={nested.plan} path={`${path}.${index + 1}.`} />
        </fieldset>
      ))}
      <div class="buttons">
        <button class="button" name="more" value={path} formnovalidate>
          {say('add-model.another')}
          <span class="unseen">: {nested.label}</span>
        </button>
      </div>
    </>
  );
}

function Nested({ view, nested, prefix }: { view: FormView; nested: NestedPlan; prefix: string }): JSX.Element {
  return (
    <fieldset>
      <legend>{nested.label}</legend>
      {nested.many ? (
        <Rows view={view} nested={nested} prefix={prefix} />
      ) : (
        <FieldRow view={view} plan={nested.plan} path={`${prefix}${nested.field}.`} />
      )}
    </fieldset>
  );
}

/** All fields of a form in parts: the first ones, those that are seldom filled in, and each nested kind. */
export function ModelFields({ view, plan, title }: { view: FormView; plan: FormPlan; title: string }): JSX.Element {
  const { say } = view.visit.words;
  const open = touched(view, plan.rest, '');
  return (
    <>
      <Part title={title}>
        <Fields view={view} plans={plan.first} path="" />
      </Part>
      {plan.nested.map((nested) => (
        <Part title={nested.label} hint={say('add-model.if-known')}>
          {nested.many ? (
            <Rows view={view} nested={nested} prefix="" />
          ) : (
            <FieldRow view={view} plan={nested.plan} path={`${nested.field}.`} />
          )}
        </Part>
      ))}
      {plan.rest.length > 0 && (
        <Part title={say('add-model.more')} hint={say('add-model.if-known')}>
          <More open={open} text={say('add-model.more-fields', { count: plan.rest.length })}>
            <Fields view={view} plans={plan.rest} path="" />
          </More>
        </Part>
      )}
    </>
  );
}

/** Names of all fields in the order of the page, for the summary of what is wrong. */
export function fieldOrder(plan: FormPlan, answers: Answers, path = ''): readonly string[] {
  const names = (plans: readonly FieldPlan[]): readonly string[] =>
    plans.flatMap(({ main, more }) =>
      [...main, ...more].flatMap(({ name, unit }) => [
        `${path}${name}`,
        partialName(`${path}${name}`),
        ...(unit ? [`${path}${unit.column.name}`] : []),
      ]),
    );
  const nested = plan.nested.flatMap(({ field, many, plan: inner }) =>
    many
      ? Array.from({ length: answers.rows(`${path}${field}`) }, (_, index) =>
          fieldOrder(inner, answers, `${path}${field}.${index + 1}.`),
        ).flat()
      : fieldOrder(inner, answers, `${path}${field}.`),
  );
  return path === ''
    ? [...names(plan.first), ...nested, ...names(plan.rest)]
    : [...names(plan.first), ...names(plan.rest), ...nested];
}
