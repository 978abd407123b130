/**
 * files: the files that a document holds: a list of them, and a page for each with its words or its picture, from which
 * it can be saved, or read as a document of its own.
 */
import type { JSX } from 'preact';
import { errors } from '../../../../core/base/errors';
import type { ValueOf } from '../../../../core/http/route';
import { page, shown, type Answer, type PersonVisit } from '../../http/page';
import { operations } from '../../http/operations';
import { Buttons, Form } from '../../parts/form';
import { Head, Part, Rows } from '../../parts/layout';
import { forBoth, whoseOf, type Whose } from '../../parts/whose';
import { lookAtOne } from '../add/add';
import { SizeWords } from '../add/preview';
import { fileTypeWords } from './file-types';

type FilesOf = ValueOf<typeof operations.documents.recordDocumentFiles>['files'];
type Listed = FilesOf[number];

function isPicture({ mediaType }: Listed): boolean {
  return /^image\/(?:png|jpeg|gif|webp)$/.test(mediaType);
}

function fileAddress({ base }: Whose, documentId: string, at: number): string {
  return `${base}documents/${encodeURIComponent(documentId)}/files/${at + 1}`;
}

function listedFileName(visit: PersonVisit, { title }: Listed, at: number): string {
  return title || visit.words.say('document-file.untitled', { number: at + 1 });
}

function aboutFile(visit: PersonVisit, file: Listed): string {
  return `${fileTypeWords(file, visit.words)}, ${SizeWords(file.bytes, visit.words)}`;
}

type InDocument = { readonly visit: PersonVisit; readonly whose: Whose; readonly documentId: string };

/** The list of the files of a document; nothing if it holds none. */
export function FilesPart({
  visit,
  whose,
  documentId,
  files,
}: InDocument & { readonly files: FilesOf }): JSX.Element | null {
  return files.length === 0 ? null : (
    <Part title={visit.words.say('document-file.files')} hint={visit.words.say('document-file.hint')}>
      <Rows>
        {files.map((file, at) => (
          <li>
            <a class="name" href={fileAddress(whose, documentId, at)}>
              <bdi>{listedFileName(visit, file, at)}</bdi>
            </a>
            <span class="by">{aboutFile(visit, file)}</span>
            {file.isDocument && <span class="by">{visit.words.say('document-file.is-document')}</span>}
          </li>
        ))}
      </Rows>
    </Part>
  );
}

/** The pictures among the files, below the text of a document. */
export function Pictures({ visit, whose, documentId, files }: InDocument & { readonly files: FilesOf }): JSX.Element {
  return (
    <>
      {files.map(
        (file, at) =>
          isPicture(file) && (
            <p>
              <img
                class="held"
                src={`${fileAddress(whose, documentId, at)}/download`}
                alt={listedFileName(visit, file, at)}
              />
            </p>
          ),
      )}
    </>
  );
}

function placeIn({ params }: PersonVisit): number {
  const at = /^[1-9]\d{0,2}$/.test(params['FILE'] ?? '') ? Number(params['FILE']) - 1 : -1;
  if (at < 0) {
    throw errors.notFound('file');
  }
  return at;
}

async function askForFile(visit: PersonVisit) {
  const whose = await whoseOf(visit);
  const at = placeIn(visit);
  const params = { ...whose.params, DOCUMENT_ID: visit.params['DOCUMENT_ID'] ?? '' };
  const found = await visit.ask(
    whose.kind === 'record' ? operations.documents.recordDocumentFile : operations.documents.carenetDocumentFile,
    { params, query: { file: String(at) } },
  );
  return { whose, at, ...found };
}

/** A file that may be a document is read as one after a press of a button: nothing is added before it was looked at. */
function ReadIt({ visit }: { readonly visit: PersonVisit }): JSX.Element {
  return (
    <Part title={visit.words.say('document-file.read')} hint={visit.words.say('document-file.read-hint')}>
      <Form visit={visit} action={visit.path}>
        <Buttons text={visit.words.say('document-file.read')} first />
      </Form>
    </Part>
  );
}

function Words({ visit, words }: { visit: PersonVisit; words: { text: string; cut: boolean } }): JSX.Element {
  return (
    <Part title={visit.words.say('document-file.words')}>
      <p class="as-written">
        <bdi>{words.text}</bdi>
      </p>
      {words.cut && <p class="more soft">{visit.words.say('document.cut')}</p>}
    </Part>
  );
}

async function showFile(visit: PersonVisit): Promise<Answer> {
  const { say } = visit.words;
  const { whose, at, document, file } = await askForFile(visit);
  const title = listedFileName(visit, file, at);
  const address = `${fileAddress(whose, document.id, at)}/download`;
  return shown(
    title,
    <>
      <Head
        title={<bdi>{title}</bdi>}
        back={{
          to: `${whose.base}documents/${encodeURIComponent(document.id)}`,
          text: say('document-text.back'),
        }}
        action={
          <a class="button" href={address} download>
            {say('document-file.save')}
          </a>
        }
      >
        {aboutFile(visit, file)}
      </Head>
      {file.words && <Words visit={visit} words={file.words} />}
      {isPicture(file) && (
        <p>
          <img class="held" src={address} alt={title} />
        </p>
      )}
      {!file.words && !isPicture(file) && (
        <p>{say(file.isDocument ? 'document-file.unread' : 'document-file.by-program')}</p>
      )}
      {file.isDocument && whose.kind === 'record' && <ReadIt visit={visit} />}
    </>,
    { record: whose.frame },
  );
}

async function held(visit: PersonVisit) {
  const { at, stored } = await askForFile(visit);
  const file = await visit.fileIn(stored.content, at);
  if (!file) {
    throw errors.notFound('file');
  }
  return file;
}

async function saveFile(visit: PersonVisit): Promise<Answer> {
  const { bytes, mediaType, name } = await held(visit);
  return { kind: 'file', body: bytes, type: mediaType, name };
}

async function readAsDocument(visit: PersonVisit): Promise<Answer> {
  const { bytes, name } = await held(visit);
  return lookAtOne(visit, { name, mediaType: '', bytes });
}

const PATH = '/documents/{DOCUMENT_ID}/files/{FILE}';

export const documentFiles = [
  page({ path: `/records/{RECORD_ID}${PATH}`, show: showFile, submit: readAsDocument }),
  page({ path: `/carenets/{CARENET_ID}${PATH}`, show: showFile }),
  ...forBoth((begin) => page({ path: `${begin}${PATH}/download`, show: saveFile })),
];
