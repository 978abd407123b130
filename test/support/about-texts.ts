/** about-texts: tests for every folder of texts: four languages, complete, and no unused text. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { languages, type Language } from '../../core/base/languages';
import type { Texts } from '../../core/base/texts';

type Node = {
  readonly type: number;
  readonly value?: string;
  readonly options?: Record<string, { value: Node[] }>;
  readonly children?: Node[];
};
/** Types of the parser of ICU messages: plain text, and the argument within a plural. */
const [LITERAL, POUND] = [0, 7];

const argumentsOf = (nodes: readonly Node[]): readonly string[] =>
  nodes.flatMap((node) => [
    ...(node.type === LITERAL || node.type === POUND ? [] : [node.value!]),
    ...Object.values(node.options ?? {}).flatMap(({ value }) => argumentsOf(value)),
    ...argumentsOf(node.children ?? []),
  ]);

const pluralsOf = (nodes: readonly Node[]): readonly (readonly string[])[] =>
  nodes.flatMap((node) => [...(node.options ? [Object.keys(node.options)] : []), ...pluralsOf(node.children ?? [])]);

const sourcesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));

/** The code of a file, or of all files of a folder. */
const sources = (path: string): readonly string[] =>
  /\.tsx?$/.test(path) ? [readFileSync(path, 'utf8')] : sourcesIn(path);

/** @param folders folders and files with the code that uses the texts */
export const testTexts = (it: ReturnType<typeof Lab.script>['it'], texts: Texts, folders: readonly string[]): void => {
  const all = texts.read();
  const keysOf = (language: Language): readonly string[] =>
    Object.entries(all[language]).flatMap(([section, names]) => Object.keys(names).map((name) => `${section}.${name}`));
  const keys = keysOf('en');
  const textOf = (language: Language, key: string): string => {
    const [section, name] = key.split('.') as [string, string];
    return all[language][section]![name]!;
  };
  const treeOf = (language: Language, key: string): readonly Node[] =>
    texts.formatOf(language, key).getAst() as unknown as Node[];

  for (const language of Object.keys(languages) as Language[]) {
    it(`are complete in ${language}, with the same values`, () => {
      expect(keysOf(language)).to.equal(keys);
      for (const key of keys) {
        const [here, english] = [treeOf(language, key), treeOf('en', key)];
        expect([...new Set(argumentsOf(here))].sort(), key).to.equal([...new Set(argumentsOf(english))].sort());
        const needed = new Intl.PluralRules(languages[language].locale).resolvedOptions().pluralCategories;
        for (const options of pluralsOf(here)) {
          expect(options, `${language} ${key}`).to.include(needed);
        }
      }
    });

    it(`are other words in ${language} than in English`, () => {
      const same = keys.filter((key) => language !== 'en' && textOf(language, key) === textOf('en', key));
      // Some words are the same in several languages, such as Code.
      expect(same.length).to.be.below(keys.length / 20);
    });
  }

  it('are all that the code says, and no other', () => {
    const code = folders.flatMap(sources).join('\n');
    const said = [...code.matchAll(/'([a-z-]+\.[a-z-]+)'/g)].map((match) => match[1]!);
    const sections = Object.keys(all.en);
    const missing = said.filter((key) => sections.includes(key.split('.')[0]!) && !keys.includes(key));
    expect(missing.filter((key) => !/\.(tsx?|yaml|css|svg)$/.test(key))).to.equal([]);
    // Keys that are composed at run time are found by their beginning.
    const begun = [...code.matchAll(/`([a-z-]+\.[a-z-]*)\$\{/g)].map((match) => match[1]!);
    const never = keys.filter((key) => !said.includes(key) && !begun.some((beginning) => key.startsWith(beginning)));
    expect(never).to.equal([]);
  });
};
