/** person: the page of one doctor or place: the documents that they wrote, and what they did. */
import type { ValueOf } from '../../../../core/http/route';
import type { JSX } from 'preact';
import { operations } from '../../http/operations';
import { page, shown, type Answer, type PersonVisit } from '../../http/page';
import { Head } from '../../parts/layout';
import { forBoth, whoseOf } from '../../parts/whose';
import type { Fact } from '../../words/facts';
import { Belongs, Documents } from './belongs';
import { VisitRows } from './visit-row';
import { joinedBy } from '../../words/words';

type View = ValueOf<typeof operations.reports.recordPerson>;

function isVisit({ __modelname__: name }: Fact): boolean {
  return name === 'Encounter';
}

function Also({ visit, view }: { readonly visit: PersonVisit; readonly view: View }): JSX.Element | null {
  const { rich } = visit.words;
  return view.also.length === 0 ? null : (
    <>{rich('people.also', { names: <bdi>{joinedBy('; ', view.also.slice(0, 5), visit.words)}</bdi> })}</>
  );
}

async function showPerson(visit: PersonVisit): Promise<Answer> {
  const whose = await whoseOf(visit);
  const { say } = visit.words;
  const params = { ...whose.params, PERSON_KEY: visit.params['KEY'] ?? '' };
  const view = await visit.ask(
    whose.kind === 'record' ? operations.reports.recordPerson : operations.reports.carenetPerson,
    { params },
  );
  const did = view.did as unknown as readonly Fact[];
  const visits = did.filter(isVisit);
  return shown(
    view.name,
    <>
      <Head title={<bdi>{view.name}</bdi>} back={{ to: `${whose.base}people`, text: say('people.title') }}>
        <Also visit={visit} view={view} />
      </Head>
      <Documents visit={visit} whose={whose} title={say('people.wrote')} documents={view.wrote} />
      {visits.length > 0 && (
        <section class="card k-visit gap">
          <header>
            <h2>
              <a href={`${whose.base}visits/`}>{say('visits.title')}</a>
            </h2>
          </header>
          <VisitRows visit={visit} whose={whose} facts={visits} />
        </section>
      )}
      <Belongs visit={visit} whose={whose} title={say('people.did')} facts={did.filter((fact) => !isVisit(fact))} />
      {!view.all && <p class="by gap">{say('people.not-all')}</p>}
    </>,
    { record: whose.frame },
  );
}

export const person = forBoth((begin) => page({ path: `${begin}/people/{KEY}`, show: showPerson }));
