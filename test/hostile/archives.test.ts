/**
 * archives: a real archive is changed so that one reference after the other names what belongs to somebody else. Nothing
 * of it reaches their records, carenets or inboxes.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { isId } from '../../core/base/ids';
import { parts } from '../../core/archive/parts';
import { FACT, isOwn, referencesOf, rules, type Rule } from '../../core/archive/references';
import { undoImport } from '../../core/archive/unfinished';
import { factTables } from '../../core/facts/model/fact-tables';
import { migrations } from '../../core/db/migrations';
import { filesOf, fillRecord, readArchive, rewriteArchive, toolsOf, writeArchive } from '../support/archives';
import { databases } from '../support/databases';
import { direct } from '../support/direct';
import { startService, type TestService } from '../support/server';
import { createAccount, makeWorld, succeeded, type World } from '../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

type Line = Record<string, unknown>;
type Source = { readonly table: string; readonly file: string; readonly inside?: string };

const sources: readonly Source[] = [
  { table: 'record', file: 'record.json', inside: 'record' },
  { table: 'demographics', file: 'record.json', inside: 'demographics' },
  ...parts,
  // A dispensation is nested in a medication, so it names a parent.
  { table: FACT, file: 'facts/Fill.jsonl' },
];

/** Somebody who is known where the archive comes in, and whom the archive does not list. */
const STRANGER = 'stranger@example.org';
const [PERSON, APP] = ['alice@example.org', 'medications@apps.svc.example'];

const parsed = (text: string): Line[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);

/** The resources of what was imported before are made in the background, while rows are compared. */
const WAITING = 'missing_resource';
const MADE_LATER: readonly string[] = [WAITING, 'fhir_resource', 'search_value'];

/** Names only, since a failed comparison would show every row. */
const tablesThatDiffer = (
  one: ReadonlyMap<string, readonly string[]>,
  other: ReadonlyMap<string, readonly string[]>,
): readonly string[] =>
  [...one.keys()]
    .filter((table) => !MADE_LATER.includes(table))
    .filter((table) => JSON.stringify(one.get(table)) !== JSON.stringify(other.get(table)));

/** The first row that has something in the column, or else the first one. */
const rowWith = (rows: readonly Line[], column: string): Line =>
  rows.find((row) => (row[column] ?? null) !== null) ?? rows[0]!;

const changedIn =
  ({ file, inside }: Source, column: string, value: unknown) =>
  (name: string, text: string) => {
    if (name !== file) {
      return text;
    }
    if (inside !== undefined) {
      const opening = JSON.parse(text) as Record<string, Line>;
      opening[inside]![column] = value;
      return JSON.stringify(opening);
    }
    const rows = parsed(text);
    rowWith(rows, column)[column] = value;
    return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  };

describe('the rules of an archive', () => {
  it('say of each column that names something what it may name, and nothing else', () => {
    for (const { table } of sources) {
      expect(Object.keys(rules[table]!).sort(), table).to.equal(
        referencesOf(table)
          .map(({ column }) => column)
          .sort(),
      );
    }
    expect(Object.keys(rules).sort()).to.equal(sources.map(({ table }) => table).sort());
  });

  it('know a carenet, document or message only from the table that defines it', () => {
    const defined = sources.filter(({ table }) => referencesOf(table).some(isOwn)).map(({ table }) => table);
    const named = Object.values(rules)
      .flatMap((columns) => Object.values(columns))
      .flatMap((rule) => ('of' in rule ? [rule.of] : []));
    expect(named.filter((table) => !defined.includes(table))).to.equal([]);
  });
});

