/**
 * bring-in: the page on which a person makes a new record of their own from an archive: the archive is read, shown, and
 * brought in document by document; the page shows the progress.
 */
import type { ComponentChildren, JSX } from 'preact';
import { newToken } from '../../../../core/base/ids';
import type { ValueOf } from '../../../../core/http/route';
import { go, ownAccount, page, shown, type Answer, type PersonVisit, type SentFile } from '../../http/page';
import { operations } from '../../http/operations';
import { Buttons, FileField, Form, Summary, type Wrong } from '../../parts/form';
import { Head, Part, Say } from '../../parts/layout';
import { percentOf, Progress, RELOADS, waitShortly, type Done } from '../../parts/long-work';
import { SizeWords } from '../add/preview';
import { commaSeparated } from '../../words/words';

type Seen = ValueOf<typeof operations.records.accountBringIn>;
type BringIn = NonNullable<Seen['now']>;
type NotTaken = NonNullable<BringIn['archive']>['notTaken'];

/** A document is read within this time. Without a report for longer, the work has stopped. */
const STOPPED_MILLISECONDS = 90_000;
const NAME_CHARACTERS = 255;

function bringInAddress({ site }: PersonVisit, form?: string): string {
  return `${site}/bring-in${form === undefined ? '' : `?form=${encodeURIComponent(form)}`}`;
}

function lookAtBringIn(visit: PersonVisit, form: string): Promise<Seen> {
  return visit.ask(operations.records.accountBringIn, { params: ownAccount(visit), query: { form } });
}

/** Starts work that goes on after the answer was sent. */
async function begun(visit: PersonVisit, form: string, work: Promise<unknown>): Promise<Answer> {
  await waitShortly(work);
  return go(bringInAddress(visit, form));
}

function readIt(visit: PersonVisit, { name, incoming }: SentFile): Promise<Answer> {
  const { token, size } = incoming!;
  const body = { form: token, name: [...name].slice(-NAME_CHARACTERS).join('') || 'archive', size: String(size) };
  return begun(visit, token, visit.ask(operations.records.accountBringInRead, { params: ownAccount(visit), body }));
}

async function addAll(visit: PersonVisit, form: string, again: boolean): Promise<void> {
  for (let phase: BringIn['phase'] = 'adding'; phase === 'adding';) {
    ({ phase } = await visit.ask(operations.records.accountBringInAdd, {
      params: ownAccount(visit),
      body: { form, again: String(again) },
    }));
  }
}

/** What comes along, and what does not and why. */
function WhatComes({ visit }: { readonly visit: PersonVisit }): JSX.Element {
  const { say } = visit.words;
  return (
    <>
      <Part title={say('bring-in.comes')}>
        <p>{say('bring-in.comes-about')}</p>
      </Part>
      <Part title={say('bring-in.stays')}>
        <p>{say('bring-in.stays-about')}</p>
      </Part>
    </>
  );
}

function choose(visit: PersonVisit, unfinished: readonly string[], wrong?: Wrong): Answer {
  const { say } = visit.words;
  const most = visit.settings.archiveBytes;
  const title = say('bring-in.title');
  return shown(
    wrong ? say('form.error-title', { title }) : title,
    <>
      <Head title={title} back={{ to: `${visit.site}/?all=1`, text: say('records.title') }}>
        {say('bring-in.about')}
      </Head>
      <Summary title={say('form.wrong')} wrong={wrong} order={['archive']} />
      {unfinished.length > 0 && (
        <Say tone="wait" title={say('bring-in.unfinished', { count: unfinished.length })}>
          <p>{say('bring-in.unfinished-about')}</p>
          <ul>
            {unfinished.map((name) => (
              <li>
                <bdi>{name}</bdi>
              </li>
            ))}
          </ul>
        </Say>
      )}
      {most === 0 ? (
        <p>{say('bring-in.off')}</p>
      ) : (
        <Form visit={visit} action={bringInAddress(visit)} files>
          <FileField
            label={say('bring-in.archive')}
            name="archive"
            hint={say('bring-in.archive-hint', { size: SizeWords(most, visit.words) })}
            wrong={wrong}
          />
          <Buttons text={say('add.look')} first />
        </Form>
      )}
      <WhatComes visit={visit} />
    </>,
    wrong ? { status: 400 } : {},
  );
}

