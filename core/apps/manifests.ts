/**
 * manifests: reads the folders under manifests/ into apps, and reports everything that is wrong with them in one line
 * each (specification 2.12).
 */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type Joi from 'joi';
import { problemsOf, SetupError } from '../base/errors';
import { sha256 } from '../base/ids';
import type { AppKind, Json } from '../base/types';
import { readSetupFile, readSetupFolder, readYaml } from '../config/read-yaml';
import type { Config } from '../config/schema';
import type { AppRow } from './store';
import { backendOf, clientOf, clientProblem, clientWarnings, needsNoSecret } from './smart-client';
import {
  credentials,
  machineManifest,
  userManifest,
  type Credentials,
  type MachineManifest,
  type UserManifest,
} from './manifest-schema';

/** An app as its folder describes it. */
export type AppFiles = Omit<AppRow, 'consumerSecret' | 'retiredAt' | 'createdAt' | 'updatedAt'> & {
  /** Undefined if the folder names none: the service makes one. */
  readonly secret: string | undefined;
};

/** A folder that could not be read, with its id if that could be read. */
type BrokenFolder = { readonly folder: string; readonly id: string | undefined };

export type Manifests = {
  readonly apps: readonly AppFiles[];
  /** Why apps cannot be registered, as `file:line: reason`. */
  readonly problems: readonly string[];
  /** What an operator should know, although the app can be registered. */
  readonly warnings: readonly string[];
  readonly broken: readonly BrokenFolder[];
  /** Folders of the settings that do not exist or cannot be read. Their apps are unknown. */
  readonly missingRoots: readonly string[];
};

const kinds: readonly AppKind[] = ['ui', 'admin', 'user'];

const MANIFEST = 'manifest.json';
const CREDENTIALS = 'credentials.json';

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

type Parsed = { readonly value: unknown; readonly lineOf: (path: readonly (string | number)[]) => number };

function parseJson(file: string, vocabBase: string): Parsed {
  const text = readSetupFile(file, vocabBase);
  try {
    return { value: JSON.parse(text), lineOf: readYaml(text).lineOf };
  } catch (error) {
    const offset = Number(
      /position (\d+)/.exec((error as Error).message)?.[1] ?? (text.trim() === '' ? 0 : text.length),
    );
    throw new SetupError([`${file}:${lineAt(text, offset)}: not valid JSON`]);
  }
}

type Checked<T> = { readonly value: T; readonly unknown: readonly string[] };

function checkFile<T>(file: string, parsed: Parsed, schema: Joi.ObjectSchema<T>): Checked<T> {
  const { value, error } = schema.validate(parsed.value, { abortEarly: false, convert: false, allowUnknown: true });
  if (error) {
    throw new SetupError(error.details.map(({ path, message }) => `${file}:${parsed.lineOf(path)}: ${message}`));
  }
  const known = schema.validate(parsed.value, { convert: false, stripUnknown: true }).value as object;
  return {
    value: value as T,
    unknown: Object.keys(parsed.value as object).filter((key) => !Object.hasOwn(known, key)),
  };
}

/** The fields of a manifest that have no column of their own; they are kept, because clients get them back. */
function restOf(manifest: UserManifest): AppRow['manifest'] {
  const { smart_version, requires, supportedBrowserEnvironments, optimalBrowserEnvironments } = manifest;
  const smart_client = clientOf(manifest);
  const smart_backend = backendOf(manifest);
  return JSON.parse(
    JSON.stringify({
      smart_version,
      requires,
      supportedBrowserEnvironments,
      optimalBrowserEnvironments,
      smart_client,
      smart_backend,
    }),
  ) as Record<string, Json>;
}

/** Old manifests were written for XML: their start addresses have `&amp;` where `&` is meant. */
function plainAddress(address: string | undefined): string | null {
  return address?.replaceAll('&amp;', '&') || null;
}

type Described = Omit<AppFiles, 'consumerKey' | 'secret' | 'digest' | 'folder'>;

function fromUserManifest(manifest: UserManifest): Described {
  const autonomous = manifest.mode === 'background';
  const indexUrl = plainAddress(manifest.index);
  return {
    id: manifest.id,
    kind: 'user',
    name: manifest.name,
    description: manifest.description,
    author: manifest.author,
    version: manifest.version,
    svcVersion: manifest.svc_version ?? (/^0\.4(?:\.|$)/.test(manifest.smart_version ?? '') ? '2.0.0' : null),
    autonomous,
    autonomousReason: manifest.autonomous_reason ?? null,
    hasUi: manifest.has_ui ?? indexUrl !== null,
    frameable: manifest.frameable ?? indexUrl !== null,
    indexUrl,
    icon: plainAddress(manifest.icon),
    callbackUrl: plainAddress(manifest.oauth_callback_url),
    manifest: restOf(manifest),
  };
}

