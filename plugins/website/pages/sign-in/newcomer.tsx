/** newcomer: the fields by which somebody makes an account: the language, the given and the family name, the address. */
import type { JSX } from 'preact';
import { isAddress } from '../../../../core/auth/address';
import { LONGEST_NAME } from '../../../../core/auth/full-name';
import { languages } from '../../../../core/base/languages';
import type { Visit } from '../../http/page';
import { Field, isName, requiredField, Select, type Wrong } from '../../parts/form';

type Asked = { readonly visit: Visit; readonly wrong: Wrong | undefined };

/**
 * The language, first in the form. Its button shows the form in it, with what was typed. The Enter key presses the
 * first button of a form, so one that nobody sees stands before it and sends the form.
 */
export function LanguageChoice({ visit: { words } }: { readonly visit: Visit }): JSX.Element {
  return (
    <>
      <button class="unseen" tabindex={-1} aria-hidden="true" />
      <div class="side language">
        <Select
          label={words.say('account.language')}
          name="language"
          value={words.language}
          options={Object.entries(languages).map(([value, { name }]) => ({ value, text: name, lang: value }))}
        />
        <button class="button" name="what" value="language">
          {words.say('form.change')}
        </button>
      </div>
    </>
  );
}

/** Whether the button beside the language was pressed, so that nothing is made. */
export function asksLanguage({ form }: Visit): boolean {
  return form.text('what') === 'language';
}

/** The two names and the address of whoever makes an account. */
export function NewcomerFields({ visit, wrong, hint }: Asked & { readonly hint: string }): JSX.Element {
  const { say } = visit.words;
  return (
    <>
      <Field label={say('form.given-name')} {...requiredField(visit, 'given', wrong)} autocomplete="given-name" />
      <Field label={say('form.family-name')} {...requiredField(visit, 'family', wrong)} autocomplete="family-name" />
      <Field
        label={say('form.email')}
        {...requiredField(visit, 'email', wrong)}
        type="email"
        hint={hint}
        autocomplete="email"
      />
    </>
  );
}

/** The name of the account: the given name and the family name. */
export function newcomerName({ form }: Visit): string {
  return `${form.text('given')} ${form.text('family')}`;
}

/** What is wrong with the names and the address. */
export function wrongNewcomer(visit: Visit): Record<string, string> {
  const { form, words } = visit;
  const named = (name: string) => isName(form.text(name), LONGEST_NAME);
  const long = named('given') && named('family') && !isName(newcomerName(visit), LONGEST_NAME);
  return {
    ...(named('given') ? {} : { given: words.say('form.given-missing', { most: LONGEST_NAME }) }),
    ...(named('family') ? {} : { family: words.say('form.family-missing', { most: LONGEST_NAME }) }),
    ...(long ? { family: words.say('form.name-missing') } : {}),
    ...(isAddress(form.text('email')) ? {} : { email: words.say('form.email-wrong') }),
  };
}
