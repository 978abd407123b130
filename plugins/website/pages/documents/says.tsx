/** says: what a document says, folded by section, each with an anchor; and the chips that lead to the sections. */
import type { JSX } from 'preact';
import type { ValueOf } from '../../../../core/http/route';
import type { operations } from '../../http/operations';
import type { PersonVisit } from '../../http/page';
import { Facts, WholeFact } from '../../parts/fact';
import { Tile } from '../../parts/icons';
import { Check } from '../../parts/layout';
import type { Whose } from '../../parts/whose';
import { checkWords } from '../../unlikely';
import { factAnchor, modelTitle, type Fact } from '../../words/facts';
import { lookOf } from '../record/timeline-days';

type Says = ValueOf<typeof operations.documents.recordDocumentRead>['says'];
type Said = Says[number];
type Props = { readonly visit: PersonVisit; readonly whose: Whose; readonly says: Says };

/** A document with more facts than this shows its sections folded. */
const MOST_OPEN = 30;

function isShort(says: Says): boolean {
  return says.reduce((sum, { count }) => sum + count, 0) <= MOST_OPEN;
}

function anchorOf({ model }: Said): string {
  return `section-${model}`;
}

function saidFacts({ facts }: Said): readonly Fact[] {
  return facts as unknown as readonly Fact[];
}

/** Whether the address asks for this section, or for a fact in it. */
function isSectionAsked({ query }: PersonVisit, said: Said): boolean {
  return query['section'] === said.model || saidFacts(said).some(({ __id__: id }) => id && id === query['fact']);
}

/** The sections of a document, when it has several. A folded one is shown by an address of its own. */
export function Sections({
  visit,
  says,
  notes,
}: Omit<Props, 'whose'> & { readonly notes: boolean }): JSX.Element | null {
  const { say, number } = visit.words;
  const known = says.filter(({ model }) => visit.models.find(model));
  const query = (said: Said): string => (isShort(says) ? '' : `?section=${encodeURIComponent(said.model)}`);
  return known.length < 2 ? null : (
    <nav class="chips no-print" aria-label={say('document.sections')}>
      {known.map((said) => (
        <a class="chip" href={`${visit.path}${query(said)}#${anchorOf(said)}`}>
          {modelTitle(visit.models.find(said.model)!, visit.words)} <span class="soft">{number(said.count)}</span>
        </a>
      ))}
      <a class="chip" href="#about-it">
        {say('document.about-it')}
      </a>
      {notes && (
        <a class="chip" href="#notes">
          {say('document.notes')}
        </a>
      )}
    </nav>
  );
}

function Content({ visit, whose, said }: Pick<Props, 'visit' | 'whose'> & { readonly said: Said }): JSX.Element {
  const model = visit.models.find(said.model)!;
  const facts = saidFacts(said);
  const [first] = facts;
  return (
    <>
      {facts.length === 1 ? (
        <div id={factAnchor(first!)}>
          <Check text={checkWords(model, first!, visit.words)} />
          <WholeFact visit={visit} model={model} fact={first!} />
        </div>
      ) : (
        <Facts visit={visit} model={model} facts={facts} />
      )}
      {said.count > facts.length && (
        <p class="more">
          <a href={`${whose.base}data/${encodeURIComponent(model.name)}`}>
            {visit.words.say('document.more-facts', { shown: facts.length, count: said.count })}
          </a>
        </p>
      )}
    </>
  );
}

/** What the document says, a section a model. A short document shows all; of a long one what the address asks for. */
export function WhatItSays({ visit, whose, says }: Props): JSX.Element {
  const open = isShort(says);
  return (
    <>
      {says.map((said) => {
        const model = visit.models.find(said.model);
        const { hue, icon } = lookOf(said.model);
        return model ? (
          <section class={`card ${hue}`} id={anchorOf(said)}>
            <details class="sect" open={open || says.length === 1 || isSectionAsked(visit, said)}>
              <summary>
                <Tile name={icon} />
                <h2>{modelTitle(model, visit.words)}</h2>
                <span class="soft small">{visit.words.say('document.facts', { count: said.count })}</span>
                <span class="chev" aria-hidden="true" />
              </summary>
              <Content visit={visit} whose={whose} said={said} />
            </details>
          </section>
        ) : null;
      })}
    </>
  );
}
