/** settings: writes docs/settings.md from the schema of the settings: `node dist/test/tools/settings.js`. */
import { writeFileSync } from 'node:fs';
import { settings } from '../../core/config/schema';
import { inProject } from '../../core/base/paths';

const shownDefault = (schema: { readonly describe: () => unknown }): string => {
  const value = (schema.describe() as { flags?: { default?: unknown } }).flags?.default ?? '';
  if (Array.isArray(value)) {
    return value.join(',');
  }
  return String(typeof value === 'boolean' ? Number(value) : value);
};

/** The page of all settings, in the order of the schema. */
export function settingsPage(): string {
  const rows = Object.entries(settings).map(([name, { schema, meaning }]) => {
    const shown = shownDefault(schema);
    return `| \`${name}\` | ${shown === '' ? '' : `\`${shown}\``} | ${meaning.replaceAll('|', '\\|')} |`;
  });
  return [
    '# Settings',
    '',
    'Settings are environment variables, or lines of a `.env` file. A wrong or unknown one stops the start and says why.',
    'This page is made from `core/config/schema.ts` by `npm run tool settings`.',
    '',
    '| Name | Default | Meaning |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

if (require.main === module) {
  writeFileSync(inProject('docs/settings.md'), settingsPage());
}