function fromMachineManifest(manifest: MachineManifest): Described {
  return {
    id: manifest.id,
    kind: manifest.ui_app ? 'ui' : 'admin',
    name: manifest.name,
    description: manifest.description,
    author: manifest.author,
    version: manifest.version,
    svcVersion: manifest.svc_version ?? null,
    autonomous: false,
    autonomousReason: null,
    hasUi: manifest.ui_app,
    frameable: false,
    indexUrl: null,
    icon: null,
    callbackUrl: null,
    manifest: {},
  };
}

function warningsOf(file: string, { value, unknown }: Checked<UserManifest | MachineManifest>): readonly string[] {
  const user = 'mode' in value ? value : undefined;
  return [
    ...unknown.map((key) => `the key ${key} is not known and has no effect`),
    ...(value.description === '' ? ['it has no description'] : []),
    ...(user?.mode === 'background' && !user.autonomous_reason
      ? ['a background app should give its autonomous_reason']
      : []),
    ...(user?.has_ui === false && user.mode !== 'background'
      ? ['has_ui is false although its mode is not background']
      : []),
    ...(user ? clientWarnings(user) : []),
    ...(user?.index?.includes('&amp;') ? ['the index has &amp; where & is meant'] : []),
  ].map((text) => `${file}: ${text}`);
}

/** `placeOf`: where the id and the consumer key are, as `file:line`. */
type Read = {
  readonly app: AppFiles;
  readonly warnings: readonly string[];
  readonly placeOf: (what: 'id' | 'consumer_key') => string;
};

/**
 * The credentials of an app, with the lines of their keys. An app that proves itself without a secret needs no file, and
 * has the empty secret unless its file names another.
 */
function readKeys(
  file: string,
  manifest: UserManifest | MachineManifest,
  kind: AppKind,
  vocabBase: string,
): Credentials & Pick<Parsed, 'lineOf'> {
  if (!existsSync(file) && needsNoSecret(manifest)) {
    return { consumer_secret: '', lineOf: () => 1 };
  }
  const parsed = parseJson(file, vocabBase);
  const keys: Credentials = checkFile(file, parsed, credentials(kind === 'user')).value;
  const problem = clientProblem(manifest, keys.consumer_secret);
  if (problem !== undefined) {
    throw new SetupError([`${file}:${parsed.lineOf(['consumer_secret'])}: ${problem}`]);
  }
  return {
    ...keys,
    ...(needsNoSecret(manifest) ? { consumer_secret: keys.consumer_secret ?? '' } : {}),
    lineOf: parsed.lineOf,
  };
}

function readFolder({ path, kind, name, keys: keyFolder = path }: Folder, vocabBase: string): Read {
  const file = join(path, MANIFEST);
  const schema = kind === 'user' ? userManifest : machineManifest;
  const parsed = parseJson(file, vocabBase);
  const manifest = checkFile<UserManifest | MachineManifest>(file, parsed, schema);
  const described =
    kind === 'user'
      ? fromUserManifest(manifest.value as UserManifest)
      : fromMachineManifest(manifest.value as MachineManifest);
  if (described.kind !== kind) {
    throw new SetupError([`${file}:${parsed.lineOf(['ui_app'])}: "ui_app" does not agree with the folder ${kind}`]);
  }
  const keyFile = join(keyFolder, CREDENTIALS);
  const keys = readKeys(keyFile, manifest.value, kind, vocabBase);
  const app = { ...described, folder: `${kind}/${name}`, consumerKey: keys.consumer_key ?? described.id };
  return {
    app: { ...app, digest: sha256(JSON.stringify(app)), secret: keys.consumer_secret },
    warnings: warningsOf(file, manifest),
    placeOf: (what) =>
      what === 'id' || keys.consumer_key === undefined
        ? `${file}:${parsed.lineOf(['id'])}`
        : `${keyFile}:${keys.lineOf(['consumer_key'])}`,
  };
}

/** The id in a manifest, even if the rest of it is wrong. */
function idIn(path: string, vocabBase: string): string | undefined {
  try {
    const { id } = parseJson(join(path, MANIFEST), vocabBase).value as { id?: unknown };
    return typeof id === 'string' ? id : undefined;
  } catch {
    return undefined;
  }
}

type Folder = {
  readonly path: string;
  readonly kind: AppKind;
  readonly name: string;
  /** The folder that has its credentials, where that is another one. */
  readonly keys?: string;
};

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch (error) {
    throw new SetupError([`${path}: it cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown reason'})`]);
  }
}

/** Links to folders are followed, as they are for formats and models. */
function subfolders(path: string): readonly string[] {
  return existsSync(path)
    ? readSetupFolder(path)
        .map(({ name }) => name)
        .filter((name) => isFolder(join(path, name)))
        .sort()
    : [];
}

function foldersIn(root: string): readonly Folder[] {
  return kinds.flatMap((kind) =>
    subfolders(join(root, kind)).map((name) => ({ path: join(root, kind, name), kind, name })),
  );
}

