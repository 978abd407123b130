/** drill: a restore that is practised: a backup is put into a folder of its own, opened with the key, and everything in it is checked. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { verifyAudit } from '../audit/verify';
import { openAuditSigner } from '../audit/signer';
import { makeSealing } from '../auth/sealing';
import { presentSecretKeys, type SecretKeys } from '../auth/secret-key';
import { systemClock } from '../base/clock';
import type { Steps } from '../base/progress';
import { withTempFolder } from '../base/temp-folder';
import type { Config } from '../config/schema';
import { openDatabase } from '../storage/database';
import { migrateCore } from '../storage/migrate';
import { restore, type Restored } from './restore';
import { withFile } from './sqlite-file';

export type Drilled = Restored & {
  /** Versions whose digest was compared. */ readonly documentsChecked: number;
  readonly auditRows: number;
  readonly problems: readonly string[];
};

/** Reads every version of every document once, and compares it with the digest that was kept when it was stored. */
const checkDocuments = (file: string, { step }: Steps): { readonly checked: number; readonly problems: string[] } =>
  withFile(file, (database) => {
    const rows = database.prepare('select id, digest, content from document').iterate() as IterableIterator<{
      id: string;
      digest: string;
      content: Buffer | string | null;
    }>;
    let checked = 0;
    const problems: string[] = [];
    for (const { id, digest, content } of rows) {
      checked += 1;
      step();
      if (content === null || createHash('sha256').update(content).digest('hex') !== digest) {
        problems.push(`document ${id} is not what was stored: its digest differs`);
      }
    }
    return { checked, problems };
  });

const checkAudit = async (
  config: Config,
  keys: SecretKeys | undefined,
): Promise<{ readonly rows: number; readonly problems: readonly string[] }> => {
  if (!keys) {
    return { rows: 0, problems: ['the secret key is not at hand: without it this backup cannot be served'] };
  }
  const database = await openDatabase(config.databaseUrl, 2);
  try {
    await migrateCore(database, systemClock);
    const signer = await openAuditSigner(database, makeSealing(keys), systemClock, { config });
    const report = await verifyAudit({ database, signer });
    return {
      rows: report.rows,
      problems: report.problems.map(
        ({ writerId, writerSeq, problem }) => `audit chain ${writerId}, row ${writerSeq}: ${problem}`,
      ),
    };
  } finally {
    await database.close();
  }
};

/**
 * Restores a backup into a folder beside it, which is gone afterwards, and checks its pages, documents, key and audit
 * log. The service and its database are not touched.
 * @throws SetupError when the backup is damaged, of a newer release, or no backup
 */
export const drill = (config: Config, backup: string, steps: Steps): Promise<Drilled> =>
  withTempFolder(backup, async (folder) => {
    const file = join(folder, 'svc.sqlite');
    // Heads that are written meanwhile go with the folder.
    const copy: Config = { ...config, databaseUrl: `sqlite:${file}`, auditHead: join(folder, 'audit.head') };
    const restored = await restore(copy.databaseUrl, backup, { yes: false, now: new Date() });
    steps.begin(restored.documents);
    const documents = checkDocuments(file, steps);
    const audit = await checkAudit(copy, presentSecretKeys(config));
    return {
      ...restored,
      file: backup,
      documentsChecked: documents.checked,
      auditRows: audit.rows,
      problems: [...documents.problems, ...audit.problems],
    };
  });
