/** website-app: the website as an app. Without the manifest of that app, the website is left out. */
import type { Logger } from 'pino';
import { defaultUiBase } from '../config/load';
import type { Config } from '../config/schema';
import { readManifests } from './manifests';

export const WEBSITE_APP = 'ui@apps.svc.example';

/** The settings, without the website if no manifest has its id. */
export function withoutMissingWebsite(config: Config, log: Logger): Config {
  if (!config.website || readManifests(config).apps.some(({ id, kind }) => id === WEBSITE_APP && kind === 'ui')) {
    return config;
  }
  log.warn({ app: WEBSITE_APP }, 'the website is left out, because no manifest has its id');
  const without = { ...config, website: false };
  const isDefault = config.uiBaseUrl === defaultUiBase(config.baseUrl, config);
  return isDefault ? { ...without, uiBaseUrl: defaultUiBase(config.baseUrl, without) } : without;
}
