/**
 * apps: the page of the apps in a record: what each can see and since when, with buttons to let apps in, take them out
 * and open them.
 */
import type { ComponentChildren, JSX } from 'preact';
import { smartClientOf } from '../../../../core/apps/smart-client';
import { parseScopes, type ScopeLetter } from '../../../../core/tokens/smart-scopes';
import type { ValueOf } from '../../../../core/http/route';
import { operations } from '../../http/operations';
import { go, page, shown, type Answer, type PersonVisit } from '../../http/page';
import { hostOf } from './app-parts';
import { Form } from '../../parts/form';
import { Head, Part, Rows, Say } from '../../parts/layout';
import { Pager } from '../../parts/pager';
import { typesHaving, typesInWords } from './scopes';
import { inRecord, recordBase } from '../../parts/record-frame';

type Apps = ValueOf<typeof operations.apps.recordAppAccess>;
type App = Apps['inside']['apps'][number];
type Access = Apps['access'][number];

/** How many rows each of the two lists has on a page. */
const LISTED = 50;

const places = ['inside', 'outside'] as const;

export function appAddress(visit: PersonVisit, appId: string): string {
  return `${recordBase(visit)}apps/${encodeURIComponent(appId)}`;
}

/**
 * Whether an app asks for access by itself. An app of SMART only learns for which record it was opened, and then asks
 * what it may see there.
 */
export function asksItself({ settings }: PersonVisit, app: Parameters<typeof smartClientOf>[0]): boolean {
  return settings.fhir && smartClientOf(app) !== undefined;
}

/** How long an app sees the record that was opened here: "30 minutes". */
export function openFor({ words, settings }: PersonVisit): string {
  return words.duration(settings.openSeconds);
}

type Open = Access['open'][number];

/**
 * The types of resources that a token may read and add. A token of OAuth 1.0a reads everything, and may add to a whole
 * record.
 */
function typesOpened({ carenet, scopes }: Open): {
  readonly reads: readonly string[];
  readonly adds: readonly string[];
} {
  const having = (...letters: ScopeLetter[]) => (scopes === null ? ['*'] : typesHaving(parseScopes(scopes), letters));
  return { reads: having('r', 's'), adds: carenet === null ? having('c') : [] };
}

/** Says what an app may see and add with one token, and until when. */
function Sentence({ visit, open }: { readonly visit: PersonVisit; readonly open: Open }): JSX.Element {
  const { say, rich, date } = visit.words;
  const { reads, adds } = typesOpened(open);
  const all = reads.includes('*');
  const place = open.carenet === null ? 'all' : 'part';
  return (
    <span class="line">
      {rich(all ? `apps.sees-${place}` : `apps.reads-${place}`, {
        carenet: <bdi>{open.carenet}</bdi>,
        until: date(open.until, 'time'),
        what: reads.length === 0 ? say('apps.nothing') : typesInWords(visit, reads),
      })}
      {adds.length > 0 && ' '}
      {adds.length > 0 && say(adds.includes('*') ? 'apps.adds-all' : 'apps.adds', { what: typesInWords(visit, adds) })}
    </span>
  );
}

function seesAll(open: Open): boolean {
  return open.carenet === null && typesOpened(open).reads.includes('*');
}

/** Whether "It sees everything" includes another token, which ends no later and may add nothing more. */
function givesNoMore(whole: Open, one: Open): boolean {
  return one.until <= whole.until && (typesOpened(one).adds.length === 0 || typesOpened(whole).adds.includes('*'));
}

function toSay(open: readonly Open[]): readonly Open[] {
  const [whole] = open.filter(seesAll).sort((one, other) => other.until.localeCompare(one.until));
  return whole ? [whole, ...open.filter((one) => one !== whole && !givesNoMore(whole, one))] : open;
}

/** An app without a token sees nothing, until it asks or is opened. */
function Nothing({ visit, app }: { readonly visit: PersonVisit; readonly app: App }): JSX.Element {
  const { say } = visit.words;
  if (!app.indexUrl) {
    return <>{say('apps.sees-nothing')}</>;
  }
  return asksItself(visit, app) ? (
    <>{say('apps.sees-nothing-asks')}</>
  ) : (
    <>{say('apps.sees-nothing-yet', { time: openFor(visit) })}</>
  );
}

/** Says in a sentence whether the app sees the whole record, parts of it, or nothing. */
function Sees({ visit, app, access }: { readonly visit: PersonVisit; readonly app: App; readonly access: Access }) {
  const { say } = visit.words;
  if (app.autonomous) {
    return (
      <>
        {say('apps.sees-always')} {say('apps.adds-all')}
      </>
    );
  }
  const open = toSay(access.open);
  return open.length === 0 ? (
    <Nothing visit={visit} app={app} />
  ) : (
    <>
      {open.map((one) => (
        <Sentence visit={visit} open={one} />
      ))}
    </>
  );
}

