/**
 * load-intakes: reads the part `intake` of each document.yaml, checks the file that it names, and finds the samples in
 * its folder.
 */
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { problemsOf } from '../../base/errors';
import { readSetupFolder } from '../../config/read-yaml';
import type { Models } from '../../facts/model/models';
import type { EntryDefinition } from '../entry-schema';
import type { Intake, KnownTable } from './intake-messages';
import { readCsvColumns } from './load-csv-columns';

type Placed = {
  readonly file: string;
  readonly definition: EntryDefinition;
  readonly placeOf: (...path: (string | number)[]) => string;
};

type Loading = { readonly vocabBase: string; readonly models: Models; readonly problems: string[] };

/**
 * The samples of an intake, which are not XML: XML samples belong to the format. Parts of the format are no samples,
 * whatever their names.
 */
function samplesBeside(file: string, start: string): readonly string[] {
  return readSetupFolder(dirname(file))
    .map(({ name }) => name)
    .filter((name) => name.startsWith(start) && !/\.(xml|json|yaml|xsd|xsl|xslt|js|mjs|cjs)$/.test(name))
    .sort()
    .map((name) => join(dirname(file), name));
}

function loadBy(
  { file, definition, placeOf }: Placed,
  { vocabBase, models, problems }: Loading,
): Intake['by'] | undefined {
  const intake = definition.intake!;
  if ('module' in intake) {
    const module = resolve(dirname(file), intake.module);
    if (existsSync(module)) {
      return intake.tables === true ? { module, tables: [] } : { module };
    }
    problems.push(
      `${placeOf('intake', 'module')}: ${intake.module}: there is no such file: put it there, or correct the name`,
    );
    return undefined;
  }
  try {
    const read = readCsvColumns(resolve(dirname(file), intake.csv), vocabBase, models);
    if ('columns' in read) {
      return read;
    }
    problems.push(...read.problems);
  } catch (error) {
    problems.push(...problemsOf(error).map((problem) => `${placeOf('intake', 'csv')}: ${problem}`));
  }
  return undefined;
}

/** The tables that YAML files describe. */
function tablesAmong(intakes: readonly Intake[]): readonly KnownTable[] {
  return intakes.flatMap(({ name, files, begins, by }) =>
    'columns' in by ? [{ name, files, ...(begins === undefined ? {} : { begins }), columns: by.columns }] : [],
  );
}

/** @param loading its `problems` receive every problem as `file:line: reason` */
export function loadIntakes(placed: readonly Placed[], loading: Loading): readonly Intake[] {
  const intakes = placed
    .flatMap((one): readonly Intake[] => {
      const { file, definition } = one;
      const by = definition.intake && loadBy(one, loading);
      if (!definition.intake || !by) {
        return [];
      }
      const { files, begins } = definition.intake;
      return [
        {
          name: definition.document,
          file,
          files,
          ...(begins === undefined ? {} : { begins }),
          by,
          samples: samplesBeside(file, 'sample'),
          invalid: samplesBeside(file, 'invalid'),
        },
      ];
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const tables = tablesAmong(intakes);
  return intakes.map((intake) =>
    'module' in intake.by && intake.by.tables ? { ...intake, by: { ...intake.by, tables } } : intake,
  );
}
