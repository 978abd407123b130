/** write: a resource as the JSON text that goes out, with every digit of its numbers; `resourceToXml` writes the same in XML. */
import { stringify } from 'lossless-json';

/** @param space how far each level is set in; absent: in one line */
export const resourceText = (resource: object, space?: number): string => stringify(resource, undefined, space)!;

/** Text as it stands in markup that is put together as text, also between quotation marks. */
export const escaped = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
