/** layout: the elements of every page: a head, parts, and messages. */
import type { ComponentChildren, JSX } from 'preact';
import { Icon, type IconName } from './icons';

type Children = { readonly children?: ComponentChildren };

/** The page's one heading, the sentence that answers its question, and one action at the end. */
export function Head({
  title,
  back,
  action,
  avatar,
  children,
}: Children & {
  /** Text that people or documents wrote is in a `bdi`, as everywhere. */
  readonly title: ComponentChildren;
  readonly back?: { readonly to: string; readonly text: string };
  readonly action?: ComponentChildren;
  /** Whose it is, before the title. */ readonly avatar?: ComponentChildren;
}): JSX.Element {
  return (
    <div class="head">
      {avatar}
      <div class="text">
        {back && (
          <a class="back" href={back.to}>
            {back.text}
          </a>
        )}
        <h1>{title}</h1>
        {children && <p>{children}</p>}
      </div>
      {action}
    </div>
  );
}

/** One part of a page, a card with its title and its content. The hint is short and has no link. */
export function Part({
  title,
  hint,
  mark,
  tone,
  children,
}: Children & {
  readonly title: ComponentChildren;
  readonly hint?: string;
  /** What must not be overlooked has a red edge. */ readonly tone?: 'warn';
  /** A tag after the heading. */
  readonly mark?: ComponentChildren;
}): JSX.Element {
  return (
    <section class={tone ? `part ${tone}` : 'part'}>
      <header>
        <h2>
          {title}
          {mark && <> {mark}</>}
        </h2>
        {hint && <p>{hint}</p>}
      </header>
      <div>{children}</div>
    </section>
  );
}

/** A page of one narrow card, whose title is the heading of the page. */
export function Only({
  title,
  hint,
  children,
}: Children & { readonly title: string; readonly hint?: string }): JSX.Element {
  return (
    <div class="part plain-top">
      <header>
        <h1>{title}</h1>
        {hint && <p>{hint}</p>}
      </header>
      <div class="stack alone">{children}</div>
    </div>
  );
}

const signs: Readonly<Record<Tone, IconName | undefined>> = {
  alert: 'alert',
  wait: 'clock',
  good: 'done',
  plain: undefined,
};
type Tone = 'alert' | 'wait' | 'good' | 'plain';

/** A message: a bar, an icon, a title and a sentence. A page has at most two. */
export function Say({
  tone = 'plain',
  title,
  role,
  children,
}: Children & {
  readonly tone?: Tone;
  readonly title: string;
  readonly role?: 'alert' | 'status';
}): JSX.Element {
  return (
    <div class={tone === 'plain' ? 'say' : `say ${tone}`} role={role}>
      {signs[tone] && <Icon name={signs[tone]} />}
      <div>
        <h2 class="title">{title}</h2>
        {children}
      </div>
    </div>
  );
}

/** One or two words for a state that matters. */
export function Tag({ tone, children }: Children & { readonly tone: 'alert' | 'wait' | 'good' | 'off' }): JSX.Element {
  return (
    <span class={`tag ${tone}`}>
      {tone === 'good' && <Icon name="done" />}
      {tone === 'alert' && <Icon name="alert" />}
      {tone === 'wait' && <Icon name="clock" />}
      {children}
    </span>
  );
}

/** A paragraph of the words of a fact or document; nothing if there are none. */
export function Line({ text }: { readonly text: string }): JSX.Element | null {
  return text === '' ? null : (
    <p>
      <bdi>{text}</bdi>
    </p>
  );
}

/** The end of a row, such as its date and its status: each text in a line of its own, without the empty ones. */
export function EndLines({ texts }: { readonly texts: readonly string[] }): JSX.Element {
  return (
    <span class="end below">
      {texts
        .filter((text) => text !== '')
        .map((text) => (
          <div>
            <bdi>{text}</bdi>
          </div>
        ))}
    </span>
  );
}

/** Rows of facts, each a fact followed by its details. */
export function Rows({
  kind,
  children,
}: Children & { readonly kind?: 'two' | 'do' | 'dated' | 'latest' }): JSX.Element {
  return <ul class={kind ? `rows ${kind}` : 'rows'}>{children}</ul>;
}

/** Label and value, one below the other. */
export function Pairs({ pairs }: { readonly pairs: readonly (readonly [string, ComponentChildren])[] }): JSX.Element {
  return (
    <dl class="pairs">
      {pairs.map(([label, value]) => (
        <>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </>
      ))}
    </dl>
  );
}

/** What of a fact hardly can be, and so should be looked at; nothing if there is no such value. */
export function Check({ text }: { readonly text: string }): JSX.Element | null {
  return text === '' ? null : (
    <div class="check">
      <Tag tone="wait">{text}</Tag>
    </div>
  );
}
