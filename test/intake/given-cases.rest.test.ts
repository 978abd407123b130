/**
 * given cases: each file of the world that once came out wrong says what it should, as `svc ingest` prints it and as
 * the page shows it before anything is added. It is skipped where the files are not beside the project.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { databases } from '../support/databases';
import { startService, type TestService } from '../support/server';
import { formsOf, readable, type Site, type SitePage } from '../support/site';
import { makeSiteRecord, OWNER } from '../support/site-record';
import { svc } from '../support/svc';
import { createRecord } from '../support/world';
import { DATA } from './examples';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const FOLDER = join(DATA, 'intake-cases');
const skip = !existsSync(FOLDER);

type Says = {
  /** What the page shows before the file is added. */ readonly page: readonly RegExp[];
  /** What the page must not say. */ readonly never?: RegExp;
  /** What `svc ingest` prints, if it is something else. */ readonly ingest?: readonly RegExp[];
  /** Whether the file is refused, with these words. */ readonly refused?: true;
};

const penicillin = [/Penicillin/];

/** The beginning of the file's name, its number -> what it says. */
const cases: Readonly<Record<string, Says>> = {
  '01': { page: [/Warfarin 5 mg tablet/, /Fluticasone inhaler/], never: /stopped|over|completed/i },
  '03': { page: [/Cardiac pacemaker/, /3 July 2018/], never: /until/i, ingest: [/date_started: 2018-07-03/] },
  '05': { page: penicillin },
  '08': { page: penicillin },
  '10': { page: [/Penicillin/, /1 January 2010/], ingest: [/onset: 2010-01-01/] },
  '101': { page: [/Weight 70 kg/], ingest: [/weight_value: 70/] },
  '104': {
    page: [/Steps, Apple Watch 3,120/, /Steps, iPhone 3,000/],
    never: /average/i,
    ingest: [/value: 3120/, /value: 3000/],
  },
  '106': { page: [/O negative/] },
  '110': {
    page: [/read as 3 February 2025, and could also be 2 March 2025/],
    ingest: [/read as 3 February 2025, and may be 2 March 2025/],
  },
  '113': { page: [/97 mg\/dL/, /8 March 2025 at 07:15/], ingest: [/value: 97\s+unit: mg\/dL/] },
  '114': { page: [/5\.4 mmol\/L/, /12\.1 mmol\/L/], ingest: [/value: 5\.4/, /value: 12\.1/] },
  '116': { page: [/127 \/ 81 mmHg/], ingest: [/Irregular heartbeat detected; Possible AFib; Notes: felt dizzy/] },
  '117': { page: [/kPa instead of mmHg/], ingest: [/mmHg instead of kPa/], refused: true },
  '12': { page: [/Penicillin/, /the sign &.*Line 2/], ingest: [/Penicillin/, /the sign & stood alone/] },
  '120a': { page: [/78\.5 kg/, /75 kg/, /71\.5 kg/, /68 kg/], ingest: [/78\.5/, /71\.5/] },
  '120b': { page: [/78\.5 kg/], ingest: [/78\.5/] },
  '122a': { page: [/127 \/ 81/, /197 \/ 121/], ingest: [/systolic_value: 197/] },
  '122b': { page: [/127 \/ 81/], ingest: [/systolic_value: 127/] },
  '124a': { page: [/128 \/ 82/, /129 \/ 83/], ingest: [/128/, /129/] },
  '124b': { page: [/128 \/ 82/, /129 \/ 83/, /131 \/ 84/], ingest: [/128/, /131/] },
  '125': { page: [/15\.4 mmol\/L/, /97 mg\/dL/, /99 mg\/dL/], ingest: [/15\.4/, /mg\/dL/] },
  '14': { page: [/Penicillin/, /characters that XML does not allow/], ingest: [/Penicillin/] },
  '15': { page: [/1 February 2024 at 01:30/], never: /31 January/, ingest: [/2024-02-01T01:30/] },
  '16': { page: [/since 1 February 2022/], never: /31 January/, ingest: [/startDate: 2022-02-01/] },
  '18': { page: [/Potassium.* 6\.9 mmol\/L/], ingest: [/value: 6\.9/] },
  '20': { page: [/Not administered.*Anaphylaxis to vaccine/], ingest: [/statusReason_title: Anaphylaxis to vaccine/] },
  '21': { page: [/Anaphylaxis/], ingest: [/reaction: Anaphylaxis/, /Do not give again/] },
  '23': {
    page: [/1 to 2.*Oral/, /1 g; at most 4 g a day/, /One tablet daily.*Stop if rash appears/],
    ingest: [/dose of 1 to 2; route: Oral/, /at most 4 g a day/, /Stop if rash appears/],
  },
  '24': { page: [/12\.5 g\/dL/], ingest: [/Male: 13\.5 - 17\.5 g\/dL; Female: 12 - 15\.5 g\/dL/, /min_value: 12\n/] },
  '26': { page: [/Height 1\.778 m/, /120 \/ 80 mmHg/, /Weight 70 kg/], ingest: [/height_value: 1\.778/] },
  '28': {
    page: [/Pregnancy status Pregnant, Estimated date of delivery: 2024-09-01\. 1 January 2024/],
    ingest: [/Estimated date of delivery: 2024-09-01/],
  },
  '30': { page: [/Endoscopy report/], never: /its own text says all of it/, ingest: [/Endoscopy report/] },
  '34': { page: [/Is this the right record\?.*about Alex Sample; Newborn Sample/], ingest: penicillin },
  '35': { page: [/Left breast/, /Stage IIIB/] },
  '37': { page: [/export_cda\.xml/, /export\.zip/], refused: true },
  '40': { page: [/Penicillin/, /stood before its first line/], ingest: penicillin },
  '45a': { page: [/Warfarin 5 mg Active/, /Asthma Active/], ingest: [/Warfarin/, /Asthma/] },
  '45b': {
    page: [/Asthma Resolved/, /Warfarin 5 mg 1 January 2023 to 15 February 2024/],
    ingest: [/endDate: 2024-02-15/],
  },
  '47a': { page: [/5\.1 mmol\/L/, /COVID-19 mRNA/], ingest: [/5\.1/] },
  '47b': { page: [/5\.1 mmol\/L/, /COVID-19 mRNA/], ingest: [/5\.1/] },
  '51': { page: [/6 tablets on Mondays only/], never: /1 a day|\/d\b/ },
  '53': { page: [/08:00 and 20:00/], never: /1 a day|once a day/ },
  '55': { page: [/1 tablet in the morning; then 0\.5 tablet in the evening/] },
  '57': { page: [/4 to 10 U/, /1 g once every 6 hours; as needed; at most 4 g a day/] },
  '58': { page: [/Finish the course/, /Shake well before use/, /On hold from 5 March until after the operation/] },
  '60': { page: [/Ibuprofen 400 mg/] },
  '62': { page: [/Warfarin 5 mg/] },
  '63': { page: [/Warfarin 5 mg/] },
  '65': {
    page: [/7\.9%/, /Detected/, /6\.9 mmol\/L/, /O negative/],
    ingest: [/7\.9/, /Detected/, /6\.9/, /O negative/],
  },
  '67': { page: [/Blood pressure 184\/112 mmHg/, /Height 5 ft 10 in/], ingest: [/184\/112 mmHg/, /5 ft 10 in/] },
  '68': {
    page: [/Head circumference 45 cm/, /Weight\/Scale 2,624 oz/],
    never: /9843-4|Code /,
    ingest: [/name: Head circumference/],
  },
  '70': {
    page: [/Weight 70 kg 2 March 2024/, /Potassium 5\.1 mmol\/L.* 2 March 2024/],
    ingest: [/date of the report/],
  },
  '71': { page: [/Penicillin/, /Entry 1, gender/], ingest: [/Penicillin/, /entry 1, gender/] },
  '72': { page: [/Penicillin/, /Entry 2/], ingest: [/Penicillin/, /entry 2/] },
  '75': {
    page: [/Penicillin/, /Ambulatory encounter/, /FHIR R5/],
    ingest: [/Penicillin/, /ambulatory/, /it is FHIR R5, and was read as R4/],
  },
  '77': { page: [/Penicillin/, /Entry 2/], ingest: [/Penicillin/, /entry 2/] },
  '78': {
    page: [/Breast cancer Mother/, /Do not resuscitate/, /Penicillin/],
    never: /its own text says all of it/,
    ingest: [/Breast cancer/, /DNR/],
  },
  '80': { page: [/Progress note .*Progress note /], ingest: [/2 StoredFile/] },
  '81': { page: [/Text with its layout/], ingest: [/text\/rtf/] },
  '82': { page: [/a document of its own inside of this one/] },
  '89': { page: [/Penicillin/, /one page of several/] },
  '90': { page: [/Allergy No Known Allergies, except sulfa/], ingest: [/allergen_title: No Known .* except sulfa/] },
  '92': {
    page: [/No entries/, /nothing is known/],
    never: /Allergies have not been reviewed/,
    ingest: [/no information/],
  },
  '94': { page: [/\(01\)00844588003288\(17\)141120\(10\)LOT7\(21\)SN9/] },
  '95': { page: [/once every 6 months/, /once every 72 hours/], never: /\/\(6\.mo\)/ },
  '96': { page: [/Code 207 Dose given.* 1 January 2021/, /could not be checked/], ingest: [/SMART Health Card/] },
};

