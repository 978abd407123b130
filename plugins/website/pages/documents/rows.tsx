/** rows: documents in a list or as small pages, with what they are known by; those of a device are a line a day. */
import type { JSX } from 'preact';
import type { Fact } from '../../words/facts';
import { dateField, dateWords, knownDate } from '../../words/facts';
import { documentLine, ownDate, saidTitle, titleOf } from '../../words/kinds';
import { groupedBy } from '../../../../core/base/grouped-by';
import type { PersonVisit } from '../../http/page';
import { Tile } from '../../parts/icons';
import { Line, Tag } from '../../parts/layout';
import { addressWith } from '../../parts/pager';
import type { Whose } from '../../parts/whose';
import { kindName } from '../../words/type-words';
import { dayIn } from '../../words/zoned';
import { lookOf } from '../record/timeline-days';
import {
  askedFor,
  careDay,
  isReadings,
  kindWords,
  listedDay,
  senderNameOf,
  sortOf,
  type Document,
  type Key,
} from './ordered';
import { PageSketch } from './page-sketch';
import { Tick } from './several';
import { Tags } from './tags';
import { commaSeparated } from '../../words/words';

type Of = { readonly visit: PersonVisit; readonly whose: Whose };
/** A document, or what a device sent on one day. */
export type Entry = {
  readonly keys: readonly Key[];
  readonly device?: { readonly source: string; readonly day: string };
};
type Listed = Of & {
  readonly entries: readonly Entry[];
  readonly documents: ReadonlyMap<string, Document>;
};

/** Of these documents a line shows the names. */
export const NAMED_OF_DEVICE = 10;

/** What a person typed into a form is theirs, and no reading of a device. */
function isOfDevice(key: Key, visit: PersonVisit): boolean {
  return isReadings(key, visit) && key.type !== `${visit.settings.vocabBase}/xml/documents#Models`;
}

/** The lines of a list in their order. Several documents of one device and day are one, at the place of the first. */
export function listedEntries(visit: PersonVisit, keys: readonly Key[]): readonly Entry[] {
  if (askedFor(visit, 'day') !== '' || (sortOf(visit) !== 'care' && sortOf(visit) !== 'added')) {
    return keys.map((key) => ({ keys: [key] }));
  }
  const deviceOf = (key: Key) => ({
    source: senderNameOf(key) || kindName(key.type, visit.models, visit.words),
    day: sortOf(visit) === 'care' ? listedDay(key, visit) : dayIn(visit.words.zone, key.createdAt),
  });
  const groups = groupedBy(keys, (key) => {
    const { source, day } = deviceOf(key);
    return isOfDevice(key, visit) ? `${day} ${source}` : key.id;
  });
  return [...groups.values()].map((own) => (own.length < 2 ? { keys: own } : { keys: own, device: deviceOf(own[0]!) }));
}

/** The day of care as far as it is known: of some days only the month or the year is. */
function knownDay(visit: PersonVisit, key: Key, { contents }: Document): string | undefined {
  const day = careDay(key, visit);
  const known = contents.flatMap(({ model: name, first }) => {
    const model = visit.models.find(name);
    const field = model && dateField(model);
    return field === undefined ? [] : [knownDate(first as unknown as Fact, field)];
  });
  return known.find((one) => one !== '' && one.length < 10 && day?.startsWith(one)) ?? day;
}

/** The day at the end of a row: of care, or else it says that it is the day of adding. */
function ListedDay({ visit, key_: key, document }: { visit: PersonVisit; key_: Key; document: Document }): JSX.Element {
  const { date, say } = visit.words;
  const care = sortOf(visit) === 'added' ? undefined : knownDay(visit, key, document);
  const added = date(document.createdAt, 'short-day');
  return care === undefined ? (
    <time datetime={dayIn(visit.words.zone, document.createdAt)}>{say('overview.added', { date: added })}</time>
  ) : (
    <time datetime={care}>{care.length < 10 ? dateWords(care, visit.words) : date(care, 'short-day')}</time>
  );
}

