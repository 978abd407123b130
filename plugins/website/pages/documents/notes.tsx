/** notes: lists the notes about a document and the documents that it is about, with a form for a new note. */
import type { JSX } from 'preact';
import { AppError } from '../../../../core/base/errors';
import { newToken } from '../../../../core/base/ids';
import { element, writeXml } from '../../../../core/xml/write';
import type { ValueOf } from '../../../../core/http/route';
import { documentLine, titleOf } from '../../words/kinds';
import { operations } from '../../http/operations';
import type { PersonVisit } from '../../http/page';
import { Buttons, Form, TextArea, What, type Wrong } from '../../parts/form';
import { Line, Part, Rows } from '../../parts/layout';
import { Pager } from '../../parts/pager';
import { inRecord } from '../../parts/record-frame';
import type { Whose } from '../../parts/whose';

type Read = ValueOf<typeof operations.documents.recordDocumentRead>;
type Related = Read['notes'][number];

/** How many notes each of the two lists has on a page. */
const LISTED = 20;
type Side = 'notes' | 'about';

function sideQuery({ query }: PersonVisit, side: Side) {
  return { [side]: query[side] ?? '' };
}

export function notesQuery(visit: PersonVisit): Readonly<Record<string, string>> {
  return {
    limit: String(LISTED),
    ...sideQuery(visit, 'notes'),
    ...sideQuery(visit, 'about'),
  };
}

/** A note is a fact of this model, which an installation may lack. */
const NOTE = 'SimpleClinicalNote';
const MOST_CHARACTERS = 5000;
const LABEL_CHARACTERS = 100;

function NoteRow({ visit, whose, document }: { visit: PersonVisit; whose: Whose; document: Related }): JSX.Element {
  const { say, date } = visit.words;
  const line = documentLine(document, visit);
  return (
    <li>
      <div>
        <a class="name" href={`${whose.base}documents/${encodeURIComponent(document.id)}`}>
          <bdi>{titleOf(document, visit)}</bdi>
        </a>
        <Line text={line} />
      </div>
      <span class="by">
        {date(document.createdAt, 'time')}
        <br />
        <bdi>{document.creator.name}</bdi>
        {document.relation !== 'annotation' && (
          <>
            <br />
            {say(`document.is-${document.relation}`)}
          </>
        )}
      </span>
    </li>
  );
}

function List({
  visit,
  whose,
  read,
  side,
  title,
}: {
  visit: PersonVisit;
  whose: Whose;
  read: Read;
  side: Side;
  title: string;
}): JSX.Element {
  return (
    <>
      {read[side].length > 0 && (
        <Rows kind="two">
          {read[side].map((document) => (
            <NoteRow visit={visit} whose={whose} document={document} />
          ))}
        </Rows>
      )}
      <Pager
        visit={visit}
        pages={side === 'notes' ? read.notePages : read.aboutPages}
        shown={read[side].length}
        place={side}
        query={sideQuery(visit, side === 'notes' ? 'about' : 'notes')}
        of={title}
        at={side}
      />
    </>
  );
}

function Write({ visit, wrong }: { visit: PersonVisit; wrong: Wrong | undefined }): JSX.Element {
  const { say } = visit.words;
  // The form that was sent is shown again with what was typed.
  const sent = visit.form.text('what') === 'note';
  return (
    <details class="fold" open={sent || visit.query['at'] === 'notes'}>
      <summary>{say('document.note-write')}</summary>
      <Form visit={visit}>
        <What name="note" />
        <input type="hidden" name="form" value={(sent && visit.form.text('form')) || newToken()} />
        <TextArea
          label={say('document.note')}
          name="note"
          hint={say('document.note-hint')}
          value={sent ? visit.form.exact('note') : ''}
          wrong={wrong}
        />
        <Buttons text={say('form.save')} rest={say('document.note')} />
      </Form>
    </details>
  );
}

/** Notes are written about the latest version of a document in use. */
export function mayNote(visit: PersonVisit, { kind }: Whose, { id, latest, status }: Read['document']): boolean {
  return kind === 'record' && id === latest.id && status === 'active' && visit.models.find(NOTE) !== undefined;
}

/**
 * Both lists, as far as the person may see them. The form for a note is shown only with the latest version of a
 * document of a record.
 */
export function Notes({
  visit,
  whose,
  read,
  wrong,
}: {
  visit: PersonVisit;
  whose: Whose;
  read: Read;
  wrong: Wrong | undefined;
}): JSX.Element {
  const { say } = visit.words;
  const { document } = read;
  const mayWrite = mayNote(visit, whose, document);
  const [about, notes] = [say('document.about'), say('document.notes')];
  return (
    <>
      {(read.about.length > 0 || visit.query['about']) && (
        <div id="about">
          <Part title={about}>
            <List visit={visit} whose={whose} read={read} side="about" title={about} />
          </Part>
        </div>
      )}
      {(mayWrite || read.notes.length > 0 || visit.query['notes']) && (
        <div id="notes" class={read.notes.length === 0 ? 'no-print' : undefined}>
          <Part title={notes}>
            {read.notes.length === 0 && <p>{say('document.no-notes')}</p>}
            <List visit={visit} whose={whose} read={read} side="notes" title={notes} />
            {mayWrite && <Write visit={visit} wrong={wrong} />}
          </Part>
        </div>
      )}
    </>
  );
}

/** Line breaks and tabs are the only control characters that a document can contain. */
function isUnfit(text: string): boolean {
  return (
    text.trim() === '' || [...text].length > MOST_CHARACTERS || /[^\P{Cc}\n\t]/u.test(text) || /\p{Cs}/u.test(text)
  );
}

function noteLabel(text: string, { words }: PersonVisit): string {
  const label = words.say('document.note-label', { text: text.replace(/\s+/g, ' ').trim() });
  const letters = [...label];
  return letters.length > LABEL_CHARACTERS
    ? `${letters
        .slice(0, LABEL_CHARACTERS - 1)
        .join('')
        .trimEnd()}…`
    : label;
}

/**
 * Stores the note of the form as a document that annotates this one; the same form again leads to the same note.
 * @returns what is wrong with it
 */
export async function writeNote(visit: PersonVisit, documentId: string): Promise<string | undefined> {
  const text = visit.form.exact('note').replaceAll('\r\n', '\n').trim();
  if (isUnfit(text)) {
    return visit.words.say('document.note-wrong');
  }
  const fact = element('Model', { name: NOTE }, [element('Field', { name: 'content' }, text)]);
  const models = element('Models', { xmlns: `${visit.settings.vocabBase}/xml/documents#` }, [fact]);
  try {
    await visit.ask(operations.documents.documentCreateByRel, {
      params: { ...inRecord(visit), DOCUMENT_ID: documentId, REL: 'annotation' },
      body: Buffer.from(writeXml(models)),
      mediaType: 'application/xml',
      form: { token: visit.form.text('form') || newToken(), label: noteLabel(text, visit) },
    });
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'duplicate')) {
      throw error;
    }
  }
  return undefined;
}
