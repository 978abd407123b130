/** labels: the English words of buttons, fields and links that scripts rely on stand on the pages that promise them. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { sqliteMemory } from '../../support/databases';
import { startService, type TestService } from '../../support/server';
import { makeSite, type Site, type SitePage } from '../../support/site';
import { factOf, factsDocument, makeSiteRecord, type SiteRecord } from '../../support/site-record';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const CONTROL = /<(button|a|label|legend|summary|option)\b[^>]*>([^]*?)<\/\1>/g;

/** What buttons, links and fields of the page are called. A repeated button begins with its word. */
const labelsOf = ({ text }: SitePage): readonly string[] =>
  [...text.matchAll(CONTROL)].map(([, , html]) =>
    html!
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
  );

const missingOn = (page: SitePage, wanted: readonly string[]): readonly string[] => {
  const there = labelsOf(page);
  return wanted.filter((label) => !there.some((one) => one === label || one.startsWith(`${label} `)));
};

describe('labels that scripts rely on', () => {
  let service: TestService;
  let made: SiteRecord;
  let guest: Site;
  let problem: string;

  before(async () => {
    service = await startService(sqliteMemory, { SVC_SIGN_UP: '1' });
    made = await makeSiteRecord(service);
    guest = makeSite(service.running.server);
    problem = await made.store(factsDocument(service, factOf('Problem', { name_title: 'Asthma' })));
  });
  after(() => service.stop());

  const open = (path: string): Promise<SitePage> => made.owner.open(`/my/records/${made.recordId}/${path}`);

  it('stand on pages that are open to anybody', async () => {
    for (const [path, wanted] of [
      ['/my/sign-in', ['User name', 'Password', 'Sign in', 'Keep me signed in here']],
      ['/my/forgot-password', ['User name or e-mail']],
      ['/my/sign-up', ['Given name', 'Family name', 'E-mail', 'Language']],
    ] as const) {
      expect(missingOn(await guest.get(path), wanted), path).to.equal([]);
    }
  });

  it('stand on the pages of a person', async () => {
    for (const [path, wanted] of [
      ['/my/?all=1', ['Start a record', 'Bring a record in', 'Sign out']],
      ['/my/account', ['Old password', 'New password', 'Colours', 'Units of results', 'Size of letters', 'Save']],
      ['/my/account', ['As the device', 'Light', 'Dark', 'Usual', 'Larger', 'Largest']],
      ['/my/inbox/', ['Send']],
    ] as const) {
      expect(missingOn(await made.owner.open(path), wanted), path).to.equal([]);
    }
  });

  it('stand on the pages of a record', async () => {
    for (const [path, wanted] of [
      ['', ['Search this record', 'Sign out']],
      ['quick/blood-pressure', ['Upper', 'Lower', 'Pulse', 'Save']],
      ['quick/weight', ['Weight']],
      ['quick/medicine', ['What', 'How much', 'How often']],
      ['quick/allergy', ['What', 'Reaction']],
      ['quick/journal', ['How I feel']],
      ['quick/note', ['Note']],
      ['quick/photo', ['Photo']],
      ['add', ['Look at it first']],
      ['documents/', ['Tag', 'Share', 'Archive']],
      [`documents/${problem}`, ['Title', 'Date of care', 'Kind', 'Tags', 'Never share', 'Reason', 'Archive']],
      ['data/Problem', ['CSV']],
      ['sharing', ['Invite somebody', 'Change', 'See it as Anna Berg', 'Stop sharing', 'Share the whole record']],
      ['sharing', ['User name or e-mail', 'Add', 'Take out', 'Create', 'Rename', 'Delete', 'Name']],
      ['sharing/invite', ['Name', 'E-mail']],
      ['details', ['Address', 'Telephone', 'Blood group', 'Emergency contacts', 'Insurance', 'Date of birth', 'Sex']],
      ['details', ['Given name', 'Family name']],
      ['history', ['Only others', 'CSV']],
      ['tests/weight', ['Lowest', 'Highest', 'Save']],
      ['export', ['Download everything']],
    ] as const) {
      expect(missingOn(await open(path), wanted), path).to.equal([]);
    }
  });

  it('stand on what follows a form', async () => {
    const path = `/my/records/${made.recordId}/quick/weight`;
    const fields = { crumb: made.owner.cookies.get('crumb')!, date: '2026-01-02', 'date:time': '07:30' };
    const asked = await made.owner.post(path, { ...fields, form: 'odd', weight_value: '900' });
    expect(asked.text).to.contain('Is this right?');
    expect(missingOn(asked, ['Yes, keep it', 'No, change it'])).to.equal([]);
    const sent = await made.owner.post(path, { ...fields, form: 'usual', weight_value: '80' });
    const saved = await made.owner.open(String(sent.headers['location']));
    expect(missingOn(saved, ['Undo', 'Add another'])).to.equal([]);
  });
});
