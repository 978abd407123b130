/** kept form: a stranger who makes up the cookie and the crumb of a session, so that what they typed seems another's. */
import { createHmac } from 'node:crypto';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { databases } from '../support/databases';
import { startService, type TestService } from '../support/server';
import { formsOf, makeSite, readable } from '../support/site';
import { makeSiteRecord, OWNER, type SiteRecord } from '../support/site-record';
import { PASSWORD } from '../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const PLANTED = 'planted by a stranger';

describe('a kept form', () => {
  let service: TestService;
  let of: SiteRecord;
  before(async () => {
    service = await startService(databases[0]!);
    of = await makeSiteRecord(service);
  });
  after(() => service.stop());

  it('whose cookie and crumb its sender has chosen brings nothing back to the person whom it names', async () => {
    const path = `/my/records/${of.recordId}/add/Allergy`;
    const cookie = 'a-cookie-of-my-own-choice';
    const crumbs = [
      createHmac('sha256', cookie).update(`crumb ${OWNER}`).digest('base64url'),
      createHmac('sha256', '').update(`crumb\n${cookie} ${OWNER}`).digest('base64url'),
    ];
    for (const crumb of crumbs) {
      const stranger = makeSite(service.running.server);
      stranger.cookies.set('svc_session', cookie);
      stranger.cookies.set('crumb', crumb);
      const asked = await stranger.post(path, { crumb, form: 'x', food_allergen_title: PLANTED });
      expect(asked.status).to.equal(403);
      const kept = formsOf(asked).find(({ fields }) => 'kept' in fields)?.fields['kept'];
      expect(kept, readable(asked)).to.exist();
      const site = makeSite(service.running.server);
      const inside = await site.submit(await site.open('/my/sign-in'), { username: OWNER, password: PASSWORD });
      expect(inside.status).to.equal(200);
      await site.open('/my/account');
      const back = await site.post(path, { crumb: site.cookies.get('crumb')!, kept: kept! });
      expect([back.status, back.headers['location'], back.text.includes(PLANTED)]).to.equal([303, path, false]);
    }
  });
});
