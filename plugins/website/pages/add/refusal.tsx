/**
 * refusal: says why a file cannot be added: what is wrong, in which lines, and what to do next. Then come the technical
 * words for its maker.
 */
import type { ComponentChildren, JSX } from 'preact';
import type { AppError, Problem } from '../../../../core/base/errors';
import { isWebPage, looksLikeDocument } from '../../../../core/files/sniff';
import { otherKind } from '../../../../core/files/other-kinds';
import type { SentFile, Visit } from '../../http/page';
import { Say } from '../../parts/layout';
import { SizeWords } from './preview';

/** Problems that have a sentence of their own. The sentence `none` is for all others. */
const sentences = ['damaged', 'date', 'doctype', 'encoding', 'misplaced', 'missing', 'value', 'version'] as const;
type Sentence = (typeof sentences)[number] | 'no-fhir' | 'none';

/** Next steps for problems that a person can solve. Only the maker of the file can solve the others. */
const steps: Readonly<Partial<Record<Sentence, string>>> = {
  damaged: 'add.next-damaged',
  encoding: 'add.next-encoding',
  'no-fhir': 'add.next-other',
  version: 'add.next-version',
};

/** JSON that is not FHIR, such as that of a watch, lacks this member, with which a FHIR resource names its type. */
const RESOURCE_TYPE = '.resourceType';

function sentenceOf({ kind, name }: Problem): Sentence {
  if (name === RESOURCE_TYPE) {
    return 'no-fhir';
  }
  const known = sentences.find((sentence) => sentence === kind) ?? 'none';
  return ['date', 'misplaced', 'missing', 'value'].includes(known) && name === undefined ? 'none' : known;
}

type Place = { readonly sentence: Sentence; readonly name: string; readonly lines: readonly number[] };

/** Problems that have the same words are shown as one, with the lines of all of them. */
function problemPlaces(problems: readonly Problem[]): readonly Place[] {
  const places = new Map<string, Place>();
  for (const problem of problems) {
    const [sentence, name] = [sentenceOf(problem), problem.name ?? ''];
    const key = `${sentence} ${name}`;
    const lines = [...(places.get(key)?.lines ?? []), ...(problem.line === undefined ? [] : [problem.line])];
    places.set(key, { sentence, name, lines: [...new Set(lines)] });
  }
  return [...places.values()];
}

/** How many places are shown. The words for the maker of the file have all of them. */
const MOST_PLACES = 5;
const MOST_LINES = 5;

function PlaceSaid({ visit, place }: { readonly visit: Visit; readonly place: Place }): JSX.Element {
  const { say, rich, number, locale } = visit.words;
  const others = place.lines.length > MOST_LINES ? [say('add.other-lines')] : [];
  const lines = [...place.lines.slice(0, MOST_LINES).map((line) => number(line)), ...others];
  return (
    <li>
      {lines.length > 0 && (
        <b>{say('add.line', { count: lines.length, line: new Intl.ListFormat(locale).format(lines) })} </b>
      )}
      {rich(`add.wrong-${place.sentence}`, {
        name: (
          <code class="together" dir="ltr">
            {place.name.replace(/^\./, '')}
          </code>
        ),
      })}
    </li>
  );
}

/** The words with which the interface of the service answers programs. */
export function TechnicalWords({
  visit,
  message,
  problems = [],
}: {
  readonly visit: Visit;
  readonly message: string;
  readonly problems?: readonly Problem[];
}): JSX.Element {
  return (
    <details class="more-below">
      <summary>{visit.words.say('add.technical')}</summary>
      <div class="soft small" lang="en" dir="ltr">
        <p>{message}</p>
        {problems.length > 0 && (
          <ul>
            {problems.map((problem) => (
              <li>{problem.line === undefined ? problem.message : `Line ${problem.line}: ${problem.message}`}</li>
            ))}
          </ul>
        )}
      </div>
    </details>
  );
}

