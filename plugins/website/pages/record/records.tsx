/**
 * records: the page of the records that the person may see: their own, those shared as a whole, and the carenets of
 * others' records.
 */
import { circleName } from '../../words/circle-names';
import type { ComponentChildren, JSX } from 'preact';
import type { Pages } from '../../../../core/http/places';
import { liesIn, liesInAll } from '../../words/holds';
import { go, ownAccount, page, shown, type Answer, type PersonVisit } from '../../http/page';
import { factTitle, type Fact } from '../../words/facts';
import { commaSeparated } from '../../words/words';
import { operations } from '../../http/operations';
import { standingOf } from '../../../../core/lines/standing';
import type { ValueOf } from '../../../../core/http/route';
import { Head, Part, Say, Tag } from '../../parts/layout';
import { Pager } from '../../parts/pager';
import { ageWords, Avatar, hueOf } from '../../parts/who';

type Reached = ValueOf<typeof operations.records.accountRecords>['records'][number];
type Offer = ValueOf<typeof operations.records.accountHandovers>[number];

function recordAddress({ site }: PersonVisit, record: Reached): string {
  return record.carenet ? `${site}/carenets/${record.carenet.id}/` : `${site}/records/${record.id}/`;
}

const PAGE = 50;

type RowProps = { readonly visit: PersonVisit; readonly record: Reached };

/** The contents of the record, as far as this person may see them, and since when. */
function AboutRecord({ visit, record: { carenet, holds, sharedAt } }: RowProps) {
  const { date, rich, say } = visit.words;
  if (carenet) {
    const said = {
      carenet: <bdi>{circleName(carenet.name, visit.words)}</bdi>,
      what: <bdi>{liesIn(holds, visit)}</bdi>,
      b: (chunks: ComponentChildren) => <b>{chunks}</b>,
    };
    return <p class="by">{rich('records.in-carenet', said)}</p>;
  }
  return (
    <>
      <p class="by">{liesInAll(holds, visit)}</p>
      {sharedAt !== null && (
        <p class="by">
          {say('records.as-own')} {say('records.shared-since', { date: date(sharedAt) })}
        </p>
      )}
    </>
  );
}

/** How many allergies of a person are named in the list. */
const NAMED = 4;

/** What the person is allergic to, in one mark; nothing if nobody said so. */
function Allergies({ visit, record }: RowProps): JSX.Element | null {
  const model = visit.models.find('Allergy');
  const there = model
    ? (record.allergies as readonly Fact[]).filter((fact) => standingOf(model, fact, visit.now) === 'open')
    : [];
  const names = [...new Set(there.map((fact) => factTitle(model!, fact, visit.words)))].sort();
  const more = names.length - NAMED;
  return names.length === 0 ? null : (
    <Tag tone="alert">
      <span class="unseen">{visit.words.say('overview.allergies')}: </span>
      <bdi>{commaSeparated(names.slice(0, NAMED), visit.words)}</bdi>
      {more > 0 && ` +${visit.words.number(more)}`}
    </Tag>
  );
}

/** The link to hand the record over, for its owner. */
function HandOver({ visit, record }: RowProps): JSX.Element | null {
  return record.kind === 'owned' ? (
    <p class="by">
      <a href={`${recordAddress(visit, record)}hand-over`}>
        {visit.words.say('records.hand-over')}
        <span class="unseen">: {record.label}</span>
      </a>
    </p>
  ) : null;
}

/** The number of unread messages and offers of the record; 0 for a part of a record, which has neither. */
function waitsIn({ id, carenet, unread }: Reached, offers: readonly Offer[]): number {
  return carenet ? 0 : unread + offers.filter(({ recordId }) => recordId === id).length;
}

/** A card for each record, in its colour; the whole card leads there. */
function Listed({
  visit,
  records,
  offers,
}: {
  readonly visit: PersonVisit;
  readonly records: readonly Reached[];
  readonly offers: readonly Offer[];
}) {
  const { words, now } = visit;
  return (
    <div class="cards">
      {records.map((record) => {
        const address = recordAddress(visit, record);
        const [hue, age, waits] = [hueOf(address), ageWords(record.born, now, words), waitsIn(record, offers)];
        return (
          <section class={`card person record ${hue} s6`}>
            <Avatar name={record.label} hue={hue} />
            <div>
              <h3>
                <a class="name" href={address}>
                  <bdi>{record.label}</bdi>
                </a>
              </h3>
              {age !== '' && <p class="by">{age}</p>}
              <AboutRecord visit={visit} record={record} />
              <HandOver visit={visit} record={record} />
            </div>
            <p class="tags">
              <Allergies visit={visit} record={record} />
              {waits > 0 && <Tag tone="wait">{words.say('records.waits', { count: waits })}</Tag>}
            </p>
          </section>
        );
      })}
    </div>
  );
}

/** Records whose owners want to hand them over to this person. */
function Offered({ visit, offers }: { readonly visit: PersonVisit; readonly offers: readonly Offer[] }) {
  return (
    <Say tone="wait" title={visit.words.say('records.offered', { count: offers.length })}>
      <ul>
        {offers.map((offer) => (
          <li>
            <a href={`${visit.site}/handovers/${encodeURIComponent(offer.recordId)}`}>
              {visit.words.rich('records.offered-one', {
                record: <bdi>{offer.label}</bdi>,
                owner: <bdi>{offer.ownerName}</bdi>,
              })}
            </a>
          </li>
        ))}
      </ul>
    </Say>
  );
}

type Listing = {
  readonly records: readonly Reached[];
  readonly total: number;
  readonly pages: Pages;
  readonly offers: readonly Offer[];
};

function recordsView(visit: PersonVisit, { records, total, pages, offers }: Listing): Answer {
  const { say } = visit.words;
  const kinds = [
    ['owned', 'records.yours', undefined],
    ['full_share', 'records.whole', 'records.whole-hint'],
    ['carenet', 'records.part', undefined],
  ] as const;
  const title = say('records.title');
  return shown(
    title,
    <>
      {offers.length > 0 && <Offered visit={visit} offers={offers} />}
      <Head title={title}>{say('records.count', { count: total })}</Head>
      {kinds.map(([kind, text, hint]) => {
        const listed = records.filter((record) => record.kind === kind);
        return (
          listed.length > 0 && (
            <>
              <h2 class="month">{say(text)}</h2>
              {hint && <p class="by">{say(hint)}</p>}
              <Listed visit={visit} records={listed} offers={offers} />
            </>
          )
        );
      })}
      <Pager visit={visit} pages={pages} shown={records.length} total={total} query={{ all: '1' }} />
      <Part title={say('records.new')}>
        <p>{say('records.new-hint')}</p>
        <div class="buttons">
          <a class={`button${records.length === 0 ? ' first' : ''}`} href={`${visit.site}/start`}>
            {say('records.start')}
          </a>
          <a class="button" href={`${visit.site}/bring-in`}>
            {say('bring-in.title')}
          </a>
        </div>
      </Part>
    </>,
  );
}

export const records = page({
  path: '/',
  show: async (visit) => {
    const params = ownAccount(visit);
    const [{ records: listed, total, pages }, offers] = await Promise.all([
      visit.ask(operations.records.accountRecords, {
        params,
        query: { limit: String(PAGE), place: visit.query['place'] ?? '' },
      }),
      visit.ask(operations.records.accountHandovers, { params }),
    ]);
    const [only] = listed;
    if (only && total === 1 && offers.length === 0 && visit.query['all'] === undefined) {
      return go(recordAddress(visit, only));
    }
    return recordsView(visit, { records: listed, total, pages, offers });
  },
});
