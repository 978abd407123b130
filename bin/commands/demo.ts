/**
 * demo: `svc demo`: fills an empty database with sample people and a few years of their documents, through the public
 * interface.
 */
import type { Command } from 'commander';
import { authorizationHeader, type Signer } from '../../core/auth/sign';
import { SetupError } from '../../core/base/errors';
import { withProgress } from '../../core/base/progress';
import { loadStarterCodes } from '../../core/codes/load';
import { loadConfig } from '../../core/config/load';
import { isLoopback } from '../../core/config/loopback';
import { SITE, USUAL_PORT, type Config } from '../../core/config/schema';
import { IN_MEMORY, sqlitePath } from '../../core/config/sqlite-url';
import { areas } from '../../core/server/plugins';
import { publicAddress, start, type Running } from '../../core/server/start';
import type { Services } from '../../core/services';
import { isDuplicate } from '../../core/db/db-errors';
import type { AppRow } from '../../core/apps/store';
import { documentsOf, people } from '../demo/documents';
import { notAlone, tell, type Apps, type Told } from '../demo/story';
import * as appStore from '../../core/apps/store';

/** A bundled app with the secret that it has here. */
function signerOf({ sealing }: Services, apps: readonly AppRow[], wanted: string): Signer {
  const app = apps.find(({ folder, retiredAt }) => folder === wanted && retiredAt === null);
  if (!app) {
    throw new SetupError([
      `svc demo needs the app manifests/${wanted}: put it back, or set SVC_MANIFESTS_DIR to a folder that has it`,
    ]);
  }
  return { consumer: { key: app.consumerKey, secret: sealing.open(app.consumerSecret) } };
}

async function signersOf(services: Services): Promise<Apps> {
  const apps = await appStore.listEveryApp(services.database.reads);
  return {
    admin: signerOf(services, apps, 'admin/administration'),
    ui: signerOf(services, apps, 'ui/website'),
    user: signerOf(services, apps, 'user/medications'),
  };
}

async function refuseFilled({ services }: Running): Promise<void> {
  if ((await services.database.reads('account').first('id')) !== undefined) {
    throw new SetupError([
      'svc demo needs an empty database, and this one has accounts. Set SVC_DATABASE_URL to another one, or run svc reset --yes',
    ]);
  }
}

/** What was made, without the secret of the app, which svc apps secret shows. */
function withoutSecret({ app: { consumer, ...app }, ...told }: Told): object {
  return {
    ...told,
    app: { ...app, consumer: { key: consumer.key } },
  };
}

function reportPath(told: Told): string {
  return `/records/${told.recordId}/reports/VitalSigns/?aggregate_by=avg*bp_systolic_value&date_group=date*year&order_by=date`;
}

/** The keys of the app but its secret, as the part of an address that browsers send nowhere. */
function keyQuery({ app: { consumer, token } }: Told): string {
  const keys = { key: consumer.key, token: token?.key ?? '', tokenSecret: token?.secret ?? '' };
  return new URLSearchParams(keys).toString();
}

function describePerson(told: Told, baseUrl: string): string {
  const url = `${baseUrl}${reportPath(told)}`;
  return [
    `${told.person.givenName} ${told.person.familyName}`,
    `  account   ${told.person.accountId}   password ${told.password}`,
    `  record    ${told.recordId}   ${told.documentIds.length} documents`,
    `  app       ${told.app.consumer.key}   token ${told.app.token?.key ?? ''}   token secret ` +
      `${told.app.token?.secret ?? ''}`,
    // Elsewhere the page takes no keys from a link.
    ...(isLoopback(new URL(baseUrl).hostname) ? [`  try calls ${baseUrl}/docs#${keyQuery(told)}`] : []),
    '  average systolic blood pressure by year, signed for the next five minutes:',
    `  curl -H '${`Authorization: ${authorizationHeader(told.app, 'GET', url)}`}' '${url}'`,
  ].join('\n');
}

/** How to sign in at the website as the two people. */
function browse({ website }: Pick<Config, 'website'>, baseUrl: string): string {
  return website
    ? `Then open ${baseUrl}${SITE}/ in a browser and sign in: the account is the user name, the password stands beside it.\n`
    : '';
}

export function addDemo(program: Command): void {
  program
    .command('demo')
    .description(
      'fill an empty database with sample people and documents, through the public API; serves by itself while it works',
    )
    .option('--json', 'print what was made as JSON')
    .action(async (options: { json?: boolean }) => {
      const settings = loadConfig();
      if (sqlitePath(settings.databaseUrl) === IN_MEMORY) {
        throw new SetupError(['SVC_DATABASE_URL: a database in memory ends with svc demo: name a file or a server']);
      }
      // The demo uses a port of its own, so that it works beside a running service; the lines that it prints name the
      // settings' address.
      const running = await start({ ...settings, port: 0, baseUrl: '', drainSeconds: 0 }, areas, { prepare: true });
      try {
        await refuseFilled(running);
        await loadStarterCodes(running.services.database, running.services.clock).catch((error: unknown) => {
          throw isDuplicate(error) ? notAlone() : error;
        });
        const apps = await signersOf(running.services);
        const made = await withProgress('documents', async ({ begin, step }) => {
          begin(people.reduce((sum, person) => sum + documentsOf(person, settings.vocabBase).length, 0));
          const told: Told[] = [];
          for (const person of people) {
            told.push(await tell(running.url, settings.vocabBase, apps, person, () => step()));
          }
          return told;
        });
        // With port 0, the service gets a free port, which is not known yet. The printed lines then name the usual
        // port.
        const baseUrl = publicAddress({ ...settings, port: settings.port || USUAL_PORT });
        process.stdout.write(
          options.json
            ? `${JSON.stringify(made.map(withoutSecret), null, 1)}\n`
            : `${made.map((told) => describePerson(told, baseUrl)).join('\n\n')}\n\nStart the service (npm start) unless ` +
                `it runs.\n${browse(settings, baseUrl)}Or paste a curl line, or open ${baseUrl}/docs and try calls ` +
                'there: the key of an app line, what svc apps secret medications prints, token and token secret sign them.\nCodes to look up, without ' +
                `credentials: curl '${baseUrl}/codes/systems/snomed/query?q=hyper'\n`,
        );
      } finally {
        await running.stop();
      }
    });
}
