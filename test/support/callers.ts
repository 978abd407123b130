/** callers: one caller of every kind around one record, by its relation to that record. */
import { newId, newToken, sha256 } from '../../core/base/ids';
import { addAccount, addApp, addPerson, addSession, addToken, enable, now } from './cast';
import type { Credentials } from './client';
import { admin, ui, type TestService } from './server';
import { createRecord } from './world';
import { direct } from './direct';
import * as sharingStore from '../../core/sharing/store';
import * as tokenStore from '../../core/tokens/store';

export const callerNames = [
  'nobody',
  'bad signature',
  'stranger',
  'owner',
  'full share',
  'member',
  'removed member',
  'admin app',
  'creating admin app',
  'UI app',
  'user app two-legged',
  'app with a record token',
  'app whose account lost access',
  'app with a carenet token',
  'autonomous app with a token',
  'autonomous app two-legged',
  'another app with a record token',
  'request token',
] as const;
export type CallerName = (typeof callerNames)[number];

export type Callers = {
  readonly recordId: string;
  readonly carenetId: string;
  readonly credentials: Readonly<Record<CallerName, Credentials>>;
};

export const people = {
  owner: 'owner@example.org',
  share: 'share@example.org',
  member: 'member@example.org',
  removed: 'removed@example.org',
  stranger: 'stranger@example.org',
  lost: 'lost@example.org',
} as const;
export const APP = 'app@apps.example';
export const BACKGROUND = 'background@apps.example';

const later = '2999-01-01T00:00:00.000000Z';

/** Makes all callers; the record was created by the shipped admin app. */
// eslint-disable-next-line max-lines-per-function -- each caller is made from those before
export const makeCallers = async ({ call, services }: TestService): Promise<Callers> => {
  const { database, sealing } = services;
  const knex = direct(database);
  const [owner, share, member, removed, stranger] = [
    await addPerson(services, people.owner),
    await addPerson(services, people.share),
    await addPerson(services, people.member),
    await addPerson(services, people.removed),
    await addPerson(services, people.stranger),
  ];
  await addAccount(services, people.lost);
  const recordId = await createRecord(call, people.owner);
  const carenetId = newId();
  await sharingStore.insertCarenet(knex, { id: carenetId, recordId, name: 'Inner circle' }, now(services));
  await sharingStore.putShare(knex, recordId, people.share, null, now(services));
  await sharingStore.putMember(knex, carenetId, people.member, false, now(services));
  await sharingStore.putMember(knex, carenetId, people.removed, false, now(services));
  const otherAdmin = await addApp(services, 'other-admin@apps.example', 'admin');
  const [app, other, background] = [
    await addApp(services, APP, 'user'),
    await addApp(services, 'other@apps.example', 'user'),
    await addApp(services, BACKGROUND, 'user', true),
  ];
  for (const id of [app, other, background]) {
    await enable(services, recordId, id.consumer.key);
  }
  await sharingStore.putCarenetApp(knex, carenetId, APP, now(services));
  // This account has no share, but its token has not ended, so that the access rule itself must notice.
  const lost = await addToken(services, { app, accountId: people.lost, recordId });
  await sharingStore.deleteMember(knex, { id: carenetId, recordId }, people.removed);

  const request = { key: newToken(), secret: newToken() };
  await tokenStore.insertRequestToken(knex, {
    tokenHash: sha256(request.key),
    secret: sealing.seal(request.secret),
    verifier: sealing.seal('verifier'),
    appId: APP,
    callback: null,
    recordId,
    carenetId: null,
    claimedBy: people.owner,
    approvedBy: people.owner,
    approvedAt: now(services),
    createdAt: now(services),
    expiresAt: later,
  });
  const forged = {
    consumer: ui!.consumer,
    token: { key: (await addSession(services, people.owner)).token!.key, secret: 'wrong' },
  };
  return {
    recordId,
    carenetId,
    credentials: {
      nobody: null,
      'bad signature': forged,
      stranger: stranger,
      owner: owner,
      'full share': share,
      member: member,
      'removed member': removed,
      'admin app': otherAdmin,
      'creating admin app': admin,
      'UI app': ui,
      'user app two-legged': app,
      'app with a record token': await addToken(services, { app, accountId: people.owner, recordId }),
      'app whose account lost access': lost,
      'app with a carenet token': await addToken(services, { app, accountId: people.member, recordId, carenetId }),
      'autonomous app with a token': await addToken(services, { app: background, accountId: null, recordId }),
      'autonomous app two-legged': background,
      'another app with a record token': await addToken(services, { app: other, accountId: people.owner, recordId }),
      'request token': { consumer: app.consumer, token: request },
    },
  };
};
