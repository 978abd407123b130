/**
 * scratch-ids: which ids a large set of rows defines, and which ids it names, in a temporary file, so that the memory
 * that a comparison needs does not grow with the rows.
 */
import { Sqlite, type SqliteDatabase } from '../db/sqlite/better-sqlite';

export type NamedId = { readonly kind: string; readonly id: string; readonly place: string };

export class ScratchIds {
  private readonly file: SqliteDatabase;

  constructor(path: string) {
    this.file = new Sqlite(path);
    // The file is worth nothing after a crash.
    this.file.pragma('journal_mode = off');
    this.file.pragma('synchronous = off');
    this.file.exec(
      'create table defined (kind text, id text, primary key (kind, id)) without rowid;' +
        'create table named (kind text, id text, place text, primary key (kind, id)) without rowid',
    );
  }

  /**
   * Notes some ids.
   * @returns the first one that was defined before
   */
  note(defined: readonly Omit<NamedId, 'place'>[], named: readonly NamedId[]): Omit<NamedId, 'place'> | undefined {
    const define = this.file.prepare('insert or ignore into defined (kind, id) values (?, ?)');
    const name = this.file.prepare('insert or ignore into named (kind, id, place) values (?, ?, ?)');
    return this.file.transaction(() => {
      named.forEach(({ kind, id, place }) => name.run(kind, id, place));
      return defined.find(({ kind, id }) => define.run(kind, id).changes === 0);
    })();
  }

  isDefined(kind: string, id: string): boolean {
    return this.file.prepare('select 1 from defined where kind = ? and id = ?').get(kind, id) !== undefined;
  }

  /** One of the ids that are named and not defined. */
  findUndefined(): NamedId | undefined {
    return this.file
      .prepare(
        'select kind, id, place from named where not exists (select 1 from defined where defined.kind = named.kind and defined.id = named.id) limit 1',
      )
      .get() as NamedId | undefined;
  }

  close(): void {
    this.file.close();
  }
}
