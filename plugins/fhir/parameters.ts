/** parameters: sorts the parameters of a call into those that it uses and those that it refuses or ignores. */
import { errors } from '../../core/base/errors';
import { formOnly, shownName, type Unused } from './search/search-query';
import type { Request } from '@hapi/hapi';
import { header } from '../../core/http/read-request';

/** The value of a preference in `Prefer` (RFC 7240); undefined when it is absent. */
export function preferred(request: Request, name: string): string | undefined {
  return new RegExp(`(?:^|[,;\\s])${name}\\s*=\\s*"?([\\w-]+)"?`, 'i').exec(header(request, 'prefer'))?.[1];
}

/** The names of the parameters that a call accepts, and whether each may be sent once or several times. */
export type Takes = Readonly<Record<string, 'one' | 'many'>>;

type Sorted = {
  /** The pairs that are used, as the self link contains them. */
  readonly used: URLSearchParams;
  readonly unused: readonly Unused[];
};

/**
 * Separates the parameters that a call accepts from all others.
 * @param room whether the answer can name the parameters that were not used. If it cannot, they are refused unless the
 * caller prefers `handling=lenient`
 * @throws errors.invalidParameter
 */
export function sortOut(request: Request, given: URLSearchParams, takes: Takes, room: boolean): Sorted {
  const handling = preferred(request, 'handling')?.toLowerCase();
  const refuses = handling === 'strict' || (!room && handling !== 'lenient');
  const used = new URLSearchParams();
  const unused: Unused[] = [];
  for (const [name, value] of given) {
    const isKnown = Object.hasOwn(takes, name);
    if (formOnly.includes(name) || value === '') {
      continue;
    }
    if (isKnown && (takes[name] === 'many' || !used.has(name))) {
      used.append(name, value);
      continue;
    }
    const leave = handling === 'strict' ? '' : '; Prefer: handling=lenient leaves it out';
    const reason = isKnown ? 'it has one value, and was sent twice' : 'this call does not take it';
    if (refuses) {
      throw errors.invalidParameter(shownName(name), `${reason}${leave}`);
    }
    unused.push({ name: shownName(name), reason });
  }
  return { used, unused };
}

/** The parameters that say how a resource is shown. */
export const SHOWN: Takes = { _summary: 'one', _elements: 'many' };

/** An address with the parameters that were used. */
export function withQuery(url: string, used: URLSearchParams): string {
  return used.size === 0 ? url : `${url}?${used.toString()}`;
}
