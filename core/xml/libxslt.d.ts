/**
 * libxslt: the types of the parts of the package `xslt` (libxslt 0.10) that are used here; the package has none itself.
 */
declare module 'xslt' {
  /** A document of the package's own build of libxml2. */
  export type NativeDocument = { readonly errors: readonly Error[] };
  export type Stylesheet = {
    apply(source: NativeDocument, parameters: Record<string, string>, options: { outputFormat: 'string' }): string;
  };
  export const parse: (source: NativeDocument) => Stylesheet;
  export const libxmljs: {
    parseXml(
      text: string,
      options?: { baseUrl?: string; nocdata?: boolean; nonet?: boolean; huge?: boolean },
    ): NativeDocument;
  };
}