function working(visit: PersonVisit, form: string, state: BringIn): Answer {
  const { say } = visit.words;
  const adding = state.phase === 'adding';
  const all = state.archive?.documents ?? 0;
  const done: Done = adding ? [state.done, all] : [Math.min(state.taken, state.size), state.size];
  const title = say(adding ? 'bring-in.adding' : 'bring-in.reading');
  return shown(
    title,
    <>
      <Head title={title}>{adding ? say('bring-in.appears') : say('bring-in.nothing-yet')}</Head>
      <Progress visit={visit} title={title} done={done} address={bringInAddress(visit, form)}>
        {adding
          ? say('add-file.added-so-far', { done: state.done, count: all })
          : say('add-file.read-so-far', { percent: percentOf(visit, done), count: state.done })}
      </Progress>
    </>,
    { headers: RELOADS },
  );
}

const kindsNotTaken: readonly (keyof NotTaken)[] = [
  'history',
  'people',
  'apps',
  'messages',
  'undone',
  'words',
  'large',
];

/** What is in the archive and does not come, each with its reason. */
function Stays({ visit, notTaken }: { readonly visit: PersonVisit; readonly notTaken: NotTaken }): JSX.Element {
  const { say } = visit.words;
  return (
    <ul>
      {kindsNotTaken
        .filter((kind) => notTaken[kind] > 0)
        .map((kind) => (
          <li>{say(`bring-in.stays-${kind}`, { count: notTaken[kind] })}</li>
        ))}
      <li>{say('bring-in.stays-facts')}</li>
    </ul>
  );
}

function Go({
  visit,
  form,
  text,
  again = false,
  children,
}: {
  readonly visit: PersonVisit;
  readonly form: string;
  readonly text: string;
  readonly again?: boolean;
  readonly children?: ComponentChildren;
}): JSX.Element {
  return (
    <Form visit={visit} action={bringInAddress(visit, form)}>
      <input type="hidden" name="form" value={form} />
      {again && <input type="hidden" name="again" value="1" />}
      {children}
      <Buttons text={text} first>
        <a href={bringInAddress(visit)}>{visit.words.say('bring-in.no')}</a>
      </Buttons>
    </Form>
  );
}

/** What was read, before anything is made; a question where there is a record of the same archive. */
function preview(visit: PersonVisit, form: string, state: BringIn): Answer {
  const { say, rich, date } = visit.words;
  const { archive, before } = state;
  const { label, exportedAt, documents, circles, notTaken } = archive!;
  const title = say('bring-in.look-title');
  const made = Number.isNaN(Date.parse(exportedAt)) ? undefined : date(new Date(exportedAt).toISOString());
  return shown(
    title,
    <>
      <Head title={title} back={{ to: bringInAddress(visit), text: say('bring-in.title') }}>
        {rich('bring-in.whose', { name: <bdi>{label}</bdi> })} {made && say('bring-in.made', { date: made })}
      </Head>
      <Part title={say('bring-in.comes')}>
        <ul>
          <li>{say('bring-in.comes-documents', { count: documents })}</li>
          {circles.length > 0 && (
            <li>
              {say('bring-in.comes-circles', { count: circles.length })}{' '}
              <bdi>{commaSeparated(circles, visit.words)}</bdi>
            </li>
          )}
        </ul>
      </Part>
      <Part title={say('bring-in.stays')}>
        <Stays visit={visit} notTaken={notTaken} />
      </Part>
      {before ? (
        <Say tone="wait" title={say('bring-in.before', { date: date(before.at) })}>
          <p>{rich('bring-in.before-about', { name: <bdi>{before.label}</bdi> })}</p>
          <Go visit={visit} form={form} text={say('bring-in.again')} again />
        </Say>
      ) : (
        <Go visit={visit} form={form} text={say('bring-in.do')} />
      )}
    </>,
  );
}

