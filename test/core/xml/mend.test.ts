/** mend: what is mended in a file that is not quite XML, and what is left as it is. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { isMisdeclared, mendsIn, mendXml } from '../../../core/xml/mend';
import { lacksNamespace } from '../../../core/xml/prefixes';
import { amount } from '../../support/amount';

export const lab = Lab.script();
const { describe, it } = lab;

const UTF8 = '<?xml version="1.0" encoding="UTF-8"?>';
const document = (inside: string, declaration = UTF8): string => `${declaration}\n<a b="x">${inside}</a>`;

/** The text after mending, without its note. */
function mended(file: string | Buffer): string | undefined {
  return mendXml(Buffer.from(file as string))
    ?.toString()
    .replace(/<\?mended [^?]*\?>/, '');
}

function notes(file: string | Buffer): readonly string[] {
  const bytes = mendXml(Buffer.from(file as string));
  return bytes ? mendsIn(bytes).map(({ mend, count, line }) => `${count} ${mend} ${line}`) : [];
}

describe('a file that is not quite XML', () => {
  it('is mended and says what was mended, with the line', () => {
    const cases: readonly (readonly [string, string, string])[] = [
      [`\n \r\n${document('t')}`, document('t'), '1 start 1'],
      [`\ufeff\n${document('t')}`, document('t'), '1 start 1'],
      [`\ufeff\ufeff${document('t')}`, document('t'), '1 start 1'],
      [document('t\u000bu\n\u0001'), document('t u\n '), '2 characters 2'],
      [document('t&#x0b;&#11;'), document('t  '), '2 characters 2'],
      [`${document('t')}\0\0`, `${document('t')}  `, '2 characters 2'],
      [document('\n\nR & D&E & &x'), document('\n\nR &amp; D&amp;E &amp; &amp;x'), '4 ampersands 4'],
      [document('&nbsp;&eacute;&LT;'), document('\u00a0é&#60;'), '3 entities 2'],
      [document('<c d="a & b\u0001" e=\'&\'/>'), document('<c d="a &amp; b " e=\'&amp;\'/>'), '1 characters 2'],
    ];
    for (const [file, expected, note] of cases) {
      expect(mended(file), JSON.stringify(file)).to.equal(expected);
      expect(notes(file), JSON.stringify(file)).to.include(note);
    }
  });

  it('is given the declarations of prefixes that it uses, at its root', () => {
    const SDTC = 'xmlns:sdtc="urn:hl7-org:sdtc"';
    const XSI = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';
    const X = 'xmlns:x="urn:prefix-without-declaration:x"';
    const cases: readonly (readonly [string, string, readonly string[]])[] = [
      ['<a>\n<sdtc:b>1</sdtc:b>', SDTC, ['1 prefixes 2']],
      ['<a><b/>\n\n<c sdtc:d="1"/>', SDTC, ['1 prefixes 3']],
      ['<a><b xsi:type="CD"/><b xsi:type="CD"/><sdtc:b/>', `${XSI} ${SDTC}`, ['3 prefixes 1']],
      ['<a>\n<x:b/>', X, ['1 strangers 2']],
      [`<a><b ${SDTC}><sdtc:c/></b><b ${SDTC}/><sdtc:b/>`, SDTC, ['1 prefixes 1']],
      ['<a><xhtml:div/>', 'xmlns:xhtml="http://www.w3.org/1999/xhtml"', ['1 prefixes 1']],
      ['<a b="x:y" c=\'sdtc:d >\'><!-- <x:c/> --><c d="1" sdtc:e = "2"/>', SDTC, ['1 prefixes 1']],
    ];
    for (const [file, added, told] of cases) {
      expect(mended(`${file}</a>`), file).to.equal(`${file}</a>`.replace('<a', `<a ${added}`));
      expect(notes(`${file}</a>`), file).to.equal(told);
    }
    const roots: readonly (readonly [string, string])[] = [
      ['<ClinicalDocument><id/></ClinicalDocument>', ' xmlns="urn:hl7-org:v3"'],
      ['<n1:ClinicalDocument><n1:id/></n1:ClinicalDocument>', ' xmlns:n1="urn:hl7-org:v3"'],
      ['<Bundle ><id/></Bundle>', ' xmlns="http://hl7.org/fhir"'],
    ];
    for (const [file, added] of roots) {
      expect(mended(file), file).to.equal(file.replace(/(?<=ClinicalDocument|Bundle)/, added));
      expect(notes(file), file).to.equal(['1 namespace 1']);
    }
    expect(mendXml(Buffer.from('<ClinicalDocument xmlns="urn:x"/>'))).to.be.undefined();
    expect(lacksNamespace('<ClinicalDocument moodCode="EVN">')).to.be.true();
    for (const other of ['<ClinicalDocument xmlns="urn:x">', '<a/>', '<x:Bundle>', '<Bundles>', 'Bundle', '']) {
      expect(lacksNamespace(other), other).to.be.false();
    }
    expect(mended('<f:Bundle><f:type value="x"/></f:Bundle>')).to.equal(
      '<f:Bundle xmlns:f="http://hl7.org/fhir"><f:type value="x"/></f:Bundle>',
    );
  });

  it('is read in the encoding in which it is written', () => {
    const latin = (declaration: string, text = 'Ménière 37 °C'): Buffer =>
      Buffer.from(document(text, declaration), 'latin1');
    expect(mended(latin(UTF8))).to.equal(document('Ménière 37 °C'));
    expect(notes(latin(UTF8))).to.equal(['1 western 1']);
    expect(mended(latin('', '\u0093Zo\u00eb\u0094 5 \u0080'))).to.equal(document('“Zoë” 5 €', ''));
    const misdeclared = document('Ménière', '<?xml version="1.0" encoding="ISO-8859-1"?>');
    expect(isMisdeclared(Buffer.from(misdeclared))).to.be.true();
    expect(isMisdeclared(Buffer.from(misdeclared, 'latin1'))).to.be.false();
    expect(mended(misdeclared)).to.equal(document('Ménière'));
    expect(notes(misdeclared)).to.equal(['1 encoding 1']);
    expect(mended(document('é', '<?xml version="1.0" encoding="UTF-16"?>'))).to.equal(document('é'));
    expect(mended(Buffer.from(document('é', ''), 'utf16le'))).to.equal(document('é', ''));
    expect(mended(Buffer.from(`\ufeff${document('é')}`, 'utf16le').swap16())).to.equal(document('é'));
    const rightly = document('é\u0001', '<?xml version="1.0" encoding="ISO-8859-1"?>');
    expect(mended(Buffer.from(rightly, 'latin1'))).to.equal(document('é '));
    expect(notes(Buffer.from(rightly, 'latin1'))).to.equal(['1 characters 2']);
  });

  it('is left as it is where something would have to be guessed', () => {
    const bytes = (...parts: readonly (string | readonly number[])[]): Buffer =>
      Buffer.concat(parts.map((part) => Buffer.from(part as string)));
    const unchanged: readonly (string | Buffer)[] = [
      document('t &amp; &lt; &#233; &#xe9;'),
      document('&unknown; &x;'),
      document('&lt 5'),
      document('&#xD800; &#;'),
      document('<![CDATA[a & b \u000b]]>'),
      document('<!-- a & b \u000b -->'),
      document('<?c a & b \u000b?>'),
      '<a\u0001 b="x"/>',
      '<a xmlns:x="urn:y"><x:b xml:lang="en"/><b xmlns:z="urn:y" z:c="1"/></a>',
      '<a><b x:y:z="1"/></a>',
      `<a>${Array.from({ length: 21 }, (_, index) => `<p${index}:b/>`).join('')}</a>`,
      `<!DOCTYPE a>${document('a & b')}`,
      document('a & b <!DOCTYPE a>'),
      document('a & b <!-- '),
      document('a & b <![CDATA['),
      document('a & b <c d="'),
      bytes(UTF8, '<a>Ivanov ', [0xc8, 0xe2, 0xe0, 0xed, 0xee, 0xe2], '</a>'),
      bytes(UTF8, '<a>M', [0xc3, 0xa9], 'ni', [0xe8], 're</a>'),
      bytes(UTF8, '<a>Wa', [0xb3], 'esa</a>'),
      bytes('<?xml version="1.0" encoding="UTF-16"?><a>', [0xe9], '</a>'),
      Buffer.from('<a>\ud800</a>', 'utf16le'),
    ];
    for (const file of unchanged) {
      expect(mendXml(Buffer.from(file as string)), String(file)).to.be.undefined();
    }
  });

  it('is looked at in time that grows with its length only', () => {
    const length = amount(200_000, 2_000_000);
    for (const piece of [
      '<!--',
      '<![CDATA[',
      '<?',
      '<',
      '&',
      '<a b="',
      '\'"',
      '<!',
      '&a',
      '\u0001',
      '<a b=">" c=\'',
      '&#',
      '<x:b>',
      '</x:b>',
      '<b xmlns:x="y">',
      '<b x:',
      '<b x:c="1" ',
    ]) {
      const file = Buffer.from(document(piece.repeat(length / piece.length)));
      expect(mendXml(file)?.length ?? 0, piece).to.be.below(10 * file.length);
    }
  });
});
