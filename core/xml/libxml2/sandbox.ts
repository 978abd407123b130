/** sandbox: loads libxml2, which runs as WebAssembly, and names what the other files here call of it. */
import type * as Raw from 'libxml2-wasm/lib/libxml2.mjs' with { 'resolution-mode': 'import' };
import type * as Tools from 'libxml2-wasm' with { 'resolution-mode': 'import' };

/** An address inside the sandbox; 0 is nothing. */
export type Pointer = number;

/** Left out of the package's types: makes a function of ours callable from inside the sandbox. */
type Callbacks = {
  readonly addFunction: (callback: (context: number, fault: number) => void, signature: string) => number;
};

export type Sandbox = { readonly raw: typeof Raw & Callbacks; readonly tools: typeof Tools };

/** The package is an ES module that awaits at its top level, hence it cannot be a plain import. */
export const openSandbox = async (): Promise<Sandbox> => {
  const tools = await import('libxml2-wasm');
  const raw = (await import('libxml2-wasm/lib/libxml2.mjs')) as Sandbox['raw'];
  return { raw, tools };
};

/** A file name as it is; schemas and libxml2 write names of files as URIs. */
export const plainName = (name: string): string => {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
};
