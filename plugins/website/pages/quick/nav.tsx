/** nav: the kinds that people add daily, each with its icon, and where their pages are. */
import type { JSX } from 'preact';
import { Tile } from '../../parts/icons';
import type { PersonVisit } from '../../http/page';
import { recordBase } from '../../parts/record-frame';
import { quickKinds } from './kinds';

export function quickAt(visit: PersonVisit, name: string): string {
  return `${recordBase(visit)}quick/${name}`;
}

export function savedAt(visit: PersonVisit, name: string, documentId: string): string {
  return `${quickAt(visit, name)}/saved/${encodeURIComponent(documentId)}`;
}

/** The form that adds to a model, after the base of the record: the short one where there is one. */
export function addPath(model: string): string {
  const short = quickKinds.find((kind) => kind.model === model);
  return short ? `quick/${short.name}` : `add/${model}`;
}

type Shown = {
  readonly visit: PersonVisit;
  /** The kind whose form is shown. */ readonly here?: string;
  /** Whether it stands on the page to which its last link leads. */ readonly first?: boolean;
};

export function QuickNav({ visit, here, first = false }: Shown): JSX.Element {
  const { say } = visit.words;
  const kinds = quickKinds.filter(({ model }) => model === undefined || visit.models.find(model));
  return (
    <nav class="kinds" aria-label={say('quick.kinds')}>
      {kinds.map(({ name, icon, hue }) => (
        <a class={hue} href={quickAt(visit, name)} {...(name === here ? { 'aria-current': 'page' as const } : {})}>
          <Tile name={icon} />
          {say(`quick.${name}`)}
        </a>
      ))}
      {!first && (
        <a class="k-doc" href={`${recordBase(visit)}add`}>
          <Tile name="more" />
          {say('quick.others')}
        </a>
      )}
    </nav>
  );
}
