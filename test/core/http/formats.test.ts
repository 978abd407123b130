/** formats: which callers get JSON. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { prefersJson } from '../../../core/http/formats';

export const lab = Lab.script();
const { describe, it } = lab;

describe('prefersJson', () => {
  const json: readonly string[] = [
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON',
    'application/json, text/plain, */*',
    'application/json, application/*',
    'text/html, application/json',
    'application/json, application/xml;q=0.9',
    'application/xml; q=0.2, application/json; charset=utf-8; q=0.3',
    'application/json;q=0.5',
    'text/xml;q=0.1, application/json;q=0.2',
    'application/xml;q=0, application/json;q=0.1',
  ];
  const xml: readonly string[] = [
    '',
    '*/*',
    'application/*',
    'text/html',
    'application/xml',
    'application/xml, application/json',
    'application/json, application/xml',
    'application/xml, text/xml, application/json, application/*+xml, application/*+json',
    'text/xml, application/json',
    'application/json;q=0',
    'application/json;q=0, */*',
    'application/json;q=0.5, */*',
    'application/json;q=0.5, application/xml',
    'application/json;q=x',
    'application/jsonp',
    ',;,application/fhir+json',
  ];
  for (const accept of json) {
    it(`sends JSON for ${accept}`, () => {
      expect(prefersJson(accept)).to.be.true();
    });
  }
  for (const accept of xml) {
    it(`sends XML for ${accept || 'no header'}`, () => {
      expect(prefersJson(accept)).to.be.false();
    });
  }
});
