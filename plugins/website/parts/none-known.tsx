/** none-known: says that there are no allergies, medicines or problems: who said so and when, and the button for it. */
import type { JSX } from 'preact';
import { newToken } from '../../../core/base/ids';
import type { Denied } from '../../../core/lines/denials';
import type { PersonVisit } from '../http/page';
import { Form } from './form';

/** The page that stores it, after the base of the record. */
export const NONE_KNOWN_PAGE = 'none-known';

const DENIED: readonly Denied[] = ['Allergy', 'Medication', 'Problem'];

/** The model that it may be said of. */
export function deniable(model: string): Denied | undefined {
  return DENIED.find((name) => name === model);
}

type Button = { readonly visit: PersonVisit; readonly base: string; readonly model: Denied };

/** One press, which can be taken back: nobody has to write "none" in words of their own. */
export function NoneKnown({ visit, base, model }: Button): JSX.Element {
  return (
    <Form visit={visit} action={`${base}quick/${NONE_KNOWN_PAGE}`}>
      <input type="hidden" name="form" value={newToken()} />
      <button class="button little" name="of" value={model}>
        {visit.words.say('quick.none-known')}
        <span class="unseen">: {visit.words.say(`quick.none-${model}`)}</span>
      </button>
    </Form>
  );
}

/** What a source says of there being none, in its words, and where and when it says so. */
export type Denial = {
  readonly id: string | undefined;
  readonly title: string;
  readonly to?: string;
  readonly said: string;
};

export function Denials({ denials }: { readonly denials: readonly Denial[] }): JSX.Element {
  return (
    <ul class="list">
      {denials.map(({ id, title, to, said }) => (
        <li data-kind="AllergyExclusion" data-id={id}>
          <div>
            {to === undefined ? (
              <b class="name">
                <bdi>{title}</bdi>
              </b>
            ) : (
              <a class="name" href={to}>
                <bdi>{title}</bdi>
              </a>
            )}
            {said !== '' && (
              <p class="by">
                <bdi>{said}</bdi>
              </p>
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}
