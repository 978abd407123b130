/**
 * about: what documents say about themselves, in DocumentReferences and in searches, with a plain oracle for the time
 * of care.
 */
import { readFileSync } from 'node:fs';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { inProject } from '../../../core/base/paths';
import { factTables } from '../../../core/facts/model/fact-tables';
import { reprocess } from '../../../core/pipeline/reprocess';
import { databases } from '../../support/databases';
import { direct } from '../../support/direct';
import { startFhir, type FhirGround, type Read } from '../../support/fhir';
import { succeeded } from '../../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const sample = readFileSync(inProject('pipeline-config/ccda/sample-sparse.xml'), 'utf8');
const careOf = (low?: string, high?: string): string =>
  low === undefined && high === undefined
    ? ''
    : `<documentationOf><serviceEvent classCode="PCPR"><effectiveTime>${low === undefined ? '' : `<low value="${low}"/>`}${
        high === undefined ? '' : `<high value="${high}"/>`
      }</effectiveTime></serviceEvent></documentationOf>`;

/** A C-CDA document with this header. */
const ccda = (code: string, title: string, low?: string, high?: string): string =>
  sample
    .replace(/<code [^>]*code="34133-9"[^>]*\/>/, `<code code="${code}" codeSystem="2.16.840.1.113883.6.1"/>`)
    .replace('<title/>', () => `<title>${title}</title>`)
    .replace(/(<\/custodian>)/, `$1${careOf(low, high)}`);

type Care = { readonly start?: string; readonly end?: string };
const cares: readonly (Care | undefined)[] = [
  { start: '20140909', end: '20140916' },
  { start: '20140916', end: '20140916' },
  { start: '20140901' },
  { end: '20140915' },
  { start: '20150101', end: '20151231' },
  undefined,
];

const DAY = 86_400_000;
const dayOf = (flat: string): number =>
  Date.UTC(Number(flat.slice(0, 4)), Number(flat.slice(4, 6)) - 1, Number(flat.slice(6, 8)));

/** R4's rules for a search of a period by a date, written a second time. An open end is infinite. */
const meets = (prefix: string, care: Care | undefined, from: number, until: number): boolean => {
  if (!care) {
    return false;
  }
  const start = care.start === undefined ? -Infinity : dayOf(care.start);
  const end = care.end === undefined ? Infinity : dayOf(care.end) + DAY;
  const inside = start >= from && end <= until;
  const rules: Readonly<Record<string, boolean>> = {
    eq: inside,
    ne: !inside,
    gt: end > until,
    lt: start < from,
    ge: end > until || inside,
    le: start < from || inside,
    sa: start >= until,
    eb: end <= from,
  };
  return rules[prefix]!;
};