function added(visit: PersonVisit, { archive, recordId, stored, refused, refusedCount }: BringIn): Answer {
  const { say } = visit.words;
  const title = say('bring-in.done');
  return shown(
    title,
    <>
      <Head title={title} />
      <Say tone="good" title={say('bring-in.done-documents', { count: stored })} role="status">
        <p>{say('bring-in.done-about')}</p>
      </Say>
      <div class="buttons">
        <a class="button first" href={`${visit.site}/records/${encodeURIComponent(recordId!)}/`}>
          {say('bring-in.to-record')}
        </a>
      </div>
      {refusedCount > 0 && (
        <Part title={say('bring-in.refused', { count: refusedCount })} hint={say('bring-in.refused-hint')}>
          <ul>
            {refused.map(({ label, words }) => (
              <li>
                <bdi>{label || say('add-file.one-document')}</bdi>: <span lang="en">{words}</span>
              </li>
            ))}
          </ul>
        </Part>
      )}
      <Part title={say('bring-in.stays')}>
        <Stays visit={visit} notTaken={archive!.notTaken} />
      </Part>
    </>,
  );
}

/** The reasons that a text explains. */
const reasons = ['no-archive', 'damaged', 'bomb', 'many', 'format', 'vocabulary', 'person', 'nothing'];

function refusedWhole(visit: PersonVisit, { name, refusal }: BringIn): Answer {
  const { say, rich } = visit.words;
  const title = say('bring-in.refused-title');
  const reason = reasons.includes(refusal!.reason) ? refusal!.reason : 'other';
  return shown(
    say('form.error-title', { title }),
    <>
      <Head title={title} back={{ to: bringInAddress(visit), text: say('bring-in.title') }}>
        {rich('bring-in.refused-file', { file: <bdi>{name}</bdi> })}
      </Head>
      <Say tone="alert" title={say(`bring-in.why-${reason}`)} role="alert">
        <p>{say('bring-in.nothing-made')}</p>
      </Say>
    </>,
    { status: 400 },
  );
}

function stopped(visit: PersonVisit, form: string, state: BringIn): Answer {
  const { say } = visit.words;
  const title = say('bring-in.stopped');
  const adding = state.phase === 'adding';
  return shown(
    title,
    <>
      <Head title={title} back={{ to: bringInAddress(visit), text: say('bring-in.title') }}>
        {adding
          ? say('bring-in.stopped-about', { done: state.done, count: state.archive?.documents ?? 0 })
          : say('bring-in.stopped-reading')}
      </Head>
      {adding && <Go visit={visit} form={form} text={say('bring-in.go-on')} again />}
    </>,
  );
}

function bringInView(visit: PersonVisit, form: string, state: BringIn): Answer {
  const isWork = state.phase === 'reading' || state.phase === 'adding';
  if (isWork) {
    return visit.now - state.at < STOPPED_MILLISECONDS ? working(visit, form, state) : stopped(visit, form, state);
  }
  switch (state.phase) {
    case 'read':
      return preview(visit, form, state);
    case 'added':
      return added(visit, state);
    default:
      return refusedWhole(visit, state);
  }
}

export const bringIn = page({
  path: '/bring-in',
  // Nothing of the file is received before the person is known.
  receives: () => Promise.resolve(),
  archive: true,
  show: async (visit) => {
    const form = visit.query['form'] ?? '';
    const { now, unfinished } = await lookAtBringIn(visit, form);
    return now ? bringInView(visit, form, now) : choose(visit, unfinished);
  },
  submit: async (visit) => {
    const file = visit.form.files('archive')[0];
    const form = visit.form.text('form');
    if (file?.incoming && file.incoming.size > 0) {
      return readIt(visit, file);
    }
    const { now, unfinished } = await lookAtBringIn(visit, form || newToken());
    if (!now) {
      return choose(visit, unfinished, { archive: visit.words.say('bring-in.choose') });
    }
    if (!['read', 'adding'].includes(now.phase)) {
      return go(bringInAddress(visit, form));
    }
    return begun(visit, form, addAll(visit, form, visit.form.text('again') !== ''));
  },
});