/** Who sent it, or else who added it. */
function senderWords({ visit }: Of, document: Document): string {
  const { from, author } = document.about ?? {};
  const said = [from, author].flatMap((one) => (one === undefined || one === '' ? [] : [one]));
  if (said.length > 0) {
    return commaSeparated([...new Set(said)], visit.words);
  }
  return document.creator.id === visit.person.principal.accountId
    ? visit.words.say('documents.by-you')
    : visit.words.say('documents.by-whom', { name: document.creator.name });
}

/** The tick of a document with which something can be done. */
function Chosen({ visit, whose, document }: Of & { document: Document }): JSX.Element | null {
  return whose.kind === 'record' && document.status === 'active' ? (
    <label class="tick">
      <Tick visit={visit} id={document.id} title={titleOf(document, visit)} />
    </label>
  ) : null;
}

/** How many pictures are fetched at once. The others are, when somebody scrolls to them. */
const FETCHED = 12;

/** The room of a small picture, which has this shape when it is a page. */
const SMALL = { width: 283, height: 400 };

/** Files of which a picture can be made, by the type that their document gives. */
const PICTURED = /^(?:application\/pdf|image\/(?:jpeg|png|gif|webp|heic|tiff))$/;

function hasPicture({ contents }: Pick<Document, 'contents'>): boolean {
  return contents.some(
    ({ model, first }) => model === 'StoredFile' && PICTURED.test(String((first as unknown as Fact)['media_type'])),
  );
}

/** Its first page, if it is a file that has one; else a drawn page in the colour of what it says. */
export function Thumb({
  address,
  document,
  at,
}: {
  readonly address: string;
  readonly document: Pick<Document, 'contents'>;
  readonly at: number;
}): JSX.Element {
  const model = document.contents[0]?.model ?? '';
  return hasPicture(document) ? (
    <img
      class="page"
      src={`${address}/thumb.png`}
      alt=""
      {...SMALL}
      {...(at < FETCHED ? {} : { loading: 'lazy' as const })}
    />
  ) : (
    <PageSketch model={model} hue={lookOf(model).hue} />
  );
}

type InList = Of & {
  readonly key_: Key;
  readonly document: Document;
  /** Place on the page, from 0. */ readonly at: number;
};

/** The kind and what else it is known by, in small letters. */
function Known({ visit, whose, key_: key, document }: Omit<InList, 'at'>): JSX.Element {
  const { rich, date, say } = visit.words;
  const [title, kind] = [titleOf(document, visit), kindWords(document, visit)];
  const own = document.own.date === null ? ownDate(document, visit, 'day') : date(document.own.date, 'day');
  const care = careDay(key, visit);
  // The day at the end of the row is not repeated.
  const shown = sortOf(visit) === 'added' || care === undefined ? '' : dateWords(care, visit.words, 'day');
  const isShown = shown !== '' && [shown, say('documents.first', { date: shown })].includes(own);
  const said = [kind === title ? '' : kind, isShown ? '' : own].filter(Boolean);
  return (
    <>
      <p class="line tiny">
        {said.length > 0 && (
          <span class="soft">
            <bdi>{said.join('. ')}</bdi>
          </span>
        )}
        <Tags whose={whose} tags={document.own.tags} />
        {document.nevershare && whose.kind === 'record' && <Tag tone="off">{say('documents.never')}</Tag>}
      </p>
      {document.cameFrom !== null && (
        <p class="by">
          {rich('received.stored', { host: <bdi>{document.cameFrom}</bdi>, date: date(document.createdAt) })}
        </p>
      )}
    </>
  );
}

/** The title that it gives itself, where somebody calls it otherwise. */
function ownTitle({ label, about }: Document, visit: PersonVisit): string {
  const said = saidTitle(about, visit);
  return label === null || label.includes(said) ? '' : said;
}

function ListedRow({ visit, whose, key_: key, document, at }: InList): JSX.Element {
  const address = `${whose.base}documents/${encodeURIComponent(document.id)}`;
  return (
    <li data-kind="Document" data-id={document.id}>
      {whose.kind === 'record' && document.status === 'active' ? (
        <Chosen visit={visit} whose={whose} document={document} />
      ) : (
        <span />
      )}
      <Thumb address={address} document={document} at={at} />
      <div>
        <a class="name" href={address}>
          <bdi>{titleOf(document, visit)}</bdi>
        </a>
        <Line text={senderNameOf(document) === '' ? documentLine(document, visit) : ownTitle(document, visit)} />
        <p class="by">
          <bdi>{senderWords({ visit, whose }, document)}</bdi>
        </p>
        <Known visit={visit} whose={whose} key_={key} document={document} />
      </div>
      <span class="end">
        <ListedDay visit={visit} key_={key} document={document} />
      </span>
    </li>
  );
}

