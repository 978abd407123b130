/** forms: the form in which a resource is sent, JSON or XML: `_format` and Accept choose it. */
import { errors } from '../../core/base/errors';
import { resourceToXml } from '../../core/fhir/json-to-xml';
import { resourceText } from '../../core/fhir/write';

export type Form = 'json' | 'xml';

export const JSON_TYPE = 'application/fhir+json; charset=utf-8';
export const XML_TYPE = 'application/fhir+xml; charset=utf-8';

const named: Readonly<Record<string, Form>> = {
  json: 'json',
  'application/json': 'json',
  'application/fhir+json': 'json',
  'text/json': 'json',
  xml: 'xml',
  'application/xml': 'xml',
  'application/fhir+xml': 'xml',
  'text/xml': 'xml',
};

/** The media types of FHIR itself. Generic ones, such as `application/json`, are understood as well. */
const ownTypes = ['application/fhir+json', 'application/fhir+xml'];

const refusal = () => errors.notAcceptable(ownTypes);

type Range = { readonly type: string; readonly weight: number };

const rangesOf = (accept: string): readonly Range[] =>
  accept
    .toLowerCase()
    .split(',')
    .map((range) => {
      const [type = '', ...parameters] = range.split(';').map((part) => part.trim());
      const weight = parameters.find((parameter) => parameter.startsWith('q='));
      const quality = weight === undefined ? 1 : Number(weight.slice(2));
      return { type, weight: Number.isFinite(quality) ? quality : 0 };
    })
    .filter(({ type }) => type !== '');

const wildcards = ['*/*', 'application/*'];

/** `fhir+json` in a query is read as `fhir json`, because nobody escapes the plus. */
const formNamed = (name: string): Form | undefined => {
  const type = name.split(';')[0]!.trim().toLowerCase().replace(' ', '+');
  return Object.hasOwn(named, type) ? named[type] : undefined;
};

/**
 * The form that a request wants: `_format` goes before Accept, and without both it is JSON.
 * @throws errors.notAcceptable for a form that there is not
 */
export const formWanted = (format: string | null, accept: string): Form => {
  if (format !== null && format !== '') {
    const form = formNamed(format);
    if (!form) {
      throw refusal();
    }
    return form;
  }
  const ranges = rangesOf(accept);
  if (ranges.length === 0) {
    return 'json';
  }
  const wishes = ranges
    .flatMap(({ type, weight }) => {
      const form = wildcards.includes(type) ? 'json' : named[type];
      return form === undefined ? [] : [{ form, weight }];
    })
    .filter(({ weight }) => weight > 0);
  const [best, ...others] = wishes;
  if (!best) {
    throw refusal();
  }
  // Among those of the same weight the first one counts.
  return others.reduce((heaviest, wish) => (wish.weight > heaviest.weight ? wish : heaviest), best).form;
};

/** Whether a Binary is answered as a resource: only to requests that name a media type of FHIR. All others get its bytes. */
export const wantsResource = (format: string | null, accept: string): boolean =>
  (format !== null && format !== '') ||
  rangesOf(accept).some(({ type, weight }) => ownTypes.includes(type) && weight > 0);

/** The form of a failure: the one that is wanted, or JSON where there is no such form. */
export const formOfFailure = (format: string | null, accept: string): Form => {
  try {
    return formWanted(format, accept);
  } catch {
    return 'json';
  }
};

/** A response body with its media type. */
export type Written = { readonly type: string; readonly body: string };

export const written = (resource: object, form: Form, pretty = false): Written =>
  form === 'xml'
    ? { type: XML_TYPE, body: `<?xml version="1.0" encoding="UTF-8"?>\n${resourceToXml(resource)}` }
    : { type: JSON_TYPE, body: resourceText(resource, pretty ? 2 : undefined) };
