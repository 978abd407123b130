/** list: the page of a data model in lines: what many sources say of one thing stands there once. */
import type { JSX } from 'preact';
import { errors } from '../../../../core/base/errors';
import type { Model } from '../../../../core/facts/model/model';
import type { Line } from '../../../../core/lines/lines';
import type { ValueOf } from '../../../../core/http/route';
import { page, shown, type Answer, type PersonVisit } from '../../http/page';
import { operations } from '../../http/operations';
import { Head, Line as Small, Part, Rows, Tag } from '../../parts/layout';
import { forBoth, whoseOf, type Whose } from '../../parts/whose';
import { dateWords, modelTitle } from '../../words/facts';
import { ByDisease } from './by-disease';
import { detailsOf, statusOf, titleOf } from './line-words';

type View = ValueOf<typeof operations.lines.recordLines>;
type Seen = { readonly visit: PersonVisit; readonly from: Whose; readonly model: Model };

const LINES = 50;
/** The model whose lines are also shown by disease, more of them at once. */
const VACCINATION = 'Immunization';
const VACCINATIONS = 200;
/** A statement that there are none stands beside the lines of its model, because it may contradict them. */
const DENIALS: Readonly<Record<string, string>> = { Allergy: 'AllergyExclusion' };

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
  return (
    <li data-kind={model.name} data-id={line.id}>
      <div>
        <a class="name" href={`${from.base}list/${model.name}/${line.id}`}>
          <bdi>{titleOf(model, line.shown, visit)}</bdi>
        </a>
        <Small text={detailsOf(model, line.shown, visit)} />
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
      <Rows kind="two">
        {lines.map((line) => (
          <LineRow line={line} seen={seen} />
        ))}
      </Rows>
    </Part>
  );
}

function isNow({ standing }: Line): boolean {
  return standing === 'open' || standing === 'unclear';
}

/** What sources say of there being none. */
async function readDenials(seen: Seen): Promise<JSX.Element | null> {
  const model = seen.visit.models.find(DENIALS[seen.model.name] ?? '');
  if (!model) {
    return null;
  }
  const denying: Seen = { ...seen, model };
  const { lines } = await readView(denying, 0);
  const said = lines.filter(isNow);
  return said.length === 0 ? null : <Lines title={modelTitle(model, seen.visit.words)} lines={said} seen={denying} />;
}

async function showLines(visit: PersonVisit): Promise<Answer> {
  const model = requireModel(visit);
  const seen: Seen = { visit, model, from: await whoseOf(visit) };
  const offset = /^\d{1,7}$/.test(visit.query['offset'] ?? '') ? Number(visit.query['offset']) : 0;
  const { lines, total } = await readView(seen, offset);
  const denials = await readDenials(seen);
  const { say } = visit.words;
  const title = modelTitle(model, visit.words);
  return shown(
    title,
    <>
      <Head title={title}>
        {say('lines.lead')} {seen.from.kind === 'carenet' && say('lines.part')}
      </Head>
      {total === 0 && !denials && <p>{say('lines.none')}</p>}
      {denials}
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
