/**
 * documents: hostile documents. Each is answered as its row says, within a second (where the machine has nothing else
 * to do), without a word of its text, and nothing else is affected.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { AppError } from '../../core/base/errors';
import { noteFormat, noteXml, openTestReader, stylesheet, transformFormat, type TestReader } from '../support/formats';
import { expectQuick } from '../support/quick';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

/** Occurs in every document below; no response may repeat it. */
const SECRET = 'SECRETdiagnosis';
const MAX = 10_485_760;

const utf16le = (text: string): Buffer => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);
const utf16be = (text: string): Buffer =>
  Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(text, 'utf16le').swap16()]);
const utf32be = (text: string): Buffer =>
  Buffer.concat(
    [...text].map((character) => {
      const four = Buffer.alloc(4);
      four.writeUInt32BE(character.codePointAt(0) ?? 0);
      return four;
    }),
  );
/** UTF-7 writes special characters as base64 of UTF-16. */
const utf7 = (text: string): string =>
  text.replace(
    /[<>&"]/g,
    (character) => `+${Buffer.from(character, 'utf16le').swap16().toString('base64').replace(/=+$/, '')}-`,
  );
const ebcdic = (text: string): Buffer => Buffer.from([0x4c, 0x6f, 0xa7, 0x94, 0x93, ...Buffer.from(text)]);
const bytes = (...parts: readonly (string | readonly number[])[]): Buffer =>
  Buffer.concat(parts.map((part) => Buffer.from(part as string)));

const note = (inside: string): string => `<Note xmlns="urn:test:note"><title>${SECRET}</title>${inside}</Note>`;
const repeat = (count: number, text: (number: number) => string): string =>
  Array.from({ length: count }, (_, number) => text(number)).join('');

type Case = readonly [name: string, document: string | Buffer, expected: string];

/** Places and contents of DOCTYPEs. */
const doctypes: readonly (readonly [string, string])[] = [
  ['an empty one', '<!DOCTYPE Note>'],
  ['a system one', '<!DOCTYPE Note SYSTEM "http://127.0.0.1:1/x.dtd">'],
  ['a public one', '<!DOCTYPE Note PUBLIC "-//x//y" "file:///etc/passwd">'],
  ['a file entity', '<!DOCTYPE Note [<!ENTITY x SYSTEM "file:///etc/passwd">]>'],
  ['a network entity', '<!DOCTYPE Note [<!ENTITY x SYSTEM "http://127.0.0.1:1/">]>'],
  ['a parameter entity', '<!DOCTYPE Note [<!ENTITY % x SYSTEM "file:///etc/passwd"> %x;]>'],
  [
    'an entity bomb',
    `<!DOCTYPE Note [<!ENTITY x0 "${SECRET}">${repeat(12, (n) => `<!ENTITY x${n + 1} "${`&x${n};`.repeat(10)}">`)}]>`,
  ],
  ['a flat entity bomb', `<!DOCTYPE Note [<!ENTITY x "${'y'.repeat(50_000)}">]>`],
  [
    'a parameter entity bomb',
    `<!DOCTYPE Note [<!ENTITY % a0 "x">${repeat(12, (n) => `<!ENTITY % a${n + 1} "${`&#37;a${n};`.repeat(10)}">`)}%a12;]>`,
  ],
  ['entities that name each other', '<!DOCTYPE Note [<!ENTITY x "&y;"><!ENTITY y "&x;">]>'],
  ['default attributes', `<!DOCTYPE Note [<!ATTLIST Note lang CDATA "${SECRET}">]>`],
  ['a notation', '<!DOCTYPE Note [<!NOTATION gif SYSTEM "/bin/sh"><!ENTITY x SYSTEM "a" NDATA gif>]>'],
  ['a comment before it', '<!-- x --><!DOCTYPE Note>'],
  ['a processing instruction before it', '<?x <!DOCTYPE?><!DOCTYPE Note>'],
  ['white space before it', '\n\t\r\n <!DOCTYPE Note>'],
  ['a long comment before it', `<!--${'x'.repeat(200_000)}--><!DOCTYPE Note>`],
];

const doctypeCases: readonly Case[] = doctypes.flatMap(([name, doctype]): readonly Case[] => [
  [`DOCTYPE, ${name}`, doctype + note('&x;'), 'a DOCTYPE is not allowed'],
  [`DOCTYPE, ${name}, in UTF-16 little endian`, utf16le(doctype + note('')), 'a DOCTYPE is not allowed'],
  [`DOCTYPE, ${name}, in UTF-16 big endian`, utf16be(doctype + note('')), 'a DOCTYPE is not allowed'],
]);

const CLOSED_LIST = 'its encoding is not one of UTF-8, UTF-16, US-ASCII, ISO-8859-1, ISO-8859-15 and windows-1252';
const encodingCases: readonly Case[] = [
  ...[
    'UTF-7',
    'utf-7',
    'UTF-32',
    'UCS-4',
    'ISO-10646-UCS-2',
    'EBCDIC-CP-US',
    'Shift_JIS',
    'EUC-JP',
    'GB18030',
    'Big5',
    'ISO-2022-JP',
    'HTML',
    'x',
    '../../etc/passwd',
    SECRET,
    'UTF-8 ',
    'CESU-8',
    'BOCU-1',
    'SCSU',
  ].map((name): Case => [
    `the encoding ${name === SECRET ? 'of a secret name' : name}`,
    `<?xml version="1.0" encoding="${name}"?>${note('')}`,
    CLOSED_LIST,
  ]),
  ['UTF-7 in earnest', `<?xml version="1.0" encoding="UTF-7"?>${utf7(note(''))}`, CLOSED_LIST],
  ['UTF-7 with its mark', bytes('+/v8-', utf7(note(''))), 'the document has no root element'],
  ['UTF-32', utf32be(note('')), CLOSED_LIST],
  ['UTF-32 with a mark', Buffer.concat([Buffer.from([0, 0, 0xfe, 0xff]), utf32be(note(''))]), CLOSED_LIST],
  [
    'UTF-32 little endian with a mark',
    Buffer.concat([Buffer.from([0xff, 0xfe, 0, 0]), utf32be(note('')).swap32()]),
    CLOSED_LIST,
  ],
  ['UCS-4 in the order 3412', Buffer.concat([Buffer.from([0, 0x3c, 0, 0]), utf32be('Note/>')]), CLOSED_LIST],
  ['EBCDIC', ebcdic(note('')), CLOSED_LIST],
  ...[600, 100_000].flatMap((length): readonly Case[] => [
    [
      `a name of another encoding behind ${length} blanks`,
      `<?xml version="1.0"${' \t\n'.repeat(length / 3)} encoding="UTF-7"?>${note('')}`,
      CLOSED_LIST,
    ],
    [
      `a name of another encoding behind its word and ${length} blanks`,
      `<?xml version="1.0" encoding${' '.repeat(length)}=${' '.repeat(length)}"UTF-7"?>${note('')}`,
      CLOSED_LIST,
    ],
    [
      `a name of another encoding behind ${length} blanks in UTF-16`,
      utf16le(`<?xml version="1.0"${' '.repeat(length)}encoding="UTF-7"?>${note('')}`),
      CLOSED_LIST,
    ],
  ]),
  ['a name of another encoding in UTF-16', utf16le(`<?xml version="1.0" encoding="UTF-7"?>${note('')}`), CLOSED_LIST],
  ['UTF-16 declared in UTF-8 bytes', `<?xml version="1.0" encoding="UTF-16"?>${note('')}`, 'not well-formed'],
  ['half a character at the end of UTF-16', Buffer.concat([utf16le(note('')), Buffer.from([0x3c])]), 'not well-formed'],
  [
    'a lone surrogate in UTF-16',
    Buffer.concat([
      utf16le('<Note xmlns="urn:test:note"><title>'),
      Buffer.from([0x00, 0xd8]),
      Buffer.from('</title></Note>', 'utf16le'),
    ]),
    'not well-formed',
  ],
  ...(
    [
      [0xff],
      [0xc0, 0xaf],
      [0xe0, 0x80, 0xbc],
      [0xed, 0xa0, 0x80],
      [0xf4, 0x90, 0x80, 0x80],
      [0xf8, 0x88, 0x80, 0x80, 0x80],
      [0x80],
      [0xe2, 0x82],
      [0xc3],
      [0xef, 0xbf, 0xbf],
    ] as const
  ).map((wrong): Case => [
    `the bytes ${Buffer.from(wrong).toString('hex')} in UTF-8`,
    bytes(`<Note xmlns="urn:test:note"><title>${SECRET}`, wrong, '</title></Note>'),
    'not well-formed',
  ]),
  ['an overlong < in a tag', bytes([0xc0, 0xbc], 'Note/>'), 'not well-formed'],
  ['a byte order mark twice', bytes([0xef, 0xbb, 0xbf, 0xef, 0xbb, 0xbf], note('')), 'not well-formed'],
  ['high bytes in US-ASCII', bytes('<?xml version="1.0" encoding="US-ASCII"?><a>', [0xe9], '</a>'), 'not well-formed'],
];

const characterCases: readonly Case[] = [
  ...[0, 1, 8, 0xb, 0xc, 0x1f].map((code): Case => [
    `the character ${code}`,
    note(String.fromCharCode(code)),
    'not well-formed',
  ]),
  ...[
    '&#0;',
    '&#x0;',
    '&#1;',
    '&#xFFFE;',
    '&#xFFFF;',
    '&#xD800;',
    '&#x110000;',
    '&#99999999999999999999;',
    '&#x;',
    '&#;',
    '&;',
    '&',
    '&nbsp;',
    '&x',
    '&x;',
    '&lt',
    '&#-1;',
    '&#x-1;',
  ].map((reference): Case => [`the reference ${reference}`, note(reference), 'not well-formed']),
  ['NUL as the whole document', Buffer.alloc(1), 'not well-formed'],
  ['a megabyte of NULs', Buffer.alloc(1_000_000), 'not well-formed'],
  ['NUL in a name', '<No\0te/>', 'not well-formed'],
  ['NUL after the end', `${note('')}\0`, 'not well-formed'],
];

const jsonCases: readonly Case[] = [['JSON that is no resource', `{"a":"${SECRET}"}`, 'it is not FHIR R4']];

const syntaxCases: readonly Case[] = (
  [
    ['nothing', ''],
    ['white space', ' \n\t '],
    ['a byte order mark', '\ufeff'],
    ['text', SECRET],
    ['HTML', `<html><body><p>${SECRET}</body></html>`],
    ['a form', `a=1&b=${SECRET}`],
    ['only a declaration', '<?xml version="1.0"?>'],
    ['only a comment', `<!-- ${SECRET} -->`],
    ['two roots', note('') + note('')],
    ['text after the root', note('') + SECRET],
    ['text before the root', SECRET + note('')],
    ['an open tag', '<Note'],
    ['an open element', `<Note><title>${SECRET}`],
    ['crossed elements', '<a><b></a></b>'],
    ['an end without a start', '</a>'],
    ['a name that begins with a digit', '<1a/>'],
    ['a space before the name', '< a/>'],
    ['an attribute twice', `<a ${SECRET}="1" ${SECRET}="2"/>`],
    ['an attribute twice by namespace', '<a xmlns:p="u" xmlns:q="u" p:x="1" q:x="2"/>'],
    ['an attribute without value', '<a b/>'],
    ['an attribute without quotes', `<a b=${SECRET}/>`],
    ['an open attribute', `<a b="${SECRET}/>`],
    ['< in an attribute', '<a b="<"/>'],
    ['no space between attributes', '<a b="1"c="2"/>'],
    ['an undeclared prefix', `<${SECRET}:a/>`],
    ['an undeclared attribute prefix', `<a ${SECRET}:b="1"/>`],
    ['the prefix xmlns', '<xmlns:a/>'],
    ['xml bound elsewhere', '<a xmlns:xml="urn:x"/>'],
    ['xmlns bound', '<a xmlns:xmlns="urn:x"/>'],
    ['a prefix taken back', '<a xmlns:p="u"><b xmlns:p=""><p:c/></b></a>'],
    ['two colons', '<a:b:c xmlns:a="u"/>'],
    ['an open comment', `<a><!-- ${SECRET}`],
    ['-- in a comment', `<a><!-- ${SECRET} -- --></a>`],
    ['an open CDATA section', `<a><![CDATA[${SECRET}`],
    ['CDATA outside the root', `<![CDATA[${SECRET}]]><a/>`],
    [']]> in text', `<a>${SECRET}]]></a>`],
    ['an open processing instruction', `<a><?x ${SECRET}`],
    ['a processing instruction named xml', `<a><?xml ${SECRET}?></a>`],
    ['a late declaration', ` <?xml version="1.0"?>${note('')}`],
    ['two declarations', `<?xml version="1.0"?><?xml version="1.0"?>${note('')}`],
    ['version 2', `<?xml version="2.0"?>${note('')}`],
    ['a declaration without version', `<?xml encoding="UTF-8"?>${note('')}`],
    ['an entity declaration in text', '<a><!ENTITY x "y"></a>'],
    ['a small DOCTYPE', `<!doctype Note>${note('')}`],
    ['a DOCTYPE inside', '<a><!DOCTYPE a></a>'],
    ['a DOCTYPE after', `${note('')}<!DOCTYPE a>`],
    ['a conditional section', '<a><![INCLUDE[x]]></a>'],
    ['a gzip file', Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0]).toString('latin1')],
    ['a PDF', `%PDF-1.4 ${SECRET}`],
    ['a shell script', '#!/bin/sh\nrm -rf /'],
    ['a stack of <', '<'.repeat(100_000)],
    ['a stack of &', `<a>${'&'.repeat(100_000)}</a>`],
    ['quotes only', '"'.repeat(10_000)],
  ] as const
).map(([name, document]): Case => [name, document, 'not well-formed']);

