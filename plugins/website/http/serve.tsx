/**
 * serve: makes hapi routes of a page. They find the person, run the page or its form, and send the answer as a document
 * of this site.
 */
import { forbidden } from '@hapi/boom';
import type { Lifecycle, Request, ResponseToolkit, ServerRoute } from '@hapi/hapi';
import type { JSX } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { SITE } from '../../../core/config/schema';
import { errors } from '../../../core/base/errors';
import { logFailure } from '../../../core/http/log-failure';
import { holdSent } from '../../../core/http/held-bytes';
import { keepPage } from '../../../core/http/route-app';
import { requestId } from '../../../core/http/request-id';
import { wholeBody } from '../../../core/http/whole-body';
import { publicPath } from '../../../core/http/site-path';
import type { LazyServices, Services } from '../../../core/services';
import { cookieOptions, CRUMB, sessionCookie } from './cookies';
import { failed } from './failed';
import { KEPT, keepTyped } from './kept-form';
import { go, type Answer, type PageSpec, type PersonVisit, type Shown, type Visit } from './page';
import { mostReceived } from './receive';
import { Frame } from '../parts/frame';
import { Say } from '../parts/layout';
import { cookieOf, signedInPerson } from './session-scheme';
import { signInAgain } from '../pages/sign-in/sign-in';
import { BYTES_AT_ONCE } from './several-files';
import { visitOf, type CookieChange } from './visit';
import { operations } from './operations';

/** The content policy: nothing from other sites, no script, no style inside a page, and no frame. */
const POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

const HTML = 'text/html; charset=utf-8';
const FORM_BYTES = 262_144;

/**
 * The policy of a page. In addition it may allow the manifest, which leads people who are signed in to an icon on their
 * screen, the scripts of this site, or an app in a frame.
 */
function policyOf({ script, frames }: Shown, isSignedIn: boolean): string {
  return [
    POLICY,
    ...(isSignedIn ? ["manifest-src 'self'"] : []),
    ...(script ? ["script-src 'self'"] : []),
    ...(frames === undefined ? [] : [`frame-src ${frames}`]),
  ].join('; ');
}

type Response = ReturnType<ResponseToolkit['response']>;

function document(element: JSX.Element): string {
  return `<!doctype html>\n${renderToString(element)}`;
}

/**
 * Sends a page. Within the site, browsers send the referrer with a form, because without one they hide their origin.
 */
function sendPage(h: ResponseToolkit, visit: Visit, shown: Shown): Response {
  const response = h
    .response(wholeBody(document(<Frame visit={visit} shown={shown} />)))
    .type(HTML)
    .code(shown.status ?? 200)
    .header('content-security-policy', policyOf(shown, visit.person !== undefined))
    .header('referrer-policy', 'same-origin')
    .header('content-language', visit.words.language)
    .header('vary', 'Cookie, Accept-Language');
  for (const [name, value] of Object.entries(shown.headers ?? {})) {
    response.header(name, value);
  }
  return response;
}

