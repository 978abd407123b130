/** dom: makes a garbage-collected tree (libxmljs2) of a document that passed the gate, for transform modules. */
import type { Element } from 'libxmljs2';

/**
 * Returns a function that parses clean text, whose size the gate has checked, and gives its root element. The library
 * is only loaded here, because most configurations have no module.
 */
export async function openDom(): Promise<(text: string) => Element | null> {
  const { parseXml } = await import('libxmljs2');
  return (text) => parseXml(text, { nonet: true, nocdata: true, huge: true }).root();
}
