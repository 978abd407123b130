/** app-folder: a manifests folder of a test's own, added to the bundled one. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Signer } from '../../core/auth/sign';
import { testManifests } from './test-manifests';

export type OwnApp = {
  readonly app: Signer;
  readonly id: string;
  /** Value of SVC_MANIFESTS_DIR. */ readonly folders: string;
  readonly remove: () => void;
};

/** Makes one more user app, with these manifest fields in place of the usual ones. */
export const ownApp = (fields: Readonly<Record<string, unknown>>, secret = 'the secret of my own app'): OwnApp => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-manifests-'));
  const id = 'own@apps.svc.example';
  const place = join(folder, 'user', 'own');
  mkdirSync(place, { recursive: true });
  writeFileSync(
    join(place, 'manifest.json'),
    JSON.stringify({
      id,
      name: 'My own',
      description: 'An app of a test',
      author: 'Test',
      version: '1.0',
      mode: 'ui',
      scope: 'record',
      has_ui: true,
      frameable: false,
      index: 'https://own.example/start',
      ...fields,
    }),
  );
  writeFileSync(join(place, 'credentials.json'), JSON.stringify({ consumer_key: id, consumer_secret: secret }));
  return {
    app: { consumer: { key: id, secret } },
    id,
    folders: `${testManifests}:${folder}`,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
};
