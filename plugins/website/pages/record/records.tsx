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
import { Head, Part, Rows, Say, Tag } from '../../parts/layout';
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
    <p>
      <Tag tone="alert">
        <span class="unseen">{visit.words.say('overview.allergies')}: </span>
        <bdi>{commaSeparated(names.slice(0, NAMED), visit.words)}</bdi>
        {more > 0 && ` +${visit.words.number(more)}`}
      </Tag>
    </p>
  );
}

/** The number of things that wait there for this person, and the link to hand the record over. */
function Aside({ visit, record, waits }: RowProps & { readonly waits: number }) {
  const { say } = visit.words;
  return (
    (waits > 0 || record.kind === 'owned') && (
      <p class="by">
        {waits > 0 && <Tag tone="wait">{say('records.waits', { count: waits })}</Tag>}{' '}
        {record.kind === 'owned' && (
          <a href={`${recordAddress(visit, record)}hand-over`}>
            {say('records.hand-over')}
            <span class="unseen">: {record.label}</span>
          </a>
        )}
      </p>
    )
  );
}

/** The number of unread messages and offers of the record; 0 for a part of a record, which has neither. */
function waitsIn({ id, carenet, unread }: Reached, offers: readonly Offer[]): number {
  return carenet ? 0 : unread + offers.filter(({ recordId }) => recordId === id).length;
}

function Age({ visit, born }: { readonly visit: PersonVisit; readonly born: string }): JSX.Element | null {
  const age = ageWords(born, visit.now, visit.words);
  return age === '' ? null : <span class="soft">{age}</span>;
}

function Listed({
  visit,
  records,
  offers,
}: {
  readonly visit: PersonVisit;
  readonly records: readonly Reached[];
  readonly offers: readonly Offer[];
}) {
  return (
    <Rows kind="do">
      {records.map((record) => (
        <li>
          <div>
            <div class="tags">
              <Avatar name={record.label} hue={hueOf(recordAddress(visit, record))} />
              <a class="name big" href={recordAddress(visit, record)}>
                <bdi>{record.label}</bdi>
              </a>
              <Age visit={visit} born={record.born} />
            </div>
            <Allergies visit={visit} record={record} />
            <AboutRecord visit={visit} record={record} />
          </div>
          <Aside visit={visit} record={record} waits={waitsIn(record, offers)} />
        </li>
      ))}
    </Rows>
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
            <Part title={say(text)} {...(hint ? { hint: say(hint) } : {})}>
              <Listed visit={visit} records={listed} offers={offers} />
            </Part>
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
