/** inbox: messages and notices, and a form to write to the people of a record. */
import { randomUUID } from 'node:crypto';
import { idWithAuthor } from '../../../../core/apps/message-author';
import { AppError } from '../../../../core/base/errors';
import type { Pages } from '../../../../core/http/places';
import type { ValueOf } from '../../../../core/http/route';
import { operations } from '../../http/operations';
import { go, ownAccount, page, shown, type Answer, type PersonVisit } from '../../http/page';
import { Buttons, Field, Form, Select, Summary, TextArea, type Wrong } from '../../parts/form';
import { Head, Part, Rows, Say, Tag } from '../../parts/layout';
import { Pager } from '../../parts/pager';

type Letters = ValueOf<typeof operations.messaging.accountLetters>;

const PAGE = 50;
const MOST = { subject: 100, text: 20_000 };
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

const notes = ['sent', 'archived'] as const;

/** The rest of the query of the address, besides the place of the list that the person pages through. */
function inboxQuery({ query }: PersonVisit, others: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(['archived', ...others].map((name) => [name, query[name] ?? '']));
}

function readLetters(visit: PersonVisit): Promise<Letters> {
  return visit.ask(operations.messaging.accountLetters, {
    params: ownAccount(visit),
    query: {
      limit: String(PAGE),
      letters: visit.query['letters'] ?? '',
      notices: visit.query['notices'] ?? '',
      archived: String(visit.query['archived'] === '1'),
    },
  });
}

function Letter({ visit, letter }: { visit: PersonVisit; letter: Letters['letters'][number] }) {
  const { say, rich, date } = visit.words;
  const { message, from, about } = letter;
  const who = { from: <bdi>{from}</bdi>, record: <bdi>{about}</bdi> };
  return (
    <li class={message.readAt === null ? 'unread' : 'read'}>
      <div>
        <a class="name" href={`${visit.site}/inbox/${encodeURIComponent(message.id)}`}>
          {message.readAt === null && <span class="unseen">{say('inbox.unread')} </span>}
          <bdi>{message.subject}</bdi>
        </a>
        <p class="by">
          {about === null ? who.from : rich('inbox.from-about', who)}
          {message.attachments.length > 0 && `. ${say('inbox.attachments', { count: message.attachments.length })}`}
        </p>
        {message.severity === 'high' && <Tag tone="alert">{say('inbox.urgent')}</Tag>}
        {message.archivedAt !== null && <Tag tone="off">{say('inbox.archived')}</Tag>}
      </div>
      <span class="by">{date(message.receivedAt, 'time')}</span>
    </li>
  );
}

function Messages({ visit, letters, pages }: { visit: PersonVisit; letters: Letters['letters']; pages: Pages }) {
  const { say } = visit.words;
  const archived = visit.query['archived'] === '1';
  const base = `${visit.site}/inbox/`;
  return (
    <Part title={say('inbox.messages')}>
      {letters.length === 0 ? (
        <p>{say('inbox.none')}</p>
      ) : (
        <Rows kind="two">
          {letters.map((letter) => (
            <Letter visit={visit} letter={letter} />
          ))}
        </Rows>
      )}
      <Pager
        visit={visit}
        pages={pages}
        shown={letters.length}
        place="letters"
        query={inboxQuery(visit, ['notices'])}
        of={say('inbox.messages')}
      />
      <p class="more line-links">
        <a href={archived ? base : `${base}?archived=1`}>{say(archived ? 'inbox.without' : 'inbox.with')}</a>
      </p>
    </Part>
  );
}

function Notices({ visit, notices, pages }: { visit: PersonVisit; notices: Letters['notices']; pages: Pages }) {
  const { say, rich, date } = visit.words;
  return (
    <Part title={say('inbox.notices')} hint={say('inbox.notices-hint')}>
      {notices.length === 0 ? (
        <p>{say('inbox.no-notices')}</p>
      ) : (
        <Rows kind="two">
          {notices.map((notice) => (
            <li>
              <div>
                <bdi class="name">{notice.content}</bdi>
                <p class="by">
                  {rich('inbox.from-about', {
                    from: <bdi>{notice.from}</bdi>,
                    record: <bdi>{notice.recordLabel}</bdi>,
                  })}
                  {notice.documentId !== null && (
                    <>
                      {'. '}
                      <a
                        href={`${visit.site}/records/${encodeURIComponent(notice.recordId)}/documents/${encodeURIComponent(notice.documentId)}`}
                      >
                        {say('inbox.document')}
                      </a>
                    </>
                  )}
                </p>
              </div>
              <span class="by">{date(notice.receivedAt, 'time')}</span>
            </li>
          ))}
        </Rows>
      )}
      <Pager
        visit={visit}
        pages={pages}
        shown={notices.length}
        place="notices"
        query={inboxQuery(visit, ['letters'])}
        of={say('inbox.notices')}
      />
    </Part>
  );
}

