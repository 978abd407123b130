/**
 * import-principals: the people and apps of an archive, matched with those of this installation (specification 1.2).
 */
import type { Sealing } from '../auth/sealing';
import { SetupError } from '../base/errors';
import type { AppKind, PrincipalId, Timestamp } from '../base/types';
import type { Database, Transaction } from '../db/database';
import { inParts } from '../db/in-parts';
import { insertAccount, newAccount } from '../accounts/store';
import { insertApp, principalKindOf } from '../apps/store';
import { PRINCIPALS_FILE, type PrincipalLine, type Row } from './format';

export type Matched = {
  /** Principals that the archive names and this installation does not know. */
  readonly missing: readonly PrincipalLine[];
  /** Apps that are registered here; only these get back their rights on the record. */
  readonly apps: ReadonlySet<PrincipalId>;
};

/** The most characters of the name of an account, and of that of an app. */
const [ACCOUNT_NAME, APP_NAME] = [150, 200];
const ID = 255;

const kindsOfApps: readonly string[] = Object.values(principalKindOf);

/** The same rules as for an account that is made here. The name of an app never becomes more than a name. */
function isPrincipal({ id, kind, name }: Row): boolean {
  const [named, called] = [String(id ?? ''), String(name ?? '')];
  return kind === 'account'
    ? named === named.trim().toLowerCase() && named !== '' && [...named].length <= ID && called.length <= ACCOUNT_NAME
    : kindsOfApps.includes(String(kind)) && named !== '' && [...named].length <= ID && called.length <= APP_NAME;
}

/** The people and apps that an archive lists. @throws SetupError for one who could not exist here */
export async function readPrincipals(rows: AsyncIterable<Row>): Promise<readonly PrincipalLine[]> {
  const listed = new Map<string, PrincipalLine>();
  for await (const row of rows) {
    const line = { id: String(row['id']), kind: String(row['kind']), name: String(row['name']) };
    if (!isPrincipal(row) || listed.has(line.id)) {
      throw new SetupError([`the archive's ${PRINCIPALS_FILE} lists ${line.id}, who cannot be: nothing was imported`]);
    }
    listed.set(line.id, line);
  }
  return [...listed.values()];
}

/** @throws SetupError when an id is an account there and an app here, or the other way round */
export async function matchPrincipals({ reads }: Database, named: readonly PrincipalLine[]): Promise<Matched> {
  const known = new Map<string, string>();
  const apps = new Set<string>();
  for (const ids of inParts(named.map(({ id }) => id))) {
    ((await reads('principal').whereIn('id', ids).select('id', 'kind')) as PrincipalLine[]).forEach(({ id, kind }) =>
      known.set(id, kind),
    );
    ((await reads('app').whereIn('id', ids).whereNull('retired_at').pluck('id')) as string[]).forEach((id) =>
      apps.add(id),
    );
  }
  const strange = named.filter(
    ({ id, kind }) => known.has(id) && (known.get(id) === 'account') !== (kind === 'account'),
  );
  if (strange.length > 0) {
    throw new SetupError(
      strange.map(
        ({ id, kind }) =>
          `${id} is ` +
          `${kind === 'account' ? 'an account in the archive and an app here' : 'an app in the archive and an account here'}: ` +
          'nothing was imported',
      ),
    );
  }
  return { missing: named.filter(({ id }) => !known.has(id)), apps };
}

function kindOfApp(kind: string): AppKind {
  return (Object.keys(principalKindOf) as AppKind[]).find((one) => principalKindOf[one] === kind) ?? 'user';
}

/**
 * Adds the missing accounts and apps. The accounts have no way to sign in; an admin app can send them their activation.
 * The apps are retired, so that their names can be shown; sync-apps registers them when their folder exists.
 */
export async function addPrincipals(
  trx: Transaction,
  missing: readonly PrincipalLine[],
  sealing: Sealing,
  now: Timestamp,
): Promise<void> {
  for (const { id, kind, name } of missing) {
    if (kind === 'account') {
      await insertAccount(trx, newAccount({ id, fullName: name, contactEmail: id, createdAt: now, createdBy: null }));
    } else {
      await insertApp(trx, {
        id,
        kind: kindOfApp(kind),
        name,
        description: '',
        author: '',
        version: '',
        svcVersion: null,
        autonomous: false,
        autonomousReason: null,
        frameable: false,
        hasUi: false,
        indexUrl: null,
        icon: null,
        callbackUrl: null,
        manifest: {},
        folder: '',
        consumerKey: `retired:${id}`.slice(0, 200),
        consumerSecret: sealing.seal(''),
        digest: '',
        retiredAt: now,
        createdAt: now,
        updatedAt: now,
      });
    }
  }
}
