/** formats: finds out which of the service's formats a caller prefers. */

type Range = { readonly type: string; readonly weight: number };

/**
 * `application/json; charset=utf-8; q=0.5` -> the type and its weight; other parameters do not matter for our formats.
 */
function readMediaRange(range: string): Range {
  const [type, ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith('q='));
  return { type: type!, weight: weight === undefined ? 1 : Number(weight.slice(2)) };
}

/**
 * How much the caller prefers a type: the weight of the most specific range that matches it, and how specific that
 * range is (RFC 9110 12.5.1).
 */
function wishFor(type: string, ranges: readonly Range[]): { readonly weight: number; readonly exactness: number } {
  const names = ['*/*', 'application/*', type];
  const exactness = names.findLastIndex((name) => ranges.some((range) => range.type === name));
  return { exactness, weight: ranges.find((range) => range.type === names[exactness])?.weight ?? 0 };
}

/** True when the Accept header ranks JSON above XML, or names it and XML only by a wildcard; XML is the default. */
export function prefersJson(accept: string): boolean {
  if (!/json/i.test(accept)) {
    return false;
  }
  const ranges = accept.split(',').map(readMediaRange);
  const json = wishFor('application/json', ranges);
  return (
    json.weight > 0 &&
    ['application/xml', 'text/xml']
      .map((type) => wishFor(type, ranges))
      .every((xml) => json.weight > xml.weight || (json.weight === xml.weight && json.exactness > xml.exactness))
  );
}
