/** say-button: a form with one button, by which the person says something about statements. */
import type { JSX } from 'preact';
import { newToken } from '../../../../core/base/ids';
import type { PersonVisit } from '../../http/page';
import { Form } from '../../parts/form';
import type { Whose } from '../../parts/whose';
import type { About } from './save-word';

type Props = {
  readonly visit: PersonVisit;
  readonly from: Whose;
  /** The page of the line, where that is another one. */ readonly line?: string;
  readonly about: About;
  readonly text: string;
  /** What the button is about, for those who only hear it. */ readonly heard?: string;
};

/** Nothing in a circle, where the page is only read. */
export function SayButton({ visit, from, line, about, text, heard }: Props): JSX.Element | null {
  return from.kind === 'carenet' ? null : (
    <Form visit={visit} className="inline" {...(line === undefined ? {} : { action: line })}>
      <input type="hidden" name="form" value={newToken()} />
      <input type="hidden" name="verdict" value={about.verdict} />
      <input type="hidden" name="words" value={about.words} />
      {about.statements.map((id) => (
        <input type="hidden" name="about" value={id} />
      ))}
      <button class="button" {...(heard === undefined ? {} : { 'aria-label': `${text}: ${heard}` })}>
        {text}
      </button>
    </Form>
  );
}
