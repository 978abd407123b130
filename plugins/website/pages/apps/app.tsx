/**
 * app: the page of an app before it is let into a record, and of an app that is opened: with credentials, and in a
 * frame if that is possible.
 */
import type { JSX } from 'preact';
import { startUrl } from '../../../../core/apps/app-element';
import { smartClientOf } from '../../../../core/apps/smart-client';
import { scopeWords } from '../../../../core/tokens/smart-scopes';
import type { ValueOf } from '../../../../core/http/route';
import { appAddress, asksItself, openFor } from './apps';
import { operations } from '../../http/operations';
import { go, ownAccount, page, shown, type Answer, type PersonVisit } from '../../http/page';
import { AppReason, AppRights, hostOf, MadeBy } from './app-parts';
import { AnswerButtons } from './choose';
import { Form } from '../../parts/form';
import { Head, Part } from '../../parts/layout';
import { leave } from './leave';
import { ScopeRights } from './scopes';
import { inRecord, recordBase } from '../../parts/record-frame';

function inApp({ params }: PersonVisit) {
  return { PHA_EMAIL: params['PHA_EMAIL']! };
}

/**
 * The access that the app gets with a yes, and for how long. A SMART app asks by itself, but for no more than its
 * manifest names.
 */
function Rights({
  visit,
  app,
}: {
  readonly visit: PersonVisit;
  readonly app: ValueOf<typeof operations.apps.pha>['app'];
}): JSX.Element {
  const { say } = visit.words;
  const client = asksItself(visit, app) ? smartClientOf(app) : undefined;
  const lasts = client ? 'apps.while-asked' : 'apps.while-open';
  return (
    <>
      {client ? (
        <ScopeRights visit={visit} scopes={scopeWords(client.scope)} chosen={false} />
      ) : (
        <AppRights visit={visit} app={app} parts={false} />
      )}
      <Part title={say('authorize.how-long')}>
        <p>{say(app.autonomous ? 'authorize.until-taken' : lasts, { time: openFor(visit) })}</p>
      </Part>
    </>
  );
}

async function appView(visit: PersonVisit): Promise<Answer> {
  const { say, rich } = visit.words;
  const [record, { access }, { app }] = await Promise.all([
    visit.ask(operations.records.record, { params: inRecord(visit) }),
    visit.ask(operations.apps.recordAppAccess, { params: inRecord(visit), query: { limit: '0' } }),
    visit.ask(operations.apps.pha, { params: inApp(visit) }),
  ]);
  if (access.some(({ appId }) => appId === app.id)) {
    return go(`${recordBase(visit)}apps`);
  }
  const title = say('apps.ask-title', { app: app.name, record: record.label });
  return shown(
    title,
    <>
      <Head
        title={rich('apps.ask-title', { app: <bdi>{app.name}</bdi>, record: <bdi>{record.label}</bdi> })}
        back={{ to: `${recordBase(visit)}apps`, text: say('frame.apps') }}
      >
        <MadeBy visit={visit} app={app} host={hostOf(app.indexUrl) || hostOf(app.callbackUrl)} />
      </Head>
      <Form visit={visit}>
        {(app.description !== '' || app.autonomous) && (
          <Part title={say('app.why')}>
            <AppReason visit={visit} app={app} />
          </Part>
        )}
        <Rights visit={visit} app={app} />
        <AnswerButtons visit={visit} app={app.name} />
      </Form>
    </>,
    { record: { base: recordBase(visit), name: record.label } },
  );
}

export const letAppIn = page({
  path: '/records/{RECORD_ID}/apps/{PHA_EMAIL}',
  show: appView,
  submit: async (visit) => {
    const back = `${recordBase(visit)}apps`;
    if (visit.form.text('answer') !== 'yes') {
      return go(back);
    }
    await visit.ask(operations.apps.recordPhaEnable, { params: { ...inRecord(visit), ...inApp(visit) } });
    return go(`${back}?note=in`);
  },
});

/** The start address with the header that tells the app who opens it; the query of the address stays as it is. */
function withHeader(address: string, header: string): URL {
  const url = new URL(address);
  const added = `oauth_header=${encodeURIComponent(header)}`;
  url.search = url.search === '' ? added : `${url.search}&${added}`;
  return url;
}

/**
 * Whether an app may be shown in a frame. An app of our own origin would run with the rights of this site, so it gets a
 * page of its own, as does an app whose frame a browser would refuse.
 */
function mayFrame(address: URL, apiBase: string): boolean {
  const own = new URL(apiBase);
  return address.origin !== own.origin && (own.protocol !== 'https:' || address.protocol === 'https:');
}

const FRAME_MAY = 'allow-scripts allow-forms allow-same-origin allow-popups allow-downloads';

function framed(visit: PersonVisit, app: string, label: string, address: URL): Answer {
  return shown(
    app,
    <>
      <Head title={<bdi>{app}</bdi>} back={{ to: `${recordBase(visit)}apps`, text: visit.words.say('frame.apps') }}>
        {visit.words.rich('apps.framed', { time: openFor(visit), b: () => <b dir="ltr">{address.host}</b> })}
      </Head>
      <iframe class="app" src={address.href} title={app} sandbox={FRAME_MAY} referrerpolicy="no-referrer" />
    </>,
    { record: { base: recordBase(visit), name: label }, frames: address.origin },
  );
}

async function open(visit: PersonVisit): Promise<Answer> {
  const { say } = visit.words;
  const params = { ...inRecord(visit), ...inApp(visit) };
  const [record, shownApp] = await Promise.all([
    visit.ask(operations.records.record, { params: inRecord(visit) }),
    visit.ask(operations.apps.recordPha, { params }),
  ]);
  const { app } = shownApp;
  const recordId = params.RECORD_ID;
  if (!app.indexUrl) {
    return go(`${recordBase(visit)}apps`);
  }
  const launched = await visit.ask(operations.smart.smartLaunch, { params });
  if (launched) {
    return leave(visit, {
      title: app.name,
      said: say('apps.opening-asks', { app: app.name, record: record.label }),
      app: app.name,
      location: launched.location,
    });
  }
  const { oauthHeader, apiBase } = await visit.ask(operations.oauth.getConnectCredentials, {
    params: { ...ownAccount(visit), PHA_EMAIL: app.id },
    body: { record_id: recordId },
  });
  const address = withHeader(startUrl(shownApp, { recordId }), oauthHeader);
  return app.frameable && mayFrame(address, apiBase)
    ? framed(visit, app.name, record.label, address)
    : leave(visit, {
        title: app.name,
        said: say('apps.opening', { app: app.name, record: record.label, time: openFor(visit) }),
        app: app.name,
        location: address.href,
      });
}

export const openApp = page({
  path: '/records/{RECORD_ID}/apps/{PHA_EMAIL}/open',
  show: async (visit) => go(appAddress(visit, visit.params['PHA_EMAIL']!)),
  submit: open,
});
