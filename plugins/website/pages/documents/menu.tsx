/** menu: what can be done with a document, in a sheet that a button opens. */
import type { JSX } from 'preact';
import type { ValueOf } from '../../../../core/http/route';
import type { operations } from '../../http/operations';
import type { PersonVisit } from '../../http/page';
import { Icon, type IconName } from '../../parts/icons';
import { Sheet } from '../../parts/sheet';

type Document = ValueOf<typeof operations.documents.recordDocumentRead>['document'];

type Props = {
  readonly visit: PersonVisit;
  readonly document: Document;
  /** Whether the person may change what is said of the document, and where it lies. */ readonly mayChange: boolean;
  readonly mayNote: boolean;
};

const MENU = 'this-document';

export function MenuButton({ visit }: Pick<Props, 'visit'>): JSX.Element {
  return (
    <button class="button" type="button" popovertarget={MENU}>
      <Icon name="more" />
      {visit.words.say('frame.more')}
    </button>
  );
}

/** A place on the page. The query makes the browser load it, which closes the sheet. */
function placeOn({ path }: PersonVisit, place: string): string {
  return `${path}?at=${place}#${place}`;
}

export function Menu({ visit, document, mayChange, mayNote }: Props): JSX.Element {
  const { say } = visit.words;
  const link = (address: string, icon: IconName, text: string, apart = false): JSX.Element => (
    <li {...(apart ? { class: 'part' } : {})}>
      <a href={address}>
        <Icon name={icon} />
        {say(text)}
      </a>
    </li>
  );
  return (
    <Sheet visit={visit} id={MENU} title={say('document.menu')} atEnd>
      {link(`${visit.path}/download`, 'take', 'document.menu-download')}
      <li class="reveal">
        <button type="button" data-print>
          <Icon name="print" />
          {say('printed.do')}
        </button>
      </li>
      {mayChange && link(placeOn(visit, 'sharing'), 'people', 'document.menu-share')}
      {mayChange && link(placeOn(visit, 'details'), 'pen', 'document.menu-change', true)}
      {mayChange && link(placeOn(visit, 'field-tags'), 'tag', 'document.tags')}
      {mayNote && link(placeOn(visit, 'notes'), 'note', 'document.note-write')}
      {mayChange &&
        link(
          placeOn(visit, 'status'),
          'archive',
          document.status === 'active' ? 'document.menu-archive' : 'document.activate',
          true,
        )}
    </Sheet>
  );
}
