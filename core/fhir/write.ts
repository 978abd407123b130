/**
 * write: writes a resource as the JSON text that is sent, with every digit of its numbers. `resourceToXml` writes it as
 * XML.
 */
import { stringify } from 'lossless-json';

/** @param space the indentation of each level; without it, the text is one line */
export const resourceText = (resource: object, space?: number): string => stringify(resource, undefined, space)!;

/** Escapes a text for markup that is assembled as text, also between quotation marks. */
export const escaped = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
