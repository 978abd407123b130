/** samples: files in every encoding that the service reads, and unreadable files. */
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { openReader } from '../../../core/pipeline/readers/document-reader';
import { checkSamples } from '../../../core/pipeline/samples';
import {
  noteFormat,
  noteModels,
  removeFolder,
  settingsFor,
  stylesheet,
  transformFormat,
  VOCAB,
  writeFolder,
} from '../../support/formats';

export const lab = Lab.script();
const { it } = lab;

const note = (title: string): string => `<Note xmlns="urn:test:note"><title>${title}</title></Note>`;

it('names a sample of demographics that no demographics call would take', async () => {
  const folder = writeFolder({
    'd/document.yaml':
      'document: d\nidentify: { root: Demographics, namespace: "{vocab_base}/xml/documents#" }\ntransform: { ' +
      'module: t.mjs }\nstore: { models: [Demographics] }',
    'd/t.mjs':
      'export default ({ xml }) => xml.includes("bday") ? [{ __modelname__: "Demographics", bday: "1990-01-01", ' +
      'gender: "male", name_given: "A", name_family: "B" }] : [];',
    'd/sample-1.xml': '<Demographics xmlns="{vocab_base}/xml/documents#"><bday/></Demographics>',
    'd/sample-2.xml': '<Demographics xmlns="{vocab_base}/xml/documents#"/>',
  });
  const reader = await openReader(settingsFor(folder), noteModels());
  const { problems, warnings } = await checkSamples(reader, VOCAB, () => undefined);
  await reader.close();
  removeFolder(folder);
  expect(problems).to.equal([
    `${folder}/d/sample-2.xml:1: it yields no Demographics, so that no demographics call would take it`,
  ]);
  expect(warnings).to.equal([]);
});

it('runs samples of all encodings, refuses broken ones, and names those that cannot be read', async () => {
  const folder = writeFolder({
    ...noteFormat,
    'note/sample-1.xml': note('{vocab_base}'),
    'note/invalid-2.xml': note('fine'),
  });
  const file = (name: string): string => join(folder, 'note', name);
  writeFileSync(
    file('sample-2.xml'),
    Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(note('\u00e9'), 'utf16le')]),
  );
  writeFileSync(
    file('sample-3.xml'),
    Buffer.from(`<?xml version="1.0" encoding="ISO-8859-1"?>${note('\u00e9')}`, 'latin1'),
  );
  writeFileSync(file('sample-4.xml'), Buffer.from(note('\u00e9'), 'latin1'));
  writeFileSync(file('invalid-1.xml'), Buffer.from(note('\u00e9'), 'latin1'));
  symlinkSync('.', file('sample-5.xml'));
  const reader = await openReader(settingsFor(folder), noteModels());
  let steps = 0;
  const { problems, warnings } = await checkSamples(reader, VOCAB, () => {
    steps += 1;
  });
  await reader.close();
  removeFolder(folder);
  expect([steps, warnings]).to.equal([7, []]);
  expect(problems.map((problem) => problem.replace(`${folder}/note/`, ''))).to.equal([
    'sample-4.xml:1: The document was refused: it is not well-formed XML. the bytes do not fit the encoding',
    'sample-5.xml:1: the file cannot be read (EISDIR)',
    'invalid-2.xml:1: it should be refused and was accepted: make its format stricter, or name the file sample-... if it ' +
      'is to be accepted',
  ]);
});

it('warns of a transform that says nothing about any of its samples', async () => {
  const silent = transformFormat(
    'Silent',
    't.xsl',
    stylesheet(
      '<xsl:template match="/"><Models><xsl:for-each select="//title"><Model name="Note"/></xsl:for-each></Models></xsl:template>',
    ),
  );
  const telling = transformFormat(
    'Telling',
    't.xsl',
    stylesheet('<xsl:template match="/"><Models><LeftOut model="Note" reason="r" count="1"/></Models></xsl:template>'),
  );
  const storing = transformFormat(
    'Storing',
    't.xsl',
    stylesheet('<xsl:template match="/"><Models/></xsl:template>'),
    '[]',
  );
  const sample = (root: string): string => `<${root} xmlns="urn:test:note"><title>t</title></${root}>`;
  const folder = writeFolder({
    ...silent,
    ...telling,
    ...storing,
    ...noteFormat,
    'Silent/sample-1.xml': sample('Silent'),
    'Silent/sample-2.xml': sample('Silent'),
    'Telling/sample-1.xml': sample('Telling'),
    'Storing/sample-1.xml': sample('Storing'),
    'note/sample-1.xml': note('t'),
  });
  const reader = await openReader(settingsFor(folder), noteModels());
  const { problems, warnings } = await checkSamples(reader, VOCAB, () => undefined);
  await reader.close();
  removeFolder(folder);
  expect(problems).to.equal([]);
  expect(warnings).to.equal([
    `${folder}/Silent/document.yaml: its samples pass, but none of them makes a fact: look at the names that the ` +
      'transform asks for, and at their namespaces',
  ]);
});

it('warns of an override that replaces nothing', async () => {
  const over = (root: string): string =>
    `document: ${root}\noverride: true\nidentify: { root: ${root}, namespace: "urn:test:note" }`;
  const first = writeFolder(noteFormat);
  const second = writeFolder({ 'note/document.yaml': over('Note'), 'typo/document.yaml': over('Notes') });
  const reader = await openReader(settingsFor(first, { pipelineConfigDirs: [first, second] }), noteModels());
  const { problems, warnings } = await checkSamples(reader, VOCAB, () => undefined);
  await reader.close();
  [first, second].forEach(removeFolder);
  expect(problems).to.equal([]);
  expect(warnings).to.equal([
    `${second}/typo/document.yaml: override: true replaces nothing: no earlier folder has the type urn:test:note#Notes; look at identify`,
  ]);
});

it('says each reason for what was left out once, with what all samples together left out for it', async () => {
  const left = (model: string, count: number, reason: string): string =>
    `<LeftOut model="${model}" reason="${reason.length}" count="${count}">${reason}</LeftOut>`;
  const output = `<Models>${left('P', 2, 'nobody asks for it')}${left('Q', 1, 'nobody asks for it')}${left('P', 1, 'it is odd')}</Models>`;
  const folder = writeFolder({
    'd/document.yaml':
      'document: d\nidentify: { root: D, namespace: "urn:d" }\ntransform: { module: t.mjs }\nstore: { models: [Note] }',
    'd/t.mjs': `export default () => ${JSON.stringify(output)};`,
    'd/sample-1.xml': '<D xmlns="urn:d"/>',
    'd/sample-2.xml': '<D xmlns="urn:d"><again/></D>',
  });
  const reader = await openReader(settingsFor(folder), noteModels());
  const { problems, made } = await checkSamples(reader, VOCAB, () => undefined);
  await reader.close();
  removeFolder(folder);
  expect(problems).to.equal([]);
  expect(made.find((line) => line.startsWith('d: '))).to.equal(
    'd: no facts; left out 4 P and 2 Q: nobody asks for it; 2 P: it is odd',
  );
});
