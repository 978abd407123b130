/** bars: the forms of the bars of medicines, and their key. */
import type { JSX } from 'preact';
import type { Words } from '../../words/words';

/**
 * Somebody said that it is taken, nobody has said anything since, sources differ, or it is over. Each has a form of its
 * own, so that nobody needs colours to tell them apart.
 */
export const BAR_LOOKS = {
  said: { style: 'lane', top: 0, height: 12, text: 'lines.drawn-said' },
  since: { style: 'lane-since', top: 4, height: 4, text: 'lines.drawn-since' },
  differ: { style: 'lane-q', top: 0, height: 12, text: 'lines.differ' },
  over: { style: 'lane-off', top: 0, height: 12, text: 'lines.drawn-over' },
} as const;

export type BarLook = keyof typeof BAR_LOOKS;
const names = Object.keys(BAR_LOOKS) as readonly BarLook[];

/** The rows of a key: those of the forms that are drawn, each once. */
export function BarKeys({ looks, words }: { readonly looks: readonly BarLook[]; readonly words: Words }): JSX.Element {
  return (
    <>
      {names
        .filter((look) => looks.includes(look))
        .map((look) => {
          const { style, top, height, text } = BAR_LOOKS[look];
          return (
            <li>
              <svg viewBox="0 0 24 16" aria-hidden="true">
                <rect class={style} x="1" y={2 + top} width="22" height={height} rx={Math.min(3, height / 2)} />
              </svg>
              {words.say(text)}
            </li>
          );
        })}
    </>
  );
}
