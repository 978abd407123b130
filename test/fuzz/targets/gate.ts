/** gate: feeds any bytes as XML. */
import { openXmlEngine } from '../../../core/xml/engine';
import { gate } from '../../../core/xml/gate';
import { isCallers, MAX_BYTES, orRefused, passesAgain, type Target } from './target';

export const target: Target = {
  name: 'gate',
  words: [
    '<!DOCTYPE a [',
    '<!ENTITY b "c">',
    '&b;',
    '&#x0;',
    '&#xD;',
    '<![CDATA[',
    ']]>',
    '<!--',
    '-->',
    '<?xml version="1.0" encoding="UTF-16"?>',
    ' encoding="',
    'xmlns="',
    'xmlns:p="urn:x"',
    '<p:a',
    ' a="',
    '/>',
    '</a>',
    '\ufeff',
    '\u0000',
    '\ufffe',
    '\r\n',
  ],
  open: async () => {
    const engine = await openXmlEngine();
    return (input) => {
      const gated = orRefused(() => gate(engine, input, MAX_BYTES), isCallers);
      const text = gated && orRefused(() => gated.cleanText(), isCallers);
      gated?.free();
      if (text !== undefined) {
        passesAgain(engine, text);
      }
    };
  },
};
