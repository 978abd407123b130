/** forms: writes a resource as JSON or XML; `_format` and Accept choose the form. */
import type { Request } from '@hapi/hapi';
import { errors } from '../../core/base/errors';
import { resourceXmlPieces } from '../../core/fhir/json-to-xml';
import { resourcePieces } from '../../core/fhir/write';
import { header } from '../../core/http/read-request';

export type Form = 'json' | 'xml';

const JSON_TYPE = 'application/fhir+json; charset=utf-8';
const XML_TYPE = 'application/fhir+xml; charset=utf-8';

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

/** The media types of FHIR itself. Generic ones, such as `application/json`, are accepted as well. */
const ownTypes = ['application/fhir+json', 'application/fhir+xml'];

/** The version of FHIR in a media type: this door supports R4 only. */
const VERSION = '4.0';

const versionedTypes = ownTypes.map((type) => `${type}; fhirVersion=${VERSION}`);

type MediaType = { readonly type: string; readonly parameters: ReadonlyMap<string, string> };

/** Reads `application/fhir+json; fhirVersion=4.0`; a value may be in quotes. */
function readMediaType(text: string): MediaType {
  const [type = '', ...parameters] = text.toLowerCase().split(';');
  return {
    type: type.trim(),
    parameters: new Map(
      parameters.map((parameter) => {
        const [name = '', value = ''] = parameter.split('=');
        return [name.trim(), value.trim().replace(/^"(.*)"$/, '$1')];
      }),
    ),
  };
}

/** `4.0` includes its corrections, such as `4.0.1`. */
function isOtherVersion({ parameters }: MediaType): boolean {
  const version = parameters.get('fhirversion') ?? VERSION;
  return version !== VERSION && !version.startsWith(`${VERSION}.`);
}

/** @throws errors.unsupportedType for a body whose Content-Type names another version of FHIR */
export function refuseOtherVersion(request: Request): void {
  if (isOtherVersion(readMediaType(header(request, 'content-type')))) {
    throw errors.unsupportedType(versionedTypes);
  }
}

type Range = MediaType & { readonly weight: number };

function rangesOf(accept: string): readonly Range[] {
  return accept
    .split(',')
    .map((range) => {
      const read = readMediaType(range);
      const quality = Number(read.parameters.get('q') ?? 1);
      return { ...read, weight: Number.isFinite(quality) ? quality : 0 };
    })
    .filter(({ type }) => type !== '');
}

const wildcards = ['*/*', 'application/*'];

function formOfType(type: string): Form | undefined {
  return Object.hasOwn(named, type) ? named[type] : undefined;
}

/** `fhir+json` in a query is read as `fhir json`, because nobody escapes the plus. */
function formNamed(name: string): Form | undefined {
  const read = readMediaType(name);
  const type = read.type.replace(' ', '+');
  if (isOtherVersion(read)) {
    throw errors.notAcceptable(versionedTypes);
  }
  return formOfType(type);
}

/**
 * The form that a request asks for. `_format` takes precedence over Accept, and without both the form is JSON.
 * @throws errors.notAcceptable for an unknown form, and for another version of FHIR
 */
export function formWanted(format: string | null, accept: string): Form {
  if (format !== null && format !== '') {
    const form = formNamed(format);
    if (!form) {
      throw errors.notAcceptable(ownTypes);
    }
    return form;
  }
  const ranges = rangesOf(accept);
  if (ranges.length === 0) {
    return 'json';
  }
  // `application/fhir+json;q=0, */*` accepts anything but JSON.
  const unwanted = ranges.filter(({ weight }) => weight <= 0).map(({ type }) => formOfType(type));
  const any = (['json', 'xml'] as const).find((form) => !unwanted.includes(form));
  const known = ranges.flatMap((range) => {
    const form = wildcards.includes(range.type) ? any : formOfType(range.type);
    return form === undefined || range.weight <= 0 ? [] : [{ ...range, form }];
  });
  const [best, ...others] = known.filter((range) => !isOtherVersion(range));
  if (!best) {
    throw errors.notAcceptable(known.length > 0 ? versionedTypes : ownTypes);
  }
  // Of several with the same weight, the first one is chosen.
  return others.reduce((heaviest, wish) => (wish.weight > heaviest.weight ? wish : heaviest), best).form;
}

/**
 * Whether a Binary is answered as a resource: only to requests that name a media type of FHIR. All others get its
 * bytes.
 */
export function wantsResource(format: string | null, accept: string): boolean {
  return (
    (format !== null && format !== '') ||
    rangesOf(accept).some(({ type, weight }) => ownTypes.includes(type) && weight > 0)
  );
}

/** The form of a failure: the one that the request asks for, or JSON if that is not possible. */
export function formOfFailure(format: string | null, accept: string): Form {
  try {
    return formWanted(format, accept);
  } catch {
    return 'json';
  }
}

export function typeOf(form: Form): string {
  return form === 'xml' ? XML_TYPE : JSON_TYPE;
}

/** The body of a response in pieces, each of which takes little time to write. */
export function* written(resource: object, form: Form, pretty = false): Generator<string> {
  if (form === 'xml') {
    yield '<?xml version="1.0" encoding="UTF-8"?>\n';
    yield* resourceXmlPieces(resource);
  } else {
    yield* resourcePieces(resource, pretty ? 2 : undefined);
  }
}