const sizeCases: readonly Case[] = [
  ['100,000 deep, open', '<a>'.repeat(100_000), 'it is nested deeper'],
  ['100,000 deep, closed', '<a>'.repeat(100_000) + '</a>'.repeat(100_000), 'it is nested deeper'],
  ['257 deep', '<a>'.repeat(257) + '</a>'.repeat(257), 'it is nested deeper'],
  [
    'deep in a valid document',
    note(`<b xmlns="urn:other">${'<a>'.repeat(1000)}${'</a>'.repeat(1000)}</b>`),
    'it is nested deeper',
  ],
  ['deep with prefixes', repeat(5000, (n) => `<p${n}:a xmlns:p${n}="urn:${n}">`), 'it is nested deeper'],
  ['one byte too many', Buffer.alloc(MAX + 1, 0x20), 'too_large'],
  ['much too many', Buffer.alloc(2 * MAX, 0x3c), 'too_large'],
  [
    '200,000 names in JSON',
    `{"resourceType":"Patient","name":[${'{"family":"x"},'.repeat(200_000)}{}]}`,
    'more than 174762 objects',
  ],
  [
    '500,000 entries in JSON',
    `{"resourceType":"Bundle","type":"collection","entry":[${'{},'.repeat(500_000)}{}]}`,
    'more than 174762 objects',
  ],
  ['a name of 60,000 characters', `<${'a'.repeat(60_000)}/>`, 'not well-formed'],
  ['an attribute name of 60,000 characters', `<a ${'b'.repeat(60_000)}="1"/>`, 'not well-formed'],
  [
    'a text of 10.1 megabytes',
    `<a>${'x'.repeat(10_100_000)}</a>`,
    'it is nested deeper than 256 elements or holds a text longer',
  ],
  ['a namespace of 300 characters', `<a xmlns="urn:${'x'.repeat(300)}"/>`, 'longer than 255 characters'],
  ['a root name of 300 characters', `<${'a'.repeat(300)}/>`, 'longer than 255 characters'],
  [
    '300 attributes in a known format',
    note(`<b xmlns="urn:other" ${repeat(300, (n) => `attribute-number-${n}="1" `)}/>`),
    'more than 256 attributes',
  ],
  [
    '100,000 attributes in a known format',
    note(`<b xmlns="urn:other" ${repeat(100_000, (n) => `a${n}="1" `)}/>`),
    'more than 256 attributes',
  ],
  [
    '100,000 namespaces in a known format',
    note(`<b xmlns="urn:other" ${repeat(100_000, (n) => `xmlns:a${n}="u${n}" `)}/>`),
    'more than 512 namespace declarations',
  ],
  [
    '600 namespaces over many levels',
    note(
      repeat(
        200,
        (n) => `<b xmlns="urn:other" xmlns:p${n}="urn:p" xmlns:q${n}="urn:q" xmlns:r${n}="urn:rrrrrrrrrrrrrrrrr">`,
      ) + '</b>'.repeat(200),
    ),
    'more than 512 namespace declarations',
  ],
  [
    '11,000 facts',
    note('').replace(`<title>${SECRET}</title>`, '<title>x</title>'.repeat(11_000)),
    'more than 10000 facts',
  ],
  ['a million undeclared prefixes', `<a>${'<p:b/>'.repeat(1_000_000)}</a>`, 'a namespace prefix is not declared'],
  ['100,000 wrong elements', note('<wrong/>'.repeat(100_000)), 'it does not fit the schema'],
  [
    '100,000 wrong values',
    `<Note xmlns="urn:test:note"><title/>${'<size>x</size>'.repeat(100_000)}</Note>`,
    'it does not fit the schema',
  ],
];

