/** approve: `svc approve TOKEN`: approves a request token without a website, for the development of an app. */
import type { Command } from 'commander';
import { newTokenPair } from '../../core/auth/tokens';
import { toTimestamp } from '../../core/base/clock';
import { AppError, SetupError } from '../../core/base/errors';
import { loadConfig } from '../../core/config/load';
import { staysOnThisMachine } from '../../core/config/loopback';
import type { Config } from '../../core/config/schema';
import { operate, type Fields, type Page } from '../../core/http/operation';
import type { TableRow } from '../../core/http/table';
import { isDevelopmentSecret } from '../../core/apps/known-secrets';
import { readManifests } from '../../core/apps/manifests';
import { publicAddress } from '../../core/server/start';
import { withServices } from '../../core/server/with-services';
import type { Services } from '../../core/services';
import * as accountStore from '../../core/accounts/store';
import * as appStore from '../../core/apps/store';
import * as tokenStore from '../../core/tokens/store';

const SECONDS = 60;

function refuseInEarnest(config: Config): void {
  if (!staysOnThisMachine(config)) {
    throw new SetupError([
      `svc approve is for development on a loopback address: at ${new URL(publicAddress(config)).host}, a person says yes at the website`,
    ]);
  }
}

/**
 * The UI app in whose session the account approves: one whose folder names no secret, as the bundled one.
 * @throws SetupError when there is none
 */
async function bundledUi({ config, database }: Services): Promise<string> {
  const registered = await appStore.listEveryApp(database.reads);
  const isRegistered = (wanted: string): boolean =>
    registered.some(({ id, retiredAt }) => id === wanted && retiredAt === null);
  const ui = readManifests(config).apps.find(
    ({ id, kind, secret }) =>
      kind === 'ui' && (secret === undefined || isDevelopmentSecret(secret)) && isRegistered(id),
  );
  if (!ui) {
    throw new SetupError([
      'svc approve is for development, with the secret that the service makes for its website, and every UI app here has another: say yes at the website',
    ]);
  }
  return ui.id;
}

type Yes = { readonly token: string; readonly accountId: string; readonly recordId: string };

/** Does what the website does: opens a short session, claims the token and approves it. Each call has its audit row. */
async function approve(
  services: Services,
  routes: readonly TableRow[],
  { token, accountId, recordId }: Yes,
): Promise<string> {
  const { database, sealing, clock } = services;
  const uiAppId = await bundledUi(services);
  const account = await accountStore.findAccount(database.reads, accountId);
  if (account?.state !== 'active') {
    throw new SetupError([
      account
        ? `the account ${accountId} is ${account.state}: name an active one`
        : `there is no account ${accountId}: svc accounts list shows them`,
    ]);
  }
  const { stored } = newTokenPair(sealing);
  const now = clock.now();
  await database.write((connection) =>
    tokenStore.insertSession(connection, {
      ...stored,
      accountId,
      uiAppId,
      createdAt: toTimestamp(now),
      lastUsedAt: toTimestamp(now),
      expiresAt: toTimestamp(now + SECONDS * 1000),
    }),
  );
  const page: Page = { url: '', method: 'SVC', ipAddress: '', received: now, appId: uiAppId };
  const call = (name: string, body: Fields): Promise<unknown> => {
    const { spec } = routes.find((row) => row.spec.name === name)!;
    const principal = { kind: 'account', accountId, uiAppId, sessionHash: stored.tokenHash } as const;
    return operate(spec, { principal, params: { REQTOKEN_ID: token }, body }, page, services);
  };
  try {
    await call('request_token_claim', {});
    return ((await call('request_token_approve', { record_id: recordId })) as { readonly location: string }).location;
  } catch (error) {
    throw error instanceof AppError && error.code === 'permission_denied'
      ? new SetupError([
          `${accountId} has no full control of a record ${recordId}: svc records list ${accountId} shows those that it has`,
        ])
      : error;
  } finally {
    await database.write((connection) => tokenStore.endSession(connection, stored.tokenHash));
  }
}

export function addApprove(program: Command): void {
  program
    .command('approve')
    .description(
      'for development, on a loopback address and with the bundled UI app: an account says yes to a request ' +
        'token; prints the verifier and where a browser would be sent',
    )
    .argument('<token>', 'the oauth_token that POST /oauth/request_token answered')
    .requiredOption('--account <account>', 'id of the account that says yes')
    .requiredOption('--record <record>', 'id of the record that the app may use')
    .option('--json', 'print the result as JSON')
    .action(
      async (
        token: string,
        { account, record, json }: { readonly account: string; readonly record: string; readonly json?: boolean },
      ) => {
        const config = loadConfig();
        refuseInEarnest(config);
        const yes = { token, accountId: account.trim().toLowerCase(), recordId: record };
        const redirect = await withServices(config, (services, routes) => approve(services, routes, yes));
        const verifier = new URL(redirect).searchParams.get('oauth_verifier') ?? '';
        process.stdout.write(
          json
            ? `${JSON.stringify({ verifier, redirect })}\n`
            : `${yes.accountId} lets the app use the record ${record}\n  verifier  ${verifier}\n  redirect  ${redirect}\n`,
        );
      },
    );
}
