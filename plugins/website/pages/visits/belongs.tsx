/** belongs: cards of facts of any model, and of documents, that belong to a visit or to a person. */
import type { ValueOf } from '../../../../core/http/route';
import type { JSX } from 'preact';
import type { operations } from '../../http/operations';
import type { PersonVisit } from '../../http/page';
import { EntryCard, EntryRow } from '../../parts/entry-row';
import { Check } from '../../parts/layout';
import type { Whose } from '../../parts/whose';
import { checkWords } from '../../unlikely';
import { factTitle, modelName, type Fact } from '../../words/facts';
import { besideName, documentName } from '../../words/kinds';
import { factsOnce, type Statement } from '../../words/said-once';
import { EntryOfFact } from './fact-entry';

type View = ValueOf<typeof operations.reports.recordVisit>;
type Seen = { readonly visit: PersonVisit; readonly whose: Whose };

function Entry({ statement: { fact }, visit, whose }: Seen & { readonly statement: Statement }): JSX.Element | null {
  const { models, words } = visit;
  const model = models.find(fact.__modelname__);
  if (!model) {
    return null;
  }
  const kind = modelName(model, words);
  return (
    <EntryOfFact visit={visit} whose={whose} fact={fact}>
      <Check text={checkWords(model, fact, words)} />
      {kind !== factTitle(model, fact, words) && <p class="by">{kind}</p>}
    </EntryOfFact>
  );
}

type Belonging = Seen & { readonly title: string; readonly facts: readonly Fact[] };

export function Belongs({ title, facts, ...seen }: Belonging): JSX.Element | null {
  const statements = factsOnce(facts, seen.visit);
  return statements.length === 0 ? null : (
    <EntryCard title={title}>
      {statements.map((statement) => (
        <Entry {...seen} statement={statement} />
      ))}
    </EntryCard>
  );
}

type Told = Seen & { readonly title: string; readonly documents: View['documents'] };

export function Documents({ title, documents, visit, whose }: Told): JSX.Element | null {
  return documents.length === 0 ? null : (
    <EntryCard title={title} hue="k-doc">
      {documents.map((document) => (
        <EntryRow
          kind="Document"
          id={document.id}
          icon="document"
          hue="k-doc"
          address={`${whose.base}documents/${encodeURIComponent(document.id)}`}
          title={documentName(document, visit)}
          line={besideName(document, visit)}
        />
      ))}
    </EntryCard>
  );
}
