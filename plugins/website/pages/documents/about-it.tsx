/** about-it: what is known of a document beside its facts: how it came, its kind, its tags, who sees it, its versions. */
import type { ComponentChildren, JSX } from 'preact';
import type { ValueOf } from '../../../../core/http/route';
import type { operations } from '../../http/operations';
import type { PersonVisit } from '../../http/page';
import type { Wrong } from '../../parts/form';
import { Pairs } from '../../parts/layout';
import { listNames } from '../../parts/list';
import type { Whose } from '../../parts/whose';
import { circleName } from '../../words/circle-names';
import { OwnDetails } from './parts';
import { Tags } from './tags';

type Document = ValueOf<typeof operations.documents.recordDocumentRead>['document'];
type History = ValueOf<typeof operations.documents.recordDocumentHistory>;
type Of = { readonly visit: PersonVisit; readonly whose: Whose; readonly document: Document };
type Props = Of & {
  readonly kind: string;
  /** Undefined in a circle. */ readonly history: History | undefined;
  readonly mayChange: boolean;
  readonly wrong: Wrong | undefined;
};

function Came({ visit, document }: Pick<Of, 'visit' | 'document'>): JSX.Element {
  const { rich, date } = visit.words;
  return (
    <>
      {rich('document.who', { when: date(document.createdAt, 'time'), name: <bdi>{document.creator.name}</bdi> })}
      {document.cameFrom !== null && (
        <> {rich('received.stored-whole', { host: <bdi>{document.cameFrom}</bdi>, date: date(document.createdAt) })}</>
      )}
    </>
  );
}

/** The circles in which it lies, as far as the first page of them goes, with a link to change it. */
function WhoSees({ visit, document, history: { carenets, carenetPages } }: Of & { history: History }): JSX.Element {
  const { say, rich, words } = { ...visit.words, words: visit.words };
  const holding = carenets.filter(({ holds }) => holds).map(({ name }) => circleName(name, words));
  const more = carenetPages.next !== undefined || carenetPages.previous !== undefined;
  return (
    <>
      {document.nevershare && say('document.is-never')}
      {!document.nevershare && holding.length === 0 && !more && say('document.seen-by-none')}
      {!document.nevershare &&
        holding.length > 0 &&
        rich('document.seen-by', { names: listNames(holding, words), count: holding.length })}{' '}
      <a href={`${visit.path}?at=sharing#sharing`}>{say('document.change-sharing')}</a>
    </>
  );
}

export function AboutIt({ visit, whose, document, kind, history, mayChange, wrong }: Props): JSX.Element {
  const { say, rich, date } = visit.words;
  const { tags, date: day } = document.own;
  const versions = history?.versionCount ?? 0;
  const link = {
    count: versions,
    a: (chunks: ComponentChildren) => <a href={`${visit.path}?at=versions#versions`}>{chunks}</a>,
  };
  const pairs: readonly (readonly [string, ComponentChildren])[] = [
    [say('document.came'), <Came visit={visit} document={document} />],
    [say('document.own-kind'), <bdi>{kind}</bdi>],
    ...(day === null ? [] : [[say('document.own-date'), date(day)] as const]),
    ...(tags.length === 0 ? [] : [[say('document.tags'), <Tags whose={whose} tags={tags} />] as const]),
    ...(history && mayChange
      ? [
          [
            say('document.who-sees'),
            <WhoSees visit={visit} whose={whose} document={document} history={history} />,
          ] as const,
        ]
      : []),
    ...(versions > 1 ? [[say('document.versions'), rich('document.version-of', link)] as const] : []),
  ];
  return (
    <section class="card" id="about-it">
      <header>
        <h2>{say('document.about-it')}</h2>
      </header>
      <Pairs pairs={pairs} />
      {mayChange && <OwnDetails visit={visit} document={document} wrong={wrong} />}
    </section>
  );
}