const schemaCases: readonly Case[] = [
  ['no required child', '<Note xmlns="urn:test:note"/>', 'it does not fit the schema'],
  ['a number that is none', note(`<size>${SECRET}</size>`), 'it does not fit the schema'],
  [
    'a number of 100,000 digits in place of a word',
    note(`<kind>${'9'.repeat(100_000)}</kind>`),
    'it does not fit the schema',
  ],
  ['a date that is none', note('<when>2020-02-30</when>'), 'it does not fit the schema'],
  ['a date of the year 99999999999', note('<when>99999999999-01-01</when>'), 'it does not fit the schema'],
  ['infinity', note('<size>INF</size>'), 'it does not fit the schema'],
  ['a number with an exponent', note('<size>1e400</size>'), 'it does not fit the schema'],
  ['markup in a value', note('<size><![CDATA[<1>]]></size>'), 'it does not fit the schema'],
  [
    'another type by xsi:type',
    note(
      '<size xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xs="http://www.w3.org/2001/XMLSchema" ' +
        'xsi:type="xs:string">x</size>',
    ),
    'it does not fit the schema',
  ],
  [
    'nil',
    note('<size xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="true"/>'),
    'it does not fit the schema',
  ],
  [
    'a schema of its own',
    '<Note xmlns="urn:test:note" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" ' +
      `xsi:schemaLocation="urn:test:note http://127.0.0.1:1/x.xsd"><title/>${SECRET}</Note>`,
    'it does not fit the schema',
  ],
  [
    'an attribute of its own',
    `<Note xmlns="urn:test:note" own="${SECRET}"><title/></Note>`,
    'it does not fit the schema',
  ],
  [
    'the same type made of another namespace',
    `<Note xmlns="urn:test:note#"><title>${SECRET}</title></Note>`,
    'it does not fit the schema',
  ],
  ['a number too big to keep', note(`<size>${'9'.repeat(400)}</size>`), 'does not fit the data model'],
  [
    'a title of 300 characters',
    `<Note xmlns="urn:test:note"><title>${SECRET}${'x'.repeat(300)}</title></Note>`,
    'does not fit the data model',
  ],
];

