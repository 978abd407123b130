/** bench-world: the record that is read, the record that is written, and who calls, made through the public interface. */
import type { Client, Credentials } from '../support/client';
import { medications } from '../support/server';
import { attribute, authorizeApp, createAccount, createRecord, signIn, succeeded } from '../support/world';
import { measurements, smallDocument, vitals } from './documents';

export type Signs = Exclude<Credentials, null>;

export type BenchWorld = {
  /** Each with a token of its own for the record that is read. */
  readonly readers: readonly Signs[];
  /** The same for the record that is written. */
  readonly writers: readonly Signs[];
  /** Sessions of an account in the carenet. */
  readonly members: readonly Signs[];
  /** The documents below, 100 procedures of 600 bytes that are newer, 100 vitals, 10,000 measurements. */
  readonly readId: string;
  readonly writeId: string;
  /** 2 kB each, one for each reader. */
  readonly documentIds: readonly string[];
  /** Holds all documents of the type Procedure. */
  readonly carenetId: string;
};

export const OWNER = 'owner@bench.example';
const MEMBER = 'member@bench.example';
const MEASUREMENTS = 10_000;
const AT_ONCE = 500;
/** As many as the connections of the load: nobody shares what another one's token costs. */
const CALLERS = 32;

const times = async <T>(make: () => Promise<T>): Promise<readonly T[]> => {
  const made: T[] = [];
  while (made.length < CALLERS) {
    made.push(await make());
  }
  return made;
};

export const makeBenchWorld = async (call: Client): Promise<BenchWorld> => {
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
  };
};
