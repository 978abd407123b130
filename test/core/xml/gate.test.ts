/** gate: which documents pass, and that they are written anew in UTF-8. Refusals are tested in test/hostile. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { AppError } from '../../../core/base/errors';
import { openXmlEngine, type XmlEngine } from '../../../core/xml/engine';
import { gate, type Gated } from '../../../core/xml/gate';

export const lab = Lab.script();
const { describe, it, before } = lab;

const MAX = 1_000_000;
const bomLe = Buffer.from([0xff, 0xfe]);
const bomBe = Buffer.from([0xfe, 0xff]);
const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le');
const swapped = (text: string): Buffer => Buffer.from(utf16(text)).swap16();

describe('gate', () => {
  let engine: XmlEngine;
  before(async () => {
    engine = await openXmlEngine();
  });
  const through = (bytes: Buffer | string): { readonly root: Gated['root']; readonly text: string } => {
    const gated = gate(engine, Buffer.from(bytes), MAX);
    const text = gated.cleanText();
    gated.free();
    return { root: gated.root, text };
  };
  const refusal = (bytes: Buffer | string): AppError => {
    try {
      through(bytes);
    } catch (error) {
      return error as AppError;
    }
    throw new Error('it passed');
  };

  it('tells root name and namespace, whatever the prefix', () => {
    expect(through('<a/>').root).to.equal({ namespace: '', name: 'a' });
    expect(through('<p:a xmlns:p="urn:x"/>').root).to.equal({ namespace: 'urn:x', name: 'a' });
  });

  const clean = '<?xml version="1.0" encoding="UTF-8"?>\n<a>\u00e9\u4e2d</a>\n';
  const encodings: readonly (readonly [string, Buffer])[] = [
    ['UTF-8', Buffer.from('<a>\u00e9\u4e2d</a>')],
    ['UTF-8 with a byte order mark', Buffer.from('\ufeff<a>\u00e9\u4e2d</a>')],
    ['declared UTF-8', Buffer.from('<?xml version="1.0" encoding="utf-8"?><a>\u00e9\u4e2d</a>')],
    ['UTF-16 little endian', Buffer.concat([bomLe, utf16('<a>\u00e9\u4e2d</a>')])],
    ['UTF-16 big endian', Buffer.concat([bomBe, swapped('<a>\u00e9\u4e2d</a>')])],
    ['declared UTF-16', Buffer.concat([bomLe, utf16('<?xml version="1.0" encoding="UTF-16"?><a>\u00e9\u4e2d</a>')])],
    ['UTF-16 without a mark', utf16('<?xml version="1.0" encoding="UTF-16LE"?><a>\u00e9\u4e2d</a>')],
    ['ISO-8859-1', Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><a>\u00e9&#x4e2d;</a>', 'latin1')],
  ];
  for (const [name, bytes] of encodings) {
    it(`writes ${name} anew in UTF-8`, () => {
      expect(through(bytes).text).to.equal(clean);
    });
  }

  const harmless: readonly (readonly [string, string])[] = [
    ['DOCTYPE in a comment', '<!-- <!DOCTYPE a> --><a/>'],
    ['DOCTYPE in a CDATA section', '<a><![CDATA[<!DOCTYPE a [<!ENTITY b "c">]>]]></a>'],
    ['DOCTYPE as text', '<a>&lt;!DOCTYPE a></a>'],
    ['DOCTYPE in a processing instruction', '<?pi <!DOCTYPE a> ?><a/>'],
    ['the five entities of XML', '<a>&lt;&gt;&amp;&quot;&apos;&#65;</a>'],
    ['depth 256', '<a>'.repeat(256) + '</a>'.repeat(256)],
    ['256 attributes', `<a ${Array.from({ length: 256 }, (_, i) => `attribute-number-${i}="1"`).join(' ')}/>`],
    ['many elements with a namespace declaration each', `<a>${'<b xmlns:p="urn:p"/>'.repeat(2000)}</a>`],
    ['a namespace that is no URI', '<a xmlns="{not a uri}"/>'],
    ['values that look like attributes', `<a b="${'x=&quot;'.repeat(300)}"/>`],
    ['a long text', `<a>${'x'.repeat(500_000)}</a>`],
  ];
  for (const [name, text] of harmless) {
    it(`lets ${name} pass`, () => {
      expect(through(text).root.name).to.equal('a');
    });
  }

  it('turns CDATA sections into text that markup cannot escape from', () => {
    expect(through('<a><![CDATA[<b>]]>&amp;</a>').text).to.contain('<a>&lt;b&gt;&amp;</a>');
  });

  it('looks for the name of an encoding in the whole declaration, however long it is', () => {
    const long = (encoding: string): string => `<?xml version="1.0"${' '.repeat(2000)}encoding="${encoding}"?><a/>`;
    expect(through(long('UTF-8')).root.name).to.equal('a');
    expect(refusal(long('EBCDIC-CP-US')).status).to.equal(400);
    expect(refusal(long('UTF-7')).status).to.equal(400);
  });

  it('gives line and column of a fault and the rule, not the text', () => {
    const { status, code, details } = refusal('<a>\n  <secret></a>');
    expect([status, code]).to.equal([400, 'invalid_document']);
    expect(details).to.equal([
      { line: 2, column: 15, message: 'a start tag and an end tag do not match', kind: 'damaged' },
    ]);
  });

  it('gives the line of a DOCTYPE, also in UTF-16', () => {
    expect(refusal('<?xml version="1.0"?>\n<!-- x\n -->\n<!DOCTYPE a><a/>').details).to.equal([
      { line: 4, message: 'a DOCTYPE is not allowed', kind: 'doctype' },
    ]);
    expect(refusal(Buffer.concat([bomBe, swapped('\n<!DOCTYPE a><a/>')])).details).to.equal([
      { line: 2, message: 'a DOCTYPE is not allowed', kind: 'doctype' },
    ]);
  });

  it('answers 413 above the limit and passes at the limit', () => {
    const at = Buffer.from(`<a>${'x'.repeat(93)}</a>`);
    expect(() => gate(engine, at, 99)).to.throw(AppError, /larger/);
    gate(engine, at, 100).free();
  });
});
