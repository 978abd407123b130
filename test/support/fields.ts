/** fields: facts as SDMX, for documents that tests write. */

/** The fields of one fact; values are written as they are. */
export const fieldsXml = (fields: Readonly<Record<string, string | number>>): string =>
  Object.entries(fields)
    .map(([name, value]) => `<Field name="${name}">${value}</Field>`)
    .join('');

const escaped = (value: unknown): string =>
  String(value).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** One fact whose values may have any characters. */
export const escapedModel = (name: string, fields: Readonly<Record<string, unknown>>): string =>
  `<Model name="${name}">${Object.entries(fields)
    .map(([field, value]) => `<Field name="${field}">${escaped(value)}</Field>`)
    .join('')}</Model>`;
