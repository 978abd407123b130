/** visits: the page of the visits of a record or carenet, newest first. */
import { operations } from '../../http/operations';
import { page, shown, type Answer, type PersonVisit } from '../../http/page';
import { Head } from '../../parts/layout';
import { Nothing } from '../../parts/nothing';
import { Pager } from '../../parts/pager';
import { forBoth, whoseOf } from '../../parts/whose';
import type { Fact } from '../../words/facts';
import { VisitRows } from './visit-row';

const PAGE = 50;

async function showVisits(visit: PersonVisit): Promise<Answer> {
  const whose = await whoseOf(visit);
  const { say } = visit.words;
  const query = { limit: String(PAGE), place: visit.query['place'] ?? '' };
  const { facts, pages } = await visit.ask(
    whose.kind === 'record' ? operations.reports.recordVisits : operations.reports.carenetVisits,
    { params: whose.params, query },
  );
  const title = say('visits.title');
  return shown(
    title,
    <>
      <Head title={title}>{say(`visits.lead-${whose.kind}`)}</Head>
      {facts.length === 0 ? (
        <Nothing visit={visit} whose={whose} title={say('visits.none')} why={say('visits.none-why')} all={undefined} />
      ) : (
        <section class="card k-visit">
          <VisitRows visit={visit} whose={whose} facts={facts as unknown as readonly Fact[]} />
        </section>
      )}
      <Pager visit={visit} pages={pages} shown={facts.length} />
    </>,
    { record: whose.frame },
  );
}

export const visits = forBoth((begin) => page({ path: `${begin}/visits/`, show: showVisits }));
