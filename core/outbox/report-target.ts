/** report-target: finds out from a report's address below the record which model's facts it shows (pure). */
import type { Models } from '../facts/model/model';
import { EVERY_MODEL } from './subscriptions-store';

/**
 * Minimal reports by the last part of their address; some addresses may have a further part that narrows the report.
 */
const minimalReports: Readonly<Record<string, string>> = {
  'problems/': 'Problem',
  'equipment/': 'Equipment',
  'simple-clinical-notes/': 'SimpleClinicalNote',
  'allergies/': 'Allergy',
  'medications/': 'Medication',
  'immunizations/': 'Immunization',
  'labs/': 'LabResult',
  'procedures/': 'Procedure',
  'vitals/': 'VitalSigns',
};

const narrowed: readonly { readonly shape: RegExp; readonly model: string }[] = [
  { shape: /^vitals\/[^/]+\/?$/, model: 'VitalSigns' },
  { shape: /^measurements\/[^/]+\/$/, model: 'Measurement' },
];

function minimalTarget(report: string): string | undefined {
  return Object.hasOwn(minimalReports, report)
    ? minimalReports[report]
    : narrowed.find(({ shape }) => shape.test(report))?.model;
}

/** A report's address without its leading slash, as it is compared. */
export function withoutSlash(url: string): string {
  return url.replace(/^\//, '');
}

/**
 * The model behind a report of a record.
 * @param url relative to the record, with or without leading slash, with or without query
 * @returns undefined when the record has no such report
 */
export function reportTarget(models: Models, url: string): string | undefined {
  const path = withoutSlash(url).split('?')[0]!;
  if (path === 'reports/experimental/ccr') {
    return EVERY_MODEL;
  }
  const minimal = /^reports\/minimal\/(.+)$/.exec(path)?.[1];
  if (minimal !== undefined) {
    return minimalTarget(minimal);
  }
  const name = /^reports\/([^/]+)\/$/.exec(path)?.[1];
  const model = name === undefined ? undefined : models.find(name);
  return model && !model.builtin ? model.name : undefined;
}
