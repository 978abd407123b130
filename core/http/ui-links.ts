/** ui-links: makes addresses at the user interface, for its pages and for paths that manifests give. */
import { defaultUiBase } from '../config/load';
import type { Services } from '../services';

/** Public address of the user interface without a trailing slash. */
export function uiBaseUrl({ config, baseUrl }: Pick<Services, 'config' | 'baseUrl'>): string {
  return config.uiBaseUrl || defaultUiBase(baseUrl(), config);
}

/** An address as it is, or a path put below the user interface's address; empty stays empty. */
export function atUi(base: string, address: string | null): string {
  if (!address) {
    return '';
  }
  return /^https?:\/\//i.test(address) ? address : `${base}/${address.replace(/^\/+/, '')}`;
}
