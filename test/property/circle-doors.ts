/**
 * circle-doors: doors of a circle that take several steps: an export in the background, the code for a clinic, and what
 * an app in the circle is told of changes. Each answers texts that two worlds can be compared by.
 */
import { setTimeout } from 'node:timers/promises';
import { toTimestamp } from '../../core/base/clock';
import { newId } from '../../core/base/ids';
import { EVERY_MODEL, putSubscription } from '../../core/outbox/subscriptions-store';
import { operations } from '../../plugins/website/http/operations';
import type { Answer } from '../support/client';
import { decrypted, fetchAs, scanned, type ClinicPayload } from '../support/clinic';
import { direct } from '../support/direct';
import { FHIR_APP, type Read } from '../support/fhir';
import type { askingAs } from '../support/links';
import { missingReaders, pagesOf } from '../support/pdf';
import type { TestService } from '../support/server';

/** What was looked at, and what it answered. */
type Looked = { readonly path: string; readonly status: number; readonly text: string };

type Inject = (path: string, method?: 'GET' | 'DELETE') => Promise<Pick<Answer, 'status' | 'text' | 'headers'>>;

const ASKED = [
  '',
  '?_type=Observation,MedicationStatement&_since=2020-01-01T00:00:00Z',
  `?_type=Observation&_elements=Observation.code&_typeFilter=${encodeURIComponent('Observation?code:text=chol')}`,
];

/** Exports of a token: the list of files, and each file. The job is taken away again, as its number is limited. */
export const lookAtExports = async (inject: Inject, record: string): Promise<readonly Looked[]> => {
  const seen: Looked[] = [];
  for (const asked of ASKED) {
    const path = `/Patient/${record}/$export${asked}`;
    const begun = await inject(path);
    const job = String(begun.headers['content-location']).replace(/^.*\/fhir(?=\/)/, '');
    let state = await inject(job);
    for (; state.status === 202; state = await inject(job)) {
      await setTimeout(5);
    }
    const ownJob = job.split('/').at(-1)!;
    const plain = (text: string): string => text.replaceAll(ownJob, 'own');
    seen.push({ path, status: state.status, text: plain(state.text) });
    for (const [, file = ''] of state.text.matchAll(/"url":"[^"]*\/fhir(\/export\/[^"]*)"/g)) {
      const { status, text } = await inject(file);
      seen.push({ path: `${path} ${file.split('/').at(-1)}`, status, text: plain(text) });
    }
    await inject(job, 'DELETE');
  }
  return seen;
};

/** Addresses that are made for one answer, by the order in which they come. */
const renumbered = (text: string): string => {
  const places = new Map<string, string>();
  return text.replace(/urn:uuid:[0-9a-f-]{36}/g, (address) => {
    places.set(address, places.get(address) ?? `urn:uuid:${places.size}`);
    return places.get(address)!;
  });
};

/** PDFs as what can be read on them: their bytes name the time at which they were made. */
const withPages = (text: string): string =>
  text.replace(/"data":"(JVBERi[^"]*)"/g, (_, data: string) =>
    missingReaders().length === 0 ? JSON.stringify(pagesOf(Buffer.from(data, 'base64')).join(' ')) : '""',
  );

/** The code of a circle for clinics; it can be fetched any number of times. */
export const makeClinicCode = async (
  service: TestService,
  ask: ReturnType<typeof askingAs>,
  place: { readonly record: string; readonly carenet: string },
): Promise<() => Promise<Looked>> => {
  const params = { RECORD_ID: place.record };
  const { kinds } = await ask(operations.links.recordClinic, { params });
  const body = { carenet: place.carenet, kinds: kinds.join(','), minutes: '2880', openings: '100' };
  const id = await ask(operations.links.recordClinicCreate, { params, body });
  const { links } = await ask(operations.links.recordClinic, { params });
  const code: ClinicPayload = scanned(links.find((link) => link.id === id)!.shlink);
  return async () => {
    const answer = await fetchAs(service, code, 'Verona Health System');
    await direct(service.services.database)('health_link').where({ id }).update({ openings: 0 });
    const text = answer.status === 200 ? JSON.stringify((await decrypted(answer, code)).bundle as Read) : answer.text;
    return { path: 'the code of the circle for a clinic', status: answer.status, text: withPages(renumbered(text)) };
  };
};

/** Lets an app in the circle be told of every change that it may read. @returns how often it was told */
export const subscribeInCircle = async (
  { services }: TestService,
  { record, carenet, account }: Readonly<Record<'record' | 'carenet' | 'account', string>>,
): Promise<() => Promise<Looked>> => {
  const trx = direct(services.database);
  const now = services.clock.now();
  const id = newId();
  await putSubscription(trx, {
    id,
    appId: FHIR_APP,
    recordId: record,
    accountId: account,
    carenetId: carenet,
    url: 'reports/experimental/ccr',
    // Nobody listens there: what counts is what should be sent.
    callback: 'https://app.invalid/told',
    target: EVERY_MODEL,
    digest: newId().padEnd(64, '0'),
    createdAt: toTimestamp(now),
    expiresAt: toTimestamp(now + 9e9),
  });
  return async () => {
    const rows = (await trx('outbox').where({ kind: 'ping', subject: id }).select('id')) as readonly unknown[];
    return { path: 'pings to an app in the circle', status: 200, text: String(rows.length) };
  };
};
