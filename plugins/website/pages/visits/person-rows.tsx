/** person-rows: doctors and places in a list; each leads to its page. */
import type { ValueOf } from '../../../../core/http/route';
import type { JSX } from 'preact';
import type { operations } from '../../http/operations';
import type { PersonVisit } from '../../http/page';
import { EntryRow } from '../../parts/entry-row';
import type { Whose } from '../../parts/whose';
import { joinedBy } from '../../words/words';

export type Person = ValueOf<typeof operations.reports.recordPeople>[number];

type Props = { readonly visit: PersonVisit; readonly whose: Pick<Whose, 'base'>; readonly people: readonly Person[] };

function personAddress({ base }: Pick<Whose, 'base'>, key: string): string {
  return `${base}people/${encodeURIComponent(key)}`;
}

/** "3 documents, 12 entries". */
function countWords({ documents, facts }: Person, { words }: PersonVisit): string {
  const { say } = words;
  const said = [
    documents > 0 ? say('people.documents', { count: documents }) : '',
    facts > 0 ? say('people.facts', { count: facts }) : '',
  ];
  return joinedBy(' · ', said.filter(Boolean), words);
}

export function PersonRows({ visit, whose, people }: Props): JSX.Element {
  return (
    <ul class="list ic-list">
      {people.map((person) => (
        <EntryRow
          kind="Person"
          id={person.key}
          icon={person.isPlace ? 'home' : 'people'}
          hue="k-who"
          address={personAddress(whose, person.key)}
          title={person.name}
          end={countWords(person, visit)}
        />
      ))}
    </ul>
  );
}

/** The doctors and places that a document or a visit names, as a card; nothing without any. */
export function PeopleNamed({ visit, whose, people }: Props): JSX.Element | null {
  return people.length === 0 ? null : (
    <section class="card gap">
      <header>
        <h2>
          <a href={`${whose.base}people`}>{visit.words.say('people.title')}</a>
        </h2>
      </header>
      <PersonRows visit={visit} whose={whose} people={people} />
    </section>
  );
}
