/** list: the page of a data model in lines: what many sources say of one thing stands there once. */
import type { JSX } from 'preact';
import { errors } from '../../../../core/base/errors';
import type { Model } from '../../../../core/facts/model/model';
import { DENIAL, deniedBy } from '../../../../core/lines/denials';
import type { Line } from '../../../../core/lines/lines';
import type { ValueOf } from '../../../../core/http/route';
import { page, shown, type Answer, type PersonVisit } from '../../http/page';
import { operations } from '../../http/operations';
import { Tile } from '../../parts/icons';
import { Head, Part, Tag } from '../../parts/layout';
import { forBoth, whoseOf, type Whose } from '../../parts/whose';
import { dateWords, modelTitle } from '../../words/facts';
import { lookOf } from '../record/timeline-days';
import { ByDisease } from './by-disease';
import { deniable, Denials, NoneKnown, type Denial } from '../../parts/none-known';
import { addPath } from '../quick/nav';
import { deniedIn, detailsOf, statusOf, titleOf } from './line-words';

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

function readView({ visit, from, model }: Seen, offset: number): Promise<View> {
  return visit.ask(from.kind === 'record' ? operations.lines.recordLines : operations.lines.carenetLines, {
    params: { ...from.params, MODEL: model.name },
    query: { limit: String(mostOf(model)), offset: String(offset) },
  });
}

/** Words for what is not plain about a line; nothing is said by a colour alone. */
export function Marks({ line, visit: { words } }: { readonly line: Line; readonly visit: PersonVisit }): JSX.Element {
  return (
    <>
      {line.standing === 'unclear' && <Tag tone="wait">{words.say('lines.unclear')}</Tag>}
      {line.isPlanned && <Tag tone="off">{words.say('lines.planned')}</Tag>}
      {line.isConflict && <Tag tone="alert">{words.say('lines.differ')}</Tag>}
      {line.perhaps.length > 0 && <Tag tone="wait">{words.say('lines.perhaps')}</Tag>}
    </>
  );
}

function LineRow({ line, seen: { visit, from, model } }: { readonly line: Line; readonly seen: Seen }): JSX.Element {
  const { words } = visit;
  const status = statusOf(model, line.shown, visit);
  const details = detailsOf(model, line.shown, visit);
  return (
    <li data-kind={model.name} data-id={line.id}>
      <div>
        <a class="name" href={`${from.base}list/${model.name}/${line.id}`}>
          <bdi>{titleOf(model, line.shown, visit)}</bdi>
        </a>
        {details !== '' && (
          <p class="by">
            <bdi>{details}</bdi>
          </p>
        )}
        <Marks line={line} visit={visit} />
      </div>
      <span class="end below">
        {dateWords(line.last, words, 'day')}
        {status !== '' && (
          <>
            {line.last !== '' && <br />}
            <bdi>{words.say('overview.status', { status })}</bdi>
          </>
        )}
        <br />
        {words.say('lines.sources-count', { count: line.sources })}
      </span>
    </li>
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

/** How many sources of a denial are named; each of them is read. */
const NAMED = 3;

/** What sources say of there being none, which stands beside the lines because it may contradict them. */
async function readDenials(seen: Seen): Promise<readonly Denial[]> {
  const { visit, from } = seen;
  const model = visit.models.find(DENIAL);
  if (!model || !deniable(seen.model.name)) {
    return [];
  }
  const { lines } = await readView({ ...seen, model }, 0);
  const said = lines.filter((line) => isNow(line) && deniedBy(line.shown.values) === seen.model.name).slice(0, NAMED);
  return Promise.all(
    said.map(async (line): Promise<Denial> => {
      const call = from.kind === 'record' ? operations.lines.recordLine : operations.lines.carenetLine;
      const view = await visit.ask(call, {
        params: { ...from.params, MODEL: model.name, LINE_ID: line.id },
        query: {},
      });
      const document = 'location' in view ? undefined : view.documents.find(({ id }) => id === line.shown.documentId);
      return {
        id: line.id,
        title: titleOf(model, line.shown, visit),
        to: `${from.base}list/${model.name}/${line.id}`,
        said: deniedIn(document, visit),
      };
    }),
  );
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
  const { lines, total } = await readView(seen, offset);
  const denials = await readDenials(seen);
  const { say } = visit.words;
  const { hue, icon } = lookOf(model.name);
  const title = modelTitle(model, visit.words);
  return shown(
    title,
    <>
      <Head title={title} avatar={<Tile name={icon} kind={hue} />} action={<AddTo seen={seen} isEmpty={total === 0} />}>
        {say('lines.lead')} {seen.from.kind === 'carenet' && say('lines.part')}
      </Head>
      {total === 0 && denials.length === 0 && <p>{say('lines.none')}</p>}
      <Denied seen={seen} denials={denials} isEmpty={total === 0} />
      {model.name === VACCINATION && lines.length === total && (
        <ByDisease visit={visit} base={seen.from.base} model={model} lines={lines} />
      )}
      <Lines
        title={say(model.same?.what === 'thing' ? 'lines.now' : 'lines.said')}
        lines={lines.filter(isNow)}
        seen={seen}
      />
      <Lines title={say('lines.before')} lines={lines.filter((line) => !isNow(line))} seen={seen} />
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
