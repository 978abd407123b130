/**
 * kept form: what was typed into a form whose session had ended comes back to the same person only, and is stored when
 * they press again.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { sha256 } from '../../../core/base/ids';
import { databases } from '../../support/databases';
import { direct } from '../../support/direct';
import { formsOf, readable, type Site, type SitePage } from '../../support/site';
import { enterSite, makeSiteRecord, OWNER, STRANGER, type SiteRecord } from '../../support/site-record';
import { startService, type TestService } from '../../support/server';
import { PASSWORD } from '../../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const TYPED = 'Penicillin <b>"quoted"';

for (const leg of databases) {
  describe(`forms after the end of a session on ${leg.name}`, () => {
    let service: TestService;
    let of: SiteRecord;
    const knex = () => direct(service.services.database);
    const count = async (): Promise<number> => (await knex()('document').where({ record_id: of.recordId })).length;
    const allergy = (): string => `/my/records/${of.recordId}/add/Allergy`;
    const endSession = async (site: Site): Promise<void> => {
      const cookie_hash = sha256(site.cookies.get('svc_session')!);
      const token = knex()('browser_session').where({ cookie_hash }).select('token_hash');
      const changed = await knex()('session_token')
        .whereIn('token_hash', token)
        .update({ last_used_at: '2020-01-01T00:00:00.000000Z' });
      expect(changed).to.equal(1);
    };
    const fieldsOf = (page: SitePage, name: string): Record<string, string> => {
      const form = formsOf(page).find(({ fields }) => name in fields);
      expect(form, readable(page)).to.exist();
      return form!.fields;
    };
    /** Types an allergy into a form, and sends it after the session has ended. */
    const sentLate = async (): Promise<{ site: Site; asked: SitePage; token: string }> => {
      const site = await enterSite(service, OWNER);
      const page = await site.open(allergy());
      await endSession(site);
      const asked = await site.submit(page, { food_allergen_title: TYPED }, 'name="form"');
      return { site, asked, token: fieldsOf(page, 'form')['form']! };
    };

    before(async () => {
      service = await startService(leg, { SVC_RATE_ADDRESS_PER_MINUTE: '0' });
      of = await makeSiteRecord(service);
    });
    after(() => service.stop());

    it('stand again with what was typed for the same person, and store it once when its button is pressed', async () => {
      const had = await count();
      const { site, asked, token } = await sentLate();
      expect(asked.status).to.equal(403);
      expect(readable(asked)).to.contain(['You were signed out meanwhile', 'Nothing was stored yet']);
      expect(asked.text).to.not.contain('Penicillin');

      const wrong = await site.submit(asked, { username: OWNER, password: 'not this one' });
      expect(wrong.status).to.equal(403);
      const inside = await site.submit(wrong, { username: OWNER, password: PASSWORD });
      expect(inside.status, readable(inside)).to.equal(200);
      expect(readable(inside)).to.contain('It is not stored yet');
      const again = await site.submit(inside, {}, 'name="kept"');
      expect([again.status, again.path]).to.equal([200, allergy()]);
      expect(readable(again)).to.contain('This is not stored yet');
      const fields = fieldsOf(again, 'food_allergen_title');
      expect([fields['food_allergen_title'], fields['form']]).to.equal([TYPED, token]);
      expect(await count()).to.equal(had);

      const stored = await site.submit(again, { food_allergen_title: fields['food_allergen_title']! }, 'name="form"');
      expect(stored.status).to.equal(200);
      expect(readable(stored)).to.contain(TYPED);
      expect(await count()).to.equal(had + 1);
      await site.submit(again, { food_allergen_title: fields['food_allergen_title']! }, 'name="form"');
      expect(await count()).to.equal(had + 1);
    });

    it('are not offered to somebody else who signs in on that browser', async () => {
      const had = await count();
      const { site, asked } = await sentLate();
      const { kept } = fieldsOf(asked, 'kept');
      const inside = await site.submit(asked, { username: STRANGER, password: PASSWORD });
      expect([inside.status, inside.path]).to.equal([200, '/my/']);
      expect(inside.text).to.not.contain('kept').and.to.not.contain('Penicillin');
      const { crumb } = fieldsOf(await site.open('/my/account'), 'crumb');
      for (const path of [allergy(), '/my/start', '/my/inbox/']) {
        const page = await site.post(path, { crumb: crumb!, kept: kept! });
        expect([page.status, page.headers['location'], page.text.includes('Penicillin')], path).to.equal([
          303,
          path,
          false,
        ]);
      }
      // A text that the service sealed for something else, or an invented one, brings nothing back either.
      for (const other of [
        'x',
        service.services.sealing.seal('{"path":"/my/start"}'),
        service.services.sealing.seal('no'),
      ]) {
        expect((await site.post('/my/start', { crumb: crumb!, kept: other })).status).to.equal(303);
      }
      expect(await count()).to.equal(had);
    });

    it('bring back notes, letters and new records, too', async () => {
      const document = await of.store(
        `<Models xmlns="${service.services.config.vocabBase}/xml/documents#">` +
          '<Model name="SimpleClinicalNote"><Field name="content">Seen</Field></Model></Models>',
      );
      for (const [path, field] of [
        [`/my/records/${of.recordId}/documents/${document}`, 'note'],
        ['/my/inbox/', 'text'],
        ['/my/start', 'given'],
      ] as const) {
        const site = await enterSite(service, OWNER);
        const page = await site.open(path);
        await endSession(site);
        const asked = await site.submit(page, { [field]: `${TYPED} ${field}` });
        const inside = await site.submit(asked, { username: OWNER, password: PASSWORD });
        const again = await site.submit(inside, {}, 'name="kept"');
        expect(again.path, readable(again)).to.equal(path);
        expect(fieldsOf(again, field)[field]).to.equal(`${TYPED} ${field}`);
      }
    });

    it('tell plainly that nothing was changed where they are not kept: short ones, and what is too long', async () => {
      const site = await enterSite(service, OWNER);
      const page = await site.open('/my/account');
      await endSession(site);
      const refused = await site.submit(page, { what: 'password', old: PASSWORD }, 'value="password"');
      expect(refused.status).to.equal(403);
      expect(readable(refused)).to.contain(['You are signed out', 'nothing was changed']);
      expect(refused.text).to.contain('/my/sign-in?next=%2Fmy%2Faccount').and.to.not.contain(PASSWORD);
      const other = await enterSite(service, OWNER);
      const long = await other.open(allergy());
      await endSession(other);
      const lost = await other.submit(long, { notes: 'x'.repeat(130_000) }, 'name="form"');
      expect([lost.status, lost.text.includes('name="kept"')]).to.equal([403, false]);
    });
  });
}
