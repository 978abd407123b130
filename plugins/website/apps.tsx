/** apps: which apps are in a record, what each can see and since when; take out, let in, open. */
import type { ComponentChildren, JSX } from 'preact';
import type { ValueOfOperation } from './operations';
import { go, page, shown, type Answer, type PersonVisit } from './page';
import { hostOf } from './parts/app';
import { Form } from './parts/form';
import { Head, Part, Rows, Say } from './parts/layout';
import { Pager } from './parts/pager';
import { inRecord, recordBase } from './record-frame';

type Apps = ValueOfOperation<'record_app_access'>;
type App = Apps['inside']['apps'][number];
type Access = Apps['access'][number];

/** How many rows each of the two lists has on a page. */
const LISTED = 50;

const places = ['inside', 'outside'] as const;

export const addressOf = (visit: PersonVisit, appId: string): string =>
  `${recordBase(visit)}apps/${encodeURIComponent(appId)}`;

/** How long an app sees the record that was opened here: "30 minutes". */
export const openFor = ({ words, settings }: PersonVisit): string => words.duration(settings.openSeconds);

/** The whole record, parts of it, or nothing: in a sentence. */
const Sees = ({ visit, app, access }: { readonly visit: PersonVisit; readonly app: App; readonly access: Access }) => {
  const { say, rich, date } = visit.words;
  if (app.autonomous) {
    return <>{say('apps.sees-always')}</>;
  }
  const until = (when: string) => date(when, 'time');
  const whole = access.open.find(({ carenet }) => carenet === null);
  if (whole) {
    return <>{say('apps.sees-all', { until: until(whole.until) })}</>;
  }
  const parts: ComponentChildren[] = access.open.map(({ carenet, until: when }) => (
    <span class="line">{rich('apps.sees-part', { carenet: <bdi>{carenet}</bdi>, until: until(when) })}</span>
  ));
  return (
    <>
      {parts.length > 0
        ? parts
        : say(app.indexUrl ? 'apps.sees-nothing-yet' : 'apps.sees-nothing', { time: openFor(visit) })}
    </>
  );
};

const Since = ({ visit, access }: { readonly visit: PersonVisit; readonly access: Access }) => {
  const { rich, date, say } = visit.words;
  const since = date(access.since);
  return (
    <>
      {access.by ? rich('apps.since-by', { since, by: <bdi>{access.by}</bdi> }) : say('apps.since', { since })}
      {access.lastAlone && ` ${say('apps.last-used', { used: date(access.lastAlone, 'time') })}`}
    </>
  );
};

const Named = ({
  visit,
  app,
  children,
}: {
  readonly visit: PersonVisit;
  readonly app: App;
  readonly children?: ComponentChildren;
}) => {
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
};

const Inside = ({
  visit,
  app,
  access,
}: {
  readonly visit: PersonVisit;
  readonly app: App;
  readonly access: Access;
}): JSX.Element => {
  const { say } = visit.words;
  return (
    <li>
      <Named visit={visit} app={app}>
        <p>
          <Sees visit={visit} app={app} access={access} />
        </p>
        {app.autonomous && app.autonomousReason && (
          <p class="by">{visit.words.rich('app.quoted', { words: <bdi>{app.autonomousReason}</bdi> })}</p>
        )}
        <p class="by">
          <Since visit={visit} access={access} />
        </p>
      </Named>
      <div class="buttons">
        {app.indexUrl && (
          <Form visit={visit} action={`${addressOf(visit, app.id)}/open`}>
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
};

const Outside = ({ visit, app }: { readonly visit: PersonVisit; readonly app: App }): JSX.Element => (
  <li>
    <Named visit={visit} app={app}>
      {app.description !== '' && (
        <p class="by">{visit.words.rich('app.quoted', { words: <bdi>{app.description}</bdi> })}</p>
      )}
    </Named>
    <a class="button little" href={addressOf(visit, app.id)}>
      {visit.words.say('apps.let-in')}
      <span class="unseen">, {app.name}</span>
    </a>
  </li>
);

const view = async (visit: PersonVisit): Promise<Answer> => {
  const { say } = visit.words;
  const params = inRecord(visit);
  const at = Object.fromEntries(places.map((name) => [name, visit.query[name] ?? '']));
  const [record, { inside, outside, access }] = await Promise.all([
    visit.ask('record', { params }),
    visit.ask('record_app_access', { params, query: { limit: String(LISTED), ...at } }),
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
};

export const apps = page({
  path: '/records/{RECORD_ID}/apps',
  show: view,
  submit: async (visit) => {
    await visit.ask('pha_record_delete', {
      params: { ...inRecord(visit), PHA_EMAIL: visit.form.text('app') || 'none' },
    });
    return go(`${visit.path}?note=out`);
  },
});
