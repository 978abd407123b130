/** list: the page of a data model in lines: what many sources say of one thing stands there once. */
import type { JSX } from 'preact';
import { errors } from '../../../../core/base/errors';
import type { Model } from '../../../../core/facts/model/model';
import { DENIAL, deniedBy } from '../../../../core/lines/denials';
import type { Line } from '../../../../core/lines/lines';
import type { ValueOf } from '../../../../core/http/route';
import { page, shown, type Answer, type PersonVisit } from '../../http/page';
import { operations } from '../../http/operations';
import { AlsoCalled } from '../../parts/also-called';
import { Tile } from '../../parts/icons';
import { EndLines, Head, Part } from '../../parts/layout';
import { forBoth, whoseOf, type Whose } from '../../parts/whose';
import { modelTitle } from '../../words/facts';
import { lookOf } from '../record/timeline-days';
import { ByDisease } from './by-disease';
import { deniable, Denials, NoneKnown, type Denial } from '../../parts/none-known';
import { addPath } from '../quick/nav';
import { deniedIn, detailsOf, lineDay, namesOf, statusOf, titleOf } from './line-words';
import { Marks } from './marks';
import { SameQuestions, TakenQuestions, unclearLines } from './medicine-questions';
import { MEDICINE, Medicines, SOURCES, type Shown } from './medicines';

type View = ValueOf<typeof operations.lines.recordLines>;
type Seen = { readonly visit: PersonVisit; readonly from: Whose; readonly model: Model };

const LINES = 50;
/** The model whose lines are also shown by disease, more of them at once. */
const VACCINATION = 'Immunization';
const VACCINATIONS = 200;

function mostOf({ name }: Model): number {
  return name === VACCINATION ? VACCINATIONS : LINES;
}

export function requireModel({ models, params }: PersonVisit): Model {
  const model = models.find(params['Model'] ?? '');
  if (!model || model.builtin) {
    throw errors.notFound('data model');
  }
  return model;
}

type Asked = {
  readonly offset: number;
  /** Of so many statements of each line the page names the source. */ readonly sources: number;
};

function readView({ visit, from, model }: Seen, { offset, sources }: Asked): Promise<View> {
  return visit.ask(from.kind === 'record' ? operations.lines.recordLines : operations.lines.carenetLines, {
    params: { ...from.params, MODEL: model.name },
    query: { limit: String(mostOf(model)), offset: String(offset), _sources: String(sources), _order: 'newest' },
  });
}

function LineRow({ line, seen: { visit, from, model } }: { readonly line: Line; readonly seen: Seen }): JSX.Element {
  const { words } = visit;
  const status = statusOf(model, line.shown, visit);
  const details = detailsOf(model, line.shown, visit);
  const day = lineDay(model, line, visit);
  const title = titleOf(model, line.shown, visit);
  return (
    <li data-kind={model.name} data-id={line.id}>
      <div>
        <a class="name" href={`${from.base}list/${model.name}/${line.id}`}>
          <bdi>{title}</bdi>
        </a>
        <AlsoCalled title={title} names={namesOf(model, line, visit)} words={words} />
        {details !== '' && (
          <p class="by">
            <bdi>{details}</bdi>
          </p>
        )}
        <Marks line={line} visit={visit} />
      </div>
      <EndLines
        texts={[
          day,
          status === '' ? '' : words.say('overview.status', { status }),
          words.say('lines.sources-count', { count: line.sources }),
        ]}
      />
    </li>
  );
}

/**
 * What the page answers: of things that go on, how many do as far as anybody says. Medicines that sources dispute are
 * counted by themselves, because their questions come first.
 */
function Lead({ seen: { visit, model, from }, view }: { readonly seen: Seen; readonly view: View }): JSX.Element {
  const { say } = visit.words;
  const { lines, total } = view;
  const isCounted = model.same?.what === 'thing' && lines.length === total && total > 0;
  const disputed = model.name === MEDICINE ? unclearLines(lines).length : 0;
  const now = lines.filter(isNow).length;
  return (
    <>
      {isCounted ? say('lines.counted', { now: now - disputed, before: total - now }) : say('lines.lead')}{' '}
      {isCounted && disputed > 0 && say('lines.disputed', { count: disputed })}{' '}
      {from.kind === 'carenet' && say('lines.part')}
    </>
  );
}

/** Medicines with the question first, then what goes on, what is perhaps the same, and what is over. */
function MedicineParts({ shown: { view, visit }, shown }: { readonly shown: Shown }): JSX.Element {
  const { say } = visit.words;
  const { lines } = view;
  return (
    <>
      <TakenQuestions lines={lines} shown={shown} />
      <Medicines title={say('lines.now')} lines={lines.filter(isNow)} all={lines} shown={shown} />
      <SameQuestions lines={lines} shown={shown} />
      <Medicines title={say('lines.before')} lines={lines.filter((line) => !isNow(line))} all={lines} shown={shown} />
    </>
  );
}

