/**
 * bench-world: the record that is read, the record that is written, and their callers, made through the public
 * interface.
 */
import { toTimestamp } from '../../core/base/clock';
import { newToken, sha256 } from '../../core/base/ids';
import type { Database } from '../../core/db/database';
import { openDatabase } from '../../core/db/open';
import { insertAccessToken } from '../../core/tokens/store';
import type { Client, Credentials } from '../support/client';
import { direct } from '../support/direct';
import { medications } from '../support/server';
import { attribute, authorizeApp, createAccount, createRecord, signIn, succeeded } from '../support/world';
import { factList, measurements, smallDocument, vitals } from './documents';

export type Signs = Exclude<Credentials, null>;

export type BenchWorld = {
  /** Callers, each with a token of its own for the record that is read. */
  readonly readers: readonly Signs[];
  /** Callers, each with a token of its own for the record that is written. */
  readonly writers: readonly Signs[];
  /** Sessions of one account that is a member of the carenet. */
  readonly members: readonly Signs[];
  /**
   * The record that is read: the documents below, 100 newer procedures of 600 bytes, 100 vitals, 10,000 measurements.
   */
  readonly readId: string;
  readonly writeId: string;
  /** Ids of documents of 2 kB, one for each reader. */
  readonly documentIds: readonly string[];
  /** The carenet holds all documents of the type Procedure. */
  readonly carenetId: string;
  readonly fhir: {
    /** SMART tokens for the record that is read. */
    readonly bearers: readonly string[];
    /** Ids of Observations of measurements, one for each token. */
    readonly observationIds: readonly string[];
    /** A record of 1,000 procedures, and tokens for it. */
    readonly summaryId: string;
    readonly summaryBearers: readonly string[];
  };
};

export const OWNER = 'owner@bench.example';
const MEMBER = 'member@bench.example';
const MEASUREMENTS = 10_000;
const AT_ONCE = 500;
/** As many callers as the load has connections, so that no two connections share a token and what is cached for it. */
const CALLERS = 32;

const times = async <T>(make: () => Promise<T>): Promise<readonly T[]> => {
  const made: T[] = [];
  while (made.length < CALLERS) {
    made.push(await make());
  }
  return made;
};

const HOUR = 3_600_000;

/** Writes SMART tokens into the database, without the dance that would lead to them: the app has been let in. */
export const giveBearers = (database: Database, recordId: string): Promise<readonly string[]> =>
  times(async () => {
    const token = newToken();
    await insertAccessToken(direct(database), {
      tokenHash: sha256(token),
      // A SMART token signs nothing.
      secret: 'none',
      kind: 'smart',
      appId: medications!.consumer.key,
      accountId: OWNER,
      recordId,
      carenetId: null,
      createdAt: toTimestamp(Date.now()),
      expiresAt: toTimestamp(Date.now() + 24 * HOUR),
      scopes: 'patient/*.rs',
    });
    return token;
  });

const makeFhirWorld = async (
  call: Client,
  databaseUrl: string,
  readId: string,
  owner: Signs,
): Promise<BenchWorld['fhir']> => {
  const summaryId = await createRecord(call, OWNER, 'Summed', 'Up');
  const app = await authorizeApp(call, medications!, owner, { record_id: summaryId });
  for (const body of [factList(500), factList(500)]) {
    succeeded(await call(app, 'POST', `/records/${summaryId}/documents/`, { body }));
  }
  const database = await openDatabase(databaseUrl, 1);
  try {
    const bearers = await giveBearers(database, readId);
    const headers = { authorization: `Bearer ${bearers[0]!}` };
    const found = succeeded(await call(null, 'GET', `/fhir/Observation?_count=${CALLERS}&_elements=id`, { headers }));
    const { entry } = JSON.parse(found.text) as { entry: readonly { resource: { id: string } }[] };
    return {
      bearers,
      observationIds: entry.map(({ resource }) => resource.id),
      summaryId,
      summaryBearers: await giveBearers(database, summaryId),
    };
  } finally {
    await database.close();
  }
};

export const makeBenchWorld = async (call: Client, databaseUrl: string): Promise<BenchWorld> => {
  await createAccount(call, OWNER, 'Olga Owner');
  await createAccount(call, MEMBER, 'Max Member');
  const owner = await signIn(call, OWNER);
  const readId = await createRecord(call, OWNER, 'Read', 'Only');
  const writeId = await createRecord(call, OWNER, 'Written', 'To');
  const readers = await times(() => authorizeApp(call, medications!, owner, { record_id: readId }));
  const writers = await times(() => authorizeApp(call, medications!, owner, { record_id: writeId }));
  const post = async (body: Buffer): Promise<string> =>
    attribute(
      succeeded(await call(readers[0]!, 'POST', `/records/${readId}/documents/`, { body })).text,
      'Document',
      'id',
    );
  const documentIds = await times(() => post(smallDocument()));
  for (let number = 0; number < 100; number += 1) {
    await post(smallDocument(600, `Procedure ${number}`, `2024-03-${String((number % 28) + 1).padStart(2, '0')}`));
  }
  await post(vitals(100));
  for (let first = 0; first < MEASUREMENTS; first += AT_ONCE) {
    await post(measurements(first, AT_ONCE));
  }
  const carenets = succeeded(await call(owner, 'GET', `/records/${readId}/carenets/`)).text;
  const carenetId = attribute(carenets, 'Carenet', 'id');
  succeeded(
    await call(owner, 'POST', `/carenets/${carenetId}/accounts/`, { form: { account_id: MEMBER, write: 'false' } }),
  );
  succeeded(
    await call(owner, 'POST', `/records/${readId}/autoshare/carenets/${carenetId}/bytype/set`, {
      form: { type: 'Procedure' },
    }),
  );
  return {
    readers,
    writers,
    members: await times(() => signIn(call, MEMBER)),
    readId,
    writeId,
    documentIds,
    carenetId,
    fhir: await makeFhirWorld(call, databaseUrl, readId, owner),
  };
};