function Write({ visit, records, wrong }: { visit: PersonVisit; records: Letters['records']; wrong?: Wrong }) {
  const { say } = visit.words;
  const { form } = visit;
  const once = UUID.test(form.text('once')) ? form.text('once') : randomUUID();
  return (
    <Part title={say('inbox.write')} hint={say('inbox.write-hint')}>
      {records.length === 0 ? (
        <p>{say('inbox.nobody')}</p>
      ) : (
        <Form visit={visit} action={`${visit.site}/inbox/`}>
          <input type="hidden" name="once" value={once} />
          <Select
            label={say('inbox.record')}
            name="record"
            value={form.text('record')}
            options={records.map(({ id, label }) => ({ value: id, text: label }))}
            wrong={wrong}
          />
          <Field label={say('inbox.subject')} name="subject" value={form.text('subject')} wrong={wrong} />
          <TextArea label={say('inbox.text')} name="text" value={form.exact('text')} wrong={wrong} />
          <Buttons text={say('inbox.send')} />
        </Form>
      )}
    </Part>
  );
}

async function inboxView(visit: PersonVisit, wrong?: Wrong): Promise<Answer> {
  const { say } = visit.words;
  const { letters, letterPages, notices, noticePages, records } = await readLetters(visit);
  const title = say('inbox.title');
  const note = notes.find((known) => known === visit.query['note']);
  return shown(
    wrong ? say('form.error-title', { title }) : title,
    <>
      <Summary title={say('form.wrong')} wrong={wrong} order={['record', 'subject', 'text']} />
      {!wrong && note && <Say tone="good" role="status" title={say(`inbox.note-${note}`)} />}
      <Head title={title}>{say('inbox.count', { count: visit.person.unread })}</Head>
      <Messages visit={visit} letters={letters} pages={letterPages} />
      <Notices visit={visit} notices={notices} pages={noticePages} />
      <Write visit={visit} records={records} {...(wrong ? { wrong } : {})} />
    </>,
    wrong ? { status: 400 } : {},
  );
}

/**
 * Sends a message to everybody who sees the whole record. The website sends it for a person, after a check that the
 * person controls the record.
 */
async function sendMessage(visit: PersonVisit): Promise<Answer> {
  const { form, words } = visit;
  const [subject, text] = [form.text('subject'), form.exact('text').replaceAll('\r\n', '\n')];
  const wrong: Wrong = {
    ...(subject === '' || [...subject].length > MOST.subject ? { subject: words.say('inbox.subject-wrong') } : {}),
    ...(text.trim() === '' || [...text].length > MOST.text ? { text: words.say('inbox.text-wrong') } : {}),
  };
  if (Object.keys(wrong).length > 0) {
    return inboxView(visit, wrong);
  }
  const once = form.text('once');
  const recordId = form.text('record') || '-';
  const record = await visit.ask(operations.records.record, { params: { RECORD_ID: recordId } });
  try {
    await visit.askAsItself(operations.messaging.recordSendMessage, {
      params: {
        RECORD_ID: record.id,
        MESSAGE_ID: idWithAuthor(visit.person.principal.accountId, UUID.test(once) ? once : randomUUID()),
      },
      body: { subject, body: text },
    });
  } catch (error) {
    // The same form was sent twice, so the message exists already.
    if (!(error instanceof AppError && error.code === 'duplicate')) {
      throw error;
    }
  }
  return go(`${visit.site}/inbox/?note=sent`);
}

export const inbox = page({
  path: '/inbox/',
  show: (visit) => inboxView(visit),
  submit: sendMessage,
  again: { keeps: () => true, show: (visit) => inboxView(visit) },
});
