/**
 * compile: compiles an entry's files into a schema and a transform that are ready to run. It runs in reader processes
 * only.
 */
import { errors } from '../base/errors';
import type { Json } from '../base/types';
import type { Models } from '../facts/model/models';
import { openDom } from '../xml/dom';
import { modelsOfDrafts } from '../xml/drafts';
import type { XmlEngine } from '../xml/engine';
import { compileSchema, type FileProblem, type Schema } from '../xml/xsd';
import { readNarrative, type Narrative } from '../xml/narrative';
import { readSdmj, readSdmx, type Sdmx } from '../xml/sdmx';
import { compileStylesheet, type Complaints } from '../xml/xslt';
import type { Entry, EntryTransform } from './entries';
import type { SourceFiles } from './entry-files';
import { importModule, loadingProblem, moduleFailure, type Exports } from './modules';

/** The input of a transform: clean text and its type. */
type TransformInput = { readonly type: string; readonly xml: string };
type Transform = (input: TransformInput) => Promise<Sdmx>;
export type CompiledEntry = {
  readonly entry: Entry;
  readonly schema: Schema | null;
  readonly transform: Transform | null;
  readonly narrative: ((xml: string) => Narrative) | null;
};

type Compiling = { readonly engine: XmlEngine; readonly complaints: Complaints; readonly models: Models };
type Reading = Pick<Compiling, 'engine' | 'models'>;

/** The field of a model for what no other field holds: its notes, else its first long text. */
function notesField(models: Models, name: string): string | undefined {
  const texts = models.find(name)?.columns.filter(({ kind }) => kind === 'text') ?? [];
  return (texts.find((column) => column.name === 'notes') ?? texts[0])?.name;
}

function readOutput({ engine, models }: Reading, text: string): Sdmx {
  const written = engine.readPlain(text);
  const root = written?.name === 'Drafts' ? modelsOfDrafts(written, (model) => notesField(models, model)) : written;
  if (root?.name !== 'Models') {
    throw errors.transformFailed(
      'the transform did not yield a Models element: check what its templates match, and in which namespace',
    );
  }
  return readSdmx(root);
}

/**
 * Replaces a number that JSON cannot write (NaN, Infinity) by an object, which every column refuses. JSON would write
 * null, which means "not known".
 */
function keepNonNumber(_key: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isFinite(value) ? {} : value;
}

/**
 * Any value that a module may return, such as a Date, as JSON.
 * @throws AppError transform_failed for a value that cannot be JSON: a function, a cycle, a BigInt
 */
function plainJson(value: unknown): Json {
  try {
    return JSON.parse(JSON.stringify(value, keepNonNumber)) as Json;
  } catch {
    throw errors.transformFailed(
      'its module returned something that JSON cannot hold: let it return SDMJ, or SDMX as text',
    );
  }
}

type ModuleFunction = (document: TransformInput & { readonly root: unknown }) => unknown;

function moduleTransform(
  reading: Reading,
  rootOf: (text: string) => unknown,
  run: ModuleFunction,
  file: string,
): Transform {
  return async ({ type, xml }) => {
    let value: unknown;
    try {
      value = await run({ type, xml, root: rootOf(xml) });
    } catch (error) {
      throw errors.transformFailed(moduleFailure(error, file));
    }
    // Without this check, a forgotten return would look like a document without facts.
    if (value === undefined || value === null) {
      throw errors.transformFailed('its module returned nothing: for a document without facts let it return []');
    }
    return typeof value === 'string' ? readOutput(reading, value) : readSdmj(plainJson(value));
  };
}

async function loadModule(reading: Reading, file: string): Promise<Transform | readonly FileProblem[]> {
  try {
    const loaded = await importModule(file);
    const inner = (loaded.default as Exports | undefined)?.default;
    const run = typeof loaded.default === 'function' ? loaded.default : inner;
    return typeof run === 'function'
      ? moduleTransform(reading, await openDom(), run as ModuleFunction, file)
      : [{ file, line: 1, reason: 'the module has no default export that is a function' }];
  } catch (error) {
    return [loadingProblem(error, file)];
  }
}

async function compileTransform(
  transform: EntryTransform | null,
  { complaints, ...reading }: Compiling,
): Promise<Transform | null | readonly FileProblem[]> {
  if (!transform) {
    return null;
  }
  if (transform.kind === 'module') {
    return loadModule(reading, transform.file);
  }
  const stylesheet = compileStylesheet(transform.source.file, new Map(transform.source.files), complaints);
  return 'apply' in stylesheet ? async ({ xml }) => readOutput(reading, stylesheet.apply(xml)) : stylesheet;
}

function compileNarrative(
  source: SourceFiles | null,
  { engine, complaints }: Compiling,
): CompiledEntry['narrative'] | readonly FileProblem[] {
  if (!source) {
    return null;
  }
  const stylesheet = compileStylesheet(source.file, new Map(source.files), complaints);
  return 'apply' in stylesheet ? (xml) => readNarrative(engine.readPlain(stylesheet.apply(xml))) : stylesheet;
}

function isList(value: unknown): value is readonly FileProblem[] {
  return Array.isArray(value);
}

/** Compiles one entry, or reports with file and line why that is not possible. */
export async function compileEntry(
  entry: Entry,
  compiling: Compiling,
): Promise<CompiledEntry | readonly FileProblem[]> {
  const schema = entry.schema && compileSchema(compiling.engine, entry.schema.file, new Map(entry.schema.files));
  const transform = await compileTransform(entry.transform, compiling);
  const narrative = compileNarrative(entry.narrative, compiling);
  if (isList(schema) || isList(transform) || isList(narrative)) {
    return [schema, transform, narrative].flatMap((part) => (isList(part) ? part : []));
  }
  const unknown = schema && entry.roots.find((root) => !schema.knows(root, entry.namespace));
  if (entry.schema && unknown !== null && unknown !== undefined) {
    return [
      {
        file: entry.schema.file,
        line: 1,
        reason: `the schema declares no element ${unknown} ${entry.namespace === '' ? 'without a namespace' : `in the namespace ${entry.namespace}`}, which ${entry.file} identifies: no document would pass`,
      },
    ];
  }
  return { entry, schema, transform, narrative };
}
