/** folded: a card of which only the title is seen, until somebody opens it. */
import type { ComponentChildren, JSX } from 'preact';

export function Folded({
  id,
  title,
  by,
  isOpen,
  children,
}: {
  /** For a page that leads to the card. */ readonly id?: string;
  readonly title: ComponentChildren;
  readonly by?: ComponentChildren;
  readonly isOpen: boolean;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <section class="card no-print" id={id}>
      <details class="sect by-itself" open={isOpen}>
        <summary>
          <h2>{title}</h2>
          {by !== undefined && <span class="soft small">{by}</span>}
          <span class="chev" aria-hidden="true" />
        </summary>
        {children}
      </details>
    </section>
  );
}
