/** line: one line with all who say it, where they differ, and what the person says about it. */
import type { JSX } from 'preact';
import { errors } from '../../../../core/base/errors';
import type { Model } from '../../../../core/facts/model/model';
import type { Line, Says } from '../../../../core/lines/lines';
import { VERDICTS, type OwnWord } from '../../../../core/lines/own-words';
import { operations } from '../../http/operations';
import { go, page, shown, type Answer, type PersonVisit } from '../../http/page';
import { Form } from '../../parts/form';
import { Head, Line as Small, Part, Rows, Say, Tag } from '../../parts/layout';
import { whoseNamed, whoseOf, type Whose } from '../../parts/whose';
import { dateWords, fieldLabel, fieldWords, modelTitle, factAddress } from '../../words/facts';
import { dateOf, detailsOf, lineDay, shownFact, sourceOf, statusOf, titleOf, type LineView } from './line-words';
import { requireModel } from './list';
import { Marks } from './marks';
import { hearIt, Offered, offering, readOffer, type Offer } from './offer';
import { saveWord, type About } from './save-word';
import { SayButton } from './say-button';

type Seen = {
  readonly visit: PersonVisit;
  readonly from: Whose;
  readonly model: Model;
  readonly view: LineView;
  readonly line: Line;
};

const MEDICINE = 'Medication';

function Button({ seen, about, text }: { readonly seen: Seen; readonly about: About; readonly text: string }) {
  return <SayButton visit={seen.visit} from={seen.from} about={about} text={text} />;
}

/** "Clinic A says stopped (3 March 2026)." */
function saysWords(says: Says, seen: Seen, said: string): string {
  const { words } = seen.visit;
  const date = dateOf(seen.model, says, seen.visit);
  const source = sourceOf(says, seen.view, seen.visit);
  return words.say(date === '' ? 'lines.says' : 'lines.says-on', { source, said, date });
}

function Differences({ seen }: { readonly seen: Seen }): JSX.Element | null {
  const { line, model, visit } = seen;
  const { say } = visit.words;
  const standing = line.says.filter(({ told }) => statusOf(model, told, visit) !== '');
  return !line.isConflict ? null : (
    <Part title={say('lines.differ')}>
      <ul>
        {line.isStandingConflict &&
          standing.map((says) => <li>{saysWords(says, seen, statusOf(model, says.told, visit))}</li>)}
        {line.differs.flatMap(({ field, statements }) =>
          line.says
            .filter(({ told }) => statements.includes(told.id))
            .map((says) => {
              const value = fieldWords(model, shownFact(model, says.told), field, visit.words);
              return <li>{saysWords(says, seen, `${fieldLabel(model, field, visit.words)}: ${value}`)}</li>;
            }),
        )}
      </ul>
    </Part>
  );
}

function Source({ says, seen }: { readonly says: Says; readonly seen: Seen }): JSX.Element {
  const { visit, from, model, view, line } = seen;
  const { say } = visit.words;
  const { told } = says;
  const fact = shownFact(model, told);
  const words = titleOf(model, told, visit);
  const [newest] = line.says;
  const isOther = newest !== undefined && newest.told.id !== told.id;
  return (
    <li data-kind={model.name} data-id={told.id}>
      <div>
        <a class="name" href={factAddress(from.base, fact)}>
          <bdi>{sourceOf(says, view, visit) || say('lines.paper')}</bdi>
        </a>
        <p>
          <bdi>{words}</bdi>
        </p>
        <Small text={detailsOf(model, told, visit)} />
        {says.isFormer && <Tag tone="off">{say('tests.former')}</Tag>}
        {says.isWrong ? (
          <Tag tone="off">{say('lines.called-wrong')}</Tag>
        ) : (
          <Button seen={seen} about={{ verdict: 'wrong', statements: [told.id], words }} text={say('lines.wrong')} />
        )}
        {isOther && (
          <Button
            seen={seen}
            about={{ verdict: 'different', statements: [newest.told.id, told.id], words }}
            text={say('lines.different')}
          />
        )}
      </div>
      <span class="end below">
        {dateOf(model, says, visit)}
        <br />
        <bdi>{statusOf(model, told, visit)}</bdi>
      </span>
    </li>
  );
}

