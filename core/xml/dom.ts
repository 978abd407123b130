/** dom: a garbage-collected tree (libxmljs2) of a document that passed the gate, for transform modules. */
import type { Element } from 'libxmljs2';

/**
 * The root element of clean text, whose size the gate has judged. The library is loaded by the first call: most
 * configurations have no module.
 */
export const openDom = async (): Promise<(text: string) => Element | null> => {
  const { parseXml } = await import('libxmljs2');
  return (text) => parseXml(text, { nonet: true, nocdata: true, huge: true }).root();
};
