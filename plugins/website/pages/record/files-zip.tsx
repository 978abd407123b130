/**
 * files-zip: a record as files that any computer opens: each active document in a folder of its year, everything as a
 * Bundle of FHIR, and a page that leads to them all.
 */
import type { JSX } from 'preact';
import { renderToStaticMarkup } from 'preact-render-to-string';
import { AppError } from '../../../../core/base/errors';
import { writeZip, type ZipEntry } from '../../../../core/archive/zip-file';
import { fileNameOf } from '../../../../core/files/envelope';
import type { ValueOf } from '../../../../core/http/route';
import { inRecord } from '../../parts/record-frame';
import { page, type Answer, type PersonVisit } from '../../http/page';
import { dateField, dateWords, knownDate, type Fact } from '../../words/facts';
import { documentKind, titleOf } from '../../words/kinds';
import { dayIn, localTime } from '../../words/zoned';
import { endingFor } from '../documents/download';
import { operations } from '../../http/operations';

export const FILES = 'files.zip';

type Taken = ValueOf<typeof operations.documents.recordFiles> extends AsyncGenerator<infer Document> ? Document : never;

/** A file of the ZIP as the page of contents names it. */
type Listed = { readonly path: string; readonly day: string; readonly title: string; readonly kind: string };

/** Longer titles are cut: with its folder and ending, a path stays within what all computers take. */
const LONGEST = 80;

/**
 * The day of the care that a document is about, as a person says beside it, or as it says; else the day on which it was
 * added. May be a year only.
 */
function dayOfCare({ own: beside, about, contents, createdAt }: Taken, { models, words }: PersonVisit): string {
  const [only, ...others] = contents;
  const model = only && others.length === 0 ? models.find(only.model) : undefined;
  const field = model && dateField(model);
  const own = field === undefined ? '' : knownDate(only!.first as unknown as Fact, field);
  return beside.date ?? dayIn(words.zone, about?.start ?? about?.date ?? (own || createdAt));
}

/** A title without the ending that its file gets: files that were added keep the names that they had. */
function withoutEnding(title: string, ending: string): string {
  const endings = ending === 'jpg' ? ['.jpg', '.jpeg'] : [`.${ending}`];
  const found = endings.find((one) => title.toLowerCase().endsWith(one));
  return found === undefined ? title : title.slice(0, -found.length);
}

/** Gives each file a path of its own; names that differ only by case are the same on many computers. */
class Paths {
  readonly #taken = new Set<string>();

  /** @param folder empty, or with a slash at its end */
  pathOf(folder: string, day: string, title: string, ending: string): string {
    const short = [...fileNameOf(withoutEnding(title, ending))].slice(0, LONGEST).join('').trim();
    const name = `${folder}${`${day} ${short}`.trim()}`.normalize('NFC');
    for (let number = 1; ; number += 1) {
      const path = `${number === 1 ? name : `${name} (${number})`}.${ending}`;
      if (!this.#taken.has(path.toLowerCase())) {
        this.#taken.add(path.toLowerCase());
        return path;
      }
    }
  }
}

function endingOf(name: string): string {
  return /\.([^.]+)$/.exec(name)![1]!.toLowerCase();
}

/** The file that a document holds with its ending, else the document as it was stored. */
async function fileOf({ content, mediaType }: Taken, visit: PersonVisit): Promise<{ bytes: Buffer; ending: string }> {
  const held = await visit.fileIn(content);
  return held ? { bytes: held.bytes, ending: endingOf(held.name) } : { bytes: content, ending: endingFor(mediaType) };
}

const BUNDLE = 'record.fhir.json';
/** In two parts, because a test takes such a word with a dot for the key of a text. */
const SUMMARY = ['summary', 'pdf'].join('.');

/** The page for a doctor; undefined where this installation makes no PDFs. */
async function printSummary({ ask, words }: PersonVisit, params: Record<string, string>): Promise<Buffer | undefined> {
  const query = { language: words.language, zone: words.zone };
  return ask(operations.papers.recordPaperPrint, { params, query }).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'out_of_order') {
      return undefined;
    }
    throw error;
  });
}

const style =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}' +
  'table{border-collapse:collapse;width:100%}th,td{text-align:start;padding:.4rem .8rem .4rem 0;' +
  'border-block-end:1px solid color-mix(in srgb,currentcolor 20%,transparent);vertical-align:top}td:first-child{white-space:nowrap}';

