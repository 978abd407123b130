/** environment: what is read from this process's environment before the settings, or in addition to them. */
import { resolve } from 'node:path';
import { bundledFormats, projectRoot } from '../base/paths';

/** Settings that must not be in the environment of a process that runs for long; `bin/svc` has the same list. */
export const secretSettings = [
  'SVC_SECRET_KEY',
  'SVC_SECRET_KEY_COMMAND',
  'SVC_DATABASE_URL',
  'SVC_SMTP_URL',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OTEL_EXPORTER_OTLP_TRACES_HEADERS',
] as const;

export type SecretSettings = Readonly<Record<string, string>>;

/** The secret settings that this process was given. */
export function givenSecrets(): SecretSettings {
  return Object.fromEntries(secretSettings.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}

/** The secret settings for the environment of a child process: each of them is empty. */
export const withoutSecrets: SecretSettings = Object.fromEntries(secretSettings.map((name) => [name, '']));

/**
 * Sets the secrets in this process's own copy of its environment, because /proc shows only the environment that a
 * process began with.
 */
export function takeSecrets(secrets: SecretSettings): void {
  // Empty settings would override lines of a .env file.
  secretSettings.forEach((name) => delete process.env[name]);
  Object.assign(process.env, secrets);
}

/**
 * The spans of one batch are written as JSON in one go, and nothing else runs meanwhile. So batches are smaller than
 * the default of the packages.
 */
const TRACE_DEFAULTS = { OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '128' };

/** Sets OpenTelemetry's settings in this process's environment, because its packages read no `.env` file. */
export function showTraceSettings(given: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries({ ...TRACE_DEFAULTS, ...given })) {
    if (name.startsWith('OTEL_') && value !== undefined) {
      process.env[name] ||= value;
    }
  }
}

/**
 * The folders where formats and models most likely are, including those that come with the service; settings in a .env
 * file are not read.
 */
export function likelyFolders(): readonly string[] {
  return [
    bundledFormats,
    ...[process.env['SVC_PIPELINE_CONFIG_DIR'] || 'pipeline-config', process.env['SVC_DATAMODELS_DIR'] || 'datamodels']
      .flatMap((folders) => folders.split(':'))
      .map((folder) => resolve(projectRoot, folder)),
  ];
}

/** The folders that are searched for programs. */
export function programPath(): string {
  return process.env['PATH'] ?? '';
}
