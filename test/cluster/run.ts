/**
 * run: `npm run test:cluster`: three service processes on a three-node Galera cluster under load, while nodes are killed one at
 * a time and brought back, and while the same things are written through different nodes at once.
 *   --rounds N    nodes killed (default 6)
 */
import { execFile } from 'node:child_process';
import { parseArgs, promisify } from 'node:util';
import { authorizationHeader } from '../../core/auth/sign';
import { newId } from '../../core/base/ids';
import { inProject } from '../../core/base/paths';
import { openDatabase } from '../../core/storage/database';
import { countMails, checkAll } from '../faults/checks';
import { newLedger } from '../faults/ledger';
import { startLoad, type Stage } from '../faults/load';
import { serviceProcess, type Service } from '../faults/processes';
import { ownApp } from '../support/app-folder';
import { httpClient } from '../support/client';
import { sleep, startReceiver, until } from '../support/receiver';
import { admin } from '../support/server';
import { attribute, authorizeApp, createAccount, createRecord, signIn, succeeded } from '../support/world';
import { clusterPossible, startCluster, type Node } from './nodes';

const NS = 'https://svc.example/vocab/xml/documents#';
const procedure = (name: string): string => `<Procedure xmlns="${NS}"><name>${name}</name></Procedure>`;
const say = (line: string): void => { process.stdout.write(`${line}\n`); };

/** Every process has the cluster's nodes in an order of its own, so that each begins at another one. */
const urlFrom = (nodes: readonly Node[], first: number): string =>
  `mysql://root@${nodes.map((_node, index) => nodes[(first + index) % nodes.length]!.address).join(',')}/svc`;

/** The same call through every process at once: one succeeds. */
const race = async (stage: Stage, rounds: number): Promise<readonly string[]> => {
  const faults: string[] = [];
  const app = encodeURIComponent(stage.app.consumer.key);
  for (let round = 0; round < rounds; round += 1) {
    const externalId = newId();
    const created = await Promise.all(stage.clients.map((call) => call(stage.app, 'PUT', `/records/${stage.recordId}/documents/external/${app}/${externalId}`, { body: procedure('race') })));
    const winners = created.filter(({ status }) => status === 200);
    if (winners.length !== 1 || created.some(({ status }) => ![200, 400].includes(status))) {
      faults.push(`one external id at once: ${created.map(({ status }) => status).join()}`);
    }
    const id = winners[0] ? attribute(winners[0].text, 'Document', 'id') : '';
    const replaced = await Promise.all(stage.clients.map((call) => call(stage.app, 'POST', `/records/${stage.recordId}/documents/${id}/replace`, { body: procedure('race won') })));
    if (replaced.filter(({ status }) => status === 200).length !== 1 || replaced.some(({ status }) => ![200, 400].includes(status))) {
      faults.push(`one version replaced at once: ${replaced.map(({ status }) => status).join()}`);
    }
    const statuses = await Promise.all(stage.clients.map((call) => call(stage.app, 'POST', `/records/${stage.recordId}/documents/${id}/set-status`, { form: { status: 'archived', reason: 'race' } })));
    if (statuses.some(({ status }) => status !== 200)) {
      faults.push(`one status at once: ${statuses.map(({ status }) => status).join()}`);
    }
    // Written through one process, read through the next without a pause.
    const [first, second] = [stage.clients[round % stage.clients.length]!, stage.clients[(round + 1) % stage.clients.length]!];
    const written = attribute(succeeded(await first(stage.app, 'POST', `/records/${stage.recordId}/documents/`, { body: procedure('read elsewhere') })).text, 'Document', 'id');
    const read = await second(stage.app, 'GET', `/records/${stage.recordId}/documents/${written}`);
    if (read.status !== 200) {
      faults.push(`a document read through another node: ${read.status}`);
    }
  }
  return faults;
};

/** A signed request is served once, whichever processes it is sent to. */
const replay = async (urls: readonly string[], stage: Stage): Promise<readonly string[]> => {
  const path = `/records/${stage.recordId}/documents/`;
  const faults: string[] = [];
  for (let round = 0; round < 10; round += 1) {
    const header = authorizationHeader(stage.app, 'GET', `http://svc.test${path}`);
    const statuses = (await Promise.all(urls.flatMap((url) => [url, url]).map((url) => fetch(`${url}${path}`, { headers: { authorization: header } }).then(({ status }) => status)))).sort();
    if (statuses.join() !== [200, ...Array.from({ length: urls.length * 2 - 1 }, () => 403)].join()) {
      faults.push(`one signature sent to every process: ${statuses.join()}`);
    }
  }
  return faults;
};

const sameEverywhere = (nodes: readonly Node[]): readonly string[] =>
  ['document', 'document_lineage', 'fact_procedure', 'audit', 'outbox', 'message', 'app_document'].flatMap((table) => {
    const sums = nodes.map((node) => node.sql(`checksum table svc.${table}`).split('\t')[1]);
    return new Set(sums).size === 1 ? [] : [`the nodes hold different rows of ${table}`];
  });

