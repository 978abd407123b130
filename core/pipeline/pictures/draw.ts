/**
 * draw: draws a page of a PDF or a photo as PNG. It runs only in a process of its own (picture-process), because the
 * bytes are a stranger's and the engines, although WebAssembly, are large. Poppler and libvips were faster, but are native
 * code and need packages of the system.
 */
import { readFileSync } from 'node:fs';
import type * as Magick from '@imagemagick/magick-wasm';
import type { PDFiumLibrary } from '@hyzyla/pdfium';
import type { PictureKind } from '../../files/picture-kind';
import { MOST_PAGES, MOST_PIXELS, type Drawing, type ToDraw } from './picture-messages';

type Box = ToDraw['box'];

/** The most memory that ImageMagick takes for pixels. Without a disk it then refuses. */
const PIXEL_MEMORY = 805_306_368n;
const LONGEST_SIDE = 32_000n;

let magick: Promise<typeof Magick> | undefined;
let pdfium: Promise<PDFiumLibrary> | undefined;

async function openMagick(): Promise<typeof Magick> {
  const engine = await import('@imagemagick/magick-wasm');
  await engine.initializeImageMagick(readFileSync(require.resolve('@imagemagick/magick-wasm/magick.wasm')));
  engine.ResourceLimits.memory = PIXEL_MEMORY;
  engine.ResourceLimits.maxMemoryRequest = PIXEL_MEMORY;
  engine.ResourceLimits.disk = 0n;
  engine.ResourceLimits.width = LONGEST_SIDE;
  engine.ResourceLimits.height = LONGEST_SIDE;
  engine.ResourceLimits.listLength = BigInt(MOST_PAGES);
  return engine;
}

/** The engine for PDFs, which is started once. */
export async function openPdfium(): Promise<PDFiumLibrary> {
  pdfium ??= import('@hyzyla/pdfium').then(({ PDFiumLibrary: library }) => library.init());
  return pdfium;
}

/** The size that fits into the box with the same sides, at least one pixel each. */
function fitted(width: number, height: number, box: Box, most = Infinity): Box {
  const scale = Math.min(box.width / width, box.height / height, most);
  const side = (length: number, end: number): number => Math.max(1, Math.min(end, Math.round(length * scale)));
  return { width: side(width, box.width), height: side(height, box.height) };
}

/** A picture as PNG without a word of the camera's: no place, no name of a device. */
function writePng(engine: typeof Magick, image: Magick.IMagickImage, pages: number): Drawing {
  const { MagickFormat } = engine;
  image.settings.setDefine(MagickFormat.Png, 'compression-level', '3');
  image.settings.setDefine(MagickFormat.Png, 'exclude-chunks', 'all');
  image.strip();
  const { width, height } = image;
  return image.write(MagickFormat.Png, (data) => ({ drawn: { png: Uint8Array.from(data), width, height, pages } }));
}

const FORMATS = {
  jpeg: 'Jpeg',
  png: 'Png',
  gif: 'Gif',
  webp: 'WebP',
  heic: 'Heic',
  tiff: 'Tiff',
} as const satisfies Readonly<Record<Exclude<PictureKind, 'pdf'>, keyof typeof Magick.MagickFormat>>;

async function drawPhoto(bytes: Buffer, kind: keyof typeof FORMATS, box: Box): Promise<Drawing> {
  magick ??= openMagick();
  const engine = await magick;
  const { ImageMagick, MagickFormat, MagickImageInfo, MagickReadSettings, MagickColors } = engine;
  const settings = new MagickReadSettings({ format: MagickFormat[FORMATS[kind]], frameIndex: 0, frameCount: 1 });
  // The decoder of JPEG makes a small picture at once, with a fraction of the memory.
  settings.setDefine(MagickFormat.Jpeg, 'size', `${2 * box.width}x${2 * box.height}`);
  const { width, height } = MagickImageInfo.create(bytes, settings);
  if (width * height > MOST_PIXELS) {
    return { problem: 'large' };
  }
  return ImageMagick.read(bytes, settings, (image) => {
    image.autoOrient();
    image.backgroundColor = MagickColors.White;
    image.alpha(engine.AlphaAction.Remove);
    const to = fitted(image.width, image.height, box, 1);
    image.resize(to.width, to.height);
    return writePng(engine, image, 1);
  });
}

async function drawPage(bytes: Buffer, page: number, box: Box): Promise<Drawing> {
  magick ??= openMagick();
  const document = await (await openPdfium()).loadDocument(bytes);
  try {
    const pages = Math.min(MOST_PAGES, document.getPageCount());
    if (page > pages) {
      return { problem: 'none' };
    }
    const one = document.getPage(page - 1);
    const { originalWidth, originalHeight } = one.getOriginalSize();
    if (!(originalWidth > 0 && originalHeight > 0)) {
      return { problem: 'broken' };
    }
    const size = fitted(originalWidth, originalHeight, box);
    const { data, width, height } = await one.render({ ...size, render: 'bitmap', renderFormFields: true });
    const engine = await magick;
    const { ImageMagick, MagickFormat, MagickReadSettings } = engine;
    return ImageMagick.read(
      data,
      new MagickReadSettings({ width, height, format: MagickFormat.Bgra, depth: 8 }),
      (image) => {
        image.alpha(engine.AlphaAction.Off);
        return writePng(engine, image, pages);
      },
    );
  } finally {
    document.destroy();
  }
}

/** Draws one page. @throws what the engines throw about the file */
export function draw({ bytes, kind, page, box }: ToDraw): Promise<Drawing> {
  if (kind === 'pdf') {
    return drawPage(bytes, page, box);
  }
  return page > 1 ? Promise.resolve({ problem: 'none' }) : drawPhoto(bytes, kind, box);
}
