/**
 * adapter: keeps the authorization server's data in the store of core/db. When two requests compete, the database
 * decides.
 */
import type { Adapter, AdapterPayload } from 'oidc-provider' with { 'resolution-mode': 'import' };
import { holdStanding, issueSmartToken } from './tokens';
import { askingBucket, countDone } from '../../core/auth/attempts';
import { fhirUserOf } from '../../core/auth/fhir-user';
import { keepAsking, readAsking, type SmartAsking } from './requests';
import { scopeWords } from '../../core/tokens/smart-scopes';
import { whyEnded } from '../../core/auth/tokens';
import { fromTimestamp, toTimestamp } from '../../core/base/clock';
import { sha256 } from '../../core/base/ids';
import type { Services } from '../../core/services';
import type { Transaction } from '../../core/db/database';
import type { FoundGrant, SmartCodeKind } from './store';
import { smartBackendOf } from '../../core/apps/smart-client';
import { findClient } from './clients';
import { beyondSystem } from './scopes';
import { codeContent, leadsToAnswer, type Rotation } from './rotation';
import * as smartStore from './store';
import * as appStore from '../../core/apps/store';
import * as systemStore from '../../core/tokens/system-tokens-store';
import * as tokenStore from '../../core/tokens/store';

/** What the adapter needs from the package, which is loaded only when the first app asks. */
export type Lent = {
  readonly refuseGrant: (why: string) => Error;
  readonly refuseSession: (why: string) => Error;
  readonly refuseClient: (why: string) => Error;
  readonly refuseScope: (why: string, scope: string) => Error;
  /** The secret of a person's answer in the present request; undefined without an answer. */ readonly answer: () =>
    string | undefined;
  /** The exchange of a refresh token that the present request has begun. */ readonly rotation: () =>
    Rotation | undefined;
  /** Begins the exchange of a refresh token. */ readonly rotate: (codeHash: string) => void;
  /** The app that has proven itself with an access token for the present request. */ readonly proven: () =>
    string | undefined;
  /** The network address from which the present request came. */ readonly address: () => string;
};

/** The methods of the adapter for one model of the package; the package never calls those that are missing. */
type Kept = Partial<Pick<Adapter, 'upsert' | 'find' | 'consume' | 'destroy'>>;

/** Writes now, or together with the rest of what the exchange of a refresh token writes. */
function storeLent({ database }: Services, lent: Lent, write: (trx: Transaction) => Promise<void>): Promise<void> {
  const rotation = lent.rotation();
  if (!rotation) {
    return database.transaction(write);
  }
  rotation.writes.push(write);
  return Promise.resolve();
}

function seconds(stored: string): number {
  return Math.floor(fromTimestamp(stored) / 1000);
}

/** Grants. The id of a grant is no secret, so it is stored as it is. */
function grants({ database }: Services): Kept {
  return {
    find: async (id) => {
      const grant = await smartStore.findGrant(database.reads, id);
      return (
        grant && {
          jti: id,
          kind: 'Grant',
          accountId: grant.subject,
          clientId: grant.consumerKey,
          openid: { scope: grant.scopes },
          iat: seconds(grant.createdAt),
          exp: seconds(grant.expiresAt),
        }
      );
    },
    destroy: (id) => database.transaction((trx) => smartStore.endGrant(trx, id)),
  };
}

/** The launch context that an app gets with a token. */
export function contextOf(grant: FoundGrant, scopes: readonly string[]): Record<string, string> {
  return {
    patient: grant.recordId,
    ...(scopes.includes('openid') && scopes.includes('fhirUser')
      ? { fhirUser: fhirUserOf(grant.recordId, grant.accountId, grant.ownerId) }
      : {}),
  };
}

function accessTokens(services: Services, lent: Lent): Kept {
  return {
    upsert: (id, { grantId = '', scope = '', exp = 0 }) =>
      storeLent(services, lent, async (trx) => {
        const token = { tokenHash: sha256(id), grantHash: grantId, scopes: scope, expiresAt: exp * 1000 };
        if (!(await issueSmartToken(services, trx, token))) {
          throw lent.refuseGrant('what was given has ended');
        }
      }),
    find: async (id) => {
      const { database, clock } = services;
      const standing = await tokenStore.findBearerStanding(database.reads, sha256(id));
      if (!standing || standing.grantHash === null || whyEnded(standing.access, clock) !== undefined) {
        return undefined;
      }
      const grant = await smartStore.findGrant(database.reads, standing.grantHash);
      return (
        grant && {
          jti: id,
          kind: 'AccessToken',
          accountId: grant.subject,
          clientId: grant.consumerKey,
          grantId: grant.grantHash,
          scope: standing.scopes,
          iat: seconds(standing.createdAt),
          exp: seconds(standing.access.expiresAt),
          extra: contextOf(grant, scopeWords(standing.scopes)),
        }
      );
    },
    destroy: async (id) => {
      await services.database.write((trx) => smartStore.deleteSmartToken(trx, sha256(id)));
    },
  };
}

/**
 * Codes and refresh tokens. Each can be used once; using one again ends every token of the grant. For some seconds a
 * refresh token that comes again is treated as unused, because `exchangeRefreshToken` then gives the same answer.
 */
