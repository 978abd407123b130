/** also-called: the other names of one thing, where they have nothing in common with the one that is shown. */
import type { JSX } from 'preact';
import { namesApart } from '../../../core/lines/other-names';
import { joinedBy, type Words } from '../words/words';

type Props = {
  readonly title: string;
  /** Those of all its statements. */ readonly names: readonly string[];
  readonly words: Words;
};

export function AlsoCalled({ title, names, words }: Props): JSX.Element | null {
  const apart = namesApart(title, names);
  return apart.length === 0 ? null : (
    <p class="by">{words.rich('lines.also', { names: <bdi>{joinedBy('; ', apart, words)}</bdi> })}</p>
  );
}
