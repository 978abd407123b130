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
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OTEL_EXPORTER_OTLP_TRACES_HEADERS',
] as const;

export type SecretSettings = Readonly<Record<string, string>>;

/** The secret settings that this process was given. */
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

/**
 * Spans that leave together are written as JSON in one piece, in which time nothing else runs: fewer than the packages
 * take by themselves.
 */
const TRACE_DEFAULTS = { OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '128' };

/** OpenTelemetry's packages read this process's environment and no `.env` file: they find there what else was given. */
export const showTraceSettings = (given: Readonly<Record<string, string | undefined>>): void => {
  for (const [name, value] of Object.entries({ ...TRACE_DEFAULTS, ...given })) {
    if (name.startsWith('OTEL_') && value !== undefined) {
      process.env[name] ||= value;
    }
  }
};

/**
 * Where formats and models most likely lie, those that come with the service among them; settings in a .env file are
 * not looked at.
 */
export const likelyFolders = (): readonly string[] => [
  bundledFormats,
  ...[process.env['SVC_PIPELINE_CONFIG_DIR'] || 'pipeline-config', process.env['SVC_DATAMODELS_DIR'] || 'datamodels']
    .flatMap((folders) => folders.split(':'))
    .map((folder) => resolve(projectRoot, folder)),
];

/** Where programs are looked for. */
export const programPath = (): string => process.env['PATH'] ?? '';
