/** manifest-schema: what manifest.json and credentials.json may contain (specification 2.10, 2.11). */
import Joi from 'joi';
import type { Json } from '../base/types';
import { clientFields, needsClient, type ClientFields } from './smart-client';

/**
 * The release of the interface that manifests name as svc_version. A manifest with a higher major number is refused.
 */
export const INTERFACE_VERSION = '2.0.0';

export type UserManifest = Partial<ClientFields> & {
  id: string;
  name: string;
  description: string;
  author: string;
  version: string;
  mode: 'ui' | 'background' | 'frame_ui';
  /** `record`, or the scopes that the app may ask for through SMART. */
  scope?: string;
  index?: string;
  icon?: string;
  oauth_callback_url?: string;
  has_ui?: boolean;
  frameable?: boolean;
  autonomous_reason?: string;
  svc_version?: string;
  smart_version?: string;
  requires: Readonly<Record<string, Json>>;
  supportedBrowserEnvironments?: readonly string[];
  optimalBrowserEnvironments?: readonly string[];
};

export type MachineManifest = {
  id: string;
  name: string;
  description: string;
  author: string;
  version: string;
  svc_version?: string;
  ui_app: boolean;
};

/** Without a secret, the service makes one. */
export type Credentials = { consumer_key?: string; consumer_secret?: string };

function textUpTo(length: number) {
  return Joi.string().allow('').max(length);
}
const emailShaped = Joi.string()
  .max(255)
  .pattern(/^[^\s@/?#]+@[^\s@/?#]+$/, 'e-mail-shaped id');
const versionNumber = Joi.string().pattern(/^\d+(\.\d+){0,2}$/, 'version number');
const environments = Joi.array().items(Joi.string().valid('desktop', 'tablet', 'mobile'));

const compatible = versionNumber
  .max(40)
  .custom((value: string, helpers) =>
    Number(value.split('.')[0]) > Number(INTERFACE_VERSION.split('.')[0])
      ? helpers.message({ custom: `"svc_version" asks for a newer interface than ${INTERFACE_VERSION}` })
      : value,
  );

const UI = 'http://ui.example/';

/** A web address, or a path below the UI's address. */
const webAddress = textUpTo(500).custom((value: string, helpers) => {
  const url = URL.canParse(value, UI) ? new URL(value, UI) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    return helpers.message({ custom: '{{#label}} must be an http or https address or a path' });
  }
  return url.hostname.includes('*')
    ? helpers.message({ custom: '{{#label}} has the wildcard * in its host, where no browser finds anything' })
    : value;
});

const described = {
  id: emailShaped.required(),
  name: Joi.string().max(200).required(),
  description: textUpTo(2000).default(''),
  author: textUpTo(200).default(''),
  version: textUpTo(40).default(''),
  svc_version: compatible,
};

const required = Joi.object({
  methods: Joi.array()
    .items(Joi.string().valid('GET', 'PUT', 'POST', 'DELETE'))
    .required(),
  codes: Joi.array().items(Joi.string().uri()),
});

export const userManifest = Joi.object<UserManifest>({
  ...described,
  mode: Joi.string().valid('ui', 'background', 'frame_ui').default('ui'),
  ...clientFields,
  index: webAddress.when('mode', { is: 'background', otherwise: Joi.required().invalid('') }),
  icon: webAddress,
  oauth_callback_url: webAddress,
  has_ui: Joi.boolean().strict(),
  frameable: Joi.boolean().strict(),
  autonomous_reason: textUpTo(2000),
  smart_version: versionNumber,
  requires: Joi.object().pattern(Joi.string().uri().max(255), required).default({}),
  supportedBrowserEnvironments: environments,
  optimalBrowserEnvironments: environments,
}).custom(needsClient);

export const machineManifest = Joi.object<MachineManifest>({ ...described, ui_app: Joi.boolean().strict().required() });

/** A secret is an HMAC key, in printable ASCII. The message is our own, because that of Joi would show the secret. */
const secret = Joi.string()
  .max(60)
  .pattern(/^[\x20-\x7e]+$/, 'printable ASCII')
  .messages({ 'string.pattern.name': '{{#label}} must be {{#name}}' });

/** Only user apps may do without a secret: they use connect tokens. */
export function credentials(mayBeEmpty: boolean): Joi.ObjectSchema<Credentials> {
  return Joi.object<Credentials>({
    consumer_key: Joi.string().max(200),
    consumer_secret: mayBeEmpty ? secret.allow('') : secret,
  }).unknown(true);
}