const main = async (): Promise<number> => {
  const { values } = parseArgs({ options: { rounds: { type: 'string', default: '6' }, callers: { type: 'string', default: '6' } } });
  if (!clusterPossible()) {
    say('test:cluster needs mariadb-server, mariadb-backup, galera-4, socat, lsof and rsync: skipped');
    return process.env['SVC_REQUIRE_GALERA'] === '1' ? 1 : 0;
  }
  const began = Date.now();
  const cluster = await startCluster();
  say(`three nodes synced after ${Math.round((Date.now() - began) / 1000)} s`);
  const receiver = await startReceiver();
  const own = ownApp({ oauth_callback_url: `${receiver.url}/oauth` });
  const services: Service[] = [];
  const faults: string[] = [];
  const failOver: number[] = [];
  const ledger = newLedger();
  let requests = 0;
  try {
    for (const index of [0, 1, 2]) {
      const service = await serviceProcess({
        SVC_DATABASE_URL: urlFrom(cluster.nodes, index), SVC_MANIFESTS_DIR: own.folders, SVC_CALLBACK_ALLOW_PRIVATE: '1', SVC_BASE_URL: 'http://svc.test', SVC_MAIL_DIR: `${own.folders.split(':')[1]!}/mail`,
      });
      await service.start();
      services.push(service);
    }
    // All processes answer for one public address: what is signed for it may be sent to any of them.
    const clients = services.map(({ url }) => httpClient(url, 'http://svc.test'));
    const call = clients[0]!;
    for (const name of ['alice', 'bob']) {
      await createAccount(call, `${name}@example.org`);
    }
    const recordId = await createRecord(call, 'alice@example.org');
    const alice = await signIn(call, 'alice@example.org');
    succeeded(await call(alice, 'POST', `/records/${recordId}/shares/`, { form: { account_id: 'bob@example.org', role_label: 'helper' } }));
    const app = await authorizeApp(call, own.app, alice, { record_id: recordId });
    succeeded(await call(app, 'POST', `/experimental/records/${recordId}/apps/${encodeURIComponent(own.id)}/subscriptions/`, { form: { url: 'reports/Procedure/', callback: `${receiver.url}/told` } }));
    const stage: Stage = { clients, admin: admin!, app, recordId, accountId: 'alice@example.org' };
    const everyNode = await openDatabase(urlFrom(cluster.nodes, 0), 2);
    const mails = await countMails(everyNode);
    await everyNode.close();

    const { callers } = values;
    for (let round = 0; round < Number(values.rounds); round += 1) {
      const node = cluster.nodes[round % 3]!;
      faults.push(...(await race(stage, 10)), ...(await replay(services.map(({ url }) => url), stage)));
      const load = startLoad(stage, ledger, Number(callers));
      await sleep(1500);
      load.longestSilence();
      await node.kill();
      await sleep(8000);
      failOver.push(load.longestSilence());
      await node.start();
      await sleep(1000);
      await load.stop();
      requests += load.requests();
      await until(() => cluster.nodes.every((one) => one.synced()), 60_000, 'all nodes synced');
      const database = await openDatabase(urlFrom(cluster.nodes, (round + 1) % 3), 2);
      faults.push(...(await checkAll(database, ledger, { mails })));
      await database.close();
      say(`round ${round + 1}: ${node.name} killed and back, ${ledger.acknowledged} writes acknowledged, longest silence ${failOver.at(-1)} ms, ${faults.length} faults`);
    }
    await Promise.all(services.map((service) => service.kill('SIGTERM')));
    faults.push(...sameEverywhere(cluster.nodes));
    const verified = await promisify(execFile)(process.execPath, [inProject('bin', 'svc'), 'verify-audit'], {
      env: { ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('SVC_'))), SVC_DATABASE_URL: urlFrom(cluster.nodes, 2), SVC_SECRET_KEY: 'only for tests: 0123456789abcdef' },
    }).then(({ stdout }) => stdout.trim(), (error: { stdout: string; stderr: string }) => { faults.push(`verify-audit: ${error.stderr}`); return error.stdout; });
    say(JSON.stringify({
      nodesKilled: failOver.length, failOverMilliseconds: failOver, requests, writesAcknowledged: ledger.acknowledged, outcomesUnknown: ledger.unknown, answersChecked: ledger.told.length,
      documentsChecked: ledger.documents.size, pingsArrived: receiver.received.length, auditVerified: verified, seconds: Math.round((Date.now() - began) / 1000), faults,
    }, null, 1));
    return faults.length === 0 ? 0 : 1;
  } catch (error) {
    services.forEach((service) => say(service.log().slice(-2000)));
    cluster.nodes.forEach((node) => say(node.log().slice(-1500)));
    throw error;
  } finally {
    await Promise.all(services.map((service) => service.kill('SIGKILL')));
    await receiver.stop();
    own.remove();
    await cluster.stop();
  }
};

main().then((code) => process.exit(code), (error: unknown) => { process.stderr.write(`${String((error as Error).stack ?? error)}\n`); process.exit(1); });
