/** message: the page of a message with its attachments, which may be added to the record. */
import type { ComponentChildren } from 'preact';
import { AppError } from '../../../../core/base/errors';
import type { ValueOf } from '../../../../core/http/route';
import { operations } from '../../http/operations';
import { go, ownAccount, page, shown, type Answer, type PersonVisit } from '../../http/page';
import { Form, What } from '../../parts/form';
import { Head, Part, Rows, Say, Tag } from '../../parts/layout';
import { kindName } from '../../words/type-words';

type Message = ValueOf<typeof operations.messaging.accountInboxMessage>;
type Facts = ValueOf<typeof operations.messaging.accountLetterFacts>;

function ownMessage(visit: PersonVisit) {
  return {
    ...ownAccount(visit),
    MESSAGE_ID: visit.params['MESSAGE_ID']!,
  };
}

/**
 * The body of a message. Plain text is shown as text. Markdown was rendered without raw HTML and images
 * (plugins/messaging/markdown.ts).
 */
function Body({ message, shownBody }: Message): ComponentChildren {
  return message.bodyType === 'markdown' ? (
    <div class="letter stack" dir="auto" dangerouslySetInnerHTML={{ __html: shownBody ?? '' }} />
  ) : (
    <p class="letter lines" dir="auto">
      {shownBody}
    </p>
  );
}

function Attachments({ visit, message, facts }: { visit: PersonVisit; message: Message['message']; facts: Facts }) {
  const { say, number } = visit.words;
  return (
    <Part title={say('message.attachments')} hint={say('message.attachments-hint')}>
      <Rows kind="do">
        {message.attachments.map(({ num, type, size, documentId }) => (
          <li>
            <div>
              <span class="name">{kindName(type, visit.models, visit.words)}</span>
              <p class="by">{say('message.size', { size: number(Math.ceil(size / 1000)) })}</p>
            </div>
            {documentId !== null && facts.mayAdd && (
              <a
                href={`${visit.site}/records/${encodeURIComponent(message.recordId!)}/documents/${encodeURIComponent(documentId)}`}
              >
                {say('message.in-record')}
              </a>
            )}
            {documentId !== null && !facts.mayAdd && <Tag tone="good">{say('message.in-record')}</Tag>}
            {documentId === null && facts.mayAdd && (
              <Form visit={visit}>
                <What name="add" />
                <input type="hidden" name="num" value={String(num)} />
                <button class="button">
                  {say('message.add')}
                  <span class="unseen"> {number(num)}</span>
                </button>
              </Form>
            )}
          </li>
        ))}
      </Rows>
    </Part>
  );
}

async function messageView(visit: PersonVisit, problem?: 'gone' | 'refused'): Promise<Answer> {
  const { say, rich, date } = visit.words;
  const letter = await visit.ask(operations.messaging.accountInboxMessage, { params: ownMessage(visit) });
  const facts = await visit.ask(operations.messaging.accountLetterFacts, { params: ownMessage(visit) });
  const { message } = letter;
  const when = date(message.receivedAt, 'time');
  return shown(
    message.subject,
    <>
      {problem && <Say tone={problem === 'gone' ? 'wait' : 'alert'} role="alert" title={say(`message.${problem}`)} />}
      {visit.query['note'] === 'added' && <Say tone="good" role="status" title={say('message.note-added')} />}
      <Head title={<bdi>{message.subject}</bdi>} back={{ to: `${visit.site}/inbox/`, text: say('inbox.title') }}>
        {facts.about === null
          ? rich('message.from', { from: <bdi>{facts.from}</bdi>, when })
          : rich('message.from-about', { from: <bdi>{facts.from}</bdi>, record: <bdi>{facts.about}</bdi>, when })}
      </Head>
      <Part title={say('message.text')} {...(message.importedBy ? { hint: say('message.imported') } : {})}>
        <Body {...letter} />
      </Part>
      {message.attachments.length > 0 && <Attachments visit={visit} message={message} facts={facts} />}
      <Part title={say('message.done')}>
        {message.archivedAt === null ? (
          <Form visit={visit}>
            <What name="archive" />
            <p>{say('message.archive-hint')}</p>
            <div class="buttons">
              <button class="button">{say('message.archive')}</button>
            </div>
          </Form>
        ) : (
          <p>{say('message.is-archived')}</p>
        )}
      </Part>
    </>,
    problem ? { status: 400 } : {},
  );
}

async function add(visit: PersonVisit): Promise<Answer> {
  try {
    await visit.ask(operations.messaging.accountInboxMessageAttachmentAccept, {
      params: { ...ownMessage(visit), ATTACHMENT_NUM: visit.form.text('num') || '0' },
    });
  } catch (error) {
    if (error instanceof AppError && (error.code === 'gone' || error.status === 400)) {
      return messageView(visit, error.code === 'gone' ? 'gone' : 'refused');
    }
    throw error;
  }
  return go(`${visit.path}?note=added`);
}

async function archiveMessage(visit: PersonVisit): Promise<Answer> {
  await visit.ask(operations.messaging.accountMessageArchive, { params: ownMessage(visit) });
  return go(`${visit.site}/inbox/?note=archived`);
}

export const message = page({
  path: '/inbox/{MESSAGE_ID}',
  show: (visit) => messageView(visit),
  submit: (visit) => {
    const what = visit.form.text('what');
    if (what === 'add') {
      return add(visit);
    }
    return what === 'archive' ? archiveMessage(visit) : messageView(visit);
  },
});
