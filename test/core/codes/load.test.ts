/**
 * load and search: publishers' files in their own format; loading twice changes nothing; codes are found by any part of
 * a name.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { SetupError } from '../../../core/base/errors';
import { systemClock } from '../../../core/base/clock';
import { loadCodes, loadStarterCodes, type LoadReport } from '../../../core/codes/load';
import { findCodes } from '../../../core/codes/search';
import { databases, openTestDatabase, type OpenDatabase } from '../../support/databases';
import { direct } from '../../support/direct';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const LOINC = `"LOINC_NUM","COMPONENT","PROPERTY","STATUS","SHORTNAME","LONG_COMMON_NAME","CONSUMER_NAME"
"2339-0","Glucose","MCnc","ACTIVE","Glucose Bld-mCnc","Glucose [Mass/volume] in Blood","Glucose, Blood"
"4548-4","Hemoglobin A1c","MFr","ACTIVE","HbA1c MFr Bld","Hemoglobin A1c/Hemoglobin.total in Blood",""
"9999-9","Only a ""quoted"" component","","","","",""
`;
const RXTERMS = `RXCUI|GENERIC_RXCUI|TTY|FULL_NAME|RXN_DOSE_FORM|FULL_GENERIC_NAME|BRAND_NAME|DISPLAY_NAME|ROUTE|NEW_DOSE_FORM|STRENGTH|SUPPRESS_FOR|DISPLAY_NAME_SYNONYM|IS_RETIRED|SXDG_RXCUI|SXDG_TTY|SXDG_NAME
198440||SCD|acetaminophen 500 MG Oral Tablet|Oral Tablet|acetaminophen 500 MG Oral Tablet||acetaminophen (Oral Pill)|Oral Pill|Tab|500 mg||APAP||1|SCDG|x
111111||SCD|retired drug 1 MG|Oral Tablet|x||retired (Oral Pill)|Oral Pill|Tab|1 mg|||RETIRED|1|SCDG|x
`;
const rxNormLine = (cui: string, sab: string, tty: string, name: string, suppress = 'N', lat = 'ENG'): string =>
  `${cui}|${lat}||||||${cui}0|${cui}0|${cui}||${sab}|${tty}|${cui}|${name}||${suppress}|4096|\n`;
const RXNORM =
  rxNormLine('161', 'RXNORM', 'IN', 'acetaminophen') +
  rxNormLine('161', 'RXNORM', 'SY', 'APAP') +
  rxNormLine('161', 'MTHSPL', 'SU', 'ACETAMINOPHEN') +
  rxNormLine('162', 'RXNORM', 'SCD', 'obsolete', 'O') +
  rxNormLine('163', 'RXNORM', 'SCD', 'ibuprofen 200 MG Oral Tablet') +
  rxNormLine('164', 'RXNORM', 'IN', 'ibuprofeno', 'N', 'SPA');
const CVX = `03 |MMR|measles, mumps and rubella virus vaccine|note|Active|False|2010/05/28
998 |no vaccine administered|no vaccine administered|Code 998 was added|Inactive|True|2010/09/30
`;
const SNOMED = `SNOMED_CID|SNOMED_FSN|SNOMED_CONCEPT_STATUS|UMLS_CUI|OCCURRENCE|USAGE|FIRST_IN_SUBSET|IS_RETIRED_FROM_SUBSET|LAST_IN_SUBSET|REPLACED_BY_SNOMED_CID
38341003|Hypertensive disorder, systemic arterial (disorder)|Current|C0020538|7|3.1|200907|False||
396275006|Osteoarthritis (disorder)|Current|C0029408|7|1.1|200907|False||
69896004|Rheumatoid arthritis (disorder)|Current|C0003873|7|0.5|200907|False||
`;
const ICD10 = `00001 A00     0 Cholera                                                      Cholera
00002 A000    1 Cholera due to Vibrio cholerae 01, biovar cholerae           Cholera due to Vibrio cholerae 01, biovar cholerae
00003 S72001A 1 Fracture of unsp part of neck of right femur, init           Fracture of unspecified part of neck of right femur, initial encounter for closed fracture
`;

for (const leg of databases) {
  describe(`codes on ${leg.name}`, () => {
    let opened: OpenDatabase;
    let folder: string;
    before(async () => {
      opened = await openTestDatabase(leg);
      folder = mkdtempSync(join(tmpdir(), 'svc-codes-'));
    });
    after(async () => {
      await opened.drop();
      rmSync(folder, { recursive: true });
    });

    const load = (system: string, text: string): Promise<LoadReport> => {
      const file = join(folder, `${system}.txt`);
      writeFileSync(file, text);
      return loadCodes(system, file, { database: opened.database, clock: systemClock });
    };
    const find = async (system: string, q: string): Promise<string[]> =>
      (await findCodes(direct(opened.database), system, q)).map(({ code }) => code);

    it('come from the LOINC table', async () => {
      expect(await load('loinc', LOINC)).to.equal({
        added: 3,
        changed: 0,
        unchanged: 0,
        skipped: 0,
        format: 'LOINC table',
      });
      expect(await findCodes(direct(opened.database), 'loinc', 'glucose')).to.equal([
        {
          code: '2339-0',
          fullValue: 'Glucose [Mass/volume] in Blood',
          consumerValue: 'Glucose, Blood',
          abbreviation: 'Glucose Bld-mCnc',
          umlsCode: null,
        },
      ]);
      expect(await find('loinc', 'a "quoted" c')).to.equal(['9999-9']);
    });

    it('come from RxTerms, without retired ones', async () => {
      expect(await load('rxterms', RXTERMS)).to.include({ added: 1, skipped: 1, format: 'RxTerms' });
      expect((await findCodes(direct(opened.database), 'rxterms', '500 mg'))[0]).to.include({
        consumerValue: 'acetaminophen (Oral Pill)',
        abbreviation: 'APAP',
      });
    });

    it('come from RxNorm, by their own names only', async () => {
      expect(await load('rxnorm', RXNORM)).to.include({ added: 2, skipped: 4, format: 'RxNorm concepts' });
      expect(await find('rxnorm', 'e')).to.equal(['161', '163']);
    });

    it('come from the LOINC table with tabs', async () => {
      expect(await load('loinc-tabs', LOINC.replaceAll('","', '"\t"'))).to.include({
        added: 3,
        skipped: 0,
        format: 'LOINC table',
      });
      expect(await find('loinc-tabs', 'a "quoted" c')).to.equal(['9999-9']);
    });

    it('come from the HL7 vaccines, with and without a header', async () => {
      const lines = '01|DTP|diphtheria, tetanus toxoids and pertussis vaccine|C0012345\n141|Influenza||\n';
      expect(await load('vaccines', lines)).to.include({ added: 2, skipped: 0, format: 'HL7 vaccines' });
      expect(await findCodes(direct(opened.database), 'vaccines', 'dtp')).to.equal([
        {
          code: '01',
          fullValue: 'DTP',
          consumerValue: 'DTP',
          abbreviation: 'diphtheria, tetanus toxoids and pertussis vaccine',
          umlsCode: 'C0012345',
        },
      ]);
      expect(await load('vaccines', `code|name|description|UMLS\n${lines}`)).to.include({
        added: 0,
        unchanged: 2,
        skipped: 1,
      });
    });

    it('come from the SNOMED CT core subset without its header, and lines of another width are skipped', async () => {
      const [, ...lines] = SNOMED.split('\n');
      expect(await load('snomed-bare', `${lines.join('\n')}1234567|Short\n`)).to.include({
        added: 3,
        skipped: 1,
        format: 'SNOMED CT core subset',
      });
      expect((await findCodes(direct(opened.database), 'snomed-bare', 'hypertensive'))[0]).to.include({
        code: '38341003',
        umlsCode: 'C0020538',
        consumerValue: 'Hypertensive disorder, systemic arterial',
      });
    });

    it('come from an own table, whatever the order of its columns', async () => {
      expect(await load('ordered', 'umls_code,full_value,"code"\nC1,Foo,B1\n')).to.include({
        added: 1,
        format: 'own table',
      });
      expect((await findCodes(direct(opened.database), 'ordered', 'foo'))[0]).to.include({
        code: 'B1',
        umlsCode: 'C1',
      });
    });

    it('come from CVX', async () => {
      expect(await load('cvx', CVX)).to.include({ added: 2, format: 'CVX' });
      expect((await findCodes(direct(opened.database), 'cvx', 'MUMPS'))[0]).to.include({
        code: '03',
        abbreviation: 'MMR',
      });
    });

    it('come from the SNOMED CT core subset', async () => {
      expect(await load('snomed', SNOMED)).to.include({ added: 3, format: 'SNOMED CT core subset' });
      expect(await load('snomed', `${SNOMED.trimEnd()}\n1234567|Short (disorder)|a\n`)).to.include({
        added: 0,
        unchanged: 3,
        skipped: 1,
      });
      expect((await findCodes(direct(opened.database), 'snomed', 'hypertensive'))[0]).to.include({
        code: '38341003',
        umlsCode: 'C0020538',
        consumerValue: 'Hypertensive disorder, systemic arterial',
      });
    });

    it('come from the ICD-10-CM order file, with their dots', async () => {
      expect(await load('icd10', ICD10)).to.include({ added: 3, format: 'ICD-10-CM order file' });
      expect(await find('icd10', 'cholera')).to.equal(['A00', 'A00.0']);
      expect((await findCodes(direct(opened.database), 'icd10', 'closed fracture'))[0]).to.include({
        code: 'S72.001A',
        abbreviation: 'Fracture of unsp part of neck of right femur, init',
      });
    });

    it('loaded again change nothing, and what changed is changed', async () => {
      expect(await load('snomed', SNOMED)).to.include({ added: 0, changed: 0, unchanged: 3 });
      expect(await load('snomed', SNOMED.replace('Osteoarthritis', 'Worn joints'))).to.include({
        added: 0,
        changed: 1,
        unchanged: 2,
      });
      expect(await find('snomed', 'osteo')).to.equal([]);
      expect(await find('snomed', 'worn')).to.equal(['396275006']);
      await load('snomed', SNOMED);
      expect(await find('snomed', 'osteo')).to.equal(['396275006']);
    });

    it('are found by any part of their name, ignoring case, by name, then code', async () => {
      expect(await find('snomed', 'ARTHRITIS')).to.equal(['396275006', '69896004']);
      expect(await find('snomed', 'oid arth')).to.equal(['69896004']);
      expect(await find('snomed', 'disorder, systemic')).to.equal(['38341003']);
      expect(await find('snomed', ', sys')).to.equal(['38341003']);
      expect(await find('snomed', '(')).to.equal(['38341003', '396275006', '69896004']);
      expect(await find('snomed', 'i')).to.have.length(3);
      expect(await find('snomed', '  Rheumatoid   ')).to.equal(['69896004']);
      expect(await find('snomed', 'systemic disorder')).to.equal([]);
      expect(await find('snomed', 'xyz')).to.equal([]);
      expect(await find('snomed', '%')).to.equal([]);
      expect(await find('snomed', '_')).to.equal([]);
      expect(await find('snomed', "' or 1=1 --")).to.equal([]);
      expect(await find('snomed', '   ')).to.equal([]);
      expect(await find('loinc', 'arthritis')).to.equal([]);
    });

    it('that are many are given 100 at most, the first by name', async () => {
      const rows = Array.from(
        { length: 7000 },
        (_unused, index) => `c${index},Common thing number ${String(index).padStart(5, '0')}`,
      ).reverse();
      await load('own', `code,full_value\n${rows.join('\n')}\n`);
      const found = await find('own', 'common thing');
      expect(found).to.have.length(100);
      expect(found[0]).to.equal('c0');
      expect(found[99]).to.equal('c99');
      expect(await find('own', '06999')).to.equal(['c6999']);
      expect(await find('own', 'number 0699')).to.have.length(10);
    });

    it('of a common word are found also far down the list of names', async () => {
      const rows = Array.from(
        { length: 27_000 },
        (_unused, index) => `d${index},${index < 21_000 ? 'Alpha' : 'Zeta'} ${Math.floor(index / 100)} ${index % 100}`,
      );
      await load('wide', `code,full_value\n${rows.join('\n')}\n`);
      const found = await find('wide', 'eta');
      expect(found).to.have.length(100);
      expect(found.slice(0, 2)).to.equal(['d21000', 'd21001']);
      expect(await find('wide', 'a 269 99')).to.equal(['d26999']);
    });

    it('of the starter set can be loaded, also over themselves', async () => {
      await loadStarterCodes(opened.database, systemClock);
      await loadStarterCodes(opened.database, systemClock);
      expect(await find('hl7-v3-vaccines', 'influenza')).to.include(['140', '141']);
      expect(await find('snomed', 'heart failure')).to.equal(['84114007']);
    });

    it('do not come from other files', async () => {
      await expect(load('other', 'a;b;c\n')).to.reject(
        SetupError,
        /not a file of a known coding system .*names the columns code and full_value/,
      );
      await expect(loadCodes('other', '/nowhere/file', { database: opened.database, clock: systemClock })).to.reject(
        SetupError,
        /cannot be read/,
      );
      await expect(load('an other', 'code,full_value\n')).to.reject(SetupError, /short name/);
    });
  });
}
