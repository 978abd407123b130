/** verify: checks every file of an archive against the manifest, before anything is written. */
import { createHash } from 'node:crypto';
import { mkdir, open, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { SetupError } from '../base/errors';
import { linesOf } from '../base/lines';
import { FORMAT, MANIFEST_FILE, RECORD_FILE, type RecordFile } from './format';
import { unpack } from './unpack';

export type Checked = { readonly name: string; readonly digest: string; readonly ok: boolean };

type Verified = {
  readonly opening: RecordFile;
  readonly files: number;
  /** SHA-256 of the manifest. */ readonly manifest: string;
};

const SEEN = '.seen';

/** Files with rows are kept in the scratch folder; files with content are only hashed. */
function isKeptFile(name: string): boolean {
  return /\.(json|jsonl|sha256)$/.test(name) && !/^(documents|attachments|app-documents)\//.test(name);
}

/**
 * Writes the files with rows to the scratch folder, and the digests of all files but the manifest.
 * @returns the digest of the manifest; undefined without one
 */
async function scan(file: string, scratch: string): Promise<string | undefined> {
  let manifest: string | undefined;
  const seen = await open(join(scratch, SEEN), 'w', 0o600);
  try {
    await unpack(file, async ({ name, pieces }) => {
      const hash = createHash('sha256');
      const path = join(scratch, name);
      if (isKeptFile(name)) {
        await mkdir(dirname(path), { recursive: true });
      }
      const copy = isKeptFile(name) ? await open(path, 'wx', 0o600) : undefined;
      try {
        for await (const piece of pieces()) {
          hash.update(piece);
          await copy?.writeFile(piece);
        }
      } finally {
        await copy?.close();
      }
      const digest = hash.digest('hex');
      if (name === MANIFEST_FILE) {
        manifest = digest;
      } else {
        await seen.writeFile(`${digest}  ${name}\n`);
      }
    });
    return manifest;
  } finally {
    await seen.close();
  }
}

function digestAndName(line: string): { readonly digest: string; readonly name: string } {
  return {
    digest: line.slice(0, 64),
    name: line.slice(66),
  };
}

/** Both lists are in the order of the archive, so they are read side by side. */
async function compareFiles(
  scratch: string,
  seen: AsyncGenerator<string>,
  report: (checked: Checked) => void,
): Promise<{ files: number; failed: number }> {
  let files = 0;
  let failed = 0;
  for await (const line of linesOf(join(scratch, MANIFEST_FILE))) {
    const wanted = digestAndName(line);
    const next = await seen.next();
    const found = next.done ? undefined : digestAndName(next.value);
    if (found?.name !== wanted.name) {
      throw new SetupError([
        `the archive should hold ${wanted.name} where it holds ${found?.name ?? 'nothing'}: nothing was imported`,
      ]);
    }
    const ok = found.digest === wanted.digest;
    report({ name: wanted.name, digest: found.digest, ok });
    files += 1;
    failed += ok ? 0 : 1;
  }
  const more = await seen.next();
  if (!more.done) {
    throw new SetupError([
      `the archive holds ${digestAndName(more.value).name}, which its manifest does not know: nothing was imported`,
    ]);
  }
  return { files, failed };
}

async function readOpening(scratch: string): Promise<RecordFile> {
  const opening = JSON.parse(await readFile(join(scratch, RECORD_FILE), 'utf8')) as RecordFile;
  if (opening.format !== FORMAT) {
    throw new SetupError([`the archive has format ${opening.format}, this release reads format ${FORMAT}`]);
  }
  return opening;
}

/**
 * Checks an archive and leaves its files with rows in the scratch folder.
 * @param report called once for each file
 * @throws SetupError when anything is missing, added or different
 */
export async function verifyArchive(
  file: string,
  scratch: string,
  report: (checked: Checked) => void,
): Promise<Verified> {
  const manifest = await scan(file, scratch);
  if (manifest === undefined) {
    throw new SetupError([`${file} has no manifest: it is cut off, or not written by svc export`]);
  }
  const seen = linesOf(join(scratch, SEEN));
  const { files, failed } = await compareFiles(scratch, seen, report).finally(() => seen.return(undefined));
  if (failed > 0) {
    throw new SetupError([`${failed} of ${files} files differ from the manifest: nothing was imported`]);
  }
  return { opening: await readOpening(scratch), files, manifest };
}