function sendAnswer(h: ResponseToolkit, visit: Visit, answer: Answer): Response {
  switch (answer.kind) {
    case 'page':
      return sendPage(h, visit, answer);
    case 'go':
      return h.response().redirect(answer.to).code(303);
    case 'picture':
      return h.response(answer.body).type('image/png').header('cache-control', 'private, no-store');
    case 'file':
      return h
        .response(answer.body)
        .type(answer.type)
        .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(answer.name)}`);
  }
}

function changeCookie(response: Response, change: CookieChange, { config }: Services): Response {
  const name = sessionCookie(config);
  if (change === 'forget') {
    return response.unstate(name, cookieOptions(config)).unstate(CRUMB, cookieOptions(config));
  }
  if (change === undefined) {
    return response;
  }
  const life = change.seconds === undefined ? {} : { ttl: change.seconds * 1000 };
  return response.state(name, change.set, life).state(CRUMB, change.crumb, life);
}

async function signInFirst(visit: Visit, request: Request): Promise<Answer> {
  if (visit.path === `${visit.site}/` && (await visit.ask(operations.accounts.installationIsNew))) {
    return go(`${visit.site}/welcome`);
  }
  return go(`${visit.site}/sign-in?next=${encodeURIComponent(`${visit.path}${request.url.search}`)}`);
}

/** Handles a form that came after its session had ended. */
function keepOrRefuse(spec: PageSpec, visit: Visit, request: Request, services: Services): Answer {
  const cookie = cookieOf(request, sessionCookie(services.config));
  const kept = keepTyped(services.sealing, cookie, request, spec, visit);
  if (kept === undefined) {
    throw forbidden('nobody is signed in');
  }
  return signInAgain(visit, { next: visit.path, kept });
}

/** Shows the form as it was when its session had ended. Nothing is stored before its button is pressed again. */
async function showAgain(show: (visit: Visit) => Promise<Answer>, visit: Visit): Promise<Answer> {
  const before = visit.typedBefore(visit.form.exact(KEPT));
  if (before?.path !== visit.path) {
    return go(visit.path);
  }
  const answer = await show({ ...visit, form: before.form });
  const { say } = visit.words;
  return answer.kind !== 'page'
    ? answer
    : {
        ...answer,
        body: (
          <>
            <Say tone="wait" role="status" title={say('kept-form.back')}>
              {say('kept-form.back-why')}
            </Say>
            {answer.body}
          </>
        ),
      };
}

async function answerOf(spec: PageSpec, visit: Visit, request: Request, services: Services): Promise<Answer> {
  const post = request.method === 'post';
  if (!spec.open && !visit.person) {
    return post ? keepOrRefuse(spec, visit, request, services) : signInFirst(visit, request);
  }
  if (post && visit.form.exact(KEPT) !== '' && spec.again) {
    return showAgain(spec.again.show as (visit: Visit) => Promise<Answer>, visit);
  }
  const handler = (post ? spec.submit : spec.show) as ((visit: PersonVisit) => Promise<Answer>) | undefined;
  if (!handler) {
    throw errors.notFound('page');
  }
  return handler(visit as PersonVisit);
}

/** The page whose form was sent. */
function formOfPost(request: Request, spec: PageSpec): PageSpec | undefined {
  return request.method === 'post' ? spec : undefined;
}

function whereOf(request: Request, { path }: PageSpec) {
  return {
    request: requestId(request),
    route: path,
  };
}

function servePage(spec: PageSpec, { services: find }: LazyServices): Lifecycle.Method {
  return async (request, h) => {
    const services = find();
    const { visit, cookieChange } = visitOf(request, spec, services);
    try {
      const answer = await answerOf(spec, visit, request, services);
      if (answer.kind === 'file' && Buffer.isBuffer(answer.body)) {
        holdSent(request, visit.person?.principal.accountId ?? request.callerAddress, answer.body.length);
      }
      return changeCookie(sendAnswer(h, visit, answer), cookieChange(), services);
    } catch (error) {
      logFailure(services.log, whereOf(request, spec), error);
      return sendPage(h, visit, failed(visit, error, formOfPost(request, spec)));
    }
  };
}

/** Answers failures before a page is reached, such as a forged form or a body that cannot be read. */
export function answerFailure(
  { services: find }: LazyServices,
  pageOf: (request: Request) => PageSpec | undefined,
): Lifecycle.Method {
  return (request, h) => {
    const spec = pageOf(request);
    const { response } = request;
    if (!spec || !('isBoom' in response || response instanceof Error)) {
      return h.continue;
    }
    const services = find();
    const { visit } = visitOf(request, spec, services);
    logFailure(services.log, whereOf(request, spec), response);
    return sendPage(h, visit, failed(visit, response, formOfPost(request, spec)));
  };
}

const personsOnly: Lifecycle.Method = (request, h) => {
  if (!signedInPerson(request)) {
    throw forbidden('nobody is signed in');
  }
  return h.continue;
};

export const WEBSITE_STRATEGY = 'website';

/**
 * Redirects an address without its last slash to the page. Nothing is looked up, so the answer does not tell what
 * exists.
 */
function slashRoutes({ path }: PageSpec, { services }: LazyServices): readonly ServerRoute[] {
  return path.endsWith('/')
    ? [
        {
          method: 'GET',
          path: `${SITE}${path}`.slice(0, -1),
          options: { auth: false },
          handler: ({ url }, h) =>
            h.redirect(`${publicPath(services().baseUrl())}${url.pathname}/${url.search}`).permanent(),
        },
      ]
    : [];
}

/** The routes of a page. HEAD is served as GET by hapi itself. */
export function pageRoutes(spec: PageSpec, lazy: LazyServices): readonly ServerRoute[] {
  const fileBytes = spec.files ? BYTES_AT_ONCE : 0;
  const shared = {
    app: keepPage(spec),
    auth: WEBSITE_STRATEGY,
    state: { parse: true, failAction: 'ignore' as const },
  };
  const route = { path: spec.root ? spec.path : `${SITE}${spec.path}`, handler: servePage(spec, lazy) };
  return [
    ...slashRoutes(spec, lazy),
    { ...route, method: 'GET', options: shared },
    {
      ...route,
      method: 'POST',
      options: {
        ...shared,
        // Files are received only from people who are signed in.
        ...(fileBytes > 0 && !spec.open ? { ext: { onCredentials: { method: personsOnly } } } : {}),
        payload: {
          ...(spec.receives
            ? ({ parse: false, output: 'stream' } as const)
            : { parse: true, multipart: { output: 'stream' as const } }),
          // With this type, an empty request gets the answer that the crumb is missing.
          defaultContentType: 'application/x-www-form-urlencoded',
          allow: ['application/x-www-form-urlencoded', 'multipart/form-data'],
          maxBytes: FORM_BYTES + fileBytes + mostReceived(spec, lazy.config),
          // `receive` waits as long as bytes keep coming.
          timeout: spec.receives ? false : lazy.config.bodySeconds * 1000,
        },
      },
    },
  ];
}
