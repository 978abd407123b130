/** people: the page of the doctors and places that the documents of a record or carenet name. */
import type { JSX } from 'preact';
import { operations } from '../../http/operations';
import { page, shown, type Answer, type PersonVisit } from '../../http/page';
import { Head } from '../../parts/layout';
import { Nothing } from '../../parts/nothing';
import { forBoth, whoseOf, type Whose } from '../../parts/whose';
import { PersonRows, type Person } from './person-rows';

const PAGE = 100;

type GroupProps = {
  readonly visit: PersonVisit;
  readonly whose: Whose;
  readonly title: string;
  readonly people: readonly Person[];
};

function Group({ visit, whose, title, people }: GroupProps): JSX.Element | null {
  return people.length === 0 ? null : (
    <section class="card gap">
      <header>
        <h2>{title}</h2>
        <span class="soft small">{visit.words.number(people.length)}</span>
      </header>
      <PersonRows visit={visit} whose={whose} people={people} />
    </section>
  );
}

async function showPeople(visit: PersonVisit): Promise<Answer> {
  const whose = await whoseOf(visit);
  const { say } = visit.words;
  const all = await visit.ask(
    whose.kind === 'record' ? operations.reports.recordPeople : operations.reports.carenetPeople,
    { params: whose.params },
  );
  const offset = /^\d{1,6}$/.test(visit.query['offset'] ?? '') ? Number(visit.query['offset']) : 0;
  const people = all.slice(offset, offset + PAGE);
  const title = say('people.title');
  return shown(
    title,
    <>
      <Head title={title}>{say(`people.lead-${whose.kind}`)}</Head>
      {all.length === 0 && (
        <Nothing visit={visit} whose={whose} title={say('people.none')} why={say('people.none-why')} all={undefined} />
      )}
      <Group visit={visit} whose={whose} title={say('people.doctors')} people={people.filter((one) => !one.isPlace)} />
      <Group visit={visit} whose={whose} title={say('people.places')} people={people.filter((one) => one.isPlace)} />
      {offset + PAGE < all.length && (
        <p class="more">
          <a href={`${visit.path}?offset=${offset + PAGE}`}>{say('people.more')}</a>
        </p>
      )}
    </>,
    { record: whose.frame },
  );
}

export const people = forBoth((begin) => page({ path: `${begin}/people`, show: showPeople }));
