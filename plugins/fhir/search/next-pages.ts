/**
 * next-pages: encrypts the query and the place of a next page into its address, which is valid only for the same record
 * or carenet.
 */
import { errors } from '../../../core/base/errors';
import type { Asking } from '../asking';

type Sealed = { readonly of: string; readonly record: string; readonly carenet: string | null; readonly page: object };

/** @param of what the pages are of, such as a type or an operation @returns the value of `_page` */
export function sealPage({ services, principal }: Asking, of: string, page: object): string {
  const sealed: Sealed = { of, record: principal.recordId, carenet: principal.carenetId, page };
  return services.sealing.seal(JSON.stringify(sealed));
}

/** The record that a link to a next page was made for; undefined for any other text. */
export function recordOfPage({ sealing }: Pick<Asking['services'], 'sealing'>, text: string): string | undefined {
  try {
    const { record } = JSON.parse(sealing.open(text)) as Partial<Sealed>;
    return record === '' ? undefined : record;
  } catch {
    return undefined;
  }
}

/** @throws errors.invalidParameter for a text that `sealPage` has not made for this record or carenet */
export function openPage<Page extends object>({ services, principal }: Asking, of: string, text: string): Page {
  const refusal = errors.invalidParameter('_page', 'it must come from a link to the next page');
  let sealed: Sealed;
  try {
    sealed = JSON.parse(services.sealing.open(text)) as Sealed;
  } catch {
    throw refusal;
  }
  if (sealed.of !== of || sealed.record !== principal.recordId || sealed.carenet !== principal.carenetId) {
    throw refusal;
  }
  return sealed.page as Page;
}
