/**
 * test-manifests: the bundled manifests, and the secrets that tests give to their apps, because no secret is shipped.
 * Tests of the secrets that the service makes name the bundled folder alone.
 */
import { inProject } from '../../core/base/paths';

/** The secrets alone. */
export const appSecrets = inProject('test/fixtures/app-secrets');

/** Value of SVC_MANIFESTS_DIR. */
export const testManifests = `${inProject('manifests')}:${appSecrets}`;
