/** kinds: finds out what a file in an archive is, from its bytes, or from its name if the bytes do not show it. */
import { extname } from 'node:path';

const BEGINNING = 4096;

/** Pictures and PDF, which go into a document of the type `File`. */
const FILE = /^(?:%PDF-|\x89PNG\r\n\x1a\n|\xff\xd8\xff|GIF8[79]a|RIFF[^]{4}WEBP)/;
const WORKBOOKS = ['.xlsx', '.xls', '.ods'];
/** Files with several documents or many readings: they have intakes of their own, or must be unpacked first. */
const BY_ITSELF = new Set(['.zip', '.gz', '.tgz', '.7z', '.rar', '.tar', '.csv', '.tsv', ...WORKBOOKS]);
const TEXTS = new Set(['.txt', '.md']);
/** IHE XDM requires these two files in addition to the documents. They explain how to read the archive. */
const OF_THE_ARCHIVE = new Set(['README.TXT', 'INDEX.HTM']);

/** Root elements of XML that only shows or lists the documents: pages, style sheets, the metadata of IHE XDM. */
const SHOWING = new Set(['html', 'stylesheet', 'transform', 'SubmitObjectsRequest']);

/** Whether it is called a workbook of a spreadsheet. */
export const isWorkbook = (name) => WORKBOOKS.includes(extname(name).toLowerCase());

const rootName = (start) =>
  /<(?:[^\s<>/:!?]+:)?([^\s<>/:!?]+)/.exec(start.replace(/<!--[^]*?-->|<\?[^]*?\?>|<![^>]*>/g, ''))?.[1] ?? '';

/**
 * `xml`, `json` (FHIR) and `file` become documents; `shows`, `by-itself`, `empty` and `unknown` do not.
 * @param name the name without folders
 */
export const kindOf = (name, bytes) => {
  if (bytes.length === 0) {
    return 'empty';
  }
  const start = bytes.subarray(0, BEGINNING).toString('latin1');
  const text = start.replaceAll('\0', '').replace(/^(?:\u00ef\u00bb\u00bf|\u00fe\u00ff|\u00ff\u00fe)/, '').trimStart();
  const extension = extname(name).toLowerCase();
  if (OF_THE_ARCHIVE.has(name)) {
    return 'shows';
  }
  if (FILE.test(start)) {
    return 'file';
  }
  if (BY_ITSELF.has(extension)) {
    return 'by-itself';
  }
  if (text.startsWith('<')) {
    return SHOWING.has(rootName(text)) ? 'shows' : 'xml';
  }
  if (/^\{\s*["}]/.test(text)) {
    return bytes.includes('"resourceType"') ? 'json' : 'unknown';
  }
  return TEXTS.has(extension) ? 'file' : 'unknown';
};