for (const leg of databases) {
  describe(`a hostile archive on ${leg.name}`, () => {
    let folder: string;
    let here: TestService;
    let there: TestService;
    let victim: World;
    let archive: string;
    let theirs: ReadonlyMap<string, string>;
    let original: Map<string, string>;

    before(async () => {
      folder = mkdtempSync(join(tmpdir(), 'svc-hostile-archives-'));
      archive = join(folder, 'record.tar.gz');
      [here, there] = [await startService(leg), await startService(leg)];
      const world = await makeWorld(here);
      await createAccount(here.call, 'carol@example.org', 'Carol Lee');
      await fillRecord(here, world);
      await writeArchive(here, world.recordId, archive);
      original = await filesOf(archive);
      victim = await makeWorld(there);
      await createAccount(there.call, 'carol@example.org', 'Carol Lee');
      await createAccount(there.call, STRANGER);
      await fillRecord(there, victim);
      theirs = await idsOf(victim.recordId);
    });
    after(async () => {
      await here.stop();
      await there.stop();
      rmSync(folder, { recursive: true, force: true });
    });

    /** An id of each kind that belongs to the victim's record. */
    const idsOf = async (recordId: string): Promise<ReadonlyMap<string, string>> => {
      const on = direct(there.services.database);
      const first = async (table: string, column = 'id'): Promise<string> =>
        String(((await on(table).where({ record_id: recordId }).first(column)) as Line)[column]);
      const fact = (await on('fact_fill').where({ _record_id: recordId }).first('_id')) as Line;
      const stored = (await on('app_document').where({ scope: recordId }).first('id')) as Line;
      return new Map([
        ['record', recordId],
        [FACT, String(fact['_id'])],
        ['app_document', String(stored['id'])],
        ...(await Promise.all(
          [
            'document',
            'document_lineage',
            'carenet',
            'record_message',
            'record_share',
            'record_app',
            'message',
            'notification',
          ].map(async (table) => [table, await first(table)] as const),
        )),
      ]);
    };

    /** Every row of every table that no job in the background writes, as text. */
    const everything = async (): Promise<ReadonlyMap<string, readonly string[]>> => {
      const on = direct(there.services.database);
      const tables = [
        ...migrations
          .flatMap((migration) => migration.tables.map(({ table }) => table))
          // The words of files are read in the background, and their rows go then.
          .filter((table) => !['document_text', 'document_text_due'].includes(table)),
        ...[...factTables(there.services.models()).values()].map(({ table }) => table),
      ].filter((table) => !['outbox', 'audit_checkpoint'].includes(table));
      const rows = new Map<string, readonly string[]>();
      for (const table of tables) {
        const all = (await on(table).select('*')) as Line[];
        // A job in the background moves this one row.
        const written = all.filter(({ name }) => table !== 'installation' || name !== 'audit_shortened_to');
        rows.set(table, written.map((row) => JSON.stringify(row)).sort());
      }
      return rows;
    };

    const bringIn = async (change: (name: string, text: string) => string) => {
      const file = join(folder, 'changed.tar.gz');
      await rewriteArchive(archive, file, folder, change);
      return readArchive(there, file);
    };

    const expectRefused = async (change: (name: string, text: string) => string, why: RegExp): Promise<void> => {
      const rows = await everything();
      const error = await bringIn(change).then(
        () => undefined,
        (failure: Error) => failure,
      );
      expect([error?.name, error?.message]).to.equal(['SetupError', error?.message]);
      expect(error?.message).to.match(why);
      expect(tablesThatDiffer(rows, await everything())).to.equal([]);
    };

    /** The rows there stay as they are, and no row that came names anything of theirs. */
    const expectHarmless = async (change: (name: string, text: string) => string): Promise<void> => {
      const rows = await everything();
      const { recordId } = await bringIn(change);
      expect(recordId).to.not.equal(victim.recordId);
      for (const [table, now] of await everything()) {
        const kept = new Set(rows.get(table));
        expect(
          [...kept].filter((row) => table !== WAITING && !now.includes(row)),
          table,
        ).to.equal([]);
        const came = now.filter((row) => !kept.has(row)).map((row) => JSON.parse(row) as Line);
        const columns = table === 'audit' ? ['record_id'] : Object.keys(came[0] ?? {});
        const named = came.flatMap((row) => columns.map((column) => row[column]));
        expect(
          [...theirs.values()].filter((id) => named.includes(id)),
          table,
        ).to.equal([]);
      }
    };

    it('has a rule for every column in which a real one has an id, a person or an app', () => {
      const principals = new Set(parsed(original.get('principals.jsonl')!).map(({ id }) => id));
      for (const { table, file, inside } of sources) {
        const text = original.get(file)!;
        const rows = inside === undefined ? parsed(text) : [(JSON.parse(text) as Record<string, Line>)[inside]!];
        expect(rows, file).to.not.be.empty();
        for (const [column, value] of rows.flatMap((row) => Object.entries(row))) {
          if ((isId(value) || principals.has(value)) && column !== 'consumer_key') {
            expect(Object.keys(rules[table]!), `${table}.${column}`).to.include(column);
          }
        }
      }
    });

    const wrongFor = (rule: Rule): readonly (readonly [what: string, value: () => unknown, why: RegExp])[] => {
      switch (rule.is) {
        case 'record':
          return [
            ['another record', () => theirs.get('record'), /a row of another record/],
            ['nothing', () => null, /a row of another record|an id that is none/],
          ];
        case 'row':
        case 'both':
          return [
            [`a ${rule.of} of another record`, () => theirs.get(rule.of), /names in \w+ what it does not hold/],
            ['an id in capitals', () => theirs.get(rule.of)?.toUpperCase(), /that is no id/],
            ['an object', () => ({ like: '%' }), /that is no id/],
          ];
        case 'own':
          return [['no id', () => 'carenet-1', /that is no id/]];
        case 'principal':
        case 'reader':
          return [
            ['somebody who is not listed', () => STRANGER, /somebody who is no \w+ of the archive/],
            ...(rule.is === 'principal' && rule.kind === 'any'
              ? []
              : [
                  [
                    'one of the other kind',
                    () => (rule.is === 'principal' && rule.kind === 'app' ? PERSON : APP),
                    /somebody who is no \w+ of the archive/,
                  ] as const,
                ]),
          ];
        default:
          return [];
      }
    };

    for (const source of sources) {
      for (const { column, rule } of referencesOf(source.table)) {
        for (const [what, value, why] of wrongFor(rule)) {
          it(`is refused when ${source.table}.${column} is ${what}`, () =>
            expectRefused((name, text) => changedIn(source, column, value())(name, text), why));
        }
      }
    }

    for (const source of sources.filter(({ table }) => referencesOf(table).some(isOwn))) {
      it(`gets ids of its own when its ${source.file} defines an id of another record`, () => {
        const [mine, other] = [String(parsed(original.get(source.file)!)[0]!['id']), theirs.get(source.table)!];
        // The names of the files with contents stay as they are.
        return expectHarmless((_name, text) => text.replaceAll(`"${mine}"`, `"${other}"`));
      });
    }

    for (const { table, column, of } of [
      { table: 'audit', column: 'document_id', of: 'document' },
      { table: 'audit', column: 'carenet_id', of: 'carenet' },
      { table: 'document_identifier', column: 'statement_id', of: FACT },
    ]) {
      it(`shows nobody anything when ${table}.${column} says a word about another record`, async () => {
        const rows = await everything();
        const source = sources.find((one) => one.table === table)!;
        const { recordId } = await bringIn((name, text) => changedIn(source, column, theirs.get(of))(name, text));
        const now = await everything();
        const came = now.get(table)!.filter((row) => !rows.get(table)!.includes(row));
        expect(came.map((row) => (JSON.parse(row) as Line)['record_id']).filter((id) => id !== recordId)).to.equal([]);
      });
    }

    it('is refused when two rows have one id', () =>
      expectRefused(
        (name, text) => (name === 'carenets.jsonl' ? `${text.split('\n')[0]}\n${text}` : text),
        /carenets.jsonl has two rows with the id/,
      ));

    it('is refused when a line is no row', async () => {
      for (const line of ['null', '[]', '7', '{"id":']) {
        await expectRefused((name, text) => (name === 'shares.jsonl' ? `${line}\n` : text), /a line that is no row/);
      }
    });

    it('is refused when it lists somebody who could not be an account or app here', async () => {
      for (const line of [
        { id: 'Alice@Example.org', kind: 'account', name: 'A' },
        { id: '', kind: 'account', name: 'A' },
        { id: 'a'.repeat(256), kind: 'account', name: 'A' },
        { id: 'long@example.org', kind: 'account', name: 'A'.repeat(151) },
        { id: 'x@apps.example', kind: 'root', name: 'A' },
        { id: PERSON, kind: 'adminapp', name: 'A second time' },
      ]) {
        await expectRefused(
          (name, text) => (name === 'principals.jsonl' ? `${text}${JSON.stringify(line)}\n` : text),
          /lists .*, who cannot be/,
        );
      }
    });

    it('brings messages only to people who may see the whole record, and makes nobody whom no row needs', async () => {
      const gone = { id: 'gone@example.org', kind: 'account', name: 'Gone' };
      const unnamed = { id: 'unnamed@example.org', kind: 'account', name: 'Unnamed' };
      const counted = async (account: string): Promise<number> =>
        ((await direct(there.services.database)('message').where({ account_id: account })) as Line[]).length;
      const [ofBob, ofAlice] = [await counted('bob@example.org'), await counted(PERSON)];
      const imported = await bringIn((name, text) => {
        if (name === 'principals.jsonl') {
          return `${text}${JSON.stringify(gone)}\n${JSON.stringify(unnamed)}\n`;
        }
        if (name !== 'inboxes.jsonl') {
          return text;
        }
        const row = parsed(text).find(({ account_id }) => account_id === PERSON)!;
        const id = String(row['id']);
        // Bob is in a carenet of the record and does not see the whole of it.
        return ['1', '2', '3']
          .map((end, index) => ({
            ...row,
            id: `${id.slice(0, -1)}${end}`,
            external_id: `hostile-${end}`,
            account_id: ['bob@example.org', gone.id, PERSON][index],
          }))
          .map((message) => `${JSON.stringify(message)}\n`)
          .join('');
      });
      expect(imported.leftOut.filter((line) => line.includes('messages'))).to.equal([
        'bob@example.org may not see the whole record: their messages were left out',
        'gone@example.org may not see the whole record: their messages were left out',
      ]);
      expect([await counted('bob@example.org'), await counted(PERSON), await counted(gone.id)]).to.equal([
        ofBob,
        ofAlice + 1,
        0,
      ]);
      const made = await direct(there.services.database)('principal').whereIn('id', [gone.id, unnamed.id]);
      expect(made).to.equal([]);
      expect([...imported.newAccounts]).to.equal([]);
    });

    it('leaves one audit row of the import under the one record that it touched', async () => {
      const on = direct(there.services.database);
      const rows = async (): Promise<readonly Line[]> =>
        (await on('audit').where({ function_name: 'record_import' }).select('record_id', 'successful')) as Line[];
      const earlier = await rows();
      const { recordId } = await bringIn((_name, text) => text);
      const later = await rows();
      expect(later.length).to.equal(earlier.length + 1);
      expect(later.filter(({ record_id }) => record_id === recordId)).to.equal([
        { record_id: recordId, successful: 1 },
      ]);
      expect(later.filter(({ record_id }) => record_id === victim.recordId)).to.equal([]);
    });

    it('that died takes nothing of others along when it is undone', async () => {
      const dead = '01999999-0000-7000-8000-0000000000aa';
      await direct(there.services.database)('document').insert({
        id: dead,
        record_id: dead,
        lineage_id: theirs.get('document_lineage'),
        type: 'x',
        media_type: 'x',
        size: 0,
        digest: 'x',
        creator_id: 'x',
        created_at: 'x',
        content: Buffer.alloc(0),
      });
      const rows = await everything();
      await undoImport(await toolsOf(there), dead);
      const now = await everything();
      expect(now.get('document')!.length).to.equal(rows.get('document')!.length - 1);
      for (const table of ['document_lineage', 'document_status', 'document_relation', 'carenet_preference']) {
        expect(now.get(table)!.join() === rows.get(table)!.join(), table).to.be.true();
      }
      succeeded(await there.call(victim.alice, 'GET', `/records/${victim.recordId}/documents/`));
    });
  });
}
