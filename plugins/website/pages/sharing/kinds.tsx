/** kinds: shows which kinds of documents are in which circles, as a table of boxes and as sentences. */
import type { ValueOf } from '../../../../core/http/route';
import type { JSX } from 'preact';
import { inSentence, kindsOf, type Kind } from '../../words/type-words';
import type { operations } from '../../http/operations';
import type { PersonVisit } from '../../http/page';
import { Buttons, Form, What } from '../../parts/form';
import { listText } from '../../parts/list';
import { CircleBoxes } from './circle-boxes';
import { Folded } from '../../parts/folded';
import { Part } from '../../parts/layout';
import type { Words } from '../../words/words';

export type Sharing = ValueOf<typeof operations.carenets.recordSharing>;
export type Carenet = Sharing['carenets'][number];
/** The data that the table of boxes needs. */
export type Kinds = ValueOf<typeof operations.carenets.recordSharedKinds>;

/** Every kind of document that the record has, that is shared, or that could be added. */
export function kindsIn({ types, formats, carenets }: Kinds, { models, words }: PersonVisit): readonly Kind[] {
  return kindsOf(
    [...types.map(({ type }) => type), ...formats, ...carenets.flatMap((carenet) => carenet.types)],
    models,
    words,
  );
}

type Shared = 'all' | 'some' | 'none';

function sharedIn(kind: Kind, { types }: Carenet): Shared {
  const shared = kind.types.filter((type) => types.includes(type)).length;
  if (shared === 0) {
    return 'none';
  }
  return shared === kind.types.length ? 'all' : 'some';
}

/** If more kinds than these are shared, a sentence says which are left out. */
const FEW = 6;

function saidKinds(kinds: readonly Kind[], words: Words): string[] {
  return kinds.map(({ title }) => inSentence(title, words));
}

/** What the people of a carenet see, in words. */
export function whatIn(carenet: Carenet, kinds: readonly Kind[], words: Words): string {
  const { say } = words;
  const shared = kinds.filter((kind) => sharedIn(kind, carenet) !== 'none');
  const whole = kinds.filter((kind) => sharedIn(kind, carenet) === 'all');
  const rest = kinds.filter((kind) => !shared.includes(kind));
  const parts = saidKinds(shared, words);
  const placed = carenet.placed > 0 ? [say('sharing.documents', { count: carenet.placed })] : [];
  if (shared.length > FEW && whole.length === shared.length && rest.length < FEW) {
    const kindsText = listText(saidKinds(rest, words), words);
    const all = rest.length === 0 ? say('sharing.everything') : say('sharing.everything-but', { kinds: kindsText });
    return listText([all, ...placed], words);
  }
  return parts.length + placed.length === 0 ? say('sharing.nothing') : listText([...parts, ...placed], words);
}

/** Name of a box: its carenet and the first type of its kind. */
function boxOf(carenet: Pick<Carenet, 'id'>, kind: Kind): string {
  return `${carenet.id} ${kind.types[0]!}`;
}

function Box({ visit, carenet, kind }: { visit: PersonVisit; carenet: Carenet; kind: Kind }): JSX.Element {
  const { say } = visit.words;
  const shared = sharedIn(kind, carenet);
  return (
    <label data-circle={carenet.name}>
      <span class="unseen">{say('sharing.kind-in', { kind: kind.title, carenet: carenet.name })}</span>
      <input type="checkbox" name="share" value={boxOf(carenet, kind)} checked={shared === 'all'} />
      {shared === 'some' && <span class="small soft">{say('sharing.partly')}</span>}
    </label>
  );
}

/** The boxes that were ticked when the page was made, so that only boxes that the person changed are changed. */
function Before({ sharing, kinds }: { sharing: Sharing; kinds: readonly Kind[] }): JSX.Element {
  return (
    <>
      {sharing.carenets.flatMap((carenet) =>
        kinds
          .filter((kind) => sharedIn(kind, carenet) === 'all')
          .map((kind) => <input type="hidden" name="was" value={boxOf(carenet, kind)} />),
      )}
    </>
  );
}

type ByKindProps = { readonly visit: PersonVisit; readonly sharing: Sharing; readonly kinds: readonly Kind[] };

/** The form with a box for each kind of documents and each circle. */
function KindForm({ visit, sharing, kinds }: ByKindProps): JSX.Element {
  const { say } = visit.words;
  return sharing.carenets.length === 0 ? (
    <p>{say('sharing.no-carenets')}</p>
  ) : (
    <Form visit={visit}>
      <What name="kinds" />
      <Before sharing={sharing} kinds={kinds} />
      <CircleBoxes
        visit={visit}
        carenets={sharing.carenets}
        kinds={kinds}
        nameOf={(kind) => kind.title}
        boxOf={(kind, carenet) => <Box visit={visit} carenet={carenet} kind={kind} />}
      />
      <Buttons text={say('form.save')} />
    </Form>
  );
}

/** @param isFolded on the page of all circles, which has a row for each kind of documents */
export function ByKind({ isFolded, ...props }: ByKindProps & { readonly isFolded: boolean }): JSX.Element {
  const { say } = props.visit.words;
  return isFolded ? (
    <Folded title={say('sharing.kinds')} isOpen={false}>
      <p class="by">{say('sharing.kinds-about')}</p>
      <KindForm {...props} />
    </Folded>
  ) : (
    <Part title={say('sharing.kinds')} hint={say('sharing.kinds-about')}>
      <KindForm {...props} />
    </Part>
  );
}
