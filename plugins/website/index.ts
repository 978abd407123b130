/** index: the website as a door: its scheme, its guard against forged forms, its pages. */
import type { Plugin } from '@hapi/hapi';
import type { Area } from '../../core/http/area';
import type { LazyServices } from '../../core/services';
import { cookieOptions, sessionCookie } from './http/cookies';
import { guardForms } from './http/forgery';
import { pages } from './pages';
import { answerFailure, pageRoutes, WEBSITE_STRATEGY } from './http/serve';
import { sessionScheme } from './http/session-scheme';
import { files, telephoneFiles } from './http/style';
import { pageOf } from './http/where';
import { websiteTexts } from './words/words';

const plugin: Plugin<LazyServices> = {
  name: 'svc-website',
  register: async (server, later) => {
    if (!later.config.website) {
      return;
    }
    websiteTexts.read();
    server.state(sessionCookie(later.config), cookieOptions(later.config));
    server.auth.scheme(WEBSITE_STRATEGY, sessionScheme(later));
    server.auth.strategy(WEBSITE_STRATEGY, WEBSITE_STRATEGY);
    await guardForms(server, later);
    server.ext('onPreResponse', answerFailure(later, pageOf));
    server.route([...files, ...telephoneFiles]);
    server.route(pages.flatMap((spec) => [...pageRoutes(spec, later)]));
  },
};

/** A door has no operations of its own. */
export const website: Area = { name: 'website', routes: [], plugin };
