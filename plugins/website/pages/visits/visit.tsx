/** visit: the page of one visit: when, where and with whom, what belongs to it, and the documents that tell of it. */
import type { ComponentChildren, JSX } from 'preact';
import { operations } from '../../http/operations';
import { page, shown, type Answer, type PersonVisit } from '../../http/page';
import { Head, Pairs, Part } from '../../parts/layout';
import { forBoth, whoseOf } from '../../parts/whose';
import { codedWords, fieldWords, text, type Fact } from '../../words/facts';
import { personName, visitDate, visitTitle } from '../../words/visits';
import { Belongs, Documents } from './belongs';
import { PeopleNamed } from './person-rows';

/** What is known of the visit itself; a row for each thing that its source says. */
function About({ visit: { models, words }, fact }: { readonly visit: PersonVisit; readonly fact: Fact }): JSX.Element {
  const model = models.find(fact.__modelname__);
  const { say } = words;
  const said = (name: string): string => (model ? fieldWords(model, fact, name, words) : '');
  const rows: readonly (readonly [string, string])[] = [
    [say('visits.when'), visitDate(fact, words, 'time')],
    [say('visits.kind'), codedWords(fact, 'encounterType', words)],
    [say('visits.where'), said('facility')],
    [say('visits.with'), personName(fact, 'provider_name')],
    [say('visits.telephone'), text(fact['provider_tel_1_number'])],
    [say('visits.status'), codedWords(fact, 'status', words)],
    [say('visits.reason'), text(fact['reason'])],
    [say('visits.notes'), text(fact['notes'])],
  ];
  const pairs = rows.filter(([, value]) => value !== '');
  return (
    <section class="card k-visit">
      <Pairs pairs={pairs.map(([label, value]): [string, ComponentChildren] => [label, <bdi>{value}</bdi>])} />
    </section>
  );
}

async function showVisit(visit: PersonVisit): Promise<Answer> {
  const whose = await whoseOf(visit);
  const { say, zone } = visit.words;
  const view = await visit.ask(
    whose.kind === 'record' ? operations.reports.recordVisit : operations.reports.carenetVisit,
    {
      params: { ...whose.params, VISIT_ID: visit.params['VISIT_ID'] ?? '' },
      query: { zone },
    },
  );
  const fact = view.visit as unknown as Fact;
  const title = visitTitle(fact, visit.words);
  return shown(
    title,
    <>
      <Head title={<bdi>{title}</bdi>} back={{ to: `${whose.base}visits/`, text: say('visits.title') }}>
        {visitDate(fact, visit.words)}
      </Head>
      <About visit={visit} fact={fact} />
      <Belongs
        visit={visit}
        whose={whose}
        title={say('visits.named')}
        facts={view.named as unknown as readonly Fact[]}
      />
      <Belongs
        visit={visit}
        whose={whose}
        title={say('visits.same-day')}
        facts={view.sameDay as unknown as readonly Fact[]}
      />
      {view.named.length + view.sameDay.length === 0 && (
        <Part title={say('visits.nothing')}>
          <p>{say('visits.nothing-why')}</p>
        </Part>
      )}
      {!view.all && <p class="by gap">{say('visits.not-all')}</p>}
      <Documents visit={visit} whose={whose} title={say('visits.documents')} documents={view.documents} />
      <PeopleNamed visit={visit} whose={whose} people={view.people} />
    </>,
    { record: whose.frame },
  );
}

export const visitPage = forBoth((begin) => page({ path: `${begin}/visits/{VISIT_ID}`, show: showVisit }));
