/** former-secrets: the bundled apps, and the secrets that earlier releases shipped for them in public source. */
import type { Signer } from '../../core/auth/sign';

type Bundled = { readonly folder: string; readonly id: string; readonly secret: string };

export const bundled: readonly Bundled[] = [
  { folder: 'admin/administration', id: 'admin@apps.svc.example', secret: 'development-secret-admin' },
  { folder: 'ui/website', id: 'ui@apps.svc.example', secret: 'development-secret-ui' },
  { folder: 'user/connector', id: 'connector@apps.svc.example', secret: 'development-secret-connector' },
  { folder: 'user/medications', id: 'medications@apps.svc.example', secret: 'development-secret-medications' },
];

export const signerWith = ({ id }: Bundled, secret: string): Signer => ({ consumer: { key: id, secret } });
export const formerly = (app: Bundled): Signer => signerWith(app, app.secret);

/** A call that every app may make, and nobody without credentials. */
export const knows = '/apps/';
