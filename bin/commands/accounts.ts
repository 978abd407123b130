/** accounts: `svc accounts`: list, create and unlock accounts, for operators without an HTTP client. */
import { text as readAll } from 'node:stream/consumers';
import type { Command } from 'commander';
import { createAccount, listAccounts, unlockAccount, type OperatorTools } from '../../core/accounts/operate';
import { openAuditSigner } from '../../core/audit/signer';
import { makePasswords } from '../../core/auth/passwords';
import { makeSealing } from '../../core/auth/sealing';
import { secretKeysOf } from '../../core/auth/secret-key';
import { systemClock, wireTime } from '../../core/base/clock';
import { newToken } from '../../core/base/ids';
import { loadConfig } from '../../core/config/load';
import { readModels, withDatabase } from '../../core/server/migrate-all';
import { prepareDatabase } from '../../core/server/prepare';
import type { Account } from '../../core/storage/stores/accounts';

type Json = { readonly json?: boolean };

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const withTools = (work: (tools: OperatorTools) => Promise<void>): Promise<void> => {
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
        passwords: makePasswords(),
        signer: await openAuditSigner(database, sealing, systemClock, { config }),
      });
    },
    { make: true },
  );
};

const describe = ({
  id,
  state,
  fullName,
  contactEmail,
  lastLoginAt,
  failedLoginCount,
  authSystems,
}: Account): object => ({
  id,
  state,
  full_name: fullName,
  contact_email: contactEmail,
  last_login_at: wireTime(lastLoginAt),
  failed_logins: failedLoginCount,
  auth_systems: authSystems.map(({ name }) => name),
});

const lineOf = ({ id, state, fullName, lastLoginAt, failedLoginCount }: Account): string =>
  [
    id.padEnd(32),
    state.padEnd(13),
    (lastLoginAt === null ? 'never signed in' : `last ${wireTime(lastLoginAt).slice(0, 10)}`).padEnd(15),
    failedLoginCount > 0 ? `${failedLoginCount} failed` : '',
    fullName,
  ]
    .join('  ')
    .trimEnd();

const addList = (accounts: Command): void => {
  accounts
    .command('list')
    .description('list accounts, by id')
    .argument('[text]', 'only accounts whose id, name or address contains it', '')
    .option('--json', 'one JSON object a line')
    .action((text: string, { json }: Json) =>
      withTools(async (tools) => {
        for await (const account of listAccounts(tools, text)) {
          print(json ? JSON.stringify(describe(account)) : lineOf(account));
        }
      }),
    );
};

type Creation = Json & { readonly name?: string; readonly email?: string; readonly passwordStdin?: boolean };

const addCreate = (accounts: Command): void => {
  accounts
    .command('create')
    .description('make an active account that signs in with a password')
    .argument('<id>', 'its e-mail-shaped id, which is also the user name')
    .option('--name <name>', 'full name', '')
    .option('--email <address>', 'contact address, when it is not the id')
    .option('--password-stdin', 'read the password from standard input; else one is made and printed')
    .option('--json', 'print the result as JSON')
    .action((given: string, { name = '', email = given, passwordStdin, json }: Creation) =>
      withTools(async (tools) => {
        const password = passwordStdin ? (await readAll(process.stdin)).replace(/\r?\n$/, '') : newToken();
        const id = await createAccount(tools, { id: given, fullName: name, contactEmail: email, password });
        const shown = passwordStdin ? {} : { password };
        print(
          json
            ? JSON.stringify({ id, ...shown })
            : `${id} can sign in${passwordStdin ? '' : `; password: ${password}`}`,
        );
      }),
    );
};

const addUnlock = (accounts: Command): void => {
  accounts
    .command('unlock')
    .description('make a disabled account active again and forget its failed log-ins')
    .argument('<id>', 'id of the account')
    .option('--json', 'print the result as JSON')
    .action((id: string, { json }: Json) =>
      withTools(async (tools) => {
        const unlocked = await unlockAccount(tools, id);
        const said = unlocked ? `${id} can sign in again` : `${id} was not locked; its failed log-ins are forgotten`;
        print(json ? JSON.stringify({ id, unlocked }) : said);
      }),
    );
};

export const addAccounts = (program: Command): void => {
  const accounts = program.command('accounts').description('list, create and unlock accounts');
  [addList, addCreate, addUnlock].forEach((add) => add(accounts));
};
