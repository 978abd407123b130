/**
 * value: a large number and its small unit. A unit in Latin letters stands after its number in Arabic, too, because both
 * are read from left to right.
 */
import type { JSX } from 'preact';
import { unitWords } from '../words/facts';
import type { Words } from '../words/words';

type Props = { readonly value: string; readonly unit: string; readonly words: Words };

export function ValueWithUnit({ value, unit, words }: Props): JSX.Element {
  const said = unitWords(unit, words);
  const isLatin = words.dir === 'rtl' && /\p{Script=Latin}/u.test(said);
  return (
    <bdi dir={isLatin ? 'ltr' : words.dir}>
      <bdi>{value}</bdi>
      {said !== '' && (
        <>
          {said === '%' && words.dir === 'ltr' && words.language !== 'de' ? '' : ' '}
          <bdi class="u">{said}</bdi>
        </>
      )}
    </bdi>
  );
}