function codes(services: Services, kind: SmartCodeKind, lent: Lent): Kept {
  const { database, sealing, clock } = services;
  return {
    upsert: (id, payload) =>
      storeLent(services, lent, async (trx) => {
        const grantHash = payload.grantId ?? '';
        if (!(await holdStanding(services, trx, grantHash))) {
          throw lent.refuseGrant('what was given has ended');
        }
        const { jti: _secret, ...content } = payload;
        await smartStore.insertCode(trx, {
          codeHash: sha256(id),
          kind,
          grantHash,
          content: sealing.seal(JSON.stringify(content)),
          usedAt: null,
          expiresAt: toTimestamp((payload.exp ?? 0) * 1000),
        });
      }),
    find: async (id) => {
      const row = await smartStore.findCode(database.reads, kind, sha256(id));
      if (!row) {
        return undefined;
      }
      const content = codeContent(services, row);
      const { answer: _answer, ...payload } = content;
      const used = row.usedAt !== null && !leadsToAnswer(services, row, content);
      return { ...(payload as AdapterPayload), jti: id, ...(used ? { consumed: seconds(row.usedAt!) } : {}) };
    },
    consume: async (id) => {
      if (kind === 'refresh') {
        lent.rotate(sha256(id));
        return;
      }
      const used = await database.transaction(async (trx) => {
        const first = await smartStore.useCode(trx, sha256(id), toTimestamp(clock.now()));
        const row = first ? undefined : await smartStore.findCode(trx, kind, sha256(id));
        if (row) {
          await smartStore.endGrant(trx, row.grantHash);
        }
        return first;
      });
      if (!used) {
        throw lent.refuseGrant('it was used already');
      }
    },
    destroy: async (id) => {
      await database.write((trx) => smartStore.deleteCode(trx, sha256(id)));
    },
  };
}

/**
 * Requests that wait for a person's answer. An answer is accepted only with the secret that the browser of the request
 * received. Anybody can make such requests, so their number is limited.
 */
function askings(services: Services, lent: Lent): Kept {
  return {
    upsert: (id, payload, expiresIn) =>
      services.database.transaction(async (trx) => {
        const asking = payload as unknown as SmartAsking;
        const limit = services.config.rateAddressPerMinute;
        await countDone(trx, services.clock, askingBucket(limit, asking.params.client_id, lent.address()));
        await keepAsking(services, trx, id, asking, expiresIn ?? 0);
      }),
    find: async (id) => {
      const found = await readAsking(services, services.database.reads, id);
      if (!found) {
        return undefined;
      }
      const answered = found.answerHash !== undefined;
      return answered && sha256(lent.answer() ?? '') !== found.answerHash
        ? undefined
        : (found.asking as unknown as AdapterPayload);
    },
    destroy: async (id) => {
      if (!(await services.database.write((trx) => smartStore.deleteRequest(trx, sha256(id))))) {
        throw lent.refuseSession('it was answered already');
      }
    },
  };
}

/** Tokens of apps that act by themselves. They are for all records that people share with the app, now and later. */
function systemTokens({ database, clock }: Services, lent: Lent): Kept {
  return {
    upsert: async (id, { clientId = '', scope = '', exp = 0 }) => {
      const app = await appStore.findUserAppByKey(database.reads, clientId);
      const backend = app && smartBackendOf(app);
      if (!backend) {
        throw lent.refuseGrant('the app may not act by itself');
      }
      const beyond = beyondSystem(scope, backend.scope);
      if (beyond !== undefined) {
        throw lent.refuseScope('the app may not have this scope, or it asks for none', beyond);
      }
      await database.transaction(async (trx) => {
        if (!(await appStore.holdApp(trx, app.id))) {
          throw lent.refuseGrant('the app is no longer registered');
        }
        await systemStore.insertSystemToken(trx, {
          tokenHash: sha256(id),
          appId: app.id,
          scopes: scopeWords(scope).join(' '),
          createdAt: toTimestamp(clock.now()),
          expiresAt: toTimestamp(exp * 1000),
        });
      });
    },
    find: async (id) => {
      const token = await systemStore.findSystemToken(database.reads, sha256(id), toTimestamp(clock.now()));
      return (
        token && {
          jti: id,
          kind: 'ClientCredentials',
          clientId: token.consumerKey,
          scope: token.scopes,
          iat: seconds(token.createdAt),
          exp: seconds(token.expiresAt),
        }
      );
    },
    destroy: async (id) => {
      await database.write((trx) => systemStore.deleteSystemToken(trx, sha256(id)));
    },
  };
}

function assertions({ database }: Services, lent: Lent): Kept {
  return {
    upsert: async (id, { exp = 0 }) => {
      if (!(await database.transaction((trx) => smartStore.useAssertion(trx, sha256(id), toTimestamp(exp * 1000))))) {
        throw lent.refuseClient('the assertion was used already');
      }
    },
    find: async (id) => ((await smartStore.isAssertionUsed(database.reads, sha256(id))) ? { jti: id } : undefined),
  };
}

/** Sessions are not kept: the website knows who is signed in. */
const forgotten: Kept = { find: () => Promise.resolve(undefined), upsert: () => Promise.resolve() };

const kinds: Readonly<Record<string, (services: Services, lent: Lent) => Kept>> = {
  AccessToken: accessTokens,
  ClientCredentials: systemTokens,
  AuthorizationCode: (services, lent) => codes(services, 'code', lent),
  RefreshToken: (services, lent) => codes(services, 'refresh', lent),
  Grant: grants,
  Interaction: askings,
  ReplayDetection: assertions,
  Session: () => forgotten,
  Client: (services, lent) => ({
    find: (id) => findClient(services, id, lent.proven() === id) as Promise<AdapterPayload | undefined>,
  }),
};

function nothing(): Promise<undefined> {
  return Promise.resolve(undefined);
}

/** @param name the name of a model of the package */
export function makeAdapter(services: Services, lent: Lent, name: string): Adapter {
  const kept = kinds[name]?.(services, lent) ?? {};
  return {
    upsert: nothing,
    find: nothing,
    consume: nothing,
    destroy: nothing,
    findByUid: nothing,
    findByUserCode: nothing,
    revokeByGrantId: (id) => services.database.transaction((trx) => smartStore.endGrant(trx, id)),
    ...kept,
  };
}
