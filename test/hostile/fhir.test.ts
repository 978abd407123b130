/**
 * fhir: random addresses, parameters, headers and bodies for the FHIR door. No response is a 5xx, every refusal is an
 * OperationOutcome, and nothing of another record is ever in a response. FUZZ_RUNS sets the number of tries.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import fc from 'fast-check';
import { databases } from '../support/databases';
import { startFhir, type FhirGround } from '../support/fhir';
import { addPerson } from '../support/cast';
import { createRecord, succeeded } from '../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const RUNS = Number(process.env['FUZZ_RUNS'] ?? 400);

const words = [
  '',
  ' ',
  "'",
  '"',
  "' or 1=1 --",
  '%00',
  '%',
  '%zz',
  '..',
  '%2e%2e',
  '%2f',
  '\\',
  '|',
  '||',
  'a|b',
  '|x',
  'x|',
  ',',
  ',,,',
  '\\,',
  '$',
  '{}',
  '__proto__',
  'constructor',
  'toString',
  '*',
  'ge2024',
  'ge',
  '2024-02-30',
  '0000',
  '9999-12-31T23:59:59.999999999Z',
  'ap0001-01-01',
  'eb9999',
  '2024-01-01T10:00+02:00',
  '-1',
  '0',
  '1e9',
  '99999999999999999999',
  'NaN',
  'true',
  'x'.repeat(2000),
  '\u0000',
  '\ud800',
  'é',
  'Patient/1',
  'Patient/x/_history/1',
  'http://[',
  'javascript:1',
  '-date',
  'date,-_id',
  'count',
  'text',
];
const types = [
  'Patient',
  'DocumentReference',
  'Binary',
  'Provenance',
  'RelatedPerson',
  'Observation',
  'Condition',
  'metadata',
  '.well-known',
  'Nonsense',
  '_search',
  '$everything',
  '$docref',
  '$export',
];
const names = [
  '_id',
  '_lastUpdated',
  'patient',
  'subject',
  'status',
  'type',
  'category',
  'date',
  'period',
  'contenttype',
  'target',
  'recorded',
  'name',
  'birthdate',
  'identifier',
  '_count',
  '_sort',
  '_total',
  '_include',
  '_revinclude',
  '_summary',
  '_elements',
  '_format',
  '_pretty',
  '_page',
  '_has:x:y',
  'code',
  'clinical-status',
  'encounter',
  'start',
  'on-demand',
  '_type',
  '_since',
];
const modifiers = ['', '', '', ':not', ':exact', ':contains', ':missing', ':above', ':', ':Patient', ':x:y'];
const bodies = [
  '',
  '{',
  '{}',
  '[]',
  'null',
  '<a/>',
  '<Bundle xmlns="http://hl7.org/fhir"/>',
  '<!DOCTYPE x><x/>',
  '{"resourceType":"Patient"}',
  '{"resourceType":"Bundle"}',
  '{"resourceType":"Bundle","type":"transaction","entry":[{}]}',
  '{"resourceType":"Bundle","type":"transaction","entry":[{"request":{"method":"DELETE","url":"Patient/1"}}]}',
  '{"resourceType":"Condition","subject":{"reference":"Patient/1"}}',
  '{"resourceType":"Condition","code":{"text":"x"},"subject":{"display":"x"}}',
  `{"resourceType":"Condition","code":{"text":"${'x'.repeat(5000)}"},"subject":{}}`,
  `${'['.repeat(3000)}${']'.repeat(3000)}`,
  `${'{"contained":[{"resourceType":"Condition","contained":['.repeat(50)}`,
  '_count=1&type=x',
  'date=%',
  '\u0000\u0001',
];
const contentTypes = [
  'application/fhir+json',
  'application/fhir+xml',
  'application/json',
  'application/x-www-form-urlencoded',
  'text/plain',
  '',
  'a/b; c=d',
];
const accepts = [
  'application/fhir+json',
  'application/fhir+xml',
  '*/*',
  'text/html',
  'x',
  ';;,q',
  'application/fhir+json;q=x',
];

for (const leg of databases) {
  describe(`the FHIR door and what nobody means well on ${leg.name}`, () => {
    let ground: FhirGround;
    let documentId: string;
    let secret: string;
    before(async () => {
      ground = await startFhir(leg);
      documentId = await ground.put('<Note xmlns="urn:notes">mine</Note>');
      const other = await addPerson(ground.service.services, 'other@example.org', 'Other Person');
      secret = await createRecord(ground.service.call, 'other@example.org', 'Hidden', 'Person');
      succeeded(
        await ground.service.call(other, 'POST', `/records/${secret}/documents/`, {
          body: '<Note>hidden words</Note>',
        }),
      );
    });
    after(() => ground.service.stop());

    const word = fc.constantFrom(...words);
    const segment = fc.oneof(word, fc.constantFrom(...types), fc.constant('ID'), fc.constant('RECORD'), fc.string());
    const query = fc.array(
      fc.tuple(fc.constantFrom(...names), fc.constantFrom(...modifiers), fc.oneof(word, fc.string())),
      {
        maxLength: 5,
      },
    );
    const request = fc.record({
      method: fc.constantFrom('GET', 'GET', 'GET', 'POST', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS'),
      segments: fc.array(segment, { maxLength: 4 }),
      first: fc.constantFrom(...types),
      query,
      raw: fc.boolean(),
      accept: fc.constantFrom(...accepts),
      contentType: fc.constantFrom(...contentTypes),
      body: fc.constantFrom(...bodies),
      token: fc.constantFrom('full', 'full', 'full', 'carenet', 'none', 'wrong'),
      header: fc.tuple(
        fc.constantFrom('if-none-match', 'if-modified-since', 'if-none-exist', 'prefer', 'range', 'origin'),
        word.filter((text) => /^[\x20-\x7e]*$/.test(text)),
      ),
    });

    it('decides whatever comes', async () => {
      await fc.assert(
        fc.asyncProperty(
          request,
          async ({ method, segments, first, query: pairs, raw, accept, contentType, body, token, header }) => {
            const filled = [first, ...segments].map((one) => {
              const text =
                new Map([
                  ['ID', documentId],
                  ['RECORD', ground.recordId],
                ]).get(one) ?? one;
              return raw ? text.replace(/[^\x21-\x7e]|[?#]/g, 'x') : encodeURIComponent(text.toWellFormed());
            });
            const asked = pairs
              .map(([name, modifier, value]) => `${name}${modifier}=${encodeURIComponent(value.toWellFormed())}`)
              .join('&');
            const tokens: Readonly<Record<string, string>> = {
              full: ground.token,
              carenet: ground.carenetToken,
              none: '',
              wrong: 'wrong',
            };
            const path = `/${filled.join('/')}${asked === '' ? '' : `?${asked}`}`;
            const answer = await ground.call(path, {
              method,
              token: tokens[token]!,
              headers: {
                accept,
                [header[0]]: header[1],
                ...(contentType === '' ? {} : { 'content-type': contentType }),
              },
              ...(['POST', 'PUT', 'PATCH'].includes(method) ? { body } : {}),
            });
            expect(answer.status, `${method} ${path}\n${answer.text.slice(0, 300)}`).to.be.below(500);
            expect(answer.text).to.not.contain('hidden words');
            expect(answer.text).to.not.contain('Hidden');
            if (answer.status >= 400 && method !== 'HEAD') {
              expect(answer.text, `${method} ${path}`).to.contain('OperationOutcome');
            }
          },
        ),
        { numRuns: RUNS },
      );
    });
  });
}