function Since({ visit, access }: { readonly visit: PersonVisit; readonly access: Access }) {
  const { rich, date, say } = visit.words;
  const since = date(access.since);
  return (
    <>
      {access.by ? rich('apps.since-by', { since, by: <bdi>{access.by}</bdi> }) : say('apps.since', { since })}
      {access.lastAlone && ` ${say('apps.last-used', { used: date(access.lastAlone, 'time') })}`}
    </>
  );
}

function AppName({
  visit,
  app,
  children,
}: {
  readonly visit: PersonVisit;
  readonly app: App;
  readonly children?: ComponentChildren;
}) {
  const host = hostOf(app.indexUrl) || hostOf(app.callbackUrl);
  return (
    <div>
      <span class="name">
        <bdi>{app.name}</bdi>
      </span>
      {(app.author !== '' || host !== '') && (
        <p class="by">
          {app.author !== '' && visit.words.rich('apps.by', { author: <bdi>{app.author}</bdi> })}
          {app.author !== '' && host !== '' && ' · '}
          {host !== '' && <bdi dir="ltr">{host}</bdi>}
        </p>
      )}
      {children}
    </div>
  );
}

function Inside({
  visit,
  app,
  access,
}: {
  readonly visit: PersonVisit;
  readonly app: App;
  readonly access: Access;
}): JSX.Element {
  const { say } = visit.words;
  return (
    <li>
      <AppName visit={visit} app={app}>
        <p>
          <Sees visit={visit} app={app} access={access} />
        </p>
        {app.autonomous && app.autonomousReason && (
          <p class="by">{visit.words.rich('app.quoted', { words: <bdi>{app.autonomousReason}</bdi> })}</p>
        )}
        <p class="by">
          <Since visit={visit} access={access} />
        </p>
      </AppName>
      <div class="buttons">
        {app.indexUrl && (
          <Form visit={visit} action={`${appAddress(visit, app.id)}/open`}>
            <button class="button little">
              {say('apps.open')}
              <span class="unseen">, {app.name}</span>
            </button>
          </Form>
        )}
        <Form visit={visit}>
          <input type="hidden" name="app" value={app.id} />
          <button class="button little end">
            {say('apps.take-out')}
            <span class="unseen">, {app.name}</span>
          </button>
        </Form>
      </div>
    </li>
  );
}

function Outside({ visit, app }: { readonly visit: PersonVisit; readonly app: App }): JSX.Element {
  return (
    <li>
      <AppName visit={visit} app={app}>
        {app.description !== '' && (
          <p class="by">{visit.words.rich('app.quoted', { words: <bdi>{app.description}</bdi> })}</p>
        )}
      </AppName>
      <a class="button little" href={appAddress(visit, app.id)}>
        {visit.words.say('apps.let-in')}
        <span class="unseen">, {app.name}</span>
      </a>
    </li>
  );
}

async function appsView(visit: PersonVisit): Promise<Answer> {
  const { say } = visit.words;
  const params = inRecord(visit);
  const at = Object.fromEntries(places.map((name) => [name, visit.query[name] ?? '']));
  const [record, { inside, outside, access }] = await Promise.all([
    visit.ask(operations.records.record, { params }),
    visit.ask(operations.apps.recordAppAccess, { params, query: { limit: String(LISTED), ...at } }),
  ]);
  const accessOf = new Map(access.map((one) => [one.appId, one]));
  const pager = (name: (typeof places)[number], { apps, pages, total }: Apps['inside']) => (
    <Pager
      visit={visit}
      pages={pages}
      shown={apps.length}
      total={total}
      place={name}
      query={at}
      of={say(`apps.${name}`)}
    />
  );
  const note = ['in', 'out'].find((known) => known === visit.query['note']);
  const title = say('frame.apps');
  return shown(
    title,
    <>
      {note && <Say tone="good" role="status" title={say(`apps.note-${note}`)} />}
      <Head title={title}>{say('apps.count', { count: inside.total })}</Head>
      <Part title={say('apps.inside')}>
        {inside.total === 0 ? (
          <p class="soft">{say('apps.none')}</p>
        ) : (
          <Rows kind="do">
            {inside.apps.map((app) => {
              const known = accessOf.get(app.id);
              return known && <Inside visit={visit} app={app} access={known} />;
            })}
          </Rows>
        )}
        {pager('inside', inside)}
      </Part>
      {outside.total > 0 && (
        <Part title={say('apps.outside')} hint={say('apps.outside-hint')}>
          <Rows kind="do">
            {outside.apps.map((app) => (
              <Outside visit={visit} app={app} />
            ))}
          </Rows>
          {pager('outside', outside)}
        </Part>
      )}
      <Part title={say('apps.know')}>
        <p>{say('apps.know-out')}</p>
        <p class="more">
          <a href={`${recordBase(visit)}history`}>{say('frame.history')}</a>
        </p>
      </Part>
    </>,
    { record: { base: recordBase(visit), name: record.label } },
  );
}

export const apps = page({
  path: '/records/{RECORD_ID}/apps',
  show: appsView,
  submit: async (visit) => {
    await visit.ask(operations.apps.phaRecordDelete, {
      params: { ...inRecord(visit), PHA_EMAIL: visit.form.text('app') || 'none' },
    });
    return go(`${visit.path}?note=out`);
  },
});
