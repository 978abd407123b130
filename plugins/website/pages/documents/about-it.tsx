/** about-it: what is known of a document beside its facts: how it came, its kind, its tags, its versions. */
import type { ComponentChildren, JSX } from 'preact';
import type { ValueOf } from '../../../../core/http/route';
import type { operations } from '../../http/operations';
import type { PersonVisit } from '../../http/page';
import { Pairs, Part } from '../../parts/layout';
import type { Whose } from '../../parts/whose';
import { Tags } from './tags';

type Document = ValueOf<typeof operations.documents.recordDocumentRead>['document'];
type Props = {
  readonly visit: PersonVisit;
  readonly whose: Whose;
  readonly document: Document;
  readonly kind: string;
  /** 0 where the person may not see them. */ readonly versions: number;
};

function Came({ visit, document }: Pick<Props, 'visit' | 'document'>): JSX.Element {
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

export function AboutIt({ visit, whose, document, kind, versions }: Props): JSX.Element {
  const { say, rich } = visit.words;
  const { tags } = document.own;
  const pairs: (readonly [string, ComponentChildren])[] = [
    [say('document.came'), <Came visit={visit} document={document} />],
    [say('document.own-kind'), <bdi>{kind}</bdi>],
  ];
  if (tags.length > 0) {
    pairs.push([say('document.tags'), <Tags whose={whose} tags={tags} />]);
  }
  if (versions > 1) {
    const link = { count: versions, a: (chunks: ComponentChildren) => <a href="#versions">{chunks}</a> };
    pairs.push([say('document.versions'), rich('document.version-of', link)]);
  }
  return (
    <div id="about-it">
      <Part title={say('document.about-it')}>
        <Pairs pairs={pairs} />
      </Part>
    </div>
  );
}
