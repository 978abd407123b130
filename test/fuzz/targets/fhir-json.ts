/** fhir-json: feeds any bytes as FHIR JSON. */
import { FHIR, fhirJsonToXml } from '../../../core/fhir/json-to-xml';
import { openDocument } from '../../../core/pipeline/stages/identify';
import { openXmlEngine } from '../../../core/xml/engine';
import { isCallers, MAX_BYTES, must, orRefused, passesAgain, type Target } from './target';

export const target: Target = {
  name: 'fhir-json',
  words: [
    '"resourceType":"Bundle"',
    '"resourceType":"Observation"',
    '"entry":[{"resource":{',
    '"contained":[{',
    '"_birthDate":{"extension":[{"url":"a","valueCode":"b"}]}',
    '"text":{"status":"generated","div":"<div xmlns=\\"http://www.w3.org/1999/xhtml\\">a</div>"}',
    '<?xml version=\\"1.0\\"?>',
    '<!DOCTYPE a>',
    '</div>',
    '"valueQuantity":{"value":1e400}',
    '"__proto__":{',
    '"id":"',
    'null',
    '-0.0',
    '\\u0000',
    '\\ud800',
    '\\uffff',
    '[',
    ']',
    '{',
    '}',
    ',',
  ],
  open: async () => {
    const engine = await openXmlEngine();
    return (input) => {
      const written = orRefused(
        () =>
          fhirJsonToXml(input, (text) => {
            const { document, faults } = engine.parse(Buffer.from(text), null, 'UTF-8');
            engine.free(document);
            return document !== 0 && faults.length === 0;
          }),
        isCallers,
      );
      const gated = orRefused(() => openDocument({ engine, maxBytes: MAX_BYTES }, input), isCallers);
      const { namespace } = gated?.root ?? {};
      const text = gated && orRefused(() => gated.cleanText(), isCallers);
      gated?.free();
      if (written !== undefined && gated) {
        must(namespace === FHIR, 'JSON became XML that is not of FHIR');
      }
      if (text !== undefined) {
        passesAgain(engine, text);
      }
    };
  },
};
