/** paper: "For your doctor": the page that a doctor reads in a minute, shown as it will be, and as a PDF. */
import type { ValueOf } from '../../../../core/http/route';
import type { JSX } from 'preact';
import { operations } from '../../http/operations';
import { page, shown, type Answer, type PersonVisit } from '../../http/page';
import { idOf, Select } from '../../parts/form';
import { Tile } from '../../parts/icons';
import { Head, Part, Rows, Say } from '../../parts/layout';
import { PrintButton } from '../../parts/printed';
import { forBoth, whoseNamed, type Whose } from '../../parts/whose';
import { localTime } from '../../words/zoned';

type View = ValueOf<typeof operations.papers.recordPaper>;
type Paper = View['paper'];

/** The page has two addresses, of which pages link the first. */
const PATHS = ['/paper', '/print'] as const;
const FILE = '/paper.pdf';

const ALLERGIES = 'allergies';
const MONTHS = ['3', '6', '12', '24', '60', '1200'] as const;
const MONTHS_PRESET = '12';

/** What is asked for, as it stands in the address. */
type Wish = {
  readonly kinds: readonly string[];
  readonly months: string;
  readonly charts: boolean;
  readonly words: boolean;
};

/** A box that is not ticked is not sent, so a form that was sent says that it was. */
function wishIn({ query, asked }: PersonVisit): Wish {
  const isSent = query['set'] === '1';
  const ticked = (name: string): boolean => (query[name] === undefined ? !isSent : query[name] !== '0');
  return {
    kinds: asked('kind').flatMap((value) => value.split(',')),
    months: query['months'] ?? MONTHS_PRESET,
    charts: ticked('charts'),
    words: ticked('words'),
  };
}

function queryOf({ words }: PersonVisit, wish: Wish) {
  return {
    kinds: wish.kinds.join(','),
    months: wish.months,
    charts: String(wish.charts),
    words: String(wish.words),
    language: words.language,
    zone: words.zone,
  };
}

function isRecord({ kind }: Whose): boolean {
  return kind === 'record';
}

function fileAddress({ base }: Whose, { kinds, months, charts, words }: Wish): string {
  const query = new URLSearchParams([
    ['kind', kinds.join(',')],
    ['months', months],
    ['charts', charts ? '1' : '0'],
    ['words', words ? '1' : '0'],
  ]);
  return `${base}paper.pdf?${query.toString()}`;
}

type Choosing = { readonly visit: PersonVisit; readonly wish: Wish; readonly view: View; readonly whose: Whose };

function Tick({ name, value, on, text }: { name: string; value: string; on: boolean; text: string }): JSX.Element {
  return (
    <label class="choice">
      <input type="checkbox" name={name} value={value} checked={on} />
      <span>{text}</span>
    </label>
  );
}

function PaperChoices({ visit, wish, view, whose }: Choosing): JSX.Element {
  const { say } = visit.words;
  return (
    <details class="more stack no-print">
      <summary>{say('paper.change')}</summary>
      <form method="get" action={`${whose.base}paper`}>
        <input type="hidden" name="set" value="1" />
        <fieldset id={idOf('kind')}>
          <legend>{say('clinic.kinds')}</legend>
          {view.kinds.map((kind) => (
            <Tick
              name="kind"
              value={kind}
              on={wish.kinds.length === 0 || wish.kinds.includes(kind)}
              text={say(`paper.kind-${kind}`)}
            />
          ))}
        </fieldset>
        <Select
          label={say('paper.months')}
          name="months"
          value={wish.months}
          options={MONTHS.map((value) => ({ value, text: say(`paper.months-${value}`) }))}
        />
        <Tick name="charts" value="1" on={wish.charts} text={say('paper.charts')} />
        {view.hasWords && <Tick name="words" value="1" on={wish.words} text={say('clinic-words.title')} />}
        <div class="buttons">
          <button class="button">{say('paper.show')}</button>
        </div>
      </form>
    </details>
  );
}

function Sayings({ row }: { row: Paper['sections'][number]['rows'][number] }): JSX.Element {
  return (
    <>
      {row.differs && <p class="differs">{row.differs}</p>}
      {row.sayings.map(({ said, when, source }) => (
        <p>
          {said && <span>{said} </span>}
          {when && <span class="by">{when}</span>}
          {when && source && <span class="by"> · </span>}
          {source && <bdi class="by">{source}</bdi>}
        </p>
      ))}
    </>
  );
}

function Section({ section }: { section: Paper['sections'][number] }): JSX.Element {
  return (
    <Part
      title={section.title}
      {...(section.english === undefined ? {} : { hint: section.english })}
      {...(section.kind === ALLERGIES ? { tone: 'warn' } : {})}
    >
      {section.rows.length === 0 ? (
        <p class="soft">{section.empty}</p>
      ) : (
        <Rows>
          {section.rows.map((row) => (
            <li>
              <span class="name">{row.name}</span>
              <div>
                <Sayings row={row} />
              </div>
            </li>
          ))}
        </Rows>
      )}
    </Part>
  );
}

function Sheet({ view: { paper, story } }: { view: View }): JSX.Element {
  return (
    <div class="paper stack">
      <Part title={paper.person.name} hint={paper.person.born}>
        <p class="by">{paper.made.join(' ')}</p>
      </Part>
      {paper.sections.map((section) => (
        <Section section={section} />
      ))}
      {story && (
        <Part title={story.title}>
          {story.paragraphs.map((paragraph) => (
            <p>{paragraph}</p>
          ))}
        </Part>
      )}
    </div>
  );
}

async function showPaper(visit: PersonVisit): Promise<Answer> {
  const { say } = visit.words;
  const { kind, params } = whoseNamed(visit, '');
  const wish = wishIn(visit);
  const input = { params, query: queryOf(visit, wish) };
  const view = await visit.ask(
    kind === 'record' ? operations.papers.recordPaper : operations.papers.carenetPaper,
    input,
  );
  const whose = whoseNamed(visit, view.label, view.carenetName);
  const title = say('paper.title');
  return shown(
    title,
    <>
      <Head
        title={title}
        avatar={<Tile name="print" />}
        action={
          <span class="buttons no-print">
            {view.canPrint && (
              <a class="button first" href={fileAddress(whose, wish)}>
                {say('paper.pdf')}
              </a>
            )}
            <PrintButton visit={visit} />
          </span>
        }
      >
        {say('paper.about')}
      </Head>
      {!view.canPrint && <Say tone="wait" title={say('paper.cannot')} />}
      <PaperChoices visit={visit} wish={wish} view={view} whose={whose} />
      {isRecord(whose) && (
        <p class="aside no-print">
          <a href={`${whose.base}words`}>{say('clinic-words.title')}</a>
        </p>
      )}
      <Sheet view={view} />
    </>,
    { record: whose.frame, script: true, headers: { 'cache-control': 'no-store' } },
  );
}

async function file(visit: PersonVisit): Promise<Answer> {
  const whose = whoseNamed(visit, '');
  const input = { params: whose.params, query: queryOf(visit, wishIn(visit)) };
  const body = await visit.ask(
    isRecord(whose) ? operations.papers.recordPaperPrint : operations.papers.carenetPaperPrint,
    input,
  );
  const { day } = localTime(visit.words.zone, visit.now);
  return { kind: 'file', body, type: 'application/pdf', name: `for-your-doctor-${day}.pdf` };
}

export const paper = PATHS.flatMap((path) => forBoth((begin) => page({ path: `${begin}${path}`, show: showPaper })));
export const paperFile = forBoth((begin) => page({ path: `${begin}${FILE}`, show: file }));