function Row({ path, day, title, kind, date }: Listed & { readonly date: string }): JSX.Element {
  return (
    <tr>
      <td>
        <time dateTime={day}>{date}</time>
      </td>
      <td>
        <a href={path.split('/').map(encodeURIComponent).join('/')}>
          <bdi>{title}</bdi>
        </a>
      </td>
      <td>
        <bdi>{kind}</bdi>
      </td>
    </tr>
  );
}

/** The page of contents in the person's language, the newest document first. */
async function* indexPage(
  visit: PersonVisit,
  name: string,
  { listed, hasSummary }: { readonly listed: readonly Listed[]; readonly hasSummary: boolean },
): AsyncGenerator<string> {
  const { say, language, dir, date } = visit.words;
  const made = date(new Date(visit.now).toISOString());
  const title = renderToStaticMarkup(<>{name}</>);
  yield `<!doctype html>\n<html lang="${language}" dir="${dir}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title><style>${style}</style></head>\n<body><h1><bdi>${title}</bdi></h1>\n`;
  yield renderToStaticMarkup(
    <>
      <p>{say('export.index-about', { date: made, count: listed.length })}</p>
      {hasSummary && (
        <p>
          <a href={SUMMARY}>{SUMMARY}</a>: {say('export.index-summary')}
        </p>
      )}
      <p>
        <a href={BUNDLE}>{BUNDLE}</a>: {say('export.index-fhir')}
      </p>
      <p>{say('export.all-care')}</p>
    </>,
  );
  const heads = [say('export.index-date'), say('export.index-document'), say('export.index-kind')];
  yield `\n<table><thead>${renderToStaticMarkup(
    <tr>
      {heads.map((head) => (
        <th scope="col">{head}</th>
      ))}
    </tr>,
  )}</thead><tbody>\n`;
  for (const one of [...listed].sort((a, b) => (a.day < b.day ? 1 : -1))) {
    yield `${renderToStaticMarkup(<Row {...one} date={dateWords(one.day, visit.words)} />)}\n`;
  }
  yield '</tbody></table></body></html>\n';
}

async function* zipEntries(visit: PersonVisit, name: string): AsyncGenerator<ZipEntry> {
  const params = inRecord(visit);
  const [paths, listed, modified] = [new Paths(), [] as Listed[], new Date(visit.now)];
  for await (const document of await visit.ask(operations.documents.recordFiles, { params, query: {} })) {
    const [day, title] = [dayOfCare(document, visit), titleOf(document, visit)];
    const { bytes, ending } = await fileOf(document, visit);
    const path = paths.pathOf(`${day.slice(0, 4)}/`, day, title, ending);
    listed.push({ path, day, title, kind: documentKind(document, visit) });
    yield { path, content: bytes, modified };
  }
  yield { path: BUNDLE, content: await visit.ask(operations.takeout.recordResources, { params }), modified };
  const summary = await printSummary(visit, params);
  if (summary) {
    yield { path: SUMMARY, content: summary, modified };
  }
  yield {
    path: 'index.html',
    content: indexPage(visit, name, { listed, hasSummary: summary !== undefined }),
    modified,
  };
}

async function* chosenEntries(visit: PersonVisit, ids: readonly string[]): AsyncGenerator<ZipEntry> {
  const [paths, modified] = [new Paths(), new Date(visit.now)];
  const query = { ids: ids.join(',') };
  for await (const document of await visit.ask(operations.documents.recordFiles, { params: inRecord(visit), query })) {
    const { bytes, ending } = await fileOf(document, visit);
    const path = paths.pathOf('', dayOfCare(document, visit), titleOf(document, visit), ending);
    yield { path, content: bytes, modified };
  }
}

/** The documents of the ids as files in one ZIP, each with its day and its title as its name. */
export async function zipOfChosen(visit: PersonVisit, ids: readonly string[]): Promise<Answer> {
  const { stream } = await writeZip(visit.person.principal.accountId, chosenEntries(visit, ids));
  const { day } = localTime(visit.words.zone, visit.now);
  return { kind: 'file', body: stream, type: 'application/zip', name: `documents-${day}.zip` };
}

export const filesZip = page({
  path: `/records/{RECORD_ID}/export/${FILES}`,
  submit: async (visit) => {
    const { label } = await visit.ask(operations.records.recordZone, { params: inRecord(visit) });
    const { stream } = await writeZip(visit.person.principal.accountId, zipEntries(visit, label));
    const { day } = localTime(visit.words.zone, visit.now);
    return { kind: 'file', body: stream, type: 'application/zip', name: `record-${day}.zip` };
  },
});
