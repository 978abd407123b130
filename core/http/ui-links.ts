/** ui-links: addresses at the user interface: of its pages and of what manifests give as paths below it. */
import { defaultUiBase } from '../config/load';
import type { Services } from '../services';

/** Public address of the user interface without a trailing slash. */
export const uiBaseUrl = ({ config, baseUrl }: Pick<Services, 'config' | 'baseUrl'>): string =>
  config.uiBaseUrl || defaultUiBase(baseUrl(), config);

/** An address as it is, or a path put below the user interface's address; empty stays empty. */
export const atUi = (base: string, address: string | null): string => {
  if (!address) {
    return '';
  }
  return /^https?:\/\//i.test(address) ? address : `${base}/${address.replace(/^\/+/, '')}`;
};