function Parts({ seen, view }: { readonly seen: Seen; readonly view: View }): JSX.Element {
  const { visit, model } = seen;
  const { say } = visit.words;
  const { lines, total } = view;
  if (model.name === MEDICINE) {
    return <MedicineParts shown={{ ...seen, view }} />;
  }
  return (
    <>
      {model.name === VACCINATION && lines.length === total && (
        <ByDisease visit={visit} base={seen.from.base} model={model} lines={lines} />
      )}
      <Lines
        title={say(model.same?.what === 'thing' ? 'lines.now' : 'lines.said')}
        lines={lines.filter(isNow)}
        seen={seen}
      />
      <Lines title={say('lines.before')} lines={lines.filter((line) => !isNow(line))} seen={seen} />
    </>
  );
}

function Lines({
  title,
  lines,
  seen,
}: {
  readonly title: string;
  readonly lines: readonly Line[];
  readonly seen: Seen;
}) {
  return lines.length === 0 ? null : (
    <Part title={title}>
      <ul class="list">
        {lines.map((line) => (
          <LineRow line={line} seen={seen} />
        ))}
      </ul>
    </Part>
  );
}

function isNow({ standing }: Line): boolean {
  return standing === 'open' || standing === 'unclear';
}

const ADD = {
  Allergy: 'overview.add-allergy',
  Medication: 'overview.add-medicine',
  Problem: 'overview.add-problem',
} as const;
/** The way to add one. An empty list offers it beside saying that there are none. */
function AddTo({ seen: { visit, from, model }, isEmpty }: { readonly seen: Seen; readonly isEmpty: boolean }) {
  const denied = deniable(model.name);
  return denied && !isEmpty && from.kind === 'record' ? (
    <span class="buttons no-print">
      <a class="button" href={`${from.base}${addPath(model.name)}`}>
        {visit.words.say(ADD[denied])}
      </a>
    </span>
  ) : null;
}

/** How many denials are named. */
const NAMED = 3;

/** What sources say of there being none, which stands beside the lines because it may contradict them. */
async function readDenials(seen: Seen): Promise<readonly Denial[]> {
  const { visit, from } = seen;
  const model = visit.models.find(DENIAL);
  if (!model || !deniable(seen.model.name)) {
    return [];
  }
  const { lines, documents } = await readView({ ...seen, model }, { offset: 0, sources: 1 });
  return lines
    .filter((line) => isNow(line) && deniedBy(line.shown.values) === seen.model.name)
    .slice(0, NAMED)
    .map((line) => ({
      id: line.id,
      title: titleOf(model, line.shown, visit),
      to: `${from.base}list/${model.name}/${line.id}`,
      said: deniedIn(
        documents.find(({ id }) => id === line.shown.documentId),
        visit,
      ),
    }));
}

/** That there are none: who says so, or the button by which the person says it where nothing is said at all. */
function Denied({ seen: { visit, from, model }, denials, isEmpty }: DeniedProps): JSX.Element | null {
  const denied = deniable(model.name);
  const { say } = visit.words;
  if (denials.length > 0) {
    return (
      <Part title={say('lines.denied')}>
        <Denials denials={denials} />
      </Part>
    );
  }
  return isEmpty && denied && from.kind === 'record' ? (
    <div class="buttons">
      <a class="button" href={`${from.base}${addPath(model.name)}`}>
        {say(ADD[denied])}
      </a>
      <NoneKnown visit={visit} base={from.base} model={denied} />
    </div>
  ) : null;
}

type DeniedProps = { readonly seen: Seen; readonly denials: readonly Denial[]; readonly isEmpty: boolean };

async function showLines(visit: PersonVisit): Promise<Answer> {
  const model = requireModel(visit);
  const seen: Seen = { visit, model, from: await whoseOf(visit) };
  const offset = /^\d{1,7}$/.test(visit.query['offset'] ?? '') ? Number(visit.query['offset']) : 0;
  const view = await readView(seen, { offset, sources: model.name === MEDICINE ? SOURCES : 0 });
  const { lines, total } = view;
  const denials = await readDenials(seen);
  const { say } = visit.words;
  const { hue, icon } = lookOf(model.name);
  const title = modelTitle(model, visit.words);
  return shown(
    title,
    <>
      <Head title={title} avatar={<Tile name={icon} kind={hue} />} action={<AddTo seen={seen} isEmpty={total === 0} />}>
        <Lead seen={seen} view={view} />
      </Head>
      {total === 0 && denials.length === 0 && <p>{say('lines.none')}</p>}
      <Denied seen={seen} denials={denials} isEmpty={total === 0} />
      <Parts seen={seen} view={view} />
      <div class="line-links more">
        {offset + lines.length < total && (
          <a href={`${visit.path}?offset=${offset + mostOf(model)}`}>{say('lines.more')}</a>
        )}
        <a href={`${seen.from.base}data/${model.name}`}>{say('lines.raw')}</a>
      </div>
    </>,
    { record: seen.from.frame },
  );
}

export const list = forBoth((begin) => page({ path: `${begin}/list/{Model}`, show: showLines }));
