/** take-it-with-you: the page for taking a record along: as one archive for its owner, on paper, and as tables. */
import { operations } from '../../http/operations';
import { page, shown } from '../../http/page';
import { Buttons, Form } from '../../parts/form';
import { Head, Part } from '../../parts/layout';
import { inRecord } from '../../parts/record-frame';
import { whoseOf } from '../../parts/whose';
import { localTime } from '../../words/zoned';
import { FILES } from './files-zip';

const FILE = 'archive.tar.gz';

export const exportPage = page({
  path: '/records/{RECORD_ID}/export',
  show: async (visit) => {
    const { say, rich } = visit.words;
    const { name, params, base, frame } = await whoseOf(visit);
    const owner = await visit.ask(operations.records.recordGetOwner, { params });
    const mine = owner.id === visit.person.principal.accountId;
    const title = say('export.title');
    return shown(
      title,
      <>
        <Head title={title}>{rich('export.about', { name: <bdi>{name}</bdi> })}</Head>
        <Part title={say('export.files')} hint={say('export.files-hint')}>
          <Form visit={visit} action={`${base}export/${FILES}`}>
            <p>{say('export.files-about')}</p>
            <p>{say('export.all-care')}</p>
            <Buttons text={say('export.files-do')} first />
          </Form>
        </Part>
        <Part title={say('export.all')} hint={say('export.all-hint')}>
          {mine ? (
            <Form visit={visit} action={`${base}export/${FILE}`}>
              <p>{say('export.all-about')}</p>
              <Buttons text={say('export.do')} />
            </Form>
          ) : (
            <p>{say('export.owner-only')}</p>
          )}
        </Part>
        <Part title={say('export.paper')} hint={say('export.paper-hint')}>
          <p>{say('export.paper-about')}</p>
          <div class="buttons">
            <a class="button" href={`${base}paper`}>
              {say('paper.title')}
            </a>
          </div>
        </Part>
        <Part title={say('export.tables')} hint={say('export.tables-hint')}>
          <p>{say('export.tables-about')}</p>
          <p class="more line-links">
            <a href={`${base}history.csv`}>{say('export.tables-history')}</a>
          </p>
        </Part>
      </>,
      { record: frame },
    );
  },
});

export const exportFile = page({
  path: `/records/{RECORD_ID}/export/${FILE}`,
  submit: async (visit) => {
    const archive = await visit.ask(operations.records.recordExport, { params: inRecord(visit) });
    const { day } = localTime(visit.words.zone, visit.now);
    return { kind: 'file', body: archive.stream, type: 'application/gzip', name: `record-${day}.tar.gz` };
  },
});
