/**
 * route-app: what a route keeps for those who look at it, such as the audit. hapi copies all that stands in `options.app`
 * several times and deeply, schemas included, which slowed each start; a function is not copied.
 */
import type { RouteOptionsApp, RouteSettings } from '@hapi/hapi';

type Kept = { readonly spec?: () => unknown; readonly page?: () => unknown };

/** `options.app` of a route of the interface, of FHIR or of SMART. */
export const keepSpec = (spec: unknown): RouteOptionsApp => ({ spec: () => spec }) as object;

/** `options.app` of a route of the website. */
export const keepPage = (page: unknown): RouteOptionsApp => ({ page: () => page }) as object;

const keptIn = ({ app }: Pick<RouteSettings, 'app'>): Kept => (app ?? {}) as Kept;

/** The spec, of the type with which the route's door has kept it; undefined for other routes. */
export const specIn = <Spec>(settings: Pick<RouteSettings, 'app'>): Spec | undefined =>
  keptIn(settings).spec?.() as Spec | undefined;

/** The page; undefined for routes of other doors. */
export const pageIn = <Page>(settings: Pick<RouteSettings, 'app'>): Page | undefined =>
  keptIn(settings).page?.() as Page | undefined;
