/** form: a form of this site with its crumb, its fields, and errors that are shown at their fields and in a summary. */
import type { ComponentChildren, JSX } from 'preact';
import { passwordFault } from '../../../core/auth/password-rule';
import { isOneLine } from '../../../core/auth/full-name';
import type { Visit } from '../http/page';

/** Field name -> what is wrong with it, in words. */
export type Wrong = Readonly<Record<string, string>>;

export function Form({
  visit,
  action,
  files = false,
  className,
  id,
  children,
}: {
  readonly visit: Visit;
  /** For fields that stand elsewhere on the page. */ readonly id?: string;
  /** The address to which it is sent; this page if not given. */ readonly action?: string;
  readonly files?: boolean;
  readonly className?: string;
  readonly children?: ComponentChildren;
}): JSX.Element {
  return (
    <form
      method="post"
      action={action ?? visit.path}
      {...(files ? { enctype: 'multipart/form-data' } : {})}
      {...(className ? { class: className } : {})}
      {...(id ? { id } : {})}
      novalidate
    >
      <input type="hidden" name="crumb" value={visit.crumb} />
      {children}
    </form>
  );
}

type Common = {
  readonly label: string;
  readonly name: string;
  /** Distinguishes fields of the same name in several forms; the name if not given. `wrong` is indexed by it. */
  readonly id?: string;
  readonly hint?: string | undefined;
  readonly wrong?: Wrong | undefined;
  readonly short?: boolean;
};

export function idOf(name: string): string {
  return `field-${name}`;
}

function describedBy({ name, id = name, hint, wrong }: Common): string | undefined {
  return [hint && `${idOf(id)}-hint`, wrong?.[id] && `${idOf(id)}-why`].filter(Boolean).join(' ') || undefined;
}

function Around({ common, children }: { readonly common: Common; readonly children: ComponentChildren }) {
  const { label, name, id = name, hint, wrong, short } = common;
  const why = wrong?.[id];
  return (
    <div class={['field', short ? 'short' : '', why ? 'bad' : ''].filter(Boolean).join(' ')}>
      <label for={idOf(id)}>{label}</label>
      {hint && (
        <span class="hint" id={`${idOf(id)}-hint`}>
          {hint}
        </span>
      )}
      {why && (
        <p class="why" id={`${idOf(id)}-why`}>
          {why}
        </p>
      )}
      {children}
    </div>
  );
}

type FieldProps = Common & {
  readonly value?: string | undefined;
  readonly type?: 'text' | 'email' | 'password' | 'date' | 'search' | 'number' | 'time';
  readonly autocomplete?: string;
  readonly required?: boolean;
  /** For names and codes: the browser adds no capital letters and checks no spelling. */ readonly exact?: boolean;
  readonly numeric?: boolean;
  readonly dir?: 'auto' | 'ltr';
  /** Longest text in characters. */ readonly most?: number;
  /** A number with a fraction. */ readonly decimal?: boolean;
  /** The text after the field, which screen readers say with it. */ readonly unit?: string;
  /** The id of a list of suggestions. */ readonly list?: string | undefined;
  /** What stands after the field, such as a button. */ readonly beside?: JSX.Element;
};

/** Whether something was typed, in one line. */
export function isName(text: string, most: number): boolean {
  return text !== '' && isOneLine(text, most);
}

/** Properties of a required field that shows what was typed before. */
export function requiredField(
  { form }: Pick<Visit, 'form'>,
  name: string,
  wrong: Wrong | undefined,
): Pick<FieldProps, 'name' | 'value' | 'required' | 'wrong'> {
  return {
    name,
    value: form.text(name),
    required: true,
    wrong,
  };
}

/** The field with its unit or its button after it. */
function beside({ name, id = name, unit, beside: button }: FieldProps, input: JSX.Element): JSX.Element {
  return unit || button ? (
    <div class="unit">
      {input}
      {unit ? <bdi id={`${idOf(id)}-unit`}>{unit}</bdi> : button}
    </div>
  ) : (
    input
  );
}

/** One field: label above, hint between label and field, unit behind it. */
export function Field(props: FieldProps): JSX.Element {
  const {
    name,
    id = name,
    value,
    type = 'text',
    autocomplete,
    required,
    exact,
    numeric,
    decimal,
    wrong,
    dir,
    most,
  } = props;
  const { unit } = props;
  return (
    <Around common={props}>
      {beside(
        props,
        <input
          id={idOf(id)}
          name={name}
          {...{ type: type as 'text' }}
          value={value}
          autocomplete={autocomplete}
          required={required}
          dir={dir}
          maxLength={most}
          list={props.list}
          {...(numeric ? { inputmode: 'numeric' as const } : {})}
          {...(decimal ? { inputmode: 'decimal' as const } : {})}
          {...(exact ? { autocapitalize: 'none', spellcheck: false } : {})}
          aria-describedby={[describedBy(props), unit && `${idOf(id)}-unit`].filter(Boolean).join(' ') || undefined}
          aria-invalid={wrong?.[id] ? 'true' : undefined}
        />,
      )}
    </Around>
  );
}

