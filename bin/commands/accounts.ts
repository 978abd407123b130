/** accounts: `svc accounts`: what an operator does to accounts without an HTTP client. */
import { text as readAll } from 'node:stream/consumers';
import type { Command } from 'commander';
import {
  createAccount,
  disableAccount,
  dropSecondFactor,
  listAccounts,
  readyAccount,
  resetAccount,
  setAccountPassword,
  unlockAccount,
  type NewAccount,
  type OperatorTools,
} from '../../core/accounts/operate';
import { openAuditSigner } from '../../core/audit/signer';
import { makePasswords } from '../../core/auth/passwords';
import { makeSealing, type Sealing } from '../../core/auth/sealing';
import { secretKeysOf } from '../../core/auth/secret-key';
import { systemClock, wireTime } from '../../core/base/clock';
import { newToken } from '../../core/base/ids';
import { loadConfig } from '../../core/config/load';
import { uiBaseUrl } from '../../core/http/ui-links';
import { createRecordFor } from '../../core/records/operate';
import { readModels, withDatabase } from '../../core/server/migrate-all';
import { prepareDatabase } from '../../core/server/prepare';
import { knownAddress, withServices } from '../../core/server/with-services';
import type { Account } from '../../core/accounts/store';
import { readDocumentFile } from '../files';
import { sayRefusal } from './records';
import { print } from '../print';

type Json = { readonly json?: boolean };

type Tools = OperatorTools & { readonly sealing: Sealing };

function withTools(work: (tools: Tools) => Promise<void>): Promise<void> {
  const config = loadConfig();
  return withDatabase(
    config,
    async (database) => {
      const sealing = makeSealing(secretKeysOf(config));
      // The first account may be made before the first start.
      (await prepareDatabase(config, database, readModels(config), sealing)).problems.forEach((problem) =>
        process.stderr.write(`svc: ${problem}\n`),
      );
      await work({
        database,
        clock: systemClock,
        sealing,
        passwords: makePasswords(config.passwordLeast),
        signer: await openAuditSigner(database, sealing, systemClock, { config }),
      });
    },
    { make: true },
  );
}

function describeAccount({
  id,
  state,
  fullName,
  contactEmail,
  lastLoginAt,
  failedLoginCount,
  authSystems,
}: Account): object {
  return {
    id,
    state,
    full_name: fullName,
    contact_email: contactEmail,
    last_login_at: wireTime(lastLoginAt),
    failed_logins: failedLoginCount,
    auth_systems: authSystems.map(({ name }) => name),
  };
}

function accountLine({ id, state, fullName, lastLoginAt, failedLoginCount }: Account): string {
  return [
    id.padEnd(32),
    state.padEnd(13),
    (lastLoginAt === null ? 'never signed in' : `last ${wireTime(lastLoginAt).slice(0, 10)}`).padEnd(15),
    failedLoginCount > 0 ? `${failedLoginCount} failed` : '',
    fullName,
  ]
    .join('  ')
    .trimEnd();
}

function addList(accounts: Command): void {
  accounts
    .command('list')
    .description('list accounts, by id')
    .argument('[text]', 'only accounts whose id, name or address contains it', '')
    .option('--json', 'one JSON object a line')
    .action((text: string, { json }: Json) =>
      withTools(async (tools) => {
        for await (const account of listAccounts(tools, text)) {
          print(json ? JSON.stringify(describeAccount(account)) : accountLine(account));
        }
      }),
    );
}

/** The password from standard input without the line end after it, or a new one. */
async function readPassword(fromStdin: boolean | undefined): Promise<string> {
  return fromStdin ? (await readAll(process.stdin)).replace(/\r?\n$/, '') : newToken();
}

type Creation = Json & {
  readonly name?: string;
  readonly email?: string;
  readonly passwordStdin?: boolean;
  readonly record?: string;
};

/** Makes an account and its record in one transaction. */
async function createWithRecord(account: NewAccount, file: string): Promise<{ id: string; record: string }> {
  const config = loadConfig();
  const bytes = readDocumentFile(file, config.vocabBase);
  return withServices(config, async (services) => {
    const ready = await readyAccount(services, account);
    const record = await createRecordFor(services, ready, bytes).catch(sayRefusal(file));
    return { id: ready.id, record: record.id };
  });
}

