/** records: the records that the person may see: their own, those shared as a whole, and parts of others' by carenet. */
import type { ListedRecord } from '../../core/storage/stores/records';
import { go, page, shown, type Answer, type PersonVisit } from './page';
import { Head, Part, Rows } from './parts/layout';

const addressOf = ({ site }: PersonVisit, record: ListedRecord): string =>
  record.carenet ? `${site}/carenets/${record.carenet.id}/` : `${site}/records/${record.id}/`;

const PAGE = 100;

const Listed = ({ visit, records }: { readonly visit: PersonVisit; readonly records: readonly ListedRecord[] }) => {
  const { rich, say } = visit.words;
  const about = (record: ListedRecord) => {
    if (record.carenet) {
      return rich('records.in-carenet', { carenet: record.carenet.name, b: (chunks) => <b>{chunks}</b> });
    }
    return record.kind === 'full_share' ? say('records.as-own') : undefined;
  };
  return (
    <Rows>
      {records.map((record) => (
        <li>
          <a class="name big" href={addressOf(visit, record)}>
            <bdi>{record.label}</bdi>
          </a>
          {about(record) && <p class="by">{about(record)}</p>}
        </li>
      ))}
    </Rows>
  );
};

const view = (visit: PersonVisit, records: readonly ListedRecord[], offset: number, more: boolean): Answer => {
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
      <Head title={title}>{say('records.count', { count: records.length })}</Head>
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
      {more && (
        <p class="more">
          <a href={`${visit.site}/?all=1&offset=${offset + PAGE}`}>{say('page.next')}</a>
        </p>
      )}
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
    const offset = Math.max(0, Number.parseInt(visit.query['offset'] ?? '0', 10) || 0);
    const listed = await visit.ask('record_list', {
      params: { ACCOUNT_EMAIL: visit.person.principal.accountId },
      query: { limit: String(PAGE + 1), offset: String(offset) },
    });
    const [only] = listed;
    if (only && listed.length === 1 && offset === 0 && visit.query['all'] === undefined) {
      return go(addressOf(visit, only));
    }
    return view(visit, listed.slice(0, PAGE), offset, listed.length > PAGE);
  },
});
