/** single-facts: shows which kinds of facts circles see, whatever paper they came in, as a table of boxes. */
import type { ValueOf } from '../../../../core/http/route';
import type { JSX } from 'preact';
import type { operations } from '../../http/operations';
import type { PersonVisit } from '../../http/page';
import { Buttons, Form, What } from '../../parts/form';
import { Part } from '../../parts/layout';
import { listText } from '../../parts/list';
import type { Words } from '../../words/words';
import { CircleBoxes } from './circle-boxes';

export type FactKinds = ValueOf<typeof operations.carenets.recordFactKinds>;
type FactKind = FactKinds['kinds'][number];
type Opened = FactKind['carenets'][number];

function factKindName({ words: said }: Pick<FactKind, 'words'>, { language }: Words): string {
  return said[language];
}

/** The kinds that a circle was given. */
function givenTo({ kinds }: FactKinds, id: string): readonly FactKind[] {
  return kinds.filter(({ carenets }) => carenets.some((one) => one.id === id && one.given));
}

/** Name of a box: its circle and its kind. */
function boxOf(carenetId: string, { name }: Pick<FactKind, 'name'>): string {
  return `${carenetId} ${name}`;
}

type BoxProps = {
  readonly visit: PersonVisit;
  readonly carenet: FactKinds['carenets'][number];
  readonly kind: FactKind;
};

function openedBy({ carenets }: FactKind, id: string): Opened | undefined {
  return carenets.find((one) => one.id === id);
}

/** Asks whether tests that were added to the kind since go along, too; a box of its own gives the kind again. */
function Added({ visit, carenet, kind }: BoxProps): JSX.Element | null {
  const { words, models } = visit;
  const added = openedBy(kind, carenet.id)?.added ?? [];
  const names = added.flatMap((id) => models.labTests.find(id)?.names[words.language] ?? []);
  return names.length === 0 ? null : (
    <label class="added">
      <input type="checkbox" name="fact" value={`${boxOf(carenet.id, kind)} again`} />
      <span class="small">{words.say('sharing.facts-added', { tests: listText(names, words) })}</span>
    </label>
  );
}

function Box({ visit, carenet, kind }: BoxProps): JSX.Element {
  const { say } = visit.words;
  const opened = openedBy(kind, carenet.id);
  return (
    <>
      <label data-circle={carenet.name} data-kind={kind.name}>
        <span class="unseen">
          {say('sharing.kind-in', { kind: factKindName(kind, visit.words), carenet: carenet.name })}
        </span>
        <input type="checkbox" name="fact" value={boxOf(carenet.id, kind)} checked={opened?.given ?? false} />
        <span class="small soft">
          {say('sharing.facts-of', { facts: opened?.facts ?? 0, papers: opened?.papers ?? 0 })}
        </span>
      </label>
      <Added visit={visit} carenet={carenet} kind={kind} />
    </>
  );
}

/** The boxes that were ticked when the page was made, so that only boxes that the person changed are changed. */
function Before({ facts }: { readonly facts: FactKinds }): JSX.Element {
  return (
    <>
      {facts.carenets.flatMap(({ id }) =>
        givenTo(facts, id).map((kind) => <input type="hidden" name="before" value={boxOf(id, kind)} />),
      )}
    </>
  );
}

/** The section "Single facts"; nothing where there is no circle or no fact. */
export function SingleFacts({
  visit,
  facts,
}: {
  readonly visit: PersonVisit;
  readonly facts: FactKinds;
}): JSX.Element | null {
  const { say } = visit.words;
  return facts.carenets.length === 0 || facts.kinds.length === 0 ? null : (
    <Part title={say('sharing.facts')} hint={say('sharing.facts-about')}>
      <Form visit={visit}>
        <What name="facts" />
        <Before facts={facts} />
        <CircleBoxes
          visit={visit}
          carenets={facts.carenets}
          kinds={facts.kinds}
          nameOf={(kind) => factKindName(kind, visit.words)}
          boxOf={(kind, carenet) => <Box visit={visit} carenet={carenet} kind={kind} />}
        />
        <Buttons text={say('form.save')} />
      </Form>
    </Part>
  );
}

type Change = { readonly carenet: string; readonly kind: string };

/** The boxes that were ticked and unticked since the page was shown. */
export function changedFacts({ form }: PersonVisit): {
  readonly set: readonly Change[];
  readonly unset: readonly Change[];
} {
  const [before, after] = [new Set(form.all('before')), new Set(form.all('fact'))];
  const changeOf = (box: string): Change => {
    const [carenet = '', kind = ''] = box.split(' ', 2);
    return { carenet, kind };
  };
  return {
    set: [...after].filter((box) => !before.has(box)).map(changeOf),
    unset: [...before].filter((box) => !after.has(box)).map(changeOf),
  };
}