/** The file of a case that one door refuses and the other one reads. */
const REFUSED_BY_INGEST = '96';

const filesOf = (): readonly string[] =>
  readdirSync(FOLDER).filter((name) => /^\d/.test(name) && !name.endsWith('.expect.txt'));

const numberOf = (name: string): string => /^\d+[ab]?/.exec(name)![0];

if (skip) {
  process.stdout.write('skipped: the given cases (shared/data) are not beside the project\n');
}

describe('the given cases', { timeout: 600_000 }, () => {
  it('have a row for every file, and a file for every row', { skip }, () => {
    expect(filesOf().map(numberOf).sort()).to.equal(Object.keys(cases).sort());
  });

  it('say what they should where svc ingest prints them', { skip }, async () => {
    const files = filesOf().map((name) => join(FOLDER, name));
    const { code, stdout } = await svc(['ingest', ...files]);
    expect(code).to.equal(1);
    for (const file of files) {
      const number = numberOf(file.slice(FOLDER.length + 1));
      const { page, ingest = page, refused } = cases[number]!;
      const printed = stdout
        .split(/^(?=\/)/m)
        .filter((part) => part.startsWith(file))
        .join('');
      expect(/^ {2}refused/m.test(printed), number).to.equal(refused === true || number === REFUSED_BY_INGEST);
      for (const pattern of ingest) {
        expect(printed, number).to.match(pattern);
      }
    }
  });
});

