/** icons: the few icons of the website, drawn with one stroke. Each is decoration, because a word is next to it. */
import type { JSX } from 'preact';

const paths = {
  add: <path d="M10 3.5v13M3.5 10h13" />,
  alert: <path d="M10 2.5 18.5 17h-17zM10 8v4M10 14.4v.1" />,
  done: <path d="m3.5 10.5 4.5 4.5 8.5-10" />,
  clock: (
    <>
      <circle cx="10" cy="10" r="7.5" />
      <path d="M10 5.5V10l3 2" />
    </>
  ),
  key: (
    <>
      <circle cx="6.5" cy="13.5" r="4" />
      <path d="m9.5 10.5 7-7M13 7l3 3" />
    </>
  ),
  never: (
    <>
      <circle cx="10" cy="10" r="7.5" />
      <path d="m5 5 10 10" />
    </>
  ),
} as const;

export type IconName = keyof typeof paths;

export const Icon = ({ name }: { readonly name: IconName }): JSX.Element => (
  <svg class="ic" viewBox="0 0 20 20" aria-hidden="true">
    {paths[name]}
  </svg>
);

/** The mark of the band at the top: a notebook with its margin. */
export const Mark = (): JSX.Element => (
  <svg viewBox="0 0 24 24" aria-hidden="true">
    <path d="M8 2v20" stroke="currentColor" stroke-width="2.5" />
    <path d="M12 6h10M12 12h7M12 18h10M2 6h2M2 12h2M2 18h2" stroke="currentColor" stroke-width="2.5" />
  </svg>
);