/** What a device sent on one day: a line, with the names of its documents folded in it. */
function DeviceRow({ visit, whose, documents, entry }: Of & Pick<Listed, 'documents'> & { entry: Entry }): JSX.Element {
  const { say } = visit.words;
  const { source, day } = entry.device!;
  const count = entry.keys.length;
  return (
    <li class="of-device">
      <details class="fold">
        <summary>
          <Tile name="device" kind="k-meas" />
          <span>
            <bdi>{say('documents.device', { source, count, date: dateWords(day, visit.words) })}</bdi>
          </span>
        </summary>
        <ul class="dots">
          {entry.keys.slice(0, NAMED_OF_DEVICE).flatMap(({ id }) => {
            const document = documents.get(id);
            return document
              ? [
                  <li data-kind="Document" data-id={id}>
                    <a href={`${whose.base}documents/${encodeURIComponent(id)}`}>
                      <bdi>{titleOf(document, visit)}</bdi>
                    </a>
                  </li>,
                ]
              : [];
          })}
        </ul>
        {sortOf(visit) === 'care' && (
          <p class="more">
            <a href={addressWith(visit, { day })}>{say('documents.device-all')}</a>
          </p>
        )}
      </details>
    </li>
  );
}

/** A document by its first page. */
function Small({ visit, whose, key_: key, document, at }: InList): JSX.Element {
  const address = `${whose.base}documents/${encodeURIComponent(document.id)}`;
  return (
    <li data-kind="Document" data-id={document.id}>
      <a href={address}>
        <Thumb address={address} document={document} at={at} />
        <b>
          <bdi>{titleOf(document, visit)}</bdi>
        </b>
      </a>
      <span class="by">
        <bdi>{senderNameOf(document) || kindWords(document, visit)}</bdi>
        <br />
        <ListedDay visit={visit} key_={key} document={document} />
      </span>
      <Chosen visit={visit} whose={whose} document={document} />
    </li>
  );
}

/** The heading under which documents stand in their order; empty where they need none. */
function headingOf(visit: PersonVisit, entry: Entry, isGrid: boolean): string {
  const [key] = entry.keys as [Key];
  const { number, say, zone } = visit.words;
  const sort = sortOf(visit);
  if (sort === 'from') {
    return senderNameOf(key) || say('documents.no-sender');
  }
  const day = sort === 'care' ? listedDay(key, visit) : dayIn(zone, key.createdAt);
  return isGrid && sort !== 'title' ? number(Number(day.slice(0, 4)), { useGrouping: false }) : '';
}

/** The documents in a list, or as small pages; with headings where they help. */
export function DocumentList({
  visit,
  whose,
  entries,
  documents,
  isGrid,
}: Listed & { readonly isGrid: boolean }): JSX.Element {
  const groups = groupedBy(entries, (entry) => headingOf(visit, entry, isGrid));
  let at = -1;
  return (
    <>
      {[...groups].map(([heading, own]) => {
        const rows = own.flatMap((entry) => {
          const document = documents.get(entry.keys[0]!.id);
          at += 1;
          const listed = { visit, whose, key_: entry.keys[0]!, document: document!, at };
          if (entry.device) {
            return [<DeviceRow visit={visit} whose={whose} documents={documents} entry={entry} />];
          }
          return document ? [isGrid ? <Small {...listed} /> : <ListedRow {...listed} />] : [];
        });
        return (
          <>
            {heading !== '' && (
              <div class="month">
                <h2>
                  <bdi>{heading}</bdi>
                </h2>
              </div>
            )}
            {isGrid ? (
              <ul class="thumbs">{rows}</ul>
            ) : (
              <section class="card gap">
                <ul class="list docs">{rows}</ul>
              </section>
            )}
          </>
        );
      })}
    </>
  );
}