/** Odd but harmless documents: they are read as they are, and nothing outside them is accessed. */
const harmless: readonly (readonly [string, string | Buffer, string | null])[] = [
  [
    'XInclude of a file',
    note('<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="file:///etc/passwd" parse="text"/>'),
    'note',
  ],
  ['XInclude of itself', '<a xmlns:xi="http://www.w3.org/2001/XInclude"><xi:include href=""/></a>', null],
  ['a stylesheet of its own', `<?xml-stylesheet href="file:///etc/passwd" type="text/xsl"?>${note('')}`, 'note'],
  ['a catalog of its own', `<?oasis-xml-catalog catalog="http://127.0.0.1:1/"?>${note('')}`, 'note'],
  ['a model of its own', `<?xml-model href="http://127.0.0.1:1/"?>${note('')}`, 'note'],
  ['xml:base to a file', note('<b xmlns="urn:other" xml:base="file:///etc/"/>'), 'note'],
  ['ids twice', note('<b xmlns="urn:other" xml:id="x"/><b xmlns="urn:other" xml:id="x"/>'), 'note'],
  ['DOCTYPE in CDATA', note('<b xmlns="urn:other"><![CDATA[<!DOCTYPE a>]]></b>'), 'note'],
  ['SQL in a title', '<Note xmlns="urn:test:note"><title>\'; DROP TABLE record; --</title></Note>', 'note'],
  [
    'a template in a title',
    '<Note xmlns="urn:test:note"><title>${process.exit()} {{x}} {vocab_base}</title></Note>',
    'note',
  ],
  ['XPath in a title', '<Note xmlns="urn:test:note"><title>\' or document("/etc/passwd") or \'</title></Note>', 'note'],
  ['__proto__ as root', '<__proto__/>', null],
  ['constructor as root', '<constructor/>', null],
  ['a root with the name of an entry', '<note/>', null],
  ['the right root without namespace', '<Note/>', null],
  ['the right name with a prefix', '<x:Note xmlns:x="urn:test:note"><x:title>t</x:title></x:Note>', 'note'],
  ['version 1.1', `<?xml version="1.1"?>${note('')}`, 'note'],
  ['9 megabytes of text', `<a>${'x'.repeat(9_000_000)}</a>`, null],
  ['a million elements', `<a>${'<b/>'.repeat(1_000_000)}</a>`, null],
  ['100,000 attributes in an unknown format', `<a ${repeat(100_000, (n) => `a${n}="1" `)}/>`, null],
  ['a megabyte of comments', `<a>${'<!--x-->'.repeat(125_000)}</a>`, null],
  ['a megabyte of < in comments', note(`<!--${'<'.repeat(1_000_000)}-->`), 'note'],
  ['a megabyte of < in CDATA', note(`<b xmlns="urn:other"><![CDATA[${'<'.repeat(1_000_000)}]]></b>`), 'note'],
  ['a megabyte of references', `<a>${'&#65;'.repeat(200_000)}</a>`, null],
];