/** Manifests in the wrong place: below a folder that is not named after a kind, or not in a folder of their own. */
function misplaced(root: string): readonly Omit<Folder, 'kind'>[] {
  return ['', ...subfolders(root).filter((name) => !name.startsWith('.') && name !== 'node_modules')].flatMap(
    (kind) => {
      const inside =
        kind === '' || kinds.some((known) => known === kind)
          ? []
          : subfolders(join(root, kind)).map((name) => join(kind, name));
      return [kind, ...inside]
        .map((name) => ({ path: join(root, name), name }))
        .filter(({ path }) => existsSync(join(path, MANIFEST)));
    },
  );
}

/** The first app that has the same id or consumer key, and which of the two it is; undefined if both are unique. */
function firstOf(
  read: Read,
  others: readonly Read[],
): { readonly what: 'id' | 'consumer_key'; readonly first: Read } | undefined {
  const sameId = others.find(({ app }) => app.id === read.app.id);
  const first = sameId ?? others.find(({ app }) => app.consumerKey === read.app.consumerKey);
  return first && { what: sameId ? 'id' : 'consumer_key', first };
}

/** Refuses the later of two folders with the same id or consumer key. An app that is stored already stays as it was. */
function refuseTwins(all: readonly Read[]): {
  readonly read: readonly Read[];
  readonly problems: readonly string[];
  readonly broken: readonly BrokenFolder[];
} {
  const read: Read[] = [];
  const problems: string[] = [];
  const broken: BrokenFolder[] = [];
  for (const one of all) {
    const twin = firstOf(one, read);
    if (twin) {
      problems.push(`${one.placeOf(twin.what)}: its ${twin.what} is that of ${twin.first.placeOf(twin.what)}`);
      broken.push({ folder: one.app.folder, id: one.app.id });
    } else {
      read.push(one);
    }
  }
  return { read, problems, broken };
}

type Root = {
  readonly folders: readonly Folder[];
  readonly misplaced: readonly Omit<Folder, 'kind'>[];
  readonly problems: readonly string[];
};

function readRoot(root: string): Root {
  try {
    return existsSync(root)
      ? { folders: foldersIn(root), misplaced: misplaced(root), problems: [] }
      : { folders: [], misplaced: [], problems: [`${root}: there is no such folder (SVC_MANIFESTS_DIR)`] };
  } catch (error) {
    return {
      folders: [],
      misplaced: [],
      problems: problemsOf(error).map((problem) => `${problem} (SVC_MANIFESTS_DIR)`),
    };
  }
}

function holdsCredentialsOnly({ path }: Folder): boolean {
  return existsSync(join(path, CREDENTIALS)) && !existsSync(join(path, MANIFEST));
}

/**
 * A folder with credentials but no manifest gives its credentials to the app of the same folder in an earlier root. In
 * this way, an installation keeps its secrets apart from the manifests of a release. The last such folder wins.
 */
function withOtherKeys(all: readonly Folder[]): readonly Folder[] {
  const folders: Folder[] = [];
  for (const folder of all) {
    const place = folders.findIndex(({ kind, name }) => kind === folder.kind && name === folder.name);
    if (place !== -1 && holdsCredentialsOnly(folder)) {
      folders[place] = { ...folders[place]!, keys: folder.path };
    } else {
      folders.push(folder);
    }
  }
  return folders;
}

/** Reads every app folder of the settings. The content of a folder never makes it throw: see `problems`. */
export function readManifests({ manifestsDirs, vocabBase }: Pick<Config, 'manifestsDirs' | 'vocabBase'>): Manifests {
  const roots = manifestsDirs.map(readRoot);
  const problems = roots.flatMap((root) => root.problems);
  const missingRoots = manifestsDirs.filter((_, index) => roots[index]!.problems.length > 0);
  const broken: BrokenFolder[] = [];
  for (const { path, name } of roots.flatMap((root) => root.misplaced)) {
    problems.push(
      `${join(path, MANIFEST)}:1: it is not read: an app is a folder in admin, ui or user, so name its folder user/NAME`,
    );
    broken.push({ folder: name, id: idIn(path, vocabBase) });
  }
  const all: Read[] = [];
  for (const folder of withOtherKeys(roots.flatMap((root) => root.folders))) {
    const { path, kind, name } = folder;
    try {
      all.push(readFolder(folder, vocabBase));
    } catch (error) {
      problems.push(...problemsOf(error));
      broken.push({ folder: `${kind}/${name}`, id: idIn(path, vocabBase) });
    }
  }
  const { read, ...twins } = refuseTwins(all);
  return {
    apps: read.map(({ app }) => app),
    problems: [...problems, ...twins.problems],
    warnings: read.flatMap(({ warnings }) => warnings),
    broken: [...broken, ...twins.broken],
    missingRoots,
  };
}
