/** records: the records that the person may see: their own, those shared as a whole, and parts of others' by carenet. */
import type { Pages } from '../../core/http/places';
import type { ListedRecord } from '../../core/storage/stores/records';
import { go, page, shown, type Answer, type PersonVisit } from './page';
import type { ValueOfOperation } from './operations';
import { Head, Part, Rows, Say } from './parts/layout';
import { Pager } from './parts/pager';

type Offer = ValueOfOperation<'account_handovers'>[number];

const addressOf = ({ site }: PersonVisit, record: ListedRecord): string =>
  record.carenet ? `${site}/carenets/${record.carenet.id}/` : `${site}/records/${record.id}/`;

const PAGE = 50;

const Listed = ({ visit, records }: { readonly visit: PersonVisit; readonly records: readonly ListedRecord[] }) => {
  const { rich, say } = visit.words;
  const about = (record: ListedRecord) => {
    if (record.carenet) {
      return rich('records.in-carenet', { carenet: <bdi>{record.carenet.name}</bdi>, b: (chunks) => <b>{chunks}</b> });
    }
    return record.kind === 'full_share' ? say('records.as-own') : undefined;
  };
  return (
    <Rows kind="do">
      {records.map((record) => (
        <li>
          <div>
            <a class="name big" href={addressOf(visit, record)}>
              <bdi>{record.label}</bdi>
            </a>
            {about(record) && <p class="by">{about(record)}</p>}
          </div>
          {record.kind === 'owned' && (
            <p class="by">
              <a href={`${addressOf(visit, record)}hand-over`}>
                {say('records.hand-over')}
                <span class="unseen">: {record.label}</span>
              </a>
            </p>
          )}
        </li>
      ))}
    </Rows>
  );
};

/** Records whose owners want to hand them over to this person. */
const Offered = ({ visit, offers }: { readonly visit: PersonVisit; readonly offers: readonly Offer[] }) => (
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

type Listing = {
  readonly records: readonly ListedRecord[];
  readonly total: number;
  readonly pages: Pages;
  readonly offers: readonly Offer[];
};

const view = (visit: PersonVisit, { records, total, pages, offers }: Listing): Answer => {
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
              <Listed visit={visit} records={listed} />
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
        </div>
      </Part>
    </>,
  );
};

export const records = page({
  path: '/',
  show: async (visit) => {
    const params = { ACCOUNT_EMAIL: visit.person.principal.accountId };
    const [{ records: listed, total, pages }, offers] = await Promise.all([
      visit.ask('account_records', { params, query: { limit: String(PAGE), place: visit.query['place'] ?? '' } }),
      visit.ask('account_handovers', { params }),
    ]);
    const [only] = listed;
    if (only && total === 1 && offers.length === 0 && visit.query['all'] === undefined) {
      return go(addressOf(visit, only));
    }
    return view(visit, { records: listed, total, pages, offers });
  },
});