const all: readonly Case[] = [
  ...jsonCases,
  ...doctypeCases,
  ...encodingCases,
  ...characterCases,
  ...syntaxCases,
  ...sizeCases,
  ...schemaCases,
];
const MILLISECONDS = 1000;

describe('hostile documents', () => {
  let reader: TestReader;
  before(async () => {
    reader = await openTestReader(
      {
        ...noteFormat,
        ...transformFormat('Echo', 't.xsl', stylesheet('<xsl:template match="/"><Models/></xsl:template>')),
      },
      { transformSeconds: 60 },
    );
  });
  after(() => reader.close());

  const answerTo = async (
    document: string | Buffer,
  ): Promise<{ readonly error: unknown; readonly milliseconds: number }> => {
    const started = performance.now();
    const error = await reader.read(Buffer.from(document as string)).then(
      () => undefined,
      (failure: unknown) => failure,
    );
    return { error, milliseconds: performance.now() - started };
  };

  it('number 190 or more', () => {
    expect(all.length + harmless.length).to.be.at.least(190);
  });

  for (const [name, document, expected] of all) {
    it(`refuses ${name}`, async () => {
      const { error, milliseconds } = await answerTo(document);
      expect(error).to.be.an.instanceof(AppError);
      const { status, code, message, details } = error as AppError;
      expect([status, code]).to.equal(expected === 'too_large' ? [413, 'too_large'] : [400, 'invalid_document']);
      const words = [code, message, ...details.map((detail) => detail.message)].join('; ');
      expect(words).to.contain(expected === 'not well-formed' ? 'it is not well-formed XML' : expected);
      expect(words).to.not.contain(SECRET);
      expect(details.length).to.be.at.most(20);
      expectQuick(milliseconds, MILLISECONDS);
    });
  }

  for (const [name, document, entry] of harmless) {
    it(`reads ${name} as it is`, async () => {
      const started = performance.now();
      const read = await reader.read(Buffer.from(document as string));
      expectQuick(performance.now() - started, MILLISECONDS);
      expect(read.entry).to.equal(entry);
      expect(JSON.stringify(read.facts)).to.not.contain('root:');
    });
  }

  it('answers small documents of others while big ones are read', async () => {
    const big = Buffer.from(`<a>${'<b/>'.repeat(2_500_000)}</a>`);
    let reading = true;
    const flood = Promise.all(Array.from({ length: 6 }, () => reader.read(big, 'flood'))).finally(() => {
      reading = false;
    });
    let slowest = 0;
    let small = 0;
    while (reading) {
      const started = performance.now();
      await reader.read(noteXml('<title>t</title>'), 'other');
      slowest = Math.max(slowest, performance.now() - started);
      small += 1;
    }
    await flood;
    expectQuick(slowest, MILLISECONDS);
    // In one queue with the big documents the first small one would have waited for all of them, and there would be no
    // second.
    expect(small).to.be.above(1);
  });

  it('keeps the thread of the server free while they are read', async () => {
    const facts = `<Note xmlns="urn:test:note">${'<title>some title of a fact</title>'.repeat(10_000)}</Note>`;
    const documents = ['<a>'.repeat(100_000), `<a>${'<b/>'.repeat(2_500_000)}</a>`, facts, facts].map((text) =>
      Buffer.from(text),
    );
    const began = performance.now();
    let longest = 0;
    let last = began;
    const ticking = setInterval(() => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }, 5);
    await Promise.all(documents.map((document) => answerTo(document)));
    clearInterval(ticking);
    // Parsing the second document in this thread would take about 500.
    expectQuick(longest, 300);
    expect(longest).to.be.below((performance.now() - began) / 2);
  });
});
