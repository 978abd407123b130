/** story: the demo's calls in their order, all through the public interface with signed requests. */
import { createHash } from 'node:crypto';
import { authorizationHeader, type Signer } from '../../core/auth/sign';
import { SetupError } from '../../core/base/errors';
import { newToken } from '../../core/base/ids';
import { demographics, documentsOf, type DemoPerson } from './documents';

export type Apps = { readonly admin: Signer; readonly ui: Signer; readonly user: Signer };

export type Told = {
  readonly person: DemoPerson;
  readonly password: string;
  readonly recordId: string;
  readonly documentIds: readonly string[];
  /** The keys with which the app signs from now on. */
  readonly app: Signer;
};

type Form = Readonly<Record<string, string>>;
type Body = { readonly form?: Form; readonly xml?: string; readonly text?: string; readonly oauth?: Form };

function storyContent({ form, xml, text }: Body): { readonly body?: string; readonly type?: string } {
  if (form) {
    return { body: new URLSearchParams(form).toString(), type: 'application/x-www-form-urlencoded' };
  }
  if (xml !== undefined) {
    return { body: xml, type: 'application/xml' };
  }
  return text === undefined ? {} : { body: text, type: 'text/plain' };
}

/** A form is part of the signature; any other body is signed by its digest. */
function bodyHash(body: string | undefined): Form {
  return body === undefined ? {} : { oauth_body_hash: createHash('sha1').update(body).digest('base64') };
}

/** When two demos fill one database at the same time, the second one gets this error. */
export function notAlone(): SetupError {
  return new SetupError([
    'svc demo needs the database for itself, and somebody else is filling it now: set SVC_DATABASE_URL to another one',
  ]);
}

/**
 * Makes one signed call.
 * @returns the body
 * @throws SetupError with the service's message
 */
async function call(baseUrl: string, signer: Signer, method: string, path: string, sent: Body = {}): Promise<string> {
  const url = `${baseUrl}${path}`;
  const { body, type } = storyContent(sent);
  const response = await fetch(url, {
    method,
    headers: {
      authorization: authorizationHeader(signer, method, url, sent.form, {
        ...bodyHash(sent.form ? undefined : body),
        ...sent.oauth,
      }),
      ...(type ? { 'content-type': type } : {}),
    },
    ...(body === undefined ? {} : { body }),
  });
  const answer = await response.text();
  if (!response.ok) {
    throw /<error [^>]*code="duplicate"/.test(answer)
      ? notAlone()
      : new SetupError([
          `${method} ${path} was answered ${response.status}: ${/<message>([^<]*)</.exec(answer)?.[1] ?? answer}`,
        ]);
  }
  return answer;
}

function idInXml(xml: string, element: string): string {
  return new RegExp(`<${element}[^>]* id="([^"]+)"`).exec(xml)?.[1] ?? '';
}

function pairOf(formEncoded: string): { readonly key: string; readonly secret: string } {
  const pairs = new URLSearchParams(formEncoded);
  return { key: pairs.get('oauth_token') ?? '', secret: pairs.get('oauth_token_secret') ?? '' };
}

/** The person signs in and lets the app into the record: request token, claim, approve, exchange. */
async function authorize(baseUrl: string, apps: Apps, session: Signer, recordId: string): Promise<Signer> {
  const token = pairOf(
    await call(baseUrl, apps.user, 'POST', '/oauth/request_token', {
      form: { svc_record_id: recordId },
      oauth: { oauth_callback: 'oob' },
    }),
  );
  const path = `/oauth/internal/request_tokens/${encodeURIComponent(token.key)}`;
  await call(baseUrl, session, 'POST', `${path}/claim`);
  const approved = new URLSearchParams(
    await call(baseUrl, session, 'POST', `${path}/approve`, { form: { record_id: recordId } }),
  );
  const verifier = new URL(approved.get('location') ?? '').searchParams.get('oauth_verifier') ?? '';
  const access = pairOf(
    await call(baseUrl, { consumer: apps.user.consumer, token }, 'POST', '/oauth/access_token', {
      oauth: { oauth_verifier: verifier },
    }),
  );
  return { consumer: apps.user.consumer, token: access };
}

/**
 * Makes one person with an account, a record, an app in it, and all documents.
 * @param step called after each document, for progress
 */
export async function tell(
  baseUrl: string,
  vocabBase: string,
  apps: Apps,
  person: DemoPerson,
  step: () => void,
): Promise<Told> {
  const password = newToken();
  const account = `/accounts/${encodeURIComponent(person.accountId)}`;
  await call(baseUrl, apps.admin, 'POST', '/accounts/', {
    form: {
      account_id: person.accountId,
      full_name: `${person.givenName} ${person.familyName}`,
      primary_secret_p: '0',
    },
  });
  await call(baseUrl, apps.admin, 'POST', `${account}/authsystems/`, {
    form: { system: 'password', username: person.accountId, password },
  });
  const recordId = idInXml(
    await call(baseUrl, apps.admin, 'POST', '/records/', { xml: demographics(person, vocabBase) }),
    'Record',
  );
  await call(baseUrl, apps.admin, 'PUT', `/records/${recordId}/owner`, { text: person.accountId });
  const session: Signer = {
    consumer: apps.ui.consumer,
    token: pairOf(
      await call(baseUrl, apps.ui, 'POST', '/oauth/internal/session_create', {
        form: { username: person.accountId, password },
      }),
    ),
  };
  const app = await authorize(baseUrl, apps, session, recordId);
  const documentIds: string[] = [];
  for (const document of documentsOf(person, vocabBase)) {
    const id = idInXml(
      await call(baseUrl, app, 'POST', `/records/${recordId}/documents/`, { xml: document.xml }),
      'Document',
    );
    await call(baseUrl, app, 'PUT', `/records/${recordId}/documents/${id}/label`, { text: document.label });
    documentIds.push(id);
    step();
  }
  return { person, password, recordId, documentIds, app };
}
