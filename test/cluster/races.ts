/** races: requests every process for the same thing at once; only one of the requests may succeed. */
import { authorizationHeader, type Signer } from '../../core/auth/sign';
import { newId } from '../../core/base/ids';
import type { Stage } from '../faults/load';
import type { Answer, CallOptions, Client } from '../support/client';
import { attribute, demographics, succeeded } from '../support/world';

const NS = 'https://svc.example/vocab/xml/documents#';
const procedure = (name: string): string => `<Procedure xmlns="${NS}"><name>${name}</name></Procedure>`;

const statusesOf = (answers: readonly Answer[]): string => {
  const counts = new Map<number, number>();
  answers.forEach(({ status }) => counts.set(status, (counts.get(status) ?? 0) + 1));
  return [...counts].map(([status, count]) => `${count} x ${status}`).join(', ');
};

const wins = (answers: readonly Answer[]): readonly Answer[] => answers.filter(({ status }) => status === 200);

/** One request succeeds, and all others are told that the thing exists already. */
const oneWins = (what: string, answers: readonly Answer[]): readonly string[] =>
  wins(answers).length === 1 && answers.every(({ status }) => status === 200 || status === 400)
    ? []
    : [`${what}: ${statusesOf(answers)}`];

const allWin = (what: string, answers: readonly Answer[]): readonly string[] =>
  wins(answers).length === answers.length ? [] : [`${what}: ${statusesOf(answers)}`];

/**
 * Runs every kind of race once.
 * @param width how many callers ask at once, spread over the processes
 */
// eslint-disable-next-line max-lines-per-function -- every race is written once, one after another
export const race = async (stage: Stage, width: number): Promise<readonly string[]> => {
  const { clients, app, admin } = stage;
  // On a busy machine requests that waited for a locked row once got a 503 after InnoDB's 50 seconds. A 503 asks for a
  // retry.
  const ask = async (client: Client, ...call: Parameters<Client>): Promise<Answer> => {
    const answer = await client(...call);
    return answer.status === 503 ? client(...call) : answer;
  };
  const atOnce = (
    count: number,
    signer: Signer,
    method: string,
    path: string,
    options: CallOptions,
  ): Promise<readonly Answer[]> =>
    Promise.all(
      Array.from({ length: count }, (_, index) => ask(clients[index % clients.length]!, signer, method, path, options)),
    );
  const documents = `/records/${stage.recordId}/documents/`;
  const external = (): string => `external/${encodeURIComponent(app.consumer.key)}/${newId()}`;

  const created = await atOnce(width, app, 'PUT', `${documents}${external()}`, { body: procedure('race') });
  const first = wins(created)[0];
  const id = attribute(
    (first ?? succeeded(await clients[0]!(app, 'POST', documents, { body: procedure('race') }))).text,
    'Document',
    'id',
  );
  const replaced = await atOnce(width, app, 'POST', `${documents}${id}/replace`, { body: procedure('race won') });
  const other = attribute(
    succeeded(await clients[0]!(app, 'POST', documents, { body: procedure('race') })).text,
    'Document',
    'id',
  );
  const named = await atOnce(width, app, 'PUT', `${documents}${other}/replace/${external()}`, {
    body: procedure('race won by name'),
  });
  const stored = await atOnce(
    clients.length * 4,
    app,
    'PUT',
    `/records/${stage.recordId}/apps/${encodeURIComponent(app.consumer.key)}/documents/external/${newId()}`,
    { body: '<kept/>' },
  );
  const statuses = await atOnce(clients.length * 4, app, 'POST', `${documents}${id}/set-status`, {
    form: { status: 'archived', reason: 'race' },
  });
  // A second request for the same record returns the one that exists.
  const records = await atOnce(
    clients.length * 4,
    admin,
    'PUT',
    `/records/external/${encodeURIComponent(admin.consumer.key)}/${newId()}`,
    { body: demographics('Race', 'Won') },
  );
  const recordIds = new Set(wins(records).map(({ text }) => attribute(text, 'Record', 'id')));
  return [
    ...oneWins('one external id at once', created),
    ...oneWins('one version replaced at once', replaced),
    ...oneWins('one version replaced at once by a named one', named),
    ...allWin('one place of app storage at once', stored),
    ...allWin('one status at once', statuses),
    ...allWin('one record at once', records),
    ...(recordIds.size === 1 ? [] : [`one external id made ${recordIds.size} records`]),
  ];
};

/** Written through one process and read through all others immediately. */
export const readElsewhere = async ({ clients, app, recordId }: Stage): Promise<readonly string[]> => {
  const faults: string[] = [];
  for (const [index, write] of clients.entries()) {
    const body = procedure(`read elsewhere ${newId()}`);
    const id = attribute(
      succeeded(await write(app, 'POST', `/records/${recordId}/documents/`, { body })).text,
      'Document',
      'id',
    );
    const answers = await Promise.all(clients.map((read) => read(app, 'GET', `/records/${recordId}/documents/${id}`)));
    faults.push(
      ...answers.flatMap(({ status, text }, reader) =>
        status === 200 && text === body
          ? []
          : [`a document written through process ${index + 1} and read through ${reader + 1}: ${status}`],
      ),
    );
  }
  return faults;
};

/** A signed request is served only once, whichever processes it is sent to. */
export const replay = async (urls: readonly string[], { app, recordId }: Stage): Promise<readonly string[]> => {
  const path = `/records/${recordId}/documents/`;
  const header = authorizationHeader(app, 'GET', `http://svc.test${path}`);
  const answers = await Promise.all(
    urls.flatMap((url) => [url, url]).map((url) => fetch(`${url}${path}`, { headers: { authorization: header } })),
  );
  const statuses = answers.map(({ status }) => status).sort();
  await Promise.all(answers.map((answer) => answer.arrayBuffer()));
  return statuses.join() === [200, ...Array.from({ length: statuses.length - 1 }, () => 403)].join()
    ? []
    : [`one signature sent to every process: ${statuses.join()}`];
};
