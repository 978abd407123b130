/**
 * native-engines: the old XML engines, compiled to machine code, are loaded into readers and never into the server's
 * process, whatever documents hold and whoever fetches them.
 */
import { existsSync, readFileSync } from 'node:fs';
import type { Server } from '@hapi/hapi';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { inProject } from '../../core/base/paths';
import { wrapFile } from '../../core/files/envelope';
import { httpClient } from '../support/client';
import { databases, type TestDatabase } from '../support/databases';
import { medications } from '../support/server';
import { makeSite, readable, type Site } from '../support/site';
import { serve, type Served } from '../support/svc';
import { attribute, authorizeApp, createAccount, createRecord, PASSWORD, signIn, succeeded } from '../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const PERSON = 'alice@example.org';
const VOCAB = 'https://svc.example/vocab';
const LETTER = Buffer.from('A letter about the left eye.\n'.repeat(1000));

/** The server of another process, as far as a browser of the tests asks it. */
const serverAt = (url: string): Server =>
  ({
    inject: async (asked: {
      method: string;
      url: string;
      headers: Record<string, string>;
      payload?: string | Buffer;
    }) => {
      const { host: _, ...headers } = asked.headers;
      const response = await fetch(`${url}${asked.url}`, {
        method: asked.method,
        redirect: 'manual',
        headers,
        ...(asked.payload === undefined ? {} : { body: asked.payload as string }),
      });
      return {
        statusCode: response.status,
        headers: { ...Object.fromEntries(response.headers), 'set-cookie': response.headers.getSetCookie() },
        payload: await response.text(),
      };
    },
  }) as unknown as Server;

const sample = (path: string): string =>
  readFileSync(inProject('pipeline-config', path), 'utf8').replaceAll('{vocab_base}', VOCAB);

const reference = (): string =>
  JSON.stringify({
    resourceType: 'DocumentReference',
    status: 'current',
    content: [{ attachment: { contentType: 'text/plain', title: 'Letter', data: LETTER.toString('base64') } }],
  });

/** The libraries of machine code in a process. */
const librariesOf = (pid: number): readonly string[] =>
  [...new Set(readFileSync(`/proc/${pid}/maps`, 'utf8').match(/\/\S+\.node\b/g))].sort();

describe('the engines of machine code', () => {
  let database: TestDatabase;
  let served: Served;
  let site: Site;
  let recordId: string;
  let store: (body: string, type?: string) => Promise<string>;

  before(async () => {
    database = await databases[0]!.create();
    served = await serve({ SVC_DATABASE_URL: database.url, SVC_VOCAB_BASE: VOCAB });
    const call = httpClient(served.url);
    await createAccount(call, PERSON);
    recordId = await createRecord(call, PERSON);
    const app = await authorizeApp(call, medications!, await signIn(call, PERSON), { record_id: recordId });
    store = async (body, type = 'application/xml') => {
      const answer = await call(app, 'POST', `/records/${recordId}/documents/`, { body, type });
      const id = attribute(succeeded(answer).text, 'Document', 'id');
      return `/my/records/${recordId}/documents/${id}/download`;
    };
    site = makeSite(serverAt(served.url));
    const page = await site.submit(await site.open('/my/sign-in'), { username: PERSON, password: PASSWORD });
    expect(site.cookies.has('svc_session'), readable(page)).to.be.true();
  });
  after(async () => {
    await served.stop();
    await database.drop();
  });

  it('are not in the server when files in documents are fetched or sent again', async () => {
    const documents: readonly (readonly [string, string?])[] = [
      [wrapFile({ bytes: LETTER, title: 'Letter' }, VOCAB).toString()],
      [sample('file/sample-referral.xml')],
      [sample('ccda/sample-scanned.xml')],
      [reference(), 'application/fhir+json'],
    ];
    for (const [body, type] of documents) {
      const answer = await site.get(await store(body, type));
      expect(answer.status, answer.text.slice(0, 300)).to.equal(200);
      expect(answer.text).to.not.contain('<File').and.to.not.contain('nonXMLBody').and.to.not.contain('resourceType');
    }
    const again = await site.send(await site.open(`/my/records/${recordId}/add`), [
      { field: 'file', name: 'letter.txt', bytes: LETTER },
    ]);
    expect(again.status, readable(again)).to.equal(200);
    expect(readable(again)).to.match(/already/i);
    if (!existsSync('/proc/self/maps')) {
      process.stdout.write('skipped: this system does not tell which libraries a process has loaded\n');
      return;
    }
    const libraries = librariesOf(served.process.pid!);
    expect(libraries.join(' '))
      .to.contain('better_sqlite3')
      .and.to.not.match(/xmljs|xslt/i);
  });
});
