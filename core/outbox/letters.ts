/** letters: the mails that the service writes to people with accounts, each in the language of its reader. */
import { isLanguage, type Language } from '../base/languages';
import { inProject } from '../base/paths';
import { textsOf } from '../base/texts';
import type { Config } from '../config/schema';
import type { AccountRow } from '../accounts/store';
import type { Mail } from './mail';

export const letterTexts = textsOf(inProject('core', 'outbox', 'texts'));

type Reader = Pick<AccountRow, 'fullName' | 'contactEmail' | 'chosenLanguage' | 'spokenLanguage'>;

/** A text of `texts/<language>.yaml`, with its values. */
export type Paragraph = readonly [key: string, values?: Readonly<Record<string, string | Date>>];

/** The last paragraph of a mail that somebody else may have caused. */
export const unexpected: Paragraph = ['frame.unexpected'];

/** The language that the person chose, else that of the page where they last signed in, else that of the settings. */
export function languageOf(
  { language }: Pick<Config, 'language'>,
  { chosenLanguage, spokenLanguage }: Pick<Reader, 'chosenLanguage' | 'spokenLanguage'>,
): Language {
  return [chosenLanguage, spokenLanguage].find((one) => one !== null && isLanguage(one)) ?? language;
}

/**
 * A mail that greets its reader.
 * @param subject the key of a text without values
 */
export function writeLetter(
  config: Pick<Config, 'language' | 'mailFrom'>,
  reader: Reader,
  subject: string,
  paragraphs: readonly Paragraph[],
): Mail {
  const language = languageOf(config, reader);
  const name = reader.fullName || reader.contactEmail;
  const say = ([key, values]: Paragraph): string =>
    String(letterTexts.formatOf(language, key).format({ sender: config.mailFrom, ...values }));
  return {
    to: { name: reader.fullName, address: reader.contactEmail },
    subject: say([subject]),
    text: `${[['frame.dear', { name }] as const, ...paragraphs].map(say).join('\n\n')}\n`,
  };
}
