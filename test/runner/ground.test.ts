/** ground: the settings of the person who runs the tests do not reach them, but for those of the tests themselves. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { cleanEnvironment } from './ground';

export const lab = Lab.script();
const { describe, it } = lab;

describe('the environment of a job', () => {
  it('has no setting of the service, and those of the tests', () => {
    const ofTests = { PATH: '/bin', SVC_REQUIRE_MYSQL: '1', SVC_TEST_SEED: '7', SVC_TEST_QUERIES: '5000' };
    const others = { SVC_PORT: '1', SVC_SECRET_KEY: 'secret', SVC_TEST_DATABASE_URL: 'mysql://one' };
    expect(cleanEnvironment({ ...ofTests, ...others })).to.equal({ ...ofTests, SVC_LOG_LEVEL: 'fatal' });
  });
});
