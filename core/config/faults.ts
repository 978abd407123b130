/**
 * faults: reports what is wrong with a file that a deployer wrote, where it is, and what may be written there instead.
 */
import type Joi from 'joi';

export type Fault = { readonly path: readonly (string | number)[]; readonly reason: string };

/** Messages instead of Joi's own, which say nothing to somebody who reads them for the first time. */
const MESSAGES: Joi.LanguageMessages = { 'object.xor': '{{#label}} takes one of {{#peers}}, not several' };

/** The keys that are allowed at `path`; none if the schema allows any key. */
function keysAt(schema: Joi.ObjectSchema, path: readonly (string | number)[]): readonly string[] {
  try {
    const part = path.length === 0 ? schema : (schema.extract(path.map(String)) as Joi.Schema);
    return Object.keys((part.describe() as { keys?: object }).keys ?? {});
  } catch {
    return [];
  }
}

function faultReason(schema: Joi.ObjectSchema, { type, path, message }: Joi.ValidationErrorItem): string {
  const keys = type === 'object.unknown' ? keysAt(schema, path.slice(0, -1)) : [];
  return keys.length === 0 ? message : `${message}: it can be ${keys.join(', ')}`;
}

/** The value with its defaults, or everything that is wrong with it. */
export function readShape<T>(
  schema: Joi.ObjectSchema,
  value: unknown,
): { readonly value: T } | { readonly faults: readonly Fault[] } {
  const checked = schema.validate(value, { abortEarly: false, convert: false, messages: MESSAGES });
  return checked.error
    ? { faults: checked.error.details.map((detail) => ({ path: detail.path, reason: faultReason(schema, detail) })) }
    : { value: checked.value as T };
}
