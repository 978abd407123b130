/** labels: the English words of buttons, fields and links that scripts rely on stand on the pages that promise them. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { sqliteMemory } from '../../support/databases';
import { startExampleApp, type ExampleApp } from '../../support/example-app';
import { waitForMail } from '../../support/mails';
import { startService, type TestService } from '../../support/server';
import { makeSite, readable, type Site, type SitePage } from '../../support/site';
import {
  enterSite,
  factOf,
  factsDocument,
  makeSiteRecord,
  MEMBER,
  OWNER,
  type SiteRecord,
} from '../../support/site-record';
import { authorizeApp, createAccount } from '../../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const CONTROL = /<(button|a|label|legend|summary|option|h1|h2|h3)\b[^>]*>([^]*?)<\/\1>/g;

/** What buttons, links, fields and headings of the page are called. A repeated button begins with its word. */
const labelsOf = ({ text }: SitePage): readonly string[] =>
  [...text.matchAll(CONTROL)].map(([, , html]) =>
    html!
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
  );

const QUICK = ['blood-pressure', 'weight', 'medicine', 'allergy', 'journal', 'note', 'photo'];

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

const missingOn = (page: SitePage, wanted: readonly string[]): readonly string[] => {
  const there = labelsOf(page);
  return wanted.filter(
    (label) => !there.some((one) => new RegExp(`^${escaped(label)}(?![\\p{L}\\p{N}])`, 'u').test(one)),
  );
};

const IN = 'plain@apps.example';
const OUT = 'other@apps.example';
const CHOLESTEROL = {
  test_name_title: 'Cholesterol',
  test_name_identifier: '2093-3',
  test_name_system: 'http://purl.bioontology.org/ontology/LNC/',
  collected_at: '2026-02-03T08:00:00Z',
};
const RANGE = {
  quantitative_result_normal_range_max_value: '200',
  quantitative_result_normal_range_max_unit: 'mg/dL',
};

