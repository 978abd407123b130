/**
 * fhir-model: what a SMART token sees through the FHIR door, written a second time on top of the model of sharing:
 * which types and letters each scope names, which versions of documents are shown, and what these state.
 */
import type { Doc, Model, Token } from './model';

export type Letter = 'c' | 'r' | 's';
type Right = { readonly type: string; readonly letters: string };

/** Scopes and what they allow, written by hand. Those without rights are real scopes for other things, or no scopes. */
const RIGHTS: Readonly<Record<string, Right | null>> = {
  'patient/*.rs': { type: '*', letters: 'rs' },
  'patient/*.cruds': { type: '*', letters: 'crs' },
  'patient/*.read': { type: '*', letters: 'rs' },
  'patient/*.write': { type: '*', letters: 'c' },
  'patient/*.*': { type: '*', letters: 'crs' },
  'patient/*.r': { type: '*', letters: 'r' },
  'patient/*.s': { type: '*', letters: 's' },
  'patient/*.c': { type: '*', letters: 'c' },
  'patient/Procedure.rs': { type: 'Procedure', letters: 'rs' },
  'patient/Procedure.r': { type: 'Procedure', letters: 'r' },
  'patient/Procedure.s': { type: 'Procedure', letters: 's' },
  'patient/Procedure.write': { type: 'Procedure', letters: 'c' },
  'patient/Condition.read': { type: 'Condition', letters: 'rs' },
  'patient/Condition.c': { type: 'Condition', letters: 'c' },
  'patient/Condition.cud': { type: 'Condition', letters: 'c' },
  'patient/Condition.rs': { type: 'Condition', letters: 'rs' },
  'patient/DocumentReference.rs': { type: 'DocumentReference', letters: 'rs' },
  'patient/DocumentReference.s': { type: 'DocumentReference', letters: 's' },
  'patient/Binary.r': { type: 'Binary', letters: 'r' },
  'patient/Binary.read': { type: 'Binary', letters: 'rs' },
  'patient/Provenance.rs': { type: 'Provenance', letters: 'rs' },
  'patient/Provenance.r': { type: 'Provenance', letters: 'r' },
  'patient/Patient.rs': { type: 'Patient', letters: 'rs' },
  'patient/Patient.r': { type: 'Patient', letters: 'r' },
  'patient/RelatedPerson.read': { type: 'RelatedPerson', letters: 'rs' },
  'launch/patient': null,
  'openid fhirUser': null,
  'user/*.rs': null,
  'user/Procedure.read': null,
  'system/*.cruds': null,
  'patient/*': null,
  'patient/*.sr': null,
  'patient/procedure.rs': null,
  'patient/Procedure.rs?status=completed': null,
};

const words = Object.keys(RIGHTS);
export const SCOPES = {
  given: words.filter((word) => RIGHTS[word] !== null),
  nothing: words.filter((word) => RIGHTS[word] === null),
};

/** A SMART token, and the access that it was given. */
export type SmartToken = Token & { readonly account: string; readonly scopes: readonly string[] };

export const may = ({ scopes }: SmartToken, type: string, letter: Letter): boolean =>
  scopes.some((scope) => {
    const right = RIGHTS[scope];
    return right ? (right.type === '*' || right.type === type) && right.letters.includes(letter) : false;
  });

/** Types of resources that the documents of this test state. */
export const CLINICAL = ['Procedure', 'Condition'] as const;
/** Type of a document that was created as a FHIR Condition. */
export const FHIR_CONDITION = 'Condition of FHIR';

/** The type of the resource that the latest version of a document states, if it states any. */
const stated = ({ type, status }: Doc): string | undefined => {
  const said = new Map([
    ['Procedure', 'Procedure'],
    [FHIR_CONDITION, 'Condition'],
  ]);
  return status === 'active' ? said.get(type) : undefined;
};

const latestOf = (doc: Doc): string => doc.versions[doc.versions.length - 1]!;

const holds = (model: Model, { carenet }: SmartToken, doc: Doc): boolean =>
  carenet === null || model.holds(carenet, doc);

/** The versions of a document that a token sees. */
export const versionsSeen = (model: Model, token: SmartToken, doc: Doc): readonly string[] => {
  if (!holds(model, token, doc)) {
    return [];
  }
  return token.carenet === null ? doc.versions : [latestOf(doc)];
};

/** What a search of documents finds, as `id status`. */
export const referencesSeen = (model: Model, token: SmartToken): readonly string[] =>
  model.docs.flatMap((doc) =>
    versionsSeen(model, token, doc).map((id) => {
      const current = id === latestOf(doc) ? 'current' : 'superseded';
      return `${id} ${doc.status === 'void' ? 'entered-in-error' : current}`;
    }),
  );

/** The versions whose statements of a type a token sees. */
export const statedIn = (model: Model, token: SmartToken, type: string): readonly string[] =>
  model.docs.filter((doc) => stated(doc) === type && holds(model, token, doc)).map(latestOf);

/** How many statements of a type a token sees by their kind alone: their documents stay closed. */
export const countByKind = (model: Model, token: SmartToken, type: string): number => {
  const { carenet } = token;
  const seen = (doc: Doc): boolean => carenet !== null && model.sees(carenet, doc) && !model.holds(carenet, doc);
  return model.docs.filter((doc) => stated(doc) === type && seen(doc)).length;
};

/** Whether the token sees who the record is about. */
export const seesDemographics = (model: Model, token: SmartToken): boolean => holds(model, token, model.docs[0]!);
