/**
 * entry-schema: checks the content of a document.yaml, which has one key per stage in the order in which the stages
 * run.
 */
import Joi from 'joi';
import { readShape, type Fault } from '../config/faults';

export type EntryDefinition = {
  readonly document: string;
  /**
   * One root, or several that share schema and transform. When absent, the folder only turns files into documents of
   * other formats.
   */
  readonly identify?: { readonly root: string | readonly string[]; readonly namespace: string };
  readonly validate?: { readonly schema: string };
  readonly transform?: { readonly stylesheet: string } | { readonly module: string };
  /** The stylesheet that writes the document's text for people. */
  readonly narrative?: { readonly stylesheet: string };
  readonly store?: { readonly models: readonly string[] | 'all' };
  /**
   * Turns files that are not XML into documents: by a module, or by a YAML file that says what the columns of a CSV
   * are.
   */
  readonly intake?: {
    /** Patterns of file names: * matches any run of characters, and case is ignored. */
    readonly files: readonly string[];
    /** A regular expression that the first 4,096 bytes, read as UTF-8, must match. */
    readonly begins?: string;
  } & (
    | { readonly module: string; /** Whether it reads the described tables in its file. */ readonly tables?: boolean }
    | { readonly csv: string }
  );
  readonly override: boolean;
};

function formed(pattern: RegExp, words: string): Joi.StringSchema {
  return Joi.string()
    .max(255)
    .pattern(pattern)
    .messages({ 'string.pattern.base': `{{#label}} ${words}` });
}

const rootName = formed(/^[\p{L}_][\p{L}\p{N}._-]{0,99}$/u, 'must be the name of an element, without a prefix');

const moduleName = formed(/\.(js|mjs|cjs)$/, 'must name a file that ends with .js, .mjs or .cjs');

const stylesheetName = formed(/\.xslt?$/, 'must name a file that ends with .xsl or .xslt');

const entrySchema = Joi.object({
  document: formed(
    /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/,
    'must be a name of up to 100 letters a to z, digits, - and _',
  ).required(),
  identify: Joi.object({
    root: Joi.alternatives()
      .conditional(Joi.array(), { then: Joi.array().items(rootName).min(1).unique(), otherwise: rootName })
      .required(),
    namespace: Joi.string().allow('').max(150).default(''),
  }),
  intake: Joi.object({
    module: moduleName,
    csv: formed(/\.yaml$/, 'must name a file that ends with .yaml'),
    files: Joi.array()
      .items(formed(/^[^/\\]+$/, 'must be a pattern of file names, such as *.csv'))
      .min(1)
      .required(),
    begins: Joi.string()
      .max(1000)
      .custom((text: string) => new RegExp(text, 'u').source)
      .messages({ 'any.custom': '{{#label}} is not a regular expression' }),
    tables: Joi.boolean().strict(),
  })
    .xor('module', 'csv')
    .without('tables', 'csv'),
  validate: Joi.object({ schema: formed(/\.xsd$/, 'must name a file that ends with .xsd').required() }),
  transform: Joi.object({
    stylesheet: stylesheetName,
    module: moduleName,
  }).xor('stylesheet', 'module'),
  narrative: Joi.object({ stylesheet: stylesheetName.required() }),
  store: Joi.object({
    models: Joi.alternatives(Joi.valid('all'), Joi.array().items(Joi.string()).unique()).required().messages({
      'alternatives.types': '{{#label}} must be all, or a list of models such as [Problem]',
      'alternatives.match': '{{#label}} must be all, or a list of different models such as [Problem]',
    }),
  }),
  override: Joi.boolean().strict().default(false).messages({ 'boolean.base': '{{#label}} must be true or false' }),
})
  // Without a transform, store has no effect yet: an author who removes the transform for a while may leave it in
  // place.
  .with('transform', 'store')
  // A folder that only has an intake has no documents of its own.
  .or('identify', 'intake')
  .with('validate', 'identify')
  .with('transform', 'identify')
  .with('narrative', 'identify')
  .messages({
    'object.with':
      '{{#main}} needs {{#peer}}{if(#peer == "store", ": name the models that it may produce, or write models: all", "")}',
    'object.missing': '"identify" is required',
  })
  .required()
  .messages({ 'object.base': '{{#label}} has no keys: it needs document, and identify or intake' })
  .label('document.yaml');

/** The definition, or everything that is wrong with it by its place in the file. */
export function readEntryDefinition(value: unknown): EntryDefinition | readonly Fault[] {
  const read = readShape<EntryDefinition>(entrySchema, value);
  return 'faults' in read ? read.faults : read.value;
}