for (const leg of databases) {
  describe(`what documents say that they are at the FHIR door on ${leg.name}`, () => {
    let ground: FhirGround;
    const ids: string[] = [];
    let letter = '';
    before(async () => {
      ground = await startFhir(leg);
      for (const [index, care] of cares.entries()) {
        ids.push(await ground.put(ccda('18842-5', `Stay ${index}`, care?.start, care?.end)));
      }
      letter = await ground.put(ccda('57133-1', '"Tricky" &lt;b&gt; 100%'));
    });
    after(() => ground.service.stop());

    const found = async (query: string): Promise<readonly string[]> =>
      ((await ground.get(`/DocumentReference?_count=100&${query}`))['entry'] ?? [])
        .map((entry: Read) => entry['resource'].id as string)
        .filter((id: string) => [...ids, letter].includes(id));

    it('says kind, title and time of care, and keeps the day of storing as its date', async () => {
      const resource = await ground.get(`/DocumentReference/${ids[0]!}`);
      expect(resource['type']).to.equal({
        coding: [
          { system: 'http://loinc.org', code: '18842-5' },
          { system: 'urn:hl7-org:v3', code: 'ClinicalDocument' },
        ],
        text: 'Discharge summary',
      });
      expect(resource['description']).to.equal('Stay 0');
      expect(resource['context']).to.equal({ period: { start: '2014-09-09', end: '2014-09-16' } });
      expect(resource['date']).to.not.match(/^20(14|23)/);
      const attachment = resource['content'][0].attachment as Read;
      expect([attachment['title'], attachment['creation']]).to.equal(['Stay 0', '2023-02-28']);
      expect((await ground.get(`/DocumentReference/${letter}`))['description']).to.equal('"Tricky" <b> 100%');
    });

    it('is found by the type that it says, and by that of its format as before', async () => {
      const newest = [...ids].reverse();
      expect(await found('type=http://loinc.org%7C57133-1')).to.equal([letter]);
      expect(await found('type=57133-1')).to.equal([letter]);
      expect(await found('type=http://loinc.org%7C18842-5')).to.equal(newest);
      expect(await found('type=http://loinc.org%7C')).to.equal([letter, ...newest]);
      expect(await found('type=urn:hl7-org:v3%7CClinicalDocument')).to.equal([letter, ...newest]);
      expect(await found('type:not=http://loinc.org%7C18842-5')).to.equal([letter]);
      for (const other of [
        '%7C57133-1',
        'http://snomed.info/sct%7C57133-1',
        'http://loinc.org%7C1',
        'http://loinc.org%7C%25',
      ]) {
        expect(await found(`type=${other}`)).to.equal([]);
      }
    });

    it('is found by the time of care as a plain reading of R4 finds it', async () => {
      for (const prefix of ['eq', 'ne', 'gt', 'lt', 'ge', 'le', 'sa', 'eb']) {
        for (const [written, from, until] of [
          ['2014-09-16', Date.UTC(2014, 8, 16), Date.UTC(2014, 8, 17)],
          ['2014-09-08', Date.UTC(2014, 8, 8), Date.UTC(2014, 8, 9)],
          ['2014-09', Date.UTC(2014, 8, 1), Date.UTC(2014, 9, 1)],
          ['2015', Date.UTC(2015, 0, 1), Date.UTC(2016, 0, 1)],
        ] as const) {
          const expected = ids.filter((_, index) => meets(prefix, cares[index], from, until)).reverse();
          expect(await found(`period=${prefix}${written}`), `${prefix}${written}`).to.equal(expected);
        }
      }
      expect((await ground.call('/DocumentReference?period=soon')).status).to.equal(400);
    });

    it('is found by $docref and told by $everything by the time of care, or of storing where it tells none', async () => {
      const idsIn = (bundle: Read): readonly string[] =>
        ((bundle['entry'] ?? []) as readonly Read[])
          .map(({ resource }) => resource.id as string)
          .filter((id) => [...ids, letter].includes(id));
      const stay = (...indexes: readonly number[]): readonly string[] => indexes.map((index) => ids[index]!);
      const patient = `/Patient/${ground.recordId}/$everything?_type=DocumentReference`;
      for (const [range, expected] of [
        ['start=2014-09-10&end=2014-09-12', stay(3, 2, 0)],
        ['end=2014-09-05', stay(3, 2)],
        ['start=2015-06&end=2015-07', stay(4, 2)],
        ['start=2020', [letter, ...stay(5, 2)]],
        ['start=2100', stay(2)],
        ['end=2016', stay(4, 3, 2, 1, 0)],
      ] as const) {
        const found = await ground.get(`/DocumentReference/$docref?patient=${ground.recordId}&${range}`);
        expect([range, idsIn(found)]).to.equal([range, expected]);
        const told = await ground.get(`${patient}&${range}`);
        expect([range, idsIn(told)]).to.equal([range, [...expected].reverse()]);
      }
      expect(await found('care-date=ge2014-09-10&care-date=le2014-09-12')).to.equal(stay(3, 2, 0));
      expect((await ground.call('/DocumentReference?care-date=soon')).status).to.equal(400);
    });

    it('is told through a carenet of what lies there, and of nothing else', async () => {
      const seen = async (query: string): Promise<readonly string[]> =>
        ((await ground.get(`/DocumentReference?${query}`, { token: ground.carenetToken }))['entry'] ?? []).map(
          (entry: Read) => entry['resource'].description as string,
        );
      const loinc = `type=${encodeURIComponent('http://loinc.org|')}`;
      expect(await seen(loinc)).to.equal([]);
      const place = `/records/${ground.recordId}/documents/${ids[1]!}/carenets/${ground.carenetId}`;
      succeeded(await ground.service.call(ground.alice, 'PUT', place));
      expect(await seen(loinc)).to.equal(['Stay 1']);
      expect(await seen('period=2014')).to.equal(['Stay 1']);
      expect(await seen('period=2015')).to.equal([]);
      succeeded(await ground.service.call(ground.alice, 'DELETE', place));
      expect(await seen('period=2014')).to.equal([]);
    });

    it('is given by $docref by its type', async () => {
      const bundle = await ground.get(
        `/DocumentReference/$docref?patient=${ground.recordId}&type=${encodeURIComponent('http://loinc.org|57133-1')}`,
      );
      expect(bundle['entry'].map((entry: Read) => entry['resource'].id)).to.equal([letter]);
    });

    it('is learnt of documents of before by a reprocess, under another version of the reference', async () => {
      const { database, contents, reader, models } = ground.service.services;
      const said = await ground.get(`/DocumentReference/${letter}`);
      await direct(database)('document').where('id', letter).update({
        fingerprint: 'an older configuration',
        about: null,
        about_code: null,
        about_system: null,
      });
      const silent = await ground.get(`/DocumentReference/${letter}`);
      expect([silent['description'], silent['type'].text]).to.equal([undefined, 'Clinical Document']);
      expect(silent['meta'].versionId).to.not.equal(said['meta'].versionId);
      await reprocess({ database, contents, reader, tables: factTables(models()), models }, {}, () => undefined);
      expect(await ground.get(`/DocumentReference/${letter}`)).to.equal(said);
      expect(await found('type=57133-1')).to.equal([letter]);
    });

    it('is what its label says, where there is one', async () => {
      succeeded(
        await ground.service.call(ground.alice, 'PUT', `/records/${ground.recordId}/documents/${letter}/label`, {
          body: 'To the eye clinic',
          type: 'text/plain',
        }),
      );
      const resource = await ground.get(`/DocumentReference/${letter}`);
      expect([resource['description'], resource['type'].text]).to.equal(['To the eye clinic', 'Referral note']);
    });
  });
}
