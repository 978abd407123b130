/**
 * pipeline: the life of a document in five stages: identify, validate, transform, store, serialize. Each stage returns
 * the value with what it found out, or throws. The first three need XML engines and no database; they are here and run
 * in a reader process. document-pipeline.ts passes their result to stages/store.ts, in one transaction, and to the
 * serializer.
 */
import { AppError } from '../base/errors';
import type { LeftOut } from '../base/left-out';
import type { Fact } from '../facts/model/fact';
import { FHIR } from '../fhir/json-to-xml';
import type { JsonObject } from '../fhir/from-xml';
import { keptResources } from '../fhir/kept';
import { outlineOf } from '../fhir/outline';
import { cleanedEntry } from '../fhir/readable-entries';
import type { Gated } from '../xml/gate';
import {
  DocumentRefused,
  type Identified,
  type ReadDocument,
  type Received,
  type Transformed,
  type Validated,
} from './steps';
import { mark } from './stage-marks';

type ReadStages = {
  readonly identify: (received: Received) => Identified;
  readonly validate: (identified: Identified) => Validated;
  readonly transform: (validated: Validated) => Promise<Transformed>;
};

/** The parts of a FHIR document if they have identifiers of their senders. Other formats have no such identifiers. */
function identifiedParts({ root, tree }: Gated): Pick<ReadDocument, 'outline'> {
  const whole = root.namespace === FHIR ? tree() : null;
  const parts = whole ? outlineOf(whole).parts : [];
  return parts.some(({ identifiers }) => identifiers.length > 0) ? { outline: parts } : {};
}

/** How certain it is by the facts that say this, as codings by the parts that they are from. */
function certaintiesIn(facts: readonly Fact[]): ReadonlyMap<number, JsonObject> {
  return new Map(
    facts.flatMap(({ parts, values }): (readonly [number, JsonObject])[] => {
      const [system, code] = [values['verificationStatus_system'], values['verificationStatus_identifier']];
      return typeof code === 'string' && typeof system === 'string' ? [[(parts?.[0] ?? 1) - 1, { system, code }]] : [];
    }),
  );
}

/** The resources of a FHIR document, which go out as they came, and what is told of what was left out of them. */
function keptOf(
  { document: { root, tree, cleanText }, divs = [], isLeftOut = false }: Validated,
  facts: readonly Fact[],
  leftOut: readonly LeftOut[],
): Pick<ReadDocument, 'kept' | 'leftOut'> {
  const whole = root.namespace === FHIR && !isLeftOut ? tree() : null;
  if (!whole) {
    return { leftOut };
  }
  const kept = keptResources(whole, cleanText(), divs, certaintiesIn(facts));
  const cleaned = kept
    .filter(({ type, isMended }) => isMended && type !== 'Patient')
    .map(({ type, part }) => cleanedEntry(type, root.name === 'Bundle' ? part : undefined));
  return { kept, leftOut: [...leftOut, ...cleaned] };
}

/**
 * Runs stages one to three. Nothing can be lost in them, because nothing is stored yet.
 * @throws DocumentRefused, and AppError before the document's kind is known
 */
export function readStages({ identify, validate, transform }: ReadStages) {
  return async (received: Received): Promise<ReadDocument> => {
    const identified = identify(received);
    let validated: Validated | undefined;
    try {
      mark('validate');
      validated = validate(identified);
      mark('transform');
      const { type, entry, facts, leftOut, about, source, takenBack, stated, ...transformed } =
        await transform(validated);
      return {
        type,
        entry: entry?.entry.name ?? null,
        fingerprint: entry?.entry.fingerprint ?? null,
        validated: transformed.validated,
        facts,
        leftOut,
        ...(about === undefined ? {} : { about }),
        ...(source === undefined ? {} : { source }),
        ...(takenBack === undefined ? {} : { takenBack }),
        ...(stated === undefined ? {} : { beside: keptResources(stated, '', [], new Map()) }),
        ...identifiedParts(validated.document),
        ...(entry ? keptOf(validated, facts, leftOut) : {}),
      };
    } catch (error) {
      throw error instanceof AppError ? new DocumentRefused(identified.entry?.entry.name ?? null, error) : error;
    } finally {
      if (validated && validated.document !== identified.document) {
        validated.document.free();
      }
      identified.document.free();
    }
  };
}
