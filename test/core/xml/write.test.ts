/** write: escaping, omitted attributes, characters that XML cannot hold; read back by an independent parser. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { parseXml } from 'libxmljs2';
import { element, writeXml } from '../../../core/xml/write';

export const lab = Lab.script();
const { describe, it } = lab;

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';
const written = (...args: Parameters<typeof element>): string => writeXml(element(...args)).slice(DECLARATION.length);

describe('writeXml', () => {
  it('starts with the declaration', () => {
    expect(writeXml(element('a'))).to.equal(`${DECLARATION}<a/>`);
  });

  it('leaves out null and undefined attributes and prints empty ones, numbers and booleans', () => {
    expect(written('a', { b: null, c: undefined, d: '', e: 0, f: false })).to.equal('<a d="" e="0" f="false"/>');
  });

  it('leaves out absent children', () => {
    expect(written('a', {}, [null, undefined, false, element('b'), 'x'])).to.equal('<a><b/>x</a>');
  });

  it('takes text in place of children', () => {
    expect(written('a', {}, 'x')).to.equal('<a>x</a>');
    expect(written('a', {}, '')).to.equal('<a></a>');
  });

  const survivors = [
    '<>&"\'',
    'line\nbreak',
    'tab\there',
    'return\rhere',
    ']]>',
    '\u00e9\u4e2d\u{1F600}',
    '&amp;',
    '  spaces  ',
    '<!--',
    '<?pi?>',
  ];
  for (const text of survivors) {
    it(`brings ${JSON.stringify(text)} back unchanged from text and attribute`, () => {
      const root = parseXml(writeXml(element('a', { b: text }, text))).root();
      expect(root?.text()).to.equal(text);
      expect(root?.attr('b')?.value()).to.equal(text);
    });
  }

  const illegal = ['\u0000', '\u0008', '\u000b', '\u001f', '\ufffe', '\uffff', '\ud800', '\udc00', '\udc00\ud800'];
  for (const text of illegal) {
    it(`replaces ${JSON.stringify(text)}, which XML 1.0 cannot hold`, () => {
      const root = parseXml(writeXml(element('a', { b: text }, `x${text}y`))).root();
      expect(root?.text()).to.equal(`x${'\ufffd'.repeat(text.length)}y`);
      expect(root?.attr('b')?.value()).to.equal('\ufffd'.repeat(text.length));
    });
  }
});
