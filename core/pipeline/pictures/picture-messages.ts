/** picture-messages: the messages between the server and the process that draws files; plain data only. */
import type { PictureKind } from '../../files/picture-kind';

/** What is asked for: one page, from 1, as a picture that fits into a box. */
export type ToDraw = {
  readonly bytes: Buffer;
  readonly kind: PictureKind;
  readonly page: number;
  readonly box: { readonly width: number; readonly height: number };
};

/** What is asked for: the words of a file, page by page. */
export type ToRead = {
  readonly bytes: Buffer;
  readonly kind: 'words';
  /** The media type that its document gives. */ readonly declared: string;
};

/** The words of a file: a text for each page, empty where the page is a picture. */
export type Words = { readonly words: readonly string[] };

/** A page as a picture. */
type Drawn = {
  readonly png: Uint8Array;
  readonly width: number;
  readonly height: number;
  /** How many pages the file has that can be drawn. */ readonly pages: number;
};

/**
 * Why a page is not drawn. `none`: the file has no such page. `locked`: it asks for a password. `large`: it needs more
 * pixels, memory or time than one picture may. `broken`: it is not what its beginning says.
 */
export type Problem = 'none' | 'locked' | 'large' | 'broken';

export type Drawing = { readonly drawn: Drawn } | { readonly problem: Problem };

/** What the process is asked, and what it answers. */
export type Task = ToDraw | ToRead;
export type Result = Drawing | Words;

/** `worn` means that the process has grown and should be replaced, `total` is its processor time in seconds. */
export type FromPictures = { readonly result: Result; readonly worn: boolean; readonly total: number };

/** The most pages of a file that are drawn. */
export const MOST_PAGES = 100;
/** The most characters of the words of a page, and of a file. */
export const MOST_ON_PAGE = 20_000;
export const MOST_WORDS = 400_000;
/** The most pixels of a photo. Its size is read before any of them. */
export const MOST_PIXELS = 100_000_000;
/** The most memory of the process; above it the process ends itself. */
export const MOST_MEMORY = 1_073_741_824;
