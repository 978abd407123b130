/** languages: the languages in which the service addresses people, on its website and in mails. */

/** Language -> its own name for itself, and the locale of its dates and numbers. */
export const languages = {
  en: { name: 'English', locale: 'en-GB', dir: 'ltr' },
  de: { name: 'Deutsch', locale: 'de-DE', dir: 'ltr' },
  es: { name: 'Español', locale: 'es-ES', dir: 'ltr' },
  ar: { name: 'العربية', locale: 'ar-EG-u-nu-arab', dir: 'rtl' },
} as const;

export type Language = keyof typeof languages;

export function isLanguage(text: string): text is Language {
  return Object.hasOwn(languages, text);
}

/** The language that a browser asks for most, of those that the website knows. */
export function languageFor(acceptLanguage: string): Language {
  const asked = acceptLanguage
    .toLowerCase()
    .split(',')
    .map((part, index) => {
      const [tag = '', ...parameters] = part.trim().split(';');
      const weight = parameters.map((text) => /^\s*q=([\d.]+)/.exec(text)?.[1]).find((found) => found !== undefined);
      return { language: tag.split('-')[0]!, weight: weight === undefined ? 1 : Number(weight), index };
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight || a.index - b.index)
    .map(({ language }) => language)
    .find(isLanguage);
  return asked ?? 'en';
}
