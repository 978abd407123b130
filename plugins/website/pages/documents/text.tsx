/**
 * text: the page of a document in its own words, which are the text that its format has for people. It is
 * never shown as markup.
 */
import type { JSX } from 'preact';
import type { NarrativeBlock, NarrativeItem, NarrativeSection } from '../../../../core/xml/narrative';
import { operations } from '../../http/operations';
import { saidTitle } from '../../words/kinds';
import { FilesPart, Pictures } from './files';
import { page, shown, type Answer, type PersonVisit } from '../../http/page';
import { Head, Part } from '../../parts/layout';
import { forBoth, whoseOf } from '../../parts/whose';

function Items({ items }: { readonly items: readonly NarrativeItem[] }): JSX.Element {
  return (
    <ul>
      {items.map(({ text, items: inner }) => (
        <li>
          <bdi>{text}</bdi>
          {inner.length > 0 && <Items items={inner} />}
        </li>
      ))}
    </ul>
  );
}

/** On a telephone each row is a short list, whose lines have the names of the columns. */
function NarrativeTable({ head, rows }: Extract<NarrativeBlock, { kind: 'table' }>): JSX.Element {
  return (
    <table class="fold" role="table">
      {head.length > 0 && (
        <thead role="rowgroup">
          <tr role="row">
            {head.map((text) => (
              <th scope="col" role="columnheader">
                <bdi>{text}</bdi>
              </th>
            ))}
          </tr>
        </thead>
      )}
      <tbody role="rowgroup">
        {rows.map((cells) => (
          <tr role="row">
            {cells.map((text, at) => (
              <td role="cell" class={head[at] ? undefined : 'own'} data-label={head[at]}>
                {text !== '' && <bdi>{text}</bdi>}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Block({ block }: { readonly block: NarrativeBlock }): JSX.Element {
  if (block.kind === 'text') {
    return (
      <p>
        <bdi>{block.text}</bdi>
      </p>
    );
  }
  return block.kind === 'list' ? <Items items={block.items} /> : <NarrativeTable {...block} />;
}

function Told({ section: { blocks, sections } }: { readonly section: NarrativeSection }): JSX.Element {
  return (
    <>
      {blocks.map((block) => (
        <Block block={block} />
      ))}
      {sections.map((inner) => (
        <>
          {inner.title !== '' && (
            <h3>
              <bdi>{inner.title}</bdi>
            </h3>
          )}
          <Told section={inner} />
        </>
      ))}
    </>
  );
}

async function showDocumentText(visit: PersonVisit): Promise<Answer> {
  const { say, date } = visit.words;
  const whose = await whoseOf(visit);
  const params = { ...whose.params, DOCUMENT_ID: visit.params['DOCUMENT_ID'] ?? '' };
  const [{ document, narrative }, { files }] = await Promise.all([
    visit.ask(
      whose.kind === 'record'
        ? operations.documents.recordDocumentNarrative
        : operations.documents.carenetDocumentNarrative,
      { params },
    ),
    visit.ask(
      whose.kind === 'record' ? operations.documents.recordDocumentFiles : operations.documents.carenetDocumentFiles,
      { params },
    ),
  ]);
  const holding = { visit, whose, documentId: document.id, files };
  const title = document.label ?? (saidTitle(document.about, visit) || say('document-text.title'));
  return shown(
    title,
    <>
      <Head
        title={<bdi>{title}</bdi>}
        back={{
          to: `${whose.base}documents/${encodeURIComponent(document.id)}`,
          text: say('document-text.back'),
        }}
      >
        {say('document-text.about', { when: date(document.createdAt) })}
      </Head>
      {narrative.sections.length === 0 && <p>{say('document-text.none')}</p>}
      {narrative.sections.map((section) => (
        <div class="told">
          <Part title={<bdi>{section.title || say('document-text.untitled')}</bdi>}>
            <Told section={section} />
          </Part>
        </div>
      ))}
      <Pictures {...holding} />
      <FilesPart {...holding} />
      {narrative.cut && <p class="more soft">{say('document.cut')}</p>}
    </>,
    { record: whose.frame },
  );
}

export const documentText = forBoth((begin) =>
  page({ path: `${begin}/documents/{DOCUMENT_ID}/text`, show: showDocumentText }),
);