for (const leg of skip ? [] : databases) {
  describe(`the pages of the given cases on ${leg.name}`, { timeout: 600_000 }, () => {
    let service: TestService;
    let site: Site;

    const begin = async (): Promise<string> =>
      `/my/records/${await createRecord(service.call, OWNER, 'Alex', 'Sample')}/`;
    const give = async (base: string, name: string): Promise<SitePage> =>
      site.send(await site.open(`${base}add`), [{ field: 'file', name, bytes: readFileSync(join(FOLDER, name)) }]);
    const add = async (page: SitePage): Promise<void> => {
      const form = formsOf(page).find(({ action, fields }) => action.includes('/add') && 'form' in fields)!;
      expect((await site.submit(page, { form: form.fields['form']! })).status).to.equal(200);
    };
    const fileOf = (number: string): string => filesOf().find((name) => numberOf(name) === number)!;

    before(async () => {
      service = await startService(leg, { SVC_RATE_ACCOUNT_PER_MINUTE: '0' });
      site = (await makeSiteRecord(service)).owner;
    });
    after(() => service.stop());

    it('say it before anything is added', async () => {
      for (const name of filesOf()) {
        const number = numberOf(name);
        const { page, never, refused } = cases[number]!;
        const answer = await give(await begin(), name);
        const said = readable(answer);
        expect(answer.status, number).to.equal(refused ? 400 : 200);
        for (const pattern of page) {
          expect(said, number).to.match(pattern);
        }
        if (never) {
          // The name of the file, and who will see it, have words of their own.
          const [, facts = ''] = /Would be added(.*?)Who will see it/s.exec(said) ?? [];
          expect(facts, number).to.not.equal('').and.to.not.match(never);
        }
      }
    });

    it('keep what was there when two files follow each other, in either order', async () => {
      const pairs: readonly (readonly [string, string, readonly RegExp[], string])[] = [
        ['120a', '120b', [/: 78\.5 .*: 75 .*: 71\.5 .*: 68 /], 'data/VitalSigns'],
        ['122a', '122b', [/127 \/ 81/, /197 \/ 121/], 'data/VitalSigns'],
        ['124a', '124b', [/128 \/ 82/, /129 \/ 83/, /131 \/ 84/, /3 readings/], 'data/VitalSigns'],
        ['45a', '45b', [/Metformin 500 mg .*1 that was stopped or is over/, /Nothing here goes on now/], ''],
        ['47a', '47b', [/Potassium 1 February 2024 5\.1 mmol\/L/], ''],
      ];
      for (const [first, second, says, path] of pairs) {
        for (const order of [
          [first, second],
          [second, first],
        ]) {
          const base = await begin();
          for (const number of order) {
            await add(await give(base, fileOf(number)));
          }
          const said = readable(await site.open(`${base}${path}`));
          for (const pattern of says) {
            expect(said, order.join(' then ')).to.match(pattern);
          }
        }
      }
    });

    it('are named on the overview as on their own pages', async () => {
      const base = await begin();
      await add(await give(base, fileOf('68')));
      expect(readable(await site.open(base))).to.match(/Head circumference 45 cm.*Weight\/Scale 2,624 oz/);
      const inWords = await begin();
      await add(await give(inWords, fileOf('67')));
      const said = readable(await site.open(inWords));
      expect(said).to.contain('No measurement can be shown here as a number').and.to.not.contain('No measurement yet');
    });
  });
}
