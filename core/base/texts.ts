/**
 * texts: the texts that people read. A folder has one file for each language, `<language>.yaml`: section -> name -> ICU
 * message.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { IntlMessageFormat } from 'intl-messageformat';
import { CORE_SCHEMA, load } from 'js-yaml';
import { languages, type Language } from './languages';

type TextsOfLanguage = Readonly<Record<string, Readonly<Record<string, string>>>>;
type AllTexts = Readonly<Record<Language, TextsOfLanguage>>;

export type Texts = {
  /** Reads all languages once. This takes a while, so the service does it before it listens. */
  readonly read: () => AllTexts;
  /**
   * The text `section.name`.
   * @throws Error for a text that does not exist; the tests check all of them
   */
  readonly formatOf: (language: Language, key: string) => IntlMessageFormat;
};

export function textsOf(folder: string): Texts {
  const readLanguage = (language: Language): TextsOfLanguage =>
    load(readFileSync(join(folder, `${language}.yaml`), 'utf8'), { schema: CORE_SCHEMA }) as TextsOfLanguage;
  const formats = new Map<string, IntlMessageFormat>();
  let texts: AllTexts | undefined;

  const read = (): AllTexts =>
    (texts ??= { en: readLanguage('en'), de: readLanguage('de'), es: readLanguage('es'), ar: readLanguage('ar') });

  const formatOf = (language: Language, key: string): IntlMessageFormat => {
    const id = `${language} ${key}`;
    let format = formats.get(id);
    if (!format) {
      const [section = '', name = ''] = key.split('.');
      const text = read()[language][section]?.[name];
      if (text === undefined) {
        throw new Error(`there is no text ${key} in ${language}`);
      }
      format = new IntlMessageFormat(text, languages[language].locale);
      formats.set(id, format);
    }
    return format;
  };

  return { read, formatOf };
}