describe('labels that scripts rely on', () => {
  let service: TestService;
  let made: SiteRecord;
  let guest: Site;
  let problem: string;
  let example: ExampleApp;

  const stored = (model: string, fields: Readonly<Record<string, string>>): Promise<string> =>
    made.store(factsDocument(service, factOf(model, fields)));

  before(async () => {
    example = await startExampleApp([
      { id: IN, name: 'Plain Diary', mode: 'ui' },
      { id: OUT, name: 'Other Diary', mode: 'ui' },
    ]);
    service = await startService(sqliteMemory, { SVC_SIGN_UP: '1', SVC_MANIFESTS_DIR: example.manifests });
    made = await makeSiteRecord(service);
    await authorizeApp(service.call, example.signer(IN), made.credentials, { record_id: made.recordId });
    guest = makeSite(service.running.server);
    problem = await stored('Problem', { name_title: 'Asthma' });
    for (const said of [{ instructions: 'at night' }, { instructions: 'at noon' }]) {
      await stored('Medication', {
        drugName_title: 'Ramipril 5 mg',
        startDate: '2026-01-01',
        status_identifier: 'active',
        status_title: 'active',
        ...said,
      });
    }
    await stored('Medication', { drugName_title: 'Ramipril', startDate: '2026-01-02' });
    await stored('VitalSigns', { date: '2026-01-02T07:30:00Z', weight_value: '81', weight_unit: 'kg' });
    for (const [value, more] of [
      ['4.2', { quantitative_result_value_unit: 'mmol/L' }],
      ['180', { quantitative_result_value_unit: 'mg/dL', ...RANGE }],
    ] as const) {
      await stored('LabResult', { ...CHOLESTEROL, quantitative_result_value_value: value, ...more });
    }
  });
  after(async () => {
    await service.stop();
    example.stop();
  });

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
      ['/my/start', ['Given name', 'Family name', 'Date of birth', 'Sex', 'Start a record']],
      ['/my/account', ['Name', 'E-mail', 'Keep on this telephone']],
      ['/my/account/second-factor', ['Code']],
      ['/my/bring-in', ['Look at it first']],
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
      ['history', ['Everybody']],
      ['export', ['Download everything', 'Download files']],
      ['add', ['A link or code from a clinic or app']],
      ['apps', ['Take out', 'Open', 'Let in']],
      [`apps/${encodeURIComponent(OUT)}`, ['Yes', 'No']],
      ['clinic', ['Show the code', 'In your own words', 'Openings']],
      ['words', ['In your own words', 'Save']],
      ['', ['Show it at a clinic', 'For your doctor', 'Emergency card']],
      ['card', ['Organ donor', 'Advance directive', 'Save']],
      [`sharing/${MEMBER}`, ['Allergies', 'Medicines', 'Problems', 'Lab results', 'Vaccinations', 'Procedures']],
      [`sharing/${MEMBER}`, ['Measurements', 'Visits', 'Documents', 'none', 'these', 'all', 'Last day', 'Save']],
      [`sharing/circles/${made.carenetId}`, ['Single facts', 'Rename', 'Delete', 'Take out', 'Add']],
      ['sharing', ['Circles']],
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

  /** Opens the page of a row in the list of medicines. */
  const medicine = async (name: RegExp): Promise<SitePage> => {
    const { text } = await open('list/Medication');
    const rows = [...text.matchAll(/href="([^"]*\/list\/Medication\/[^"]*)"[^>]*><bdi>([^<]*)</g)];
    return made.owner.open(rows.find(([, , title]) => name.test(title!))![1]!);
  };

  it('stand where sources of one thing differ, and where a person says so', async () => {
    const page = await medicine(/5 ?mg/);
    const list = readable(await open('list/Medication'));
    expect(['Sources differ', 'Perhaps the same'].filter((one) => !list.includes(one))).to.equal([]);
    const test = readable(await open('tests/cholesterol'));
    expect(['As written', 'Converted', 'Range of the laboratory'].filter((one) => !test.includes(one))).to.equal([]);
    expect(page.text).to.contain(['<h2>Sources</h2>', 'Sources differ</', '<h2>Perhaps the same</h2>']);
    expect(missingOn(page, ['These are the same', 'These are not the same', 'I no longer take this'])).to.equal([]);
    await made.owner.submit(page, { verdict: 'stopped' }, 'I no longer take this');
    expect(missingOn(await medicine(/5 ?mg/), ['I take this', 'Take back'])).to.equal([]);
  });

  it('stand on what was read of a file before it is added', async () => {
    const note = { field: 'file', name: 'note.txt', bytes: 'A note about a knee', type: 'text/plain' };
    const looked = await made.owner.send(await open('add'), [note]);
    expect(missingOn(looked, ['Title', 'Never share', 'Add to my record'])).to.equal([]);
  });

  it('stand on invitations, and on what is let in', async () => {
    const crumb = made.owner.cookies.get('crumb')!;
    const path = `/my/records/${made.recordId}/sharing/invite`;
    const wish = { crumb, what: 'invite', name: 'Lena', gives: made.carenetId };
    await made.owner.post(path, { ...wish, email: 'lena@people.example' });
    expect(missingOn(await made.owner.open(path), ['Take back', 'Send'])).to.equal([]);
    const mail = await waitForMail(service.mailDir, 'lena@people.example', 'An invitation to a health record');
    const link = new URL(mail.links.find((one) => one.includes('/invitations/'))!).pathname;
    await made.stranger.submit(await made.stranger.open(link), {}, 'Yes, it is me');
    expect(missingOn(await made.owner.open(path), ['Let Paul Other in', 'No'])).to.equal([]);
  });

  it('stand on the code of a clinic, and on who is signed in where', async () => {
    const fields = { what: 'show', kind: 'problems', minutes: '5', openings: '1' };
    const crumb = made.owner.cookies.get('crumb')!;
    const sent = await made.owner.post(`/my/records/${made.recordId}/clinic`, { crumb, ...fields });
    expect(sent.status).to.equal(303);
    expect(missingOn(await made.owner.open(String(sent.headers['location'])), ['End it now'])).to.equal([]);
    await enterSite(service, OWNER);
    expect(missingOn(await made.owner.open('/my/account'), ['Sign out there'])).to.equal([]);
  });

  it('stand on the page of a mailed link', async () => {
    const id = 'mailed@people.example';
    await createAccount(service.call, id, 'Mailed Person');
    await guest.submit(await guest.open('/my/forgot-password'), { name: id });
    const { links } = await waitForMail(service.mailDir, id, 'Your password');
    const page = await guest.open(new URL(links.find((one) => one.includes('/reset_password/'))!).pathname);
    expect(missingOn(page, ['Code', 'New password'])).to.equal([]);
  });

  it('have the attributes that scripts find things by', async () => {
    const body = `<body class="[^"]*" data-record="${made.recordId}"`;
    for (const [path, ...wanted] of [
      ['', body, 'data-kind="Medication"', 'data-kind="Problem"'],
      ['timeline', body, 'data-kind="Problem" data-id="[^"]+"'],
      ['list/Problem', body, 'data-kind="Problem" data-id="[^"]+"'],
      ['data/Problem', body, 'data-kind="Problem" data-id="[^"]+"'],
      ['tests/weight', body, 'data-kind="VitalSigns" data-id="[^"]+"'],
      ['documents/', body, `data-kind="Document" data-id="${problem}"`],
      ['search?q=cholesterol', body, 'data-kind="LabResult" data-id="[^"]+" data-value="180 mg/dL"'],
      ['history', body, 'data-unbroken="true"', 'href="[^"]*only=others"'],
      ['quick/', 'href="/my/\\?all=1"', ...QUICK.map((name) => `href="[^"]*/quick/${name}"`)],
    ] as const) {
      const { text } = await open(path);
      expect(
        wanted.filter((one) => !new RegExp(one).test(text)),
        path,
      ).to.equal([]);
    }
  });

  it('name every field by its label', async () => {
    const named = new Set(['hidden', 'submit', 'button']);
    for (const path of ['add', 'sharing', 'sharing/invite', 'details', 'card', 'clinic', 'quick/allergy', 'history']) {
      const { text } = await open(path);
      const fields = [...text.matchAll(/<(?:input|select|textarea)\b[^>]*>/g)].map(([tag]) => tag);
      const nameless = fields.filter((tag) => {
        const [, id = '-'] = / id="([^"]*)"/.exec(tag) ?? [];
        const inLabel = new RegExp(`<label[^>]*>(?:(?!</label>)[^])*${escaped(tag)}`).test(text);
        return !named.has(/ type="([^"]*)"/.exec(tag)?.[1] ?? '') && !inLabel && !text.includes(`for="${id}"`);
      });
      expect(nameless, path).to.equal([]);
    }
  });
});
