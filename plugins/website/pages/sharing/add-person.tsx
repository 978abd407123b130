/** add-person: the form that shows kinds of facts to somebody who has an account here. */
import type { JSX } from 'preact';
import type { PersonVisit } from '../../http/page';
import { Buttons, Field, Form, What, type Wrong } from '../../parts/form';
import { KindTicks } from './kind-ticks';

type AddProps = { readonly visit: PersonVisit; readonly wrong: Wrong | undefined };

export function AddByKinds({ visit, wrong }: AddProps): JSX.Element {
  const { say } = visit.words;
  const failed = wrong?.['person'] !== undefined || wrong?.['kind'] !== undefined;
  return (
    <section class="part">
      <header>
        <h2>{say('person.add')}</h2>
      </header>
      <div>
        <details class="more" open={failed}>
          <summary>{say('person.add-open')}</summary>
          <Form visit={visit}>
            <What name="person" />
            <Field
              label={say('sharing.who')}
              name="who"
              id="person"
              value={failed ? visit.form.text('who') : ''}
              autocomplete="off"
              exact
              wrong={wrong}
            />
            <div id="field-kind">
              {wrong?.['kind'] !== undefined && <p class="wrong">{wrong['kind']}</p>}
              <KindTicks
                visit={visit}
                given={failed ? visit.form.all('kind') : []}
                legend={say('person.they-may-see')}
              />
            </div>
            <Buttons text={say('person.share')} />
          </Form>
        </details>
      </div>
    </section>
  );
}