function BesideLines({ seen }: { readonly seen: Seen }): JSX.Element | null {
  const { visit, from, model, view, line } = seen;
  const { say } = visit.words;
  return view.beside.length === 0 ? null : (
    <Part title={say('lines.perhaps')}>
      <Rows kind="two">
        {view.beside.map((other) => {
          const words = titleOf(model, other.shown, visit);
          const about: About = { verdict: 'same', statements: [line.shown.id, other.shown.id], words };
          return (
            <li data-kind={model.name} data-id={other.id}>
              <div>
                <a class="name" href={`${from.base}list/${model.name}/${other.id}`}>
                  <bdi>{words}</bdi>
                </a>
                <Small text={detailsOf(model, other.shown, visit)} />
                <Button seen={seen} about={about} text={say('lines.same')} />
              </div>
              <span class="end below">{lineDay(model, other, visit)}</span>
            </li>
          );
        })}
      </Rows>
    </Part>
  );
}

function Taking({ seen }: { readonly seen: Seen }): JSX.Element | null {
  const { visit, model, line } = seen;
  const { say } = visit.words;
  const about = { statements: [line.shown.id], words: titleOf(model, line.shown, visit) };
  return model.name !== MEDICINE || line.standing === 'undone' ? null : (
    <div class="buttons">
      {line.standing !== 'over' && (
        <Button seen={seen} about={{ ...about, verdict: 'stopped' }} text={say('lines.stopped')} />
      )}
      {line.standing !== 'open' && (
        <Button seen={seen} about={{ ...about, verdict: 'taking' }} text={say('lines.taking')} />
      )}
    </div>
  );
}

function OwnWordRow({ word, seen }: { readonly word: OwnWord; readonly seen: Seen }): JSX.Element {
  const { visit, from } = seen;
  const { say } = visit.words;
  return (
    <li data-kind="OwnWord" data-id={word.id}>
      <div>
        <a href={`${from.base}documents/${word.documentId}`}>
          {say(`lines.said-${word.verdict}`, { date: dateWords(word.date, visit.words, 'day') })}
        </a>
        {from.kind === 'record' && (
          <Form visit={visit} className="inline">
            <input type="hidden" name="back" value={word.documentId} />
            <button class="button">{say('lines.back')}</button>
          </Form>
        )}
      </div>
    </li>
  );
}

function Times({ seen: { line, visit } }: { readonly seen: Seen }): JSX.Element | null {
  const { say } = visit.words;
  const earlier = line.times.slice(0, -1);
  return earlier.length === 0 ? null : (
    <Part title={say('lines.times')}>
      <ul>
        {earlier.map(({ from, until }) => {
          const [begun, ended] = [dateWords(from, visit.words, 'day'), dateWords(until, visit.words, 'day')];
          return (
            <li>
              {until === ''
                ? say('lines.time-from', { from: begun })
                : say('lines.time', { from: begun, until: ended })}
            </li>
          );
        })}
      </ul>
    </Part>
  );
}

/** The line of the page; the address of the page where the line is, if that is another one. */
async function readSeen(visit: PersonVisit, from: Whose): Promise<Seen | string> {
  const model = requireModel(visit);
  const id = visit.params['LINE_ID'] ?? '';
  const view = await visit.ask(from.kind === 'record' ? operations.lines.recordLine : operations.lines.carenetLine, {
    params: { ...from.params, MODEL: model.name, LINE_ID: id },
    query: {},
  });
  if ('location' in view) {
    return `${from.base}list/${model.name}/${view.location.split('/').at(-1)!}`;
  }
  return { visit, from, model, view, line: view.lines[0]! };
}

type Told = { readonly wrong?: string; readonly offer?: Offer | undefined };

