/** load: callers that do what apps do, record every response, and repeat calls whose outcome they do not know. */
import { randomInt } from 'node:crypto';
import { newId } from '../../core/base/ids';
import type { Signer } from '../../core/auth/sign';
import type { Answer, CallOptions, Client } from '../support/client';
import { sleep } from '../support/receiver';
import { attribute } from '../support/world';
import type { KnownDocument, Ledger, Told } from './ledger';

export type Stage = {
  /** One client for each service process; a caller uses another one when its own does not respond. */
  readonly clients: readonly Client[];
  readonly admin: Signer;
  readonly app: Signer;
  readonly recordId: string;
  readonly accountId: string;
};

const NS = 'https://svc.example/vocab/xml/documents#';
const procedure = (): string =>
  '<Procedure ' +
  `xmlns="${NS}"><datePerformed>2024-03-05T13:00:00Z</datePerformed><name>${newId()}</name><comments>${'\u00e4'.repeat(randomInt(2000))}</comments></Procedure>`;

type Outcome = Answer | 'unknown';

/** After a 5xx the call may have happened, as after no response at all. */
const isKnown = (outcome: Outcome): outcome is Answer => outcome !== 'unknown' && outcome.status < 500;

/** No process listened, so the request has not begun. */
const isRefused = (error: unknown): boolean => (error as { cause?: { code?: string } }).cause?.code === 'ECONNREFUSED';

/** A process that does not come back within this time never will. */
const PATIENCE = 120_000;

/** The only response that may leave no audit row, because it says so. */
const unrecorded = ({ status, text }: Answer): boolean =>
  status === 503 && text.includes('the audit log cannot be written');

export type Load = {
  /** Resolves when every response is in. */ readonly stop: () => Promise<void>;
  /** Stops without waiting for a service that is down. */ readonly abandon: () => Promise<void>;
  readonly requests: () => number;
  /** Longest time in which a service process answered no request well, in milliseconds, since the last call. */
  readonly longestSilence: () => number;
};