/** The field for the present password, with which people prove who they are. */
export function CurrentPassword(field: Pick<FieldProps, 'label' | 'name' | 'required' | 'wrong'>): JSX.Element {
  return <Field {...field} type="password" autocomplete="current-password" />;
}

/** The button that shows what was typed into a field for a password; it stands there once the page's script runs. */
function Reveal({ visit: { words }, name }: { readonly visit: Visit; readonly name: string }): JSX.Element {
  const show = words.say('form.show');
  return (
    <button
      type="button"
      class="button reveal"
      data-reveals={idOf(name)}
      data-show={show}
      data-hide={words.say('form.hide')}
      aria-controls={idOf(name)}
    >
      {show}
    </button>
  );
}

/** The field for a new password, which can be shown; its page must let the script run. */
export function NewPassword({
  visit,
  ...field
}: Pick<FieldProps, 'label' | 'name' | 'required' | 'wrong'> & { readonly visit: Visit }): JSX.Element {
  return (
    <Field
      {...field}
      beside={<Reveal visit={visit} name={field.name} />}
      type="password"
      hint={visit.words.say('form.password-hint', { least: visit.settings.passwordLeast })}
      autocomplete="new-password"
    />
  );
}

/** A long text. */
export function TextArea(props: Common & { readonly value: string; readonly required?: boolean }): JSX.Element {
  const { name, id = name, value, wrong, required } = props;
  return (
    <Around common={props}>
      <textarea
        id={idOf(id)}
        name={name}
        rows={4}
        dir="auto"
        required={required}
        aria-describedby={describedBy(props)}
        aria-invalid={wrong?.[id] ? 'true' : undefined}
      >
        {/* HTML ignores the first line break after the tag. */}
        {`\n${value}`}
      </textarea>
    </Around>
  );
}

/** Files from the person's machine; the form must send files. */
export function FileField(props: Common & { readonly multiple?: boolean }): JSX.Element {
  const { name, wrong, multiple } = props;
  return (
    <Around common={props}>
      <input
        type="file"
        id={idOf(name)}
        name={name}
        multiple={multiple}
        aria-describedby={describedBy(props)}
        aria-invalid={wrong?.[name] ? 'true' : undefined}
      />
    </Around>
  );
}

export type Option = { readonly value: string; readonly text: string; readonly lang?: string };

export function Select(
  props: Common & { readonly value: string; readonly options: readonly Option[]; readonly autocomplete?: string },
): JSX.Element {
  const { name, id = name, value, options, wrong, autocomplete } = props;
  return (
    <Around common={props}>
      <select
        id={idOf(id)}
        name={name}
        autocomplete={autocomplete}
        aria-describedby={describedBy(props)}
        aria-invalid={wrong?.[id] ? 'true' : undefined}
      >
        {options.map((option) => (
          <option value={option.value} lang={option.lang} selected={option.value === value}>
            {option.text}
          </option>
        ))}
      </select>
    </Around>
  );
}

/** Tells `submit` which form of the page was sent. */
export function What({ name }: { readonly name: string }): JSX.Element {
  return <input type="hidden" name="what" value={name} />;
}

/** The button of a form, and the content next to it. */
export function Buttons({
  text,
  first = false,
  end = false,
  rest,
  children,
}: {
  readonly text: string;
  readonly first?: boolean;
  readonly end?: boolean;
  /** Text for screen readers only, which distinguishes a repeated button from the others. */ readonly rest?: string;
  readonly children?: ComponentChildren;
}): JSX.Element {
  return (
    <div class="buttons">
      <button class={['button', first ? 'first' : '', end ? 'end' : ''].filter(Boolean).join(' ')}>
        {text}
        {rest && <span class="unseen"> {rest}</span>}
      </button>
      {children}
    </div>
  );
}

/** All that is wrong, in the order of the fields, each line a link to its field. */
export function Summary({
  title,
  wrong,
  order,
}: {
  readonly title: string;
  readonly wrong: Wrong | undefined;
  readonly order: readonly string[];
}): JSX.Element | null {
  const names = order.filter((name) => wrong?.[name] !== undefined);
  return names.length === 0 ? null : (
    <div class="say alert" role="alert">
      <h2 class="title">{title}</h2>
      <ul>
        {names.map((name) => (
          <li>
            <a href={`#${idOf(name)}`}>{wrong![name]}</a>
          </li>
        ))}
      </ul>
    </div>
  );
}

/**
 * What is wrong with a new password, in words; undefined when nothing is.
 * @param names full name, user name and addresses of the person
 */
export function wrongPassword(
  { words: { say }, settings }: Pick<Visit, 'words' | 'settings'>,
  password: string,
  names: readonly string[],
): string | undefined {
  const fault = passwordFault(password, settings.passwordLeast, names);
  if (fault === undefined) {
    return undefined;
  }
  return say(`form.password-${fault === 'short' || fault === 'long' ? 'wrong' : fault}`);
}
