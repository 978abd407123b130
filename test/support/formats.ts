/** formats: writes small document formats to a temporary folder, and opens a reader for them. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { loadModels, type Models } from '../../core/facts/model/models';
import { openReader, type DocumentReader, type ReaderSettings } from '../../core/pipeline/readers/document-reader';

export const VOCAB = 'https://vocab.example/v';

export type Files = Readonly<Record<string, string>>;

/** Writes files (relative name -> text) to a fresh folder. */
export const writeFolder = (files: Files): string => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-test-'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
};

export const removeFolder = (folder: string): void => rmSync(folder, { recursive: true, force: true });

/** A model with one text and one number, and a relation to itself under another name. */
export const noteModel = `
__modelname__: Note
title: { type: String, required: true }
size: Number
parts:
  - __modelname__: Part
    title: String
`;

export const stylesheet = (body: string): string =>
  '<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:n="urn:test:note" ' +
  `exclude-result-prefixes="n">\n${body}\n</xsl:stylesheet>`;

export const noteSchema = `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns="urn:test:note" targetNamespace="urn:test:note" elementFormDefault="qualified">
  <xs:element name="Note"><xs:complexType><xs:sequence>
    <xs:element name="title" type="xs:string" maxOccurs="unbounded"/>
    <xs:element name="size" type="xs:decimal" minOccurs="0"/>
    <xs:element name="when" type="xs:date" minOccurs="0"/>
    <xs:element name="kind" minOccurs="0"><xs:simpleType><xs:restriction base="xs:string"><xs:enumeration value="a"/><xs:enumeration value="b"/></xs:restriction></xs:simpleType></xs:element>
    <xs:any namespace="##other" processContents="skip" minOccurs="0" maxOccurs="unbounded"/>
  </xs:sequence><xs:attribute name="lang" type="xs:language"/></xs:complexType></xs:element>
</xs:schema>`;

export const noteStylesheet = stylesheet(`<xsl:template match="/n:Note">
  <xsl:variable name="size" select="n:size"/>
  <Models>
    <xsl:for-each select="n:title"><Model name="Note"><Field name="title"><xsl:value-of select="."/></Field><Field name="size"><xsl:value-of select="$size"/></Field></Model></xsl:for-each>
    <xsl:if test="*[namespace-uri() != 'urn:test:note']"><LeftOut model="Note" reason="foreign" count="{count(*[namespace-uri() != 'urn:test:note'])}"/></xsl:if>
  </Models>
</xsl:template>`);

/** A document.yaml for the type urn:test:note#<root>. */
export const entryYaml = (name: string, root: string, rest: string): string =>
  `document: ${name}\nidentify: { root: ${root}, namespace: "urn:test:note" }\n${rest}\n`;

/** A complete format from Note documents to Note facts. */
export const noteFormat: Files = {
  'note/document.yaml': entryYaml(
    'note',
    'Note',
    'validate: { schema: schema.xsd }\ntransform: { stylesheet: transform.xsl }\nstore: { models: [Note] }',
  ),
  'note/schema.xsd': noteSchema,
  'note/transform.xsl': noteStylesheet,
};

/** A format without a schema, with the transform given as text, for documents with the root `root`. */
export const transformFormat = (root: string, file: string, text: string, models = '[Note]'): Files => ({
  [`${root}/document.yaml`]: entryYaml(
    root.toLowerCase(),
    root,
    `transform: { ${file.endsWith('.xsl') ? 'stylesheet' : 'module'}: ${file} }\nstore: { models: ${models} }`,
  ),
  [`${root}/${file}`]: text,
});

export const noteXml = (inside: string): Buffer => Buffer.from(`<Note xmlns="urn:test:note">${inside}</Note>`);

export const noteModels = (): Models => {
  const folder = writeFolder({ 'note.yaml': noteModel });
  const { models } = loadModels([folder], VOCAB);
  removeFolder(folder);
  return models;
};

export const settingsFor = (folder: string, changes: Partial<ReaderSettings> = {}): ReaderSettings => ({
  pipelineConfigDirs: [folder],
  vocabBase: VOCAB,
  maxDocumentBytes: 10_485_760,
  transformSeconds: 10,
  xmlWorkers: 1,
  ...changes,
});

export type TestReader = DocumentReader & { readonly folder: string };

/** A reader for the files; `close` also removes them. */
export const openTestReader = async (
  files: Files,
  changes: Partial<ReaderSettings> = {},
  models = noteModels(),
): Promise<TestReader> => {
  const folder = writeFolder(files);
  const reader = await openReader(settingsFor(folder, changes), models);
  return {
    folder,
    read: reader.read,
    inspect: reader.inspect,
    outline: reader.outline,
    narrative: reader.narrative,
    heldFile: reader.heldFile,
    heldFiles: reader.heldFiles,
    fileWords: reader.fileWords,
    mend: reader.mend,
    codes: reader.codes,
    writes: reader.writes,
    write: reader.write,
    print: reader.print,
    reload: reader.reload,
    get atOnce() {
      return reader.atOnce;
    },
    get entries() {
      return reader.entries;
    },
    close: async () => {
      await reader.close();
      removeFolder(folder);
    },
  };
};