function InDocument({
  visit,
  why,
  named,
}: {
  readonly visit: Visit;
  readonly why: AppError;
  /** The key of the sentence that names the file. */ readonly named: string | undefined;
}): JSX.Element {
  const { say } = visit.words;
  const places = problemPlaces(why.details);
  const step = places.map(({ sentence }) => steps[sentence]).find((text) => text !== undefined);
  return (
    <>
      {places.length > 0 && (
        <ul>
          {places.slice(0, MOST_PLACES).map((place) => (
            <PlaceSaid visit={visit} place={place} />
          ))}
          {places.length > MOST_PLACES && <li>{say('add.wrong-more', { count: places.length - MOST_PLACES })}</li>}
        </ul>
      )}
      {why.code === 'invalid_document' && <p>{say(named ?? step ?? 'add.next')}</p>}
      <TechnicalWords visit={visit} message={why.message} problems={why.details} />
    </>
  );
}

function ending({ name }: SentFile): string {
  return /\.([a-z0-9]{1,8})$/i.exec(name)?.[1]?.toLowerCase() ?? '';
}

function isText(file: SentFile): boolean {
  return file.mediaType.startsWith('text/') || ['txt', 'csv', 'md'].includes(ending(file));
}

function isDocument({ bytes }: SentFile): boolean {
  return looksLikeDocument(bytes) && !isWebPage(bytes);
}

function refusalText(file: SentFile, code: string): string {
  if (code === 'too_large') {
    return 'add.too-large';
  }
  if (file.bytes.length === 0) {
    return 'add.empty';
  }
  if (isDocument(file)) {
    return `add.${code}`;
  }
  return isText(file) && !looksLikeDocument(file.bytes) ? 'add.other-letters' : 'add.other-kind';
}

/** Endings of files that people can also save in another form -> what they can do. */
const otherForms: readonly (readonly [readonly string[], string])[] = [
  [['doc', 'docx', 'odt', 'pages', 'ppt', 'pptx', 'odp', 'epub'], 'add.next-pdf'],
  [['xls', 'xlsx', 'ods', 'numbers'], 'add.next-table'],
  [['heic', 'heif', 'avif', 'tif', 'tiff', 'bmp', 'svg'], 'add.next-jpeg'],
  [['zip', 'rar', '7z', 'gz', 'tar', 'tgz'], 'add.next-unpack'],
];

/** Files with these endings are accepted, so the content of a refused one does not match its ending. */
const keptEndings = ['pdf', 'png', 'jpg', 'jpeg', 'gif', 'webp', 'xml', 'json'];

function otherForm(file: SentFile): string {
  if (isWebPage(file.bytes)) {
    return 'add.next-page';
  }
  const known = otherForms.find(([endings]) => endings.includes(ending(file)))?.[1];
  return known ?? (keptEndings.includes(ending(file)) ? 'add.next-renamed' : 'add.next-other');
}

/** What to do about a file that would be accepted only in another form. */
function nextFor(file: SentFile, reason: string): string | undefined {
  return reason === 'add.other-kind' ? otherForm(file) : undefined;
}

/** The box that contains all refusals of files. */
export function Refused({ visit, children }: { readonly visit: Visit; readonly children: ComponentChildren }) {
  return (
    <Say tone="alert" role="alert" title={visit.words.say('add.refused')}>
      {children}
    </Say>
  );
}

export function Refusal({
  visit,
  file,
  why,
}: {
  readonly visit: Visit;
  readonly file: SentFile;
  readonly why: AppError;
}): JSX.Element {
  const name = (
    <b>
      <bdi>{file.name}</bdi>
    </b>
  );
  const reason = refusalText(file, why.code);
  const kind = otherKind(file.bytes, file.name);
  const named = kind && `add.named-${kind}`;
  const next = nextFor(file, reason);
  return (
    <Refused visit={visit}>
      <p>{visit.words.rich(reason, { file: name, most: SizeWords(visit.settings.documentBytes, visit.words) })}</p>
      {next !== undefined && <p>{visit.words.say(named ?? next)}</p>}
      {isDocument(file) && why.code !== 'too_large' && <InDocument visit={visit} why={why} named={named} />}
    </Refused>
  );
}
