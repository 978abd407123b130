/** pictures: small files that have pages or pixels, and some that pretend to. */
import { crc32, deflateSync } from 'node:zlib';

/** A PDF from its objects; the first is the catalogue. `after` goes into the trailer. */
function pdfOf(objects: readonly string[], after = ''): Buffer {
  let text = '%PDF-1.6\n';
  const starts = objects.map((object, index) => {
    const start = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return start;
  });
  const table = starts.map((start) => `${String(start).padStart(10, '0')} 00000 n \n`).join('');
  const end = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${after} >>\nstartxref\n${text.length}\n%%EOF\n`;
  return Buffer.from(`${text}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}${end}`, 'latin1');
}

const stream = (content: string, more = ''): string =>
  `<< ${more} /Length ${content.length} >>\nstream\n${content}\nendstream`;

/** A PDF with one line of text on each page. */
export function pdfWith(lines: readonly string[], after = ''): Buffer {
  const first = 4;
  const kids = lines.map((_, index) => `${first + 2 * index} 0 R`).join(' ');
  const pages = lines.flatMap((line, index) => [
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> /Contents ${first + 2 * index + 1} 0 R >>`,
    stream(`BT /F1 24 Tf 72 720 Td (${line}) Tj ET`),
  ]);
  return pdfOf(
    [
      '<< /Type /Catalog /Pages 2 0 R >>',
      `<< /Type /Pages /Count ${lines.length} /Kids [${kids}] >>`,
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
      ...pages,
    ],
    after,
  );
}

/** A PDF whose page draws a form that draws a form ..., ten times each: it never ends. */
export function endlessPdf(): Buffer {
  const [first, depth] = [5, 14];
  const forms = Array.from({ length: depth }, (_, level) =>
    level === depth - 1
      ? stream('0 0 m 595 842 l S 595 0 m 0 842 l S', '/Type /XObject /Subtype /Form /BBox [0 0 595 842]')
      : stream(
          '/X Do '.repeat(10),
          `/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources << /XObject << /X ${first + level + 1} 0 R >> >>`,
        ),
  );
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /XObject << /X ${first} 0 R >> >> /Contents 4 0 R >>`,
    stream('/X Do '.repeat(10)),
    ...forms,
  ]);
}

const chunk = (name: string, data: Buffer): Buffer => {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const [size, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  size.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([size, named, check]);
};

/** A PNG of one colour; `lines` may be fewer than it says. */
export function pngOf(width: number, height: number, lines = height): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const line = Buffer.alloc(1 + 3 * width, 0x80);
  line[0] = 0;
  const pixels = deflateSync(Buffer.concat(Array.from({ length: lines }, () => line)));
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', head),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** The sides of a PNG. */
export function sidesOf(png: Uint8Array): { readonly width: number; readonly height: number } {
  const bytes = Buffer.from(png);
  if (bytes.toString('latin1', 1, 4) !== 'PNG') {
    throw new Error('it is no PNG');
  }
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}
