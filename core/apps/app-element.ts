/** app-element: apps as XML and as JSON manifests (specification 2.10); used wherever apps are shown. */
import type { Json } from '../base/types';
import { prefersJson } from '../http/formats';
import type { ReplyBody, Serializer } from '../http/route';
import { atUi } from '../http/ui-links';
import type { AppRow } from './store';
import { element, type XmlElement } from '../xml/write';

export type ShownApp = {
  readonly app: AppRow;
  /** Where relative addresses of manifests begin. */ readonly uiBaseUrl: string;
};
export type ShownApps = { readonly apps: readonly AppRow[]; readonly uiBaseUrl: string };

/** What a person who is asked to allow an app reads about it. */
export function describeApp(app: AppRow): readonly XmlElement[] {
  return [
    element('name', {}, app.name),
    element('description', {}, app.description),
    element('autonomous', {}, String(app.autonomous)),
    ...(app.autonomous ? [element('autonomousReason', {}, app.autonomousReason ?? '')] : []),
    element('frameable', {}, String(app.frameable)),
    element('ui', {}, String(app.hasUi)),
  ];
}

function appElement(app: AppRow, uiBaseUrl: string): XmlElement {
  return element('App', { id: app.id }, [
    app.indexUrl !== null && element('startURLTemplate', {}, atUi(uiBaseUrl, app.indexUrl)),
    ...describeApp(app),
  ]);
}

type Manifest = Readonly<Record<string, Json>>;

/** The platform's release that each release of this interface contains. */
const platformVersions: Readonly<Record<string, string>> = { '2.0.0': '0.4' };

/** The manifest in the platform's own form, without credentials and this service's additions. */
export function platformManifest({ app, uiBaseUrl }: ShownApp): Manifest {
  const {
    requires = {},
    smart_version: _registered,
    smart_client: _client,
    smart_backend: _backend,
    ...rest
  } = app.manifest;
  const version = platformVersions[app.svcVersion ?? ''];
  return {
    name: app.name,
    description: app.description,
    author: app.author,
    id: app.id,
    version: app.version,
    mode: app.autonomous ? 'background' : 'ui',
    scope: 'record',
    icon: atUi(uiBaseUrl, app.icon),
    index: atUi(uiBaseUrl, app.indexUrl),
    requires,
    ...(version === undefined ? {} : { smart_version: version }),
    ...rest,
  };
}

function fullManifest(shown: ShownApp): Manifest {
  const { app, uiBaseUrl } = shown;
  return {
    ...platformManifest(shown),
    has_ui: app.hasUi,
    frameable: app.frameable,
    oauth_callback_url: atUi(uiBaseUrl, app.callbackUrl),
    svc_version: app.svcVersion,
    ...(app.autonomous ? { autonomous_reason: app.autonomousReason ?? '' } : {}),
  };
}

function manifestsAsJson(value: Manifest | readonly Manifest[]): ReplyBody {
  return {
    kind: 'body',
    type: 'application/json',
    body: JSON.stringify(value),
  };
}

/** `App`, or the manifest when the caller prefers JSON. */
export const appReply: Serializer<ShownApp> = {
  describes: { type: 'application/xml', also: ['application/json'], element: 'App' },
  from: (shown, { accept }) =>
    prefersJson(accept)
      ? manifestsAsJson(fullManifest(shown))
      : { kind: 'tree', root: appElement(shown.app, shown.uiBaseUrl) },
};

/** `Apps`, or a list of manifests when the caller prefers JSON. */
export const appList: Serializer<ShownApps> = {
  describes: { type: 'application/xml', also: ['application/json'], element: 'Apps' },
  from: ({ apps, uiBaseUrl }, { accept }) =>
    prefersJson(accept)
      ? manifestsAsJson(apps.map((app) => fullManifest({ app, uiBaseUrl })))
      : {
          kind: 'tree',
          root: element(
            'Apps',
            {},
            apps.map((app) => appElement(app, uiBaseUrl)),
          ),
        },
};

/**
 * The start address with its placeholders filled in. A placeholder whose id is not given becomes empty; unknown
 * placeholders stay.
 */
export function startUrl(
  { app, uiBaseUrl }: ShownApp,
  { recordId, carenetId }: { readonly recordId?: string | undefined; readonly carenetId?: string | undefined },
): string {
  return (atUi(uiBaseUrl, app.indexUrl) || uiBaseUrl)
    .replaceAll('{record_id}', encodeURIComponent(recordId ?? ''))
    .replaceAll('{carenet_id}', encodeURIComponent(carenetId ?? ''));
}
