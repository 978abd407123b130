/** telephone: the part of the account page that keeps pages on this telephone, or removes them. It needs a script. */
import type { JSX } from 'preact';
import type { PersonVisit } from '../../http/page';
import { WORKER } from '../../http/style';
import { Part } from '../../parts/layout';

export function Telephone({ visit }: { readonly visit: PersonVisit }): JSX.Element {
  const { say } = visit.words;
  return (
    <Part title={say('telephone.title')} hint={say('telephone.hint')}>
      <div class="telephone" data-worker={`${visit.site}/${WORKER}`} data-scope={`${visit.site}/`} data-state="off">
        <p class="cannot soft">{say('telephone.cannot')}</p>
        <div class="can">
          <p>{say('telephone.about')}</p>
          <p class="more soft">{say('telephone.who')}</p>
          <p class="more" role="status">
            <span data-when="on" hidden>
              {say('telephone.is-on')}
            </span>
            <span data-when="busy" hidden>
              {say('telephone.busy')}
            </span>
            <span data-when="failed" hidden>
              {say('telephone.failed')}
            </span>
          </p>
          <div class="buttons">
            <button class="button" type="button" data-telephone="keep" data-when="off failed">
              {say('telephone.keep')}
            </button>
            <button class="button" type="button" data-telephone="remove" data-when="on" hidden>
              {say('telephone.remove')}
            </button>
          </div>
        </div>
      </div>
    </Part>
  );
}
