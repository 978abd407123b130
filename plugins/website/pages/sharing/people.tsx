/** people: a card for each person who sees a record, with what they see in words. */
import type { ComponentChildren, JSX } from 'preact';
import { sha256 } from '../../../../core/base/ids';
import type { PersonVisit } from '../../http/page';
import { Form, What } from '../../parts/form';
import { listText } from '../../parts/list';
import { Pager } from '../../parts/pager';
import { recordBase } from '../../parts/record-frame';
import { Avatar, hueOf } from '../../parts/who';
import { circleName } from '../../words/circle-names';
import { inSentence } from '../../words/type-words';
import { namedKinds, type Seers } from './kind-ticks';
import { kindsIn, whatIn, type Sharing } from './kinds';

export type Person = Seers['people'][number];
type Circle = Person['circles'][number];
export type Seen = { readonly visit: PersonVisit; readonly sharing: Sharing; readonly seers: Seers };

function bold(chunks: ComponentChildren): JSX.Element {
  return <b>{chunks}</b>;
}

/** What the people of a circle see, in words: single facts, then documents; empty if it is nothing. */
function whatCircle(
  { visit, sharing }: Pick<Seen, 'visit' | 'sharing'>,
  { id, kinds }: Pick<Circle, 'id' | 'kinds'>,
): string {
  const { words } = visit;
  const facts = namedKinds(visit, kinds).map((text) => inSentence(text, words));
  const circle = sharing.carenets.find((one) => one.id === id);
  const documents = circle ? whatIn(circle, kindsIn(sharing, visit), words) : '';
  const said =
    documents === '' || documents === words.say('sharing.nothing') ? [] : [documentsPhrase(visit, documents)];
  return listText([...facts, ...said], words);
}

function documentsPhrase({ words: { say } }: PersonVisit, what: string): string {
  return say('person.documents-of', { what });
}

function personPage(visit: PersonVisit, { id }: Pick<Person, 'id'>): string {
  return `${recordBase(visit)}sharing/${encodeURIComponent(id)}`;
}

export function circlePage(visit: PersonVisit, id: string): string {
  return `${recordBase(visit)}sharing/circles/${encodeURIComponent(id)}`;
}

function lookInto({ site }: PersonVisit, id: string): string {
  return `${site}/carenets/${encodeURIComponent(id)}/`;
}

/** Where the owner sees what a person sees: the record, the one circle, or the list of several. */
function seeAs(visit: PersonVisit, person: Person): string {
  if (person.whole) {
    return recordBase(visit);
  }
  return person.circles.length === 1 ? lookInto(visit, person.circles[0]!.id) : `${personPage(visit, person)}#see`;
}

function ownOf({ circles }: Person): Circle | undefined {
  return circles.find(({ own }) => own);
}

/** "Lena sees results, medicines and allergies, until 31 March 2027." */
export function WhatTheySee({ person, ...seen }: Seen & { readonly person: Person }): JSX.Element {
  const { rich, say, date } = seen.visit.words;
  const name = <bdi>{person.name}</bdi>;
  const untilOf = ({ lastDay }: Circle): string => (lastDay === '' ? '' : date(lastDay));
  const own = ownOf(person);
  const what = own ? whatCircle(seen, own) || say('sharing.nothing') : '';
  if (person.whole) {
    return <p>{rich('sharing.sees-all', { name, b: bold })}</p>;
  }
  return (
    <>
      {own && (
        <p>
          {rich(own.lastDay === '' ? 'person.sees' : 'person.sees-until', { name, b: bold, what, until: untilOf(own) })}
        </p>
      )}
      {person.circles
        .filter((circle) => !circle.own)
        .map((circle) => (
          <p>
            {rich(circle.lastDay === '' ? 'person.in-circle' : 'person.in-circle-until', {
              name,
              circle: (
                <a href={circlePage(seen.visit, circle.id)}>
                  <bdi>{circleName(circle.name, seen.visit.words)}</bdi>
                </a>
              ),
              what: whatCircle(seen, circle) || say('sharing.nothing'),
              until: untilOf(circle),
            })}
          </p>
        ))}
    </>
  );
}

