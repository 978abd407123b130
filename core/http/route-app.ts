/**
 * route-app: attaches to a hapi route what others, such as the audit hook, need to know of it. hapi copies everything
 * in `options.app` several times and deeply, schemas included, which slowed each start. A function is not copied.
 */
import type { RouteOptionsApp, RouteSettings } from '@hapi/hapi';

type Kept = { readonly spec?: () => unknown; readonly page?: () => unknown };

/** `options.app` of a route of the interface, of FHIR or of SMART. */
export function keepSpec(spec: unknown): RouteOptionsApp {
  return { spec: () => spec } as object;
}

/** `options.app` of a route of the website. */
export function keepPage(page: unknown): RouteOptionsApp {
  return { page: () => page } as object;
}

function keptIn({ app }: Pick<RouteSettings, 'app'>): Kept {
  return (app ?? {}) as Kept;
}

/** The spec, with the type with which the route's door stored it; undefined for other routes. */
export function specIn<Spec>(settings: Pick<RouteSettings, 'app'>): Spec | undefined {
  return keptIn(settings).spec?.() as Spec | undefined;
}

/** The page; undefined for routes of other doors. */
export function pageIn<Page>(settings: Pick<RouteSettings, 'app'>): Page | undefined {
  return keptIn(settings).page?.() as Page | undefined;
}
