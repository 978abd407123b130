/** write: a resource as the JSON text that goes out, with every digit of its numbers; `resourceToXml` writes the same in XML. */
import { stringify } from 'lossless-json';

/** @param space how far each level is set in; absent: in one line */
export const resourceText = (resource: object, space?: number): string => stringify(resource, undefined, space)!;