/** @param restMilliseconds how long each caller rests after a call */
// eslint-disable-next-line max-lines-per-function -- its inner functions share the state at its top
export const startLoad = (stage: Stage, ledger: Ledger, callers: number, restMilliseconds = 0): Load => {
  let going = true;
  let hopeful = true;
  let requests = 0;
  /** When each process last responded without a 5xx. */
  const lastGood = new Map(stage.clients.map((client) => [client, Date.now()]));
  let silence = 0;
  const free: KnownDocument[] = [];
  /** Calls to repeat because their outcome is unknown. */
  const again: (() => Promise<void>)[] = [];

  /** Waits for a process that is down, as an app would. Only what was sent counts as a request. */
  const reach = async (client: Client, ...call: Parameters<Client>): Promise<Answer | undefined> => {
    for (const end = Date.now() + PATIENCE; ;) {
      const { powerCuts } = ledger;
      try {
        const answer = await client(...call);
        // After a power cut no response would have left the machine, so a response of its processes is dropped.
        return ledger.powerCuts === powerCuts ? answer : undefined;
      } catch (error) {
        if (!isRefused(error) || !hopeful || Date.now() > end) {
          return undefined;
        }
        await sleep(50 + randomInt(100));
      }
    }
  };

  const send = async (
    client: Client,
    signer: Signer,
    method: string,
    path: string,
    options: CallOptions,
  ): Promise<Outcome> => {
    const answer = await reach(client, signer, method, path, options);
    requests += 1;
    if (answer === undefined) {
      return 'unknown';
    }
    if (answer.status < 500) {
      silence = Math.max(silence, Date.now() - lastGood.get(client)!);
      lastGood.set(client, Date.now());
    } else if (answer.status === 503) {
      ledger.refused += 1;
      await sleep(20);
    } else {
      surprise(`${method} ${path}`, answer);
    }
    return answer;
  };

  const tell = (call: string, column: Told['column'], value: string, outcome: Outcome): void => {
    if (outcome !== 'unknown' && !unrecorded(outcome)) {
      const said = `${new Date().toISOString()} ${outcome.text.slice(0, 200)}`;
      ledger.told.push({ call, column, value, status: outcome.status, said });
    }
  };

  const surprise = (what: string, answer: Answer): void => {
    ledger.surprises.push(`${what}: ${answer.status} ${answer.text.slice(0, 200)}`);
  };

  const external = (externalId: string): string =>
    `/records/${stage.recordId}/documents/external/${encodeURIComponent(stage.app.consumer.key)}/${externalId}`;

  /** Records an acknowledged document; a successor has the status of its lineage. */
  const remember = (
    id: string,
    body: string,
    externalId: string | null,
    status: KnownDocument['status'] = 'active',
  ): void => {
    const document: KnownDocument = { id, recordId: stage.recordId, body, externalId, status, history: [] };
    ledger.documents.set(id, document);
    ledger.acknowledged += 1;
    free.push(document);
  };

  /** Repeating is safe: if the first call did succeed, the second one gets a 400, and then the document must exist. */
  const createExternal = async (client: Client, externalId: string, body: string, repeated: boolean): Promise<void> => {
    const outcome = await send(client, stage.app, 'PUT', external(externalId), { body });
    tell('document_create_by_ext_id', 'external_id', externalId, outcome);
    if (!isKnown(outcome)) {
      ledger.unknown += 1;
      again.push(() => createExternal(client, externalId, body, true));
    } else if (outcome.status === 200) {
      remember(attribute(outcome.text, 'Document', 'id'), body, externalId);
    } else if (repeated && outcome.status === 400 && outcome.text.includes('code="duplicate"')) {
      await findExternal(client, externalId, body);
    } else {
      surprise('create with an external id', outcome);
    }
  };

  const findExternal = async (client: Client, externalId: string, body: string): Promise<void> => {
    const found = await send(client, stage.app, 'GET', `${external(externalId)}/meta`, {});
    tell('record_document_meta_ext', 'external_id', externalId, found);
    if (!isKnown(found)) {
      again.push(() => findExternal(client, externalId, body));
    } else if (found.status === 200) {
      remember(attribute(found.text, 'Document', 'id'), body, externalId);
    } else {
      surprise('a taken external id', found);
    }
  };

  const create = async (client: Client): Promise<void> => {
    const body = procedure();
    const outcome = await send(client, stage.app, 'POST', `/records/${stage.recordId}/documents/`, { body });
    if (!isKnown(outcome)) {
      // Without an external id it cannot be found again. It may exist or not, but not in parts.
      ledger.unknown += 1;
    } else if (outcome.status === 200) {
      const id = attribute(outcome.text, 'Document', 'id');
      tell('document_create', 'document_id', id, outcome);
      remember(id, body, null);
    } else {
      surprise('create', outcome);
    }
  };

  const take = (): KnownDocument | undefined =>
    free.length < 5 ? undefined : free.splice(randomInt(free.length), 1)[0];

  const replace = async (client: Client): Promise<void> => {
    const old = take();
    if (!old) {
      return create(client);
    }
    const body = procedure();
    const outcome = await send(client, stage.app, 'POST', `/records/${stage.recordId}/documents/${old.id}/replace`, {
      body,
    });
    tell(
      'document_version',
      'document_id',
      outcome !== 'unknown' && outcome.status === 200 ? attribute(outcome.text, 'Document', 'id') : old.id,
      outcome,
    );
    if (!isKnown(outcome)) {
      ledger.unknown += 1;
      old.replacedBy = 'maybe';
    } else if (outcome.status === 200) {
      const id = attribute(outcome.text, 'Document', 'id');
      old.replacedBy = id;
      remember(id, body, null, old.status);
    } else {
      surprise('replace', outcome);
    }
  };

  const setStatus = async (client: Client): Promise<void> => {
    const document = take();
    if (!document) {
      return create(client);
    }
    const status = document.status === 'active' ? 'archived' : 'active';
    const outcome = await send(
      client,
      stage.app,
      'POST',
      `/records/${stage.recordId}/documents/${document.id}/set-status`,
      { form: { status, reason: 'a fault test' } },
    );
    tell('document_set_status', 'document_id', document.id, outcome);
    document.history.push(`${new Date().toISOString()} ${status}: ${isKnown(outcome) ? outcome.status : 'unknown'}`);
    if (!isKnown(outcome)) {
      ledger.unknown += 1;
      document.status = undefined;
    } else if (outcome.status === 200) {
      ledger.acknowledged += 1;
      document.status = status;
      free.push(document);
    } else {
      surprise('set-status', outcome);
    }
  };

  const sendMessage = async (client: Client, messageId: string, repeated: boolean): Promise<void> => {
    const outcome = await send(client, stage.app, 'POST', `/records/${stage.recordId}/inbox/${messageId}`, {
      form: { subject: messageId, body: 'hello' },
    });
    tell('record_send_message', 'message_id', messageId, outcome);
    if (!isKnown(outcome)) {
      ledger.unknown += 1;
      again.push(() => sendMessage(client, messageId, true));
    } else if (outcome.status === 200 || (repeated && outcome.status === 400)) {
      ledger.acknowledged += 1;
      ledger.messages.add(messageId);
    } else {
      surprise('a message', outcome);
    }
  };

  const store = async (client: Client, externalId: string, body: string): Promise<void> => {
    const path = `/records/${stage.recordId}/apps/${encodeURIComponent(stage.app.consumer.key)}/documents/external/${externalId}`;
    const outcome = await send(client, stage.app, 'PUT', path, { body });
    tell('record_app_document_create_or_update_ext', 'external_id', externalId, outcome);
    if (!isKnown(outcome)) {
      ledger.unknown += 1;
      again.push(() => store(client, externalId, body));
    } else if (outcome.status === 200) {
      ledger.acknowledged += 1;
      ledger.appDocuments.set(externalId, body);
    } else {
      surprise('app storage', outcome);
    }
  };

  const readBack = async (client: Client): Promise<void> => {
    const known = [...ledger.documents.values()];
    const document = known[randomInt(Math.max(1, known.length))];
    if (!document) {
      return;
    }
    const outcome = await send(client, stage.app, 'GET', `/records/${stage.recordId}/documents/${document.id}`, {});
    tell('record_document', 'document_id', document.id, outcome);
    if (isKnown(outcome) && (outcome.status !== 200 || outcome.text !== document.body)) {
      surprise(`the content of ${document.id}`, outcome);
    }
  };

  const readNothing = async (client: Client): Promise<void> => {
    const id = newId();
    tell(
      'record_document',
      'document_id',
      id,
      await send(client, stage.app, 'GET', `/records/${stage.recordId}/documents/${id}`, {}),
    );
  };

  const works: readonly ((client: Client) => Promise<void>)[] = [
    (client) => createExternal(client, newId(), procedure(), false),
    (client) => createExternal(client, newId(), procedure(), false),
    create,
    create,
    replace,
    replace,
    setStatus,
    (client) => sendMessage(client, newId(), false),
    (client) => store(client, newId(), `<kept n="${newId()}"/>`),
    readBack,
    readBack,
    readNothing,
  ];

  const caller = async (number: number): Promise<void> => {
    for (let turn = number; going; turn += 1) {
      const client = stage.clients[turn % stage.clients.length]!;
      const repeat = again.length > 0 && turn % 2 === 0 ? again.shift() : undefined;
      await (repeat ? repeat() : works[randomInt(works.length)]!(client));
      await sleep(restMilliseconds);
    }
  };
  const running = Array.from({ length: callers }, (_, number) => caller(number));

  return {
    requests: () => requests,
    longestSilence: () => {
      const longest = Math.max(silence, ...[...lastGood.values()].map((time) => Date.now() - time));
      silence = 0;
      return longest;
    },
    abandon: async () => {
      going = false;
      hopeful = false;
      await Promise.all(running);
    },
    stop: async () => {
      going = false;
      await Promise.all(running);
      // The calls whose outcome is still unknown are repeated now, as an app would do when it comes back.
      for (let tries = 0; again.length > 0 && tries < 1000; tries += 1) {
        await again.shift()!();
      }
    },
  };
};
