/** medicine-questions: what only the person can say of medicines, first: is it taken, and are two of them the same? */
import type { JSX } from 'preact';
import type { Line, Says } from '../../../../core/lines/lines';
import { saidStanding } from '../../../../core/lines/standing';
import { Icon } from '../../parts/icons';
import { dateWords, factAddress, knownDate } from '../../words/facts';
import { commaSeparated } from '../../words/words';
import { dateOf, detailsOf, lineDay, shownFact, sourceOf, statusOf, titleOf } from './line-words';
import { linePath, type Shown } from './medicines';
import { SayButton } from './say-button';

/** More questions would hide the medicines. The others are marked in the list. */
const MOST = 3;

/** The newest statements that say that it goes on, that it is over, and that nobody knows. */
function voicesOf({ says }: Line, { model, visit }: Shown): readonly Says[] {
  const valid = says.filter(({ isWrong }) => !isWrong);
  return (['over', 'open', 'unclear'] as const).flatMap(
    (wanted) => valid.find(({ told }) => saidStanding(model, told.values, visit.now) === wanted) ?? [],
  );
}

function Voice({ says, shown }: { readonly says: Says; readonly shown: Shown }): JSX.Element {
  const { visit, from, model, view } = shown;
  const { words } = visit;
  const fact = shownFact(model, says.told);
  const date = dateOf(model, says, visit);
  const until = dateWords(knownDate(fact, 'endDate'), words, 'day');
  const address = factAddress(from.base, fact);
  const source = sourceOf(says, view, visit) || words.say('lines.paper');
  return (
    <li class="box">
      <span class="src">
        <bdi>{source}</bdi>
      </span>
      <p>
        <b>
          {commaSeparated(
            [statusOf(model, says.told, visit), until && words.say('lines.time-until', { until })],
            words,
          )}
        </b>
      </p>
      <p class="by">
        {date !== '' && (says.told.said === '' ? words.say('lines.time-from', { from: date }) : date)}{' '}
        {address && (
          <a href={address}>
            {words.say('lines.read-it')}
            <span class="unseen">
              : <bdi>{source}</bdi>
            </span>
          </a>
        )}
      </p>
    </li>
  );
}

function Question({ line, shown }: { readonly line: Line; readonly shown: Shown }): JSX.Element {
  const { visit, from, model } = shown;
  const { say, rich } = visit.words;
  const title = titleOf(model, line.shown, visit);
  const statements = [line.shown.id];
  return (
    <section class="say wait">
      <Icon name="question" />
      <div>
        <h2 class="title">{rich('lines.taken', { name: <bdi>{title}</bdi> })}</h2>
        <ul class="versus">
          {voicesOf(line, shown).map((says) => (
            <Voice says={says} shown={shown} />
          ))}
        </ul>
        {from.kind === 'record' && (
          <>
            <p class="small">{say('lines.taken-hint')}</p>
            <div class="buttons">
              {(['taking', 'stopped'] as const).map((verdict) => (
                <SayButton
                  visit={visit}
                  from={from}
                  line={linePath(shown, line)}
                  about={{ verdict, statements, words: title }}
                  text={say(`lines.${verdict}`)}
                  heard={title}
                />
              ))}
            </div>
          </>
        )}
      </div>
    </section>
  );
}

export function unclearLines(lines: readonly Line[]): readonly Line[] {
  return lines.filter(({ standing }) => standing === 'unclear');
}

/** Whether they are taken, about which sources do not agree. */
export function TakenQuestions({ lines, shown }: { readonly lines: readonly Line[]; readonly shown: Shown }) {
  return (
    <>
      {unclearLines(lines)
        .slice(0, MOST)
        .map((line) => (
          <Question line={line} shown={shown} />
        ))}
    </>
  );
}

/** Two lines that are perhaps one, each pair once. */
function pairsOf(lines: readonly Line[]): readonly (readonly [Line, Line])[] {
  return lines.flatMap((one) =>
    lines
      .filter(({ id }) => id > one.id && one.perhaps.includes(id))
      .map((other): readonly [Line, Line] => [one, other]),
  );
}

function Pair({ pair, shown }: { readonly pair: readonly [Line, Line]; readonly shown: Shown }): JSX.Element {
  const { visit, from, model } = shown;
  const { say } = visit.words;
  const titles = pair.map((line) => titleOf(model, line.shown, visit));
  const about = { statements: pair.map(({ shown: { id } }) => id), words: titles[0]! };
  return (
    <>
      <ul class="versus">
        {pair.map((line, at) => (
          <li class="box">
            <p>
              <a class="name" href={linePath(shown, line)}>
                <bdi>{titles[at]}</bdi>
              </a>
            </p>
            <p class="by">
              <bdi>{detailsOf(model, line.shown, visit)}</bdi>
            </p>
            <p class="by">{lineDay(model, line, visit)}</p>
          </li>
        ))}
      </ul>
      <div class="buttons">
        {(['same', 'different'] as const).map((verdict) => (
          <SayButton
            visit={visit}
            from={from}
            line={linePath(shown, pair[0])}
            about={{ ...about, verdict }}
            text={say(`lines.${verdict}`)}
            heard={commaSeparated(titles, visit.words)}
          />
        ))}
      </div>
    </>
  );
}

export function SameQuestions({ lines, shown }: { readonly lines: readonly Line[]; readonly shown: Shown }) {
  const { say } = shown.visit.words;
  const pairs = shown.from.kind === 'carenet' ? [] : pairsOf(lines).slice(0, MOST);
  return pairs.length === 0 ? null : (
    <section class="card gap">
      <header>
        <h2>{say('lines.are-same')}</h2>
      </header>
      {pairs.map((pair) => (
        <Pair pair={pair} shown={shown} />
      ))}
      <p class="more by">{say('lines.are-same-hint')}</p>
    </section>
  );
}
