/** sandbox: loads libxml2, which runs as WebAssembly, and gives the other files here the types of its functions. */
import type * as Raw from 'libxml2-wasm/lib/libxml2.mjs' with { 'resolution-mode': 'import' };
import type * as Tools from 'libxml2-wasm' with { 'resolution-mode': 'import' };

/** An address inside the sandbox; 0 means nothing. */
export type Pointer = number;

/** Missing in the package's types: a function that makes one of ours callable from inside the sandbox. */
type Callbacks = {
  readonly addFunction: (callback: (context: number, fault: number) => void, signature: string) => number;
};

export type Sandbox = { readonly raw: typeof Raw & Callbacks; readonly tools: typeof Tools };

/** Loads the package by a dynamic import, because it is an ES module that awaits at its top level. */
export async function openSandbox(): Promise<Sandbox> {
  const tools = await import('libxml2-wasm');
  const raw = (await import('libxml2-wasm/lib/libxml2.mjs')) as Sandbox['raw'];
  return { raw, tools };
}

/** The plain form of a file name, which schemas and libxml2 write as a URI. */
export function plainFileName(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
