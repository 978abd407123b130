/**
 * smart-scopes: reads scopes, which say what a SMART token may do with the types of resources (SMART App Launch 2.2,
 * scopes v2 and v1).
 */

/** c means create, r read, u update, d delete, s search. */
export type ScopeLetter = 'c' | 'r' | 'u' | 'd' | 's';

export type SmartScope = {
  /** The type of the resource; `*` means every type. */
  readonly type: string;
  readonly letters: ReadonlySet<ScopeLetter>;
  /** The scope as it was granted, and as it is reported. */
  readonly text: string;
};

const SCOPE = /^patient\/(\*|[A-Z][A-Za-z]{1,60})\.(read|write|\*|c?r?u?d?s?)$/;

const lettersOf = (rights: string): string => ({ read: 'rs', write: 'cud', '*': 'cruds' })[rights] ?? rights;

/**
 * Reads a `patient/` scope; undefined for any other text, and for a scope without letters or with letters out of order.
 */
export const parseScope = (text: string): SmartScope | undefined => {
  const [, type, rights = ''] = SCOPE.exec(text) ?? [];
  return type === undefined || rights === ''
    ? undefined
    : { type, letters: new Set(lettersOf(rights)) as ReadonlySet<ScopeLetter>, text };
};

/** The words of a scope parameter, each once, in their order. */
export const wordsOf = (text: string): readonly string[] => [...new Set(text.split(' ').filter((word) => word !== ''))];

/** The `patient/` scopes among the words; the other scopes concern no resources. */
export const parseScopes = (text: string): readonly SmartScope[] =>
  wordsOf(text).flatMap((word) => parseScope(word) ?? []);

/** @param type type of a resource; `*` asks for all types at once */
export const allows = (scopes: readonly SmartScope[], type: string, letter: ScopeLetter): boolean =>
  scopes.some((scope) => (scope.type === '*' || scope.type === type) && scope.letters.has(letter));

/** Whether the other scopes together allow everything that one scope allows. */
export const covers = (ceiling: readonly SmartScope[], { type, letters }: SmartScope): boolean =>
  [...letters].every((letter) => allows(ceiling, type, letter));
