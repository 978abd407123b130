/** texts: four languages with the same texts, the same values in each, and none that no page says. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { IntlMessageFormat } from 'intl-messageformat';
import { parse } from 'yaml';
import { projectRoot } from '../../../core/base/paths';
import { languageFor, languages, textsFolder, wordsIn, type Language } from '../../../plugins/website/words';

export const lab = Lab.script();
const { describe, it } = lab;

type Texts = Record<string, Record<string, string>>;

const all = Object.fromEntries(
  Object.keys(languages).map((language) => [
    language,
    parse(readFileSync(join(textsFolder, `${language}.yaml`), 'utf8')) as Texts,
  ]),
) as Record<Language, Texts>;

const keysOf = (texts: Texts): readonly string[] =>
  Object.entries(texts).flatMap(([section, names]) => Object.keys(names).map((name) => `${section}.${name}`));

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

const treeOf = (text: string, language: Language): readonly Node[] =>
  new IntlMessageFormat(text, languages[language].locale).getAst() as unknown as Node[];

const textOf = (language: Language, key: string): string => {
  const [section, name] = key.split('.') as [string, string];
  return all[language][section]![name]!;
};

const sources = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));

describe('the texts of the website', () => {
  const keys = keysOf(all.en);

  for (const language of Object.keys(languages) as Language[]) {
    it(`are complete in ${language}, with the same values`, () => {
      expect(keysOf(all[language])).to.equal(keys);
      for (const key of keys) {
        const [here, english] = [treeOf(textOf(language, key), language), treeOf(textOf('en', key), 'en')];
        expect([...new Set(argumentsOf(here))].sort(), key).to.equal([...new Set(argumentsOf(english))].sort());
        const needed = new Intl.PluralRules(languages[language].locale).resolvedOptions().pluralCategories;
        for (const options of pluralsOf(here)) {
          expect(options, `${language} ${key}`).to.include(needed);
        }
      }
    });

    it(`are other words in ${language} than in English`, () => {
      const same = keys.filter((key) => language !== 'en' && textOf(language, key) === textOf('en', key));
      // Words that languages share, such as Code.
      expect(same.length).to.be.below(keys.length / 20);
    });
  }

  it('has every text that a page says, and no other', () => {
    // The SMART door's refusals are pages of the website.
    const code = ['website', 'smart'].flatMap((name) => sources(join(projectRoot, 'plugins', name))).join('\n');
    const said = [...code.matchAll(/'([a-z-]+\.[a-z-]+)'/g)].map((match) => match[1]!);
    const sections = Object.keys(all.en);
    const missing = said.filter((key) => sections.includes(key.split('.')[0]!) && !keys.includes(key));
    expect(missing.filter((key) => !/\.(tsx?|yaml|css|svg)$/.test(key))).to.equal([]);
    // Names that are put together are found by their beginning.
    const begun = [...code.matchAll(/`([a-z-]+\.[a-z-]*)\$\{/g)].map((match) => match[1]!);
    const never = keys.filter((key) => !said.includes(key) && !begun.some((beginning) => key.startsWith(beginning)));
    expect(never).to.equal([]);
  });

  it('says dates and numbers in the person’s manner and time zone', () => {
    const at = Date.parse('2026-03-03T23:30:00Z');
    expect(wordsIn('en', 'UTC').date(at)).to.equal('3 March 2026');
    expect(wordsIn('en', 'Europe/Oslo').date(at)).to.equal('4 March 2026');
    expect(wordsIn('de', 'UTC').date(at)).to.equal('3. März 2026');
    expect(wordsIn('es', 'UTC').date('2026-03-03')).to.equal('3 de marzo de 2026');
    expect(wordsIn('ar', 'UTC').date('2026-03-03')).to.equal('٣ مارس ٢٠٢٦');
    expect(wordsIn('de', 'UTC').number(1234.5)).to.equal('1.234,5');
    // A day of a document has no time zone.
    expect(wordsIn('en', 'Pacific/Honolulu').date('2026-03-03')).to.equal('3 March 2026');
  });

  it('takes the language that a browser asks for most, of those it knows', () => {
    expect(languageFor('de-CH, en;q=0.8')).to.equal('de');
    expect(languageFor('fr, es;q=0.5, de;q=0.9')).to.equal('de');
    expect(languageFor('fr, ar;q=0')).to.equal('en');
    expect(languageFor('')).to.equal('en');
    expect(languageFor('constructor, ar')).to.equal('ar');
  });
});
