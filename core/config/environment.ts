/** environment: what is needed of this process's environment before, or besides, the settings. */
import { resolve } from 'node:path';
import { bundledFormats, projectRoot } from '../base/paths';

/** Settings that must not stand in the environment of a process that runs for long; `bin/svc` has the same list. */
export const secretSettings = [
  'SVC_SECRET_KEY',
  'SVC_SECRET_KEY_OTHERS',
  'SVC_SECRET_KEY_COMMAND',
  'SVC_DATABASE_URL',
  'SVC_SMTP_URL',
] as const;

export type SecretSettings = Readonly<Record<string, string>>;

/** Those that this process was given. */
export const givenSecrets = (): SecretSettings =>
  Object.fromEntries(secretSettings.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));

/** For the environment of a child: each of them is empty. */
export const withoutSecrets: SecretSettings = Object.fromEntries(secretSettings.map((name) => [name, '']));

/** Takes them over in this process's own copy of its environment: what /proc shows is what it began with. */
export const takeSecrets = (secrets: SecretSettings): void => {
  // Empty ones would take the place of lines in a .env file.
  secretSettings.forEach((name) => delete process.env[name]);
  Object.assign(process.env, secrets);
};

/** Where formats and models most likely lie, those that come with the service among them; settings in a .env file are not looked at. */
export const likelyFolders = (): readonly string[] => [
  bundledFormats,
  ...[process.env['SVC_PIPELINE_CONFIG_DIR'] || 'pipeline-config', process.env['SVC_DATAMODELS_DIR'] || 'datamodels']
    .flatMap((folders) => folders.split(':'))
    .map((folder) => resolve(projectRoot, folder)),
];

/** Where programs are looked for. */
export const programPath = (): string => process.env['PATH'] ?? '';
