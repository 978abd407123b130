/**
 * safari: the scripts of the website use only what Safari 16 has: each name that they take from the browser is listed with
 * the version of Safari that brought it, and no syntax or method is newer.
 */
import { readFileSync } from 'node:fs';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { Linter } from 'eslint';
import { inProject } from '../../../core/base/paths';

export const lab = Lab.script();
const { describe, it } = lab;

const SAFARI = 16;
/** By Apple's release notes and MDN. What has no number is as old as the language. */
const SINCE: Readonly<Record<string, number>> = {
  ...{ Date: 1, Error: 1, JSON: 3.1, Math: 1, Number: 1, RegExp: 1, String: 1, Array: 1, Set: 8, Promise: 8 },
  ...{ Uint8Array: 5.1, Intl: 10, URL: 7, URLSearchParams: 10.1, TextEncoder: 10.1, TextDecoder: 10.1 },
  ...{ fetch: 10.1, Response: 10.1, crypto: 7, indexedDB: 8, caches: 11.1, self: 1, window: 1, document: 1 },
  ...{ navigator: 1, setTimeout: 1, atob: 3, btoa: 3, Element: 1, MessageChannel: 5, undefined: 1 },
};
/** Methods and objects that came after it, and sync, which Safari has never had: it may only be asked for. */
const NEWER = [
  ...['toSorted', 'toReversed', 'toSpliced', 'groupBy', 'withResolvers', 'fromAsync', 'isWellFormed', 'toWellFormed'],
  ...['canParse', 'showPopover', 'parseCreationOptionsFromJSON', 'parseRequestOptionsFromJSON', 'toJSON', 'locks'],
  ...['union', 'intersection', 'difference', 'checkVisibility', 'startViewTransition', 'setAppBadge', 'getDirectory'],
];
const refused = (selector: string, message: string) => ({ selector, message });

const rules: Linter.RulesRecord = {
  'no-undef': 'error',
  'no-restricted-syntax': [
    'error',
    refused('Literal[regex.pattern=/\\(\\?<[=!]/]', 'looking behind in an expression came with 16.4'),
    refused('Literal[regex.flags=/v/]', 'sets in an expression came with 17'),
    refused('StaticBlock', 'static blocks came with 16.4'),
    refused(`MemberExpression[property.name=/^(${NEWER.join('|')})$/]`, 'this came after Safari 16'),
    refused('MemberExpression[optional=false][object.property.name="sync"]', 'Safari has no sync'),
  ],
};

const found = (code: string): readonly string[] =>
  new Linter()
    .verify(code, {
      languageOptions: {
        ecmaVersion: 2022,
        sourceType: 'script',
        globals: Object.fromEntries(Object.keys(SINCE).map((name) => [name, 'readonly' as const])),
      },
      rules,
    })
    .map(({ line, message }) => `${line}: ${message}`);

describe('the scripts of the website', () => {
  for (const file of ['worker.js', 'on-telephone.js', 'passkeys.js']) {
    it(`use what Safari ${SAFARI} has, in ${file}`, () => {
      expect(found(readFileSync(inProject('plugins', 'website', file), 'utf8'))).to.equal([]);
    });
  }

  it('have every colour where light-dark() is not known', () => {
    const sheet = readFileSync(inProject('plugins', 'website', 'style.css'), 'utf8');
    const [, instead] = /@supports not \(color: light-dark\(#000, #fff\)\) \{ :root, \[data-theme\] \{([^}]*)\}/.exec(
      sheet,
    )!;
    const all = [...sheet.matchAll(/(--[\w-]+): ([^;{}]*)light-dark\((rgb\([^)]*\)|#\w+), /g)];
    expect(all.length).to.be.above(30);
    for (const [, name, before, light] of all) {
      expect(instead).to.contain(` ${name}: ${before}${light}`);
    }
  });

  it('would be found to use what is newer', () => {
    expect(Object.values(SINCE).every((version) => version <= SAFARI)).to.be.true();
    for (const code of [
      'new CompressionStream("gzip");',
      '/(?<=a)b/.test("ab");',
      'self.registration.sync.register("x");',
      'Promise.withResolvers();',
      'class A { static { A.b = 1; } }',
      '/[a&&b]/v.test("a");',
    ]) {
      expect(found(code).length, code).to.equal(1);
    }
    expect(found('self.registration.sync?.register("x");')).to.equal([]);
  });
});
