/** rich-text: the words of an RTF text, without its layout (pure). Nothing in it is run, opened or fetched. */

/** Groups that hold no words of the text: tables of fonts and colours, pictures, what programs note for themselves. */
const NO_WORDS = new Set(
  (
    'fonttbl colortbl stylesheet listtable listoverridetable rsidtbl revtbl info pict object objdata themedata ' +
    'colorschememapping datastore latentstyles generator xmlnstbl mmathPr fldinst bkmkstart bkmkend ' +
    'pgdsctbl filetbl private template nonshppict'
  ).split(' '),
);

const BREAKS: Readonly<Record<string, string>> = {
  par: '\n',
  line: '\n',
  sect: '\n',
  page: '\n',
  row: '\n',
  nestrow: '\n',
  cell: '\t',
  nestcell: '\t',
  tab: '\t',
  emdash: '\u2014',
  endash: '\u2013',
  bullet: '\u2022',
  lquote: '\u2018',
  rquote: '\u2019',
  ldblquote: '\u201C',
  rdblquote: '\u201D',
  emspace: ' ',
  enspace: ' ',
  qmspace: ' ',
};

const SYMBOLS: Readonly<Record<string, string>> = { '~': '\u00A0', _: '-', '-': '', '\n': '\n', '\r': '\n' };

/** A control word, an escaped byte, a control symbol, a brace, or text. */
const TOKEN = /\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|\\'([\da-fA-F]{2})|\\([^a-zA-Z])|([{}])|[\r\n]+|([^\\{}\r\n]+)/g;

/** Numbers of character sets of fonts that are no code page of Windows. */
const CHARSETS: Readonly<Record<number, string>> = {
  128: 'shift_jis',
  129: 'euc-kr',
  134: 'gbk',
  136: 'big5',
  161: 'windows-1253',
  162: 'windows-1254',
  177: 'windows-1255',
  178: 'windows-1256',
  186: 'windows-1257',
  204: 'windows-1251',
  222: 'windows-874',
  238: 'windows-1250',
};
const CODE_PAGES: Readonly<Record<number, string>> = {
  874: 'windows-874',
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  10000: 'macintosh',
  65001: 'utf-8',
};

type Group = {
  /** Whether its text is shown. */ shown: boolean;
  /** How many characters stand for a Unicode character for old programs. */ instead: number;
  encoding: string;
};

type Reading = {
  group: Group;
  readonly around: Group[];
  /** Font number -> its encoding. */ readonly fonts: Map<number, string>;
  font: number;
  inFonts: boolean;
  /** How many characters are still to be passed over. */ skip: number;
  bytes: number[];
  encoding: string;
  text: string;
};

function decodeBytes(bytes: readonly number[], encoding: string): string {
  try {
    return new TextDecoder(encoding).decode(Uint8Array.from(bytes));
  } catch {
    return new TextDecoder('windows-1252').decode(Uint8Array.from(bytes));
  }
}

/** Writes the bytes that wait; a character may have several. */
function flush(reading: Reading): void {
  if (reading.bytes.length > 0) {
    reading.text += decodeBytes(reading.bytes, reading.group.encoding);
    reading.bytes = [];
  }
}

function write(reading: Reading, text: string): void {
  if (reading.group.shown) {
    flush(reading);
    reading.text += text;
  }
}

function writeUnicode(reading: Reading, value: number): void {
  write(reading, String.fromCharCode(value < 0 ? value + 65_536 : value));
  reading.skip = reading.group.instead;
}

function readWord(reading: Reading, word: string, value: number | undefined): void {
  const { group } = reading;
  if (NO_WORDS.has(word) || word === 'deleted' || (word === 'v' && value !== 0)) {
    group.shown = false;
    reading.inFonts ||= word === 'fonttbl';
  } else if (word === 'u' && value !== undefined) {
    writeUnicode(reading, value);
  } else if (word === 'uc') {
    group.instead = value ?? 1;
  } else if (word === 'ansicpg' && value !== undefined) {
    reading.encoding = CODE_PAGES[value] ?? `windows-${value}`;
    group.encoding = reading.encoding;
  } else if (word === 'f' && value !== undefined) {
    flush(reading);
    reading.font = value;
    group.encoding = reading.fonts.get(value) ?? reading.encoding;
  } else if (word === 'fcharset' && reading.inFonts && CHARSETS[value ?? 0] !== undefined) {
    reading.fonts.set(reading.font, CHARSETS[value ?? 0]!);
  } else if (BREAKS[word] !== undefined) {
    write(reading, BREAKS[word]);
  }
}

function readBrace(reading: Reading, brace: string): void {
  flush(reading);
  reading.skip = 0;
  if (brace === '{') {
    reading.around.push(reading.group);
    reading.group = { ...reading.group };
    return;
  }
  reading.group = reading.around.pop() ?? reading.group;
  reading.inFonts &&= !reading.group.shown;
}

function readSymbol(reading: Reading, symbol: string): void {
  if (symbol === '*') {
    reading.group.shown = false;
  } else {
    write(reading, SYMBOLS[symbol] ?? symbol);
  }
}

function takeText(reading: Reading, text: string): void {
  const passed = Math.min(reading.skip, text.length);
  reading.skip -= passed;
  write(reading, text.slice(passed));
}

function readByte(reading: Reading, byte: number): void {
  if (reading.skip > 0) {
    reading.skip -= 1;
  } else if (reading.group.shown) {
    reading.bytes.push(byte);
  }
}

/** The words of a text with its layout (RTF), a line for each paragraph. Text that was deleted or hidden is no part. */
export function wordsOfRichText(source: Uint8Array): string {
  const group: Group = { shown: true, instead: 1, encoding: 'windows-1252' };
  const reading: Reading = {
    group,
    around: [],
    fonts: new Map(),
    font: 0,
    inFonts: false,
    skip: 0,
    bytes: [],
    encoding: 'windows-1252',
    text: '',
  };
  for (const [, word, value, hex, symbol, brace, text] of Buffer.from(source).toString('latin1').matchAll(TOKEN)) {
    if (word !== undefined) {
      readWord(reading, word, value === undefined ? undefined : Number(value));
    } else if (hex !== undefined) {
      readByte(reading, parseInt(hex, 16));
    } else if (symbol !== undefined) {
      readSymbol(reading, symbol);
    } else if (brace !== undefined) {
      readBrace(reading, brace);
    } else if (text !== undefined) {
      takeText(reading, text);
    }
  }
  flush(reading);
  return reading.text.replace(/[ \t]+\n/g, '\n').trim();
}
