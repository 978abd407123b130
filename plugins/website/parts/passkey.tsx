/**
 * passkey: a button with which the browser makes a passkey or signs with one, and the sentence that is shown if it
 * cannot.
 */
import type { JSX } from 'preact';
import type { Visit } from '../http/page';
import { idOf, type Wrong } from './form';
import { Icon } from './icons';

/** What the form of the button does: it makes a passkey, or shows one instead of a code. */
type Kind = 'make' | 'show';

/**
 * A button in a form, which it sends with the answer of the browser. Without the script of the website, a sentence is
 * shown instead of the button. The page must set `script` to load it.
 */
export function Passkey({
  visit,
  id = 'passkey',
  kind,
  ask,
  text,
  needs,
  wrong,
  first = false,
}: {
  readonly visit: Visit;
  /** The id to which the messages about mistakes link. */ readonly id?: string;
  readonly kind: Kind;
  readonly ask: { readonly options: object; readonly ask: string };
  readonly text: string;
  /** The field that must be filled in before. */ readonly needs?: string;
  readonly wrong?: Wrong | undefined;
  readonly first?: boolean;
}): JSX.Element {
  const { say } = visit.words;
  const why = wrong?.[id];
  return (
    <div class="passkey">
      <input type="hidden" name="ask" value={ask.ask} />
      <input type="hidden" name="passkey" value="" />
      {why && (
        <p class="why" id={`${idOf(id)}-why`}>
          {why}
        </p>
      )}
      <p class="why" role="alert" data-failure="failed" hidden>
        {say(`passkey.failed-${kind}`)}
      </p>
      {kind === 'make' && (
        <p class="why" role="alert" data-failure="known" hidden>
          {say('passkey.known')}
        </p>
      )}
      <button
        class={first ? 'button first' : 'button'}
        id={idOf(id)}
        data-passkey={kind}
        data-options={JSON.stringify(ask.options)}
        data-needs={needs}
        aria-describedby={why ? `${idOf(id)}-why` : undefined}
      >
        <Icon name="key" />
        {text}
      </button>
      <p class="soft small">{say(`passkey.script-${kind}`)}</p>
    </div>
  );
}

/** The passkey that was sent instead of a code, or the code. */
export function proofIn({ form }: Visit): Readonly<Record<string, string>> {
  const passkey = form.exact('passkey');
  return passkey === '' ? { code: form.text('code') } : { passkey, ask: form.exact('ask') };
}

export function nothingShown({ form }: Visit): boolean {
  return form.exact('passkey') === '' && form.text('code') === '';
}
