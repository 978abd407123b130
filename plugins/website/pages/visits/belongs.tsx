/** belongs: cards of facts of any model, and of documents, that belong to a visit or to a person. */
import type { ValueOf } from '../../../../core/http/route';
import type { JSX } from 'preact';
import type { operations } from '../../http/operations';
import type { PersonVisit } from '../../http/page';
import { Tile } from '../../parts/icons';
import { Check, Line } from '../../parts/layout';
import type { Whose } from '../../parts/whose';
import { checkWords } from '../../unlikely';
import { factAddress, factDate, factLine, factTitle, modelName, type Fact } from '../../words/facts';
import { besideName, nameOf } from '../../words/kinds';
import { saidOnce, type Statement } from '../../words/said-once';
import { lookOf } from '../record/timeline-days';

type View = ValueOf<typeof operations.reports.recordVisit>;
type Seen = { readonly visit: PersonVisit; readonly whose: Whose };

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
        <a class="name" href={factAddress(whose.base, fact)}>
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

type Belonging = Seen & { readonly title: string; readonly facts: readonly Fact[] };

export function Belongs({ title, facts, ...seen }: Belonging): JSX.Element | null {
  const { models, words } = seen.visit;
  const statements = saidOnce(facts, (fact) => {
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

type Told = Seen & { readonly title: string; readonly documents: View['documents'] };

export function Documents({ title, documents, visit, whose }: Told): JSX.Element | null {
  return documents.length === 0 ? null : (
    <section class="card k-doc gap">
      <header>
        <h2>{title}</h2>
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
