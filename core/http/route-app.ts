/**
 * route-app: attaches to a hapi route what others, such as the audit hook, need to know of it. hapi copies everything
 * in `options.app` several times and deeply, schemas included, which slowed each start. A function is not copied.
 */
import type { RouteOptionsApp, RouteSettings } from '@hapi/hapi';

type Kept = { readonly spec?: () => unknown; readonly page?: () => unknown };

/** `options.app` of a route of the interface, of FHIR or of SMART. */
export const keepSpec = (spec: unknown): RouteOptionsApp => ({ spec: () => spec }) as object;

/** `options.app` of a route of the website. */
export const keepPage = (page: unknown): RouteOptionsApp => ({ page: () => page }) as object;

const keptIn = ({ app }: Pick<RouteSettings, 'app'>): Kept => (app ?? {}) as Kept;

/** The spec, with the type with which the route's door stored it; undefined for other routes. */
export const specIn = <Spec>(settings: Pick<RouteSettings, 'app'>): Spec | undefined =>
  keptIn(settings).spec?.() as Spec | undefined;

/** The page; undefined for routes of other doors. */
export const pageIn = <Page>(settings: Pick<RouteSettings, 'app'>): Page | undefined =>
  keptIn(settings).page?.() as Page | undefined;
