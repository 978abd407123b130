/**
 * drill: practises a restore. A backup is put into a folder of its own and opened with the key, and everything in it is
 * checked.
 */
import { join } from 'node:path';
import { verifyAudit } from '../audit/verify';
import { openAuditSigner } from '../audit/signer';
import { makeSealing } from '../auth/sealing';
import { presentSecretKeys, type SecretKeys } from '../auth/secret-key';
import { systemClock } from '../base/clock';
import type { Steps } from '../base/progress';
import { withTempFolder } from '../base/temp-folder';
import type { Config } from '../config/schema';
import { checkContents } from '../sealing/seal-stored';
import { openDatabase } from '../db/open';
import { migrateCore } from '../db/migrations/migrate';
import { makeContents } from '../sealing/contents-store';
import { restore, type Restored } from './restore';

export type Drilled = Restored & {
  /** Versions that were opened and whose digest was compared. */ readonly documentsChecked: number;
  readonly auditRows: number;
  readonly problems: readonly string[];
};

type Checked = { readonly documents: number; readonly auditRows: number; readonly problems: readonly string[] };

async function checkCopy(config: Config, keys: SecretKeys | undefined, { step }: Steps): Promise<Checked> {
  if (!keys) {
    return {
      documents: 0,
      auditRows: 0,
      problems: [
        'the secret key is not at hand: without it this backup cannot be served, nor what is sealed in it be read',
      ],
    };
  }
  const database = await openDatabase(config.databaseUrl, 2);
  try {
    await migrateCore(database, systemClock);
    const sealing = makeSealing(keys);
    const contents = await checkContents({ database, contents: makeContents(sealing) }, step);
    const signer = await openAuditSigner(database, sealing, systemClock, { config });
    const report = await verifyAudit({ database, signer });
    return {
      documents: contents.documents,
      auditRows: report.rows,
      problems: [
        ...contents.problems,
        ...report.problems.map(
          ({ writerId, writerSeq, problem }) => `audit chain ${writerId}, row ${writerSeq}: ${problem}`,
        ),
      ],
    };
  } finally {
    await database.close();
  }
}

/**
 * Restores a backup into a folder beside it, which is removed afterwards, and checks its pages, contents, key and audit
 * log. The service and its database are not touched.
 * @throws SetupError when the backup is damaged, of a newer release, or no backup
 */
export function drill(config: Config, backup: string, steps: Steps): Promise<Drilled> {
  return withTempFolder(backup, async (folder) => {
    const file = join(folder, 'svc.sqlite');
    // Heads that are written meanwhile are removed with the folder.
    const copy: Config = { ...config, databaseUrl: `sqlite:${file}`, auditHead: join(folder, 'audit.head') };
    const restored = await restore(copy.databaseUrl, backup, { yes: false, now: new Date() });
    steps.begin(restored.documents);
    const { documents, auditRows, problems } = await checkCopy(copy, presentSecretKeys(config), steps);
    return { ...restored, file: backup, documentsChecked: documents, auditRows, problems };
  });
}