function addCreate(accounts: Command): void {
  accounts
    .command('create')
    .description('make an active account that signs in with a password')
    .argument('<id>', 'its e-mail-shaped id, which is also the user name')
    .option('--name <name>', 'full name', '')
    .option('--email <address>', 'contact address, when it is not the id')
    .option('--record <file>', 'make its record, too, with the demographics of this file')
    .option('--password-stdin', 'read the password from standard input; else one is made and printed')
    .option('--json', 'print the result as JSON')
    .action(async (given: string, { name = '', email = given, passwordStdin, record: file, json }: Creation) => {
      const password = await readPassword(passwordStdin);
      const account = { id: given, fullName: name, contactEmail: email, password };
      const tell = ({ id, record }: { readonly id: string; readonly record?: string }): void => {
        const shown = { ...(passwordStdin ? {} : { password }), ...(record === undefined ? {} : { record }) };
        print(
          json
            ? JSON.stringify({ id, ...shown })
            : `${id} can sign in${passwordStdin ? '' : `; password: ${password}`}${record === undefined ? '' : `\nrecord ${record}`}`,
        );
      };
      if (file === undefined) {
        await withTools(async (tools) => tell({ id: await createAccount(tools, account) }));
      } else {
        tell(await createWithRecord(account, file));
      }
    });
}

/** Adds a command that changes the state of one account and prints whether the state was another one before. */
function addState(
  accounts: Command,
  name: string,
  {
    says,
    done,
    work,
  }: {
    readonly says: string;
    readonly done: (id: string, changed: boolean) => string;
    readonly work: (tools: Tools, id: string) => Promise<boolean>;
  },
): void {
  accounts
    .command(name)
    .description(says)
    .argument('<id>', 'id of the account')
    .option('--json', 'print the result as JSON')
    .action((given: string, { json }: Json) =>
      withTools(async (tools) => {
        const id = given.trim().toLowerCase();
        const changed = await work(tools, id);
        print(json ? JSON.stringify({ id, [`${name.replace(/e$/, '')}ed`]: changed }) : done(id, changed));
      }),
    );
}

function addStates(accounts: Command): void {
  addState(accounts, 'unlock', {
    says: 'make a locked account active again and forget its failed log-ins',
    done: (id, changed) =>
      changed ? `${id} can sign in again` : `${id} was not locked; its failed log-ins are forgotten`,
    work: unlockAccount,
  });
  addState(accounts, 'disable', {
    says: 'let nobody sign in as this account: its sessions and the access of apps that act for it end at once',
    done: (id, changed) => `${id} ${changed ? 'is disabled' : 'was disabled already'}; svc accounts enable undoes it`,
    work: disableAccount,
  });
  addState(accounts, 'enable', {
    says: 'make a disabled account active again',
    done: (id, changed) => (changed ? `${id} can sign in again` : `${id} was not disabled`),
    work: unlockAccount,
  });
}

function addSecondFactorOff(accounts: Command): void {
  accounts
    .command('second-factor-off')
    .description(
      'ask this account for its password only: for somebody who lost the passkeys or the app that shows codes, and the recovery codes; make sure who asks',
    )
    .argument('<id>', 'id of the account')
    .option('--json', 'print the result as JSON')
    .action((given: string, { json }: Json) =>
      withTools(async (tools) => {
        const id = given.trim().toLowerCase();
        const changed = await dropSecondFactor(tools, id);
        const text = changed ? `${id} signs in with the password only` : `${id} was asked for nothing else`;
        print(json ? JSON.stringify({ id, changed }) : text);
      }),
    );
}

type Resetting = Json & { readonly password?: boolean; readonly passwordStdin?: boolean };

function resetText(id: string, link: string, code: string | null): string {
  return [
    `${id} is reset: its sessions are ended, and it signs in again after this link was opened (good for a week):`,
    link,
    ...(code === null ? [] : [`the page asks for this code, which is told to the person in another way: ${code}`]),
  ].join('\n');
}

function addReset(accounts: Command): void {
  accounts
    .command('reset')
    .description(
      'end the sessions of an account and take it back to its activation: prints a new link and its code; or give it another password',
    )
    .argument('<id>', 'id of the account')
    .option('--password', 'make a new password and print it; the account stays active')
    .option('--password-stdin', 'read the new password from standard input; the account stays active')
    .option('--json', 'print the result as JSON')
    .action((given: string, { password: make, passwordStdin, json }: Resetting) =>
      withTools(async (tools) => {
        const id = given.trim().toLowerCase();
        if (make || passwordStdin) {
          const password = await readPassword(passwordStdin);
          await setAccountPassword(tools, id, password);
          const shown = passwordStdin ? {} : { password };
          print(
            json
              ? JSON.stringify({ id, ...shown })
              : `${id} can sign in${passwordStdin ? '' : `; password: ${password}`}`,
          );
          return;
        }
        const { primary, secondary, hasPassword } = await resetAccount(tools, id);
        const config = loadConfig();
        const base = uiBaseUrl({ config, baseUrl: () => knownAddress(config) });
        const link = `${base}/accounts/${encodeURIComponent(id)}/${hasPassword ? 'reset_password' : 'init'}/${primary}`;
        print(json ? JSON.stringify({ id, link, code: secondary }) : resetText(id, link, secondary));
      }),
    );
}

export function addAccounts(program: Command): void {
  const accounts = program.command('accounts').description('make, list, unlock, reset, disable and enable accounts');
  [addList, addCreate, addStates, addReset, addSecondFactorOff].forEach((add) => add(accounts));
}