function body(seen: Seen, { wrong, offer }: Told): JSX.Element {
  const { visit, from, model, line } = seen;
  const { say } = visit.words;
  const there = { to: `${from.base}list/${model.name}`, text: modelTitle(model, visit.words) };
  return (
    <>
      {wrong !== undefined && <Say tone="alert" role="alert" title={wrong} />}
      <Head title={<bdi>{titleOf(model, line.shown, visit)}</bdi>} back={there}>
        <Marks line={line} visit={visit} /> {from.kind === 'carenet' && say('lines.part')}
      </Head>
      <Offered visit={visit} offer={offer} />
      <Taking seen={seen} />
      <Differences seen={seen} />
      <Part title={say('lines.sources')}>
        <Rows kind="two">
          {line.says.map((says) => (
            <Source says={says} seen={seen} />
          ))}
        </Rows>
      </Part>
      <BesideLines seen={seen} />
      <Times seen={seen} />
      {line.ownWords.length > 0 && (
        <Part title={say('lines.own')}>
          <Rows kind="two">
            {line.ownWords.map((word) => (
              <OwnWordRow word={word} seen={seen} />
            ))}
          </Rows>
        </Part>
      )}
    </>
  );
}

function linePage(seen: Seen, told: Told): Answer {
  const title = titleOf(seen.model, seen.line.shown, seen.visit);
  const { wrong } = told;
  return shown(title, body(seen, told), { record: seen.from.frame, ...(wrong === undefined ? {} : { status: 400 }) });
}

async function showLine(visit: PersonVisit): Promise<Answer> {
  const seen = await readSeen(visit, await whoseOf(visit));
  return typeof seen === 'string'
    ? go(offering(seen, visit.query['word']))
    : linePage(seen, { offer: await readOffer(visit) });
}

function saidAbout({ form }: PersonVisit): About {
  const verdict = VERDICTS.find((one) => one === form.text('verdict'));
  const statements = [...new Set(form.all('about'))];
  if (verdict === undefined || verdict === 'is-test' || statements.length === 0 || statements.length > 2) {
    throw errors.invalidBody('the verdict is none of this page');
  }
  return { verdict, statements, words: form.text('words') };
}

/** What is said must be about statements of this page. Two that something keeps apart for good stay two. */
function isAskedHere({ line, view }: Seen, { verdict, statements }: About): boolean {
  const lines = verdict === 'same' || verdict === 'different' ? [line, ...view.beside] : [line];
  return statements.every((id) => lines.some(({ says }) => says.some(({ told }) => told.id === id)));
}

async function sayIt(seen: Seen): Promise<Answer> {
  const { visit, from, model } = seen;
  const about = saidAbout(visit);
  if (!isAskedHere(seen, about)) {
    return linePage({ ...seen, from: await whoseOf(visit) }, { wrong: visit.words.say('lines.apart') });
  }
  const word = await saveWord(visit, model.name, about);
  return go(offering(`${from.base}list/${model.name}/${about.statements[0]!}`, word));
}

async function submitLine(visit: PersonVisit): Promise<Answer> {
  // The name of the record is shown only where the form is shown again.
  const seen = await readSeen(visit, whoseNamed(visit, ''));
  if (typeof seen === 'string') {
    return go(seen);
  }
  const heard = await hearIt(visit);
  if (heard) {
    return heard;
  }
  const back = visit.form.text('back');
  if (back === '') {
    return sayIt(seen);
  }
  if (seen.line.ownWords.some(({ documentId }) => documentId === back)) {
    await visit.ask(operations.documents.documentSetStatus, {
      params: { RECORD_ID: visit.params['RECORD_ID'] ?? '', DOCUMENT_ID: back },
      body: { status: 'void', reason: visit.words.say('lines.back') },
    });
  }
  return go(visit.path);
}

export const line = [
  page({ path: '/records/{RECORD_ID}/list/{Model}/{LINE_ID}', show: showLine, submit: submitLine }),
  page({ path: '/carenets/{CARENET_ID}/list/{Model}/{LINE_ID}', show: showLine }),
];
