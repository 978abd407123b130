/** visit: the page of one visit: when, where and with whom, what belongs to it, and the documents that tell of it. */
import type { ComponentChildren, JSX } from 'preact';
import type { ValueOfOperation } from '../../http/operations';
import { page, shown, type Answer, type PersonVisit } from '../../http/page';
import { factAnchor } from '../../parts/fact';
import { Tile } from '../../parts/icons';
import { Check, Head, Line, Pairs, Part } from '../../parts/layout';
import { forBoth, whoseOf, type Whose } from '../../parts/whose';
import { checkWords } from '../../unlikely';
import { codedWords, factDate, factLine, factTitle, fieldWords, modelName, text, type Fact } from '../../words/facts';
import { besideName, nameOf } from '../../words/kinds';
import { saidOnce, type Statement } from '../../words/said-once';
import { personName, visitDate, visitTitle } from '../../words/visits';
import { lookOf } from '../record/timeline-days';

type View = ValueOfOperation<'record_visit'>;
type Seen = { readonly visit: PersonVisit; readonly whose: Whose };

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
  ];
  const pairs = rows.filter(([, value]) => value !== '');
  return (
    <section class="card k-visit">
      <Pairs pairs={pairs.map(([label, value]): [string, ComponentChildren] => [label, <bdi>{value}</bdi>])} />
    </section>
  );
}

function Entry({ statement: { fact }, visit, whose }: Seen & { readonly statement: Statement }): JSX.Element | null {
  const { models, words, now } = visit;
  const model = models.find(fact.__modelname__);
  if (!model) {
    return null;
  }
  const { hue, icon } = lookOf(model.name);
  const [title, kind] = [factTitle(model, fact, words), modelName(model, words)];
  return (
    <li data-kind={model.name} data-id={fact.__id__}>
      <Tile name={icon} kind={hue} />
      <div>
        <a
          class="name"
          href={`${whose.base}documents/${encodeURIComponent(fact.__documentid__ ?? '')}#${factAnchor(fact)}`}
        >
          <bdi>{title}</bdi>
        </a>
        <Line text={factLine(model, fact, words)} />
        <Check text={checkWords(model, fact, now, words)} />
        {kind !== title && <p class="by">{kind}</p>}
      </div>
      <span class="end below">{factDate(model, fact, words, 'day')}</span>
    </li>
  );
}

type Belonging = Seen & { readonly title: string; readonly facts: View['named'] };

function Belongs({ title, facts, ...seen }: Belonging): JSX.Element | null {
  const { models, words } = seen.visit;
  const statements = saidOnce(facts as unknown as readonly Fact[], (fact) => {
    const model = models.find(fact.__modelname__);
    return model
      ? [model.name, factTitle(model, fact, words), factLine(model, fact, words), factDate(model, fact, words)]
      : [];
  });
  return statements.length === 0 ? null : (
    <section class="card gap">
      <header>
        <h2>{title}</h2>
      </header>
      <ul class="list ic-list">
        {statements.map((statement) => (
          <Entry {...seen} statement={statement} />
        ))}
      </ul>
    </section>
  );
}

function Documents({ documents, visit, whose }: Seen & Pick<View, 'documents'>): JSX.Element | null {
  return documents.length === 0 ? null : (
    <section class="card k-doc gap">
      <header>
        <h2>{visit.words.say('visits.documents')}</h2>
      </header>
      <ul class="list ic-list">
        {documents.map((document) => (
          <li data-kind="Document" data-id={document.id}>
            <Tile name="document" kind="k-doc" />
            <div>
              <a class="name" href={`${whose.base}documents/${encodeURIComponent(document.id)}`}>
                <bdi>{nameOf(document, visit)}</bdi>
              </a>
              <Line text={besideName(document, visit)} />
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

async function show(visit: PersonVisit): Promise<Answer> {
  const whose = await whoseOf(visit);
  const { say, zone } = visit.words;
  const view = await visit.ask(`${whose.kind}_visit`, {
    params: { ...whose.params, VISIT_ID: visit.params['VISIT_ID'] ?? '' },
    query: { zone },
  });
  const fact = view.visit as unknown as Fact;
  const title = visitTitle(fact, visit.words);
  return shown(
    title,
    <>
      <Head title={<bdi>{title}</bdi>} back={{ to: `${whose.base}visits/`, text: say('visits.title') }}>
        {visitDate(fact, visit.words)}
      </Head>
      <About visit={visit} fact={fact} />
      <Belongs visit={visit} whose={whose} title={say('visits.named')} facts={view.named} />
      <Belongs visit={visit} whose={whose} title={say('visits.same-day')} facts={view.sameDay} />
      {view.named.length + view.sameDay.length === 0 && (
        <Part title={say('visits.nothing')}>
          <p>{say('visits.nothing-why')}</p>
        </Part>
      )}
      {!view.all && <p class="by gap">{say('visits.not-all')}</p>}
      <Documents visit={visit} whose={whose} documents={view.documents} />
    </>,
    { record: whose.frame },
  );
}

export const visitPage = forBoth((begin) => page({ path: `${begin}/visits/{VISIT_ID}`, show }));
