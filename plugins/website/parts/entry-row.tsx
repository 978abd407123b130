/**
 * entry-row: a row in a list of what a record holds: the sign of its kind, the name that leads to it, its words, and its
 * day at the end.
 */
import type { ComponentChildren, JSX } from 'preact';
import { Tile, type IconName } from './icons';
import { Line } from './layout';

type Props = {
  /** The model, or `Document`, `Visit`, `Person`; scripts rely on it, and on the id. */ readonly kind: string;
  readonly id: string | undefined;
  /** Number and unit, of a search that answers with them. */ readonly value?: string;
  readonly icon: IconName;
  readonly hue: string;
  readonly address: string | undefined;
  readonly title: string;
  readonly line?: string;
  readonly end?: ComponentChildren;
  /** More below the words. */ readonly children?: ComponentChildren;
};

export function EntryRow({ kind, id, value = '', icon, hue, address, title, line = '', end, children }: Props) {
  return (
    <li data-kind={kind} data-id={id} {...(value === '' ? {} : { 'data-value': value })}>
      <Tile name={icon} kind={hue} />
      <div>
        <a class="name" href={address}>
          <bdi>{title}</bdi>
        </a>
        <Line text={line} />
        {children}
      </div>
      {end !== undefined && <span class="end below">{end}</span>}
    </li>
  );
}

/** A card with a list of such rows; nothing without any. */
export function EntryCard({
  id,
  title,
  hue,
  children,
}: {
  readonly id?: string;
  readonly title: ComponentChildren;
  readonly hue?: string;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <section class={['card', hue ?? '', 'gap'].filter(Boolean).join(' ')} id={id}>
      <header>
        <h2>{title}</h2>
      </header>
      <ul class="list ic-list">{children}</ul>
    </section>
  );
}
