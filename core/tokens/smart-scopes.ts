/**
 * smart-scopes: reads scopes, which say what a SMART token may do with the types of resources (SMART App Launch 2.2,
 * scopes v2 and v1).
 */

import { hasCategory, isCategoryOf, isWithin, type Category } from './granular-scopes';

/** c means create, r read, u update, d delete, s search. */
export type ScopeLetter = 'c' | 'r' | 'u' | 'd' | 's';

export type SmartScope = {
  /** The type of the resource; `*` means every type. */
  readonly type: string;
  readonly letters: ReadonlySet<ScopeLetter>;
  /** The only category of the type that it opens; empty: all of the type. */
  readonly category: Category;
  /** The scope as it was granted, and as it is reported. */
  readonly text: string;
};

const SCOPE = /^patient\/(\*|[A-Z][A-Za-z]{1,60})\.(read|write|\*|c?r?u?d?s?)(?:\?category=(\S{1,200}))?$/;
/** A part of a type can be read and searched; nothing is created in it. */
const OF_PARTS = /^r?s?$/;

function lettersOf(rights: string): string {
  return { read: 'rs', write: 'cud', '*': 'cruds' }[rights] ?? rights;
}

/**
 * Reads a `patient/` scope; undefined for any other text, for a scope without letters or with letters out of order, and
 * for a part of a type that is not known here.
 */
export function parseScope(text: string): SmartScope | undefined {
  const [, type, rights = '', category = ''] = SCOPE.exec(text) ?? [];
  if (type === undefined || rights === '') {
    return undefined;
  }
  // A condition that cannot be kept must never be read as none.
  if (text.includes('?') && !(OF_PARTS.test(rights) && isCategoryOf(type, category))) {
    return undefined;
  }
  return { type, letters: new Set(lettersOf(rights)) as ReadonlySet<ScopeLetter>, category, text };
}

/** The words of a scope parameter, each once, in their order. */
export function scopeWords(text: string): readonly string[] {
  return [...new Set(text.split(' ').filter((word) => word !== ''))];
}

/** The `patient/` scopes among the words; the other scopes concern no resources. */
export function parseScopes(text: string): readonly SmartScope[] {
  return scopeWords(text).flatMap((word) => parseScope(word) ?? []);
}

const SYSTEM = 'system/';

/**
 * Reads a `system/` scope, with which an app reads the records that were shared with it. It opens what the `patient/`
 * scope of the same words does, in each of these records; undefined for any other text, and where it would let write.
 */
export function parseSystemScope(text: string): SmartScope | undefined {
  const scope = text.startsWith(SYSTEM) ? parseScope(`patient/${text.slice(SYSTEM.length)}`) : undefined;
  return scope && [...scope.letters].every((letter) => 'rs'.includes(letter)) ? { ...scope, text } : undefined;
}

/** The `system/` scopes among the words. */
export function parseSystemScopes(text: string): readonly SmartScope[] {
  return scopeWords(text).flatMap((word) => parseSystemScope(word) ?? []);
}

/**
 * Whether the scopes open a type, or a part of it: `categoriesOpen` says which.
 * @param type type of a resource; `*` asks for all types at once
 */
export function allows(scopes: readonly SmartScope[], type: string, letter: ScopeLetter): boolean {
  return scopes.some((scope) => (scope.type === '*' || scope.type === type) && scope.letters.has(letter));
}

/** The categories of a type that the scopes open; undefined: all of the type, or nothing of it. */
export function categoriesOpen(
  scopes: readonly SmartScope[],
  type: string,
  letter: ScopeLetter,
): readonly Category[] | undefined {
  const own = scopes.filter((scope) => (scope.type === '*' || scope.type === type) && scope.letters.has(letter));
  return own.length === 0 || own.some(({ category }) => category === '')
    ? undefined
    : own.map(({ category }) => category);
}

/** Whether the scopes open a resource. */
export function opens(
  scopes: readonly SmartScope[],
  resource: { readonly resourceType: string; readonly category?: unknown },
  letter: ScopeLetter,
): boolean {
  const categories = categoriesOpen(scopes, resource.resourceType, letter);
  return (
    allows(scopes, resource.resourceType, letter) && (categories === undefined || hasCategory(resource, categories))
  );
}

/** Whether the other scopes together allow everything that one scope allows. */
export function covers(ceiling: readonly SmartScope[], { type, letters, category }: SmartScope): boolean {
  return [...letters].every((letter) => {
    const open = categoriesOpen(ceiling, type, letter);
    return (
      allows(ceiling, type, letter) &&
      (open === undefined || (category !== '' && open.some((wider) => isWithin(category, wider))))
    );
  });
}