/** The button that ends every way by which a person sees the record. */
export function Stop({ visit, person }: { readonly visit: PersonVisit; readonly person: Person }): JSX.Element {
  const { say } = visit.words;
  return (
    <Form visit={visit} action={`${recordBase(visit)}sharing`}>
      <What name="stop" />
      <input type="hidden" name="account" value={person.id} />
      <button class="button little stop">
        {say('sharing.stop')}
        <span class="unseen"> {say('sharing.stop-rest', { name: person.name })}</span>
      </button>
    </Form>
  );
}

function Card({ person, ...seen }: Seen & { readonly person: Person }): JSX.Element {
  const { visit, sharing } = seen;
  const { say, rich, date } = visit.words;
  return (
    <section class="card person" data-person={person.id}>
      <Avatar name={person.name} hue={hueOf(person.id)} />
      <div>
        <h3>
          <bdi>{person.name}</bdi>
        </h3>
        <p class="by">{rich('sharing.since', { id: <bdi>{person.id}</bdi>, date: date(person.since) })}</p>
        <WhatTheySee {...seen} person={person} />
      </div>
      <div class="wide">
        <div class="buttons">
          {sharing.mine && (
            <a class="button little" href={seeAs(visit, person)}>
              {say('person.see-as', { name: person.name })}
            </a>
          )}
          {!person.whole && (
            <a class="button little" href={personPage(visit, person)}>
              {say('person.change')}
              <span class="unseen"> {say('person.change-rest', { name: person.name })}</span>
            </a>
          )}
          <Stop visit={visit} person={person} />
        </div>
      </div>
    </section>
  );
}

/** How many people are on a page. */
const LISTED = 20;

function pageMark({ id }: Person): string {
  return sha256(id).slice(0, 16);
}

/** The place after which a part begins: how many are before it, and a mark of the last of these. */
function partPlace(people: readonly Person[], before: number): string {
  return before === 0 ? '' : `${before}.${pageMark(people[before - 1]!)}`;
}

/** Where a part begins now, when somebody before it may have come or gone. */
function beginOfPage(place: string, people: readonly Person[]): number {
  const [count = '', mark] = place.split('.', 2);
  const last = people.findIndex((person) => pageMark(person) === mark);
  if (last >= 0) {
    return last + 1;
  }
  return /^\d{1,4}$/.test(count) ? Math.max(0, Math.min(Number(count) - 1, people.length - 1)) : 0;
}

/** The people who see the record; nothing if there are none. */
export function People({
  query,
  ...seen
}: Seen & { readonly query: Readonly<Record<string, string>> }): JSX.Element | null {
  const { visit, seers } = seen;
  const { say } = visit.words;
  const { people } = seers;
  const before = beginOfPage(visit.query['people'] ?? '', people);
  const some = people.slice(before, before + LISTED);
  const pages = {
    before,
    ...(before > 0 ? { previous: partPlace(people, Math.max(0, before - LISTED)) } : {}),
    ...(before + LISTED < people.length ? { next: partPlace(people, before + LISTED) } : {}),
  };
  return people.length === 0 ? null : (
    <section class="part" id="people">
      <header>
        <h2>{say('person.people')}</h2>
      </header>
      <div class="stack">
        {some.map((person) => (
          <Card {...seen} person={person} />
        ))}
        <Pager
          visit={visit}
          pages={pages}
          shown={some.length}
          total={people.length}
          place="people"
          query={query}
          of={say('person.people')}
          at="people"
        />
      </div>
    </section>
  );
}

/** What the person sees, part by part, each as their own list of records shows it. */
export function SeeParts({ person, ...seen }: Seen & { readonly person: Person }): JSX.Element {
  const { visit } = seen;
  const { say } = visit.words;
  return (
    <ul class="rows" id="see">
      {person.circles.map((circle) => (
        <li>
          <a href={lookInto(visit, circle.id)}>
            {say('person.see-as', { name: person.name })}: <bdi>{circleName(circle.name, visit.words)}</bdi>
          </a>
        </li>
      ))}
    </ul>
  );
}
