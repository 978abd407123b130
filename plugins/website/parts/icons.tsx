/** icons: the icons of the website, drawn with one stroke. Each is decoration, because a word is next to it. */
import type { JSX } from 'preact';

const paths = {
  add: <path d="M12 5v14M5 12h14" />,
  alert: (
    <>
      <path d="M12 3.5 22 20H2z" />
      <path d="M12 10v4.5M12 17.3v.1" />
    </>
  ),
  done: <path d="m5 12.5 4.5 4.5L19 7.5" />,
  clock: (
    <>
      <circle cx="12" cy="12" r="8.5" />
      <path d="M12 7v5.2l3.5 2" />
    </>
  ),
  home: <path d="M4 11 12 4l8 7v8.5a.5.5 0 0 1-.5.5H15v-6H9v6H4.5a.5.5 0 0 1-.5-.5z" />,
  timeline: (
    <>
      <path d="M6 3v18" />
      <circle cx="6" cy="7" r="2.2" />
      <circle cx="6" cy="16.5" r="2.2" />
      <path d="M12 7h8M12 16.5h8M12 12h5" />
    </>
  ),
  document: (
    <>
      <path d="M6 3h8l4.5 4.5V20a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1z" />
      <path d="M14 3v5h4.5M8.5 13h7M8.5 17h5" />
    </>
  ),
  pulse: (
    <>
      <path d="M3 12.5h3.5L9 8l4 9 2.5-4.5H21" />
      <path d="M5 8.6A4.7 4.7 0 0 1 12 5a4.7 4.7 0 0 1 7 3.6M7.5 16.5 12 20.5l4-3.5" opacity=".55" />
    </>
  ),
  lab: <path d="M9.5 3h5M10.5 3v6.5L5 18.6A1.6 1.6 0 0 0 6.4 21h11.2a1.6 1.6 0 0 0 1.4-2.4L13.5 9.5V3M7.8 15h8.4" />,
  pill: <path d="m10.2 20.2 10-10a4.6 4.6 0 0 0-6.4-6.4l-10 10a4.6 4.6 0 0 0 6.4 6.4zM8.8 8.8l6.4 6.4" />,
  problem: (
    <>
      <path d="M8 4.5H6a1 1 0 0 0-1 1V20a1 1 0 0 0 1 1h12a1 1 0 0 0 1-1V5.5a1 1 0 0 0-1-1h-2" />
      <rect x="8.5" y="3" width="7" height="3.6" rx="1" />
      <path d="M12 10.5v6M9 13.5h6" />
    </>
  ),
  vaccine: <path d="m17 3 4 4M19 5l-3.5 3.5M8 6.5 17.5 16M14 7l3 3-7.5 7.5H6.5v-3zM6.5 17.5 3 21M11 10l2 2" />,
  visit: (
    <>
      <path d="M6 3H5v5a4.5 4.5 0 0 0 9 0V3h-1M9.5 12.5V16a5 5 0 0 0 10 0v-2.5" />
      <circle cx="19.5" cy="11" r="2.2" />
    </>
  ),
  qr: (
    <path d="M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h2.5v2.5H14zM20 14v2M17.5 20H20v-1.5M14 20h.5M7 7h.01M17 7h.01M7 17h.01" />
  ),
  people: (
    <>
      <circle cx="9" cy="8" r="3.5" />
      <path d="M2.5 20a6.5 6.5 0 0 1 13 0M16 4.8a3.5 3.5 0 0 1 0 6.4M18 14.5a6.5 6.5 0 0 1 3.5 5.5" />
    </>
  ),
  app: (
    <>
      <rect x="4" y="4" width="7" height="7" rx="2" />
      <rect x="13" y="13" width="7" height="7" rx="2" />
      <rect x="4" y="13" width="7" height="7" rx="2" />
      <path d="M16.5 4v7M13 7.5h7" />
    </>
  ),
  eye: (
    <>
      <path d="M2 12s3.5-6.5 10-6.5S22 12 22 12s-3.5 6.5-10 6.5S2 12 2 12z" />
      <circle cx="12" cy="12" r="3" />
    </>
  ),
  take: <path d="M12 3v11M7.5 10 12 14.5 16.5 10M4 17v3a1 1 0 0 0 1 1h14a1 1 0 0 0 1-1v-3" />,
  inbox: <path d="M4 5h16v14H4zM4 13h4.5a3.5 3.5 0 0 0 7 0H20" />,
  person: (
    <>
      <circle cx="12" cy="8.5" r="4" />
      <path d="M4.5 20.5a7.5 7.5 0 0 1 15 0" />
    </>
  ),
  out: <path d="M10 4H5v16h5M15 8l4 4-4 4M19 12H9" />,
  more: (
    <>
      <circle cx="5" cy="12" r="1.2" />
      <circle cx="12" cy="12" r="1.2" />
      <circle cx="19" cy="12" r="1.2" />
    </>
  ),
  close: <path d="m6 6 12 12M18 6 6 18" />,
  note: <path d="M5 3h14v11l-6 7H5zM13 21v-7h6M8.5 8h7M8.5 12h4" />,
  scale: (
    <>
      <rect x="3.5" y="4" width="17" height="16" rx="4" />
      <path d="M8 9.5a6 6 0 0 1 8 0l-2.2 3h-3.6z" />
    </>
  ),
  camera: (
    <>
      <path d="M4 7.5h3.5L9 5h6l1.5 2.5H20V19H4z" />
      <circle cx="12" cy="13" r="3.5" />
    </>
  ),
  journal: (
    <>
      <circle cx="12" cy="12" r="8.5" />
      <path d="M8.5 14a4.5 4.5 0 0 0 7 0M9 9.5v.1M15 9.5v.1" />
    </>
  ),
  question: (
    <>
      <circle cx="12" cy="12" r="8.5" />
      <path d="M9.5 9.5a2.6 2.6 0 1 1 3.6 2.4c-.8.4-1.1.8-1.1 1.8M12 16.5v.1" />
    </>
  ),
  device: (
    <>
      <rect x="6.5" y="6.5" width="11" height="11" rx="3.5" />
      <path d="M9 6.5 9.7 3h4.6l.7 3.5M9 17.5l.7 3.5h4.6l.7-3.5M12 10v2.2l1.5 1" />
    </>
  ),
  undo: <path d="M8 5 4 9l4 4M4 9h10a6 6 0 0 1 0 12h-3" />,
  news: <path d="M19.5 8A8 8 0 0 0 5 8.5M4.5 16A8 8 0 0 0 19 15.5M5 4v4.5h4.5M19 20v-4.5h-4.5" />,
  print: <path d="M7 8V3h10v5M7 17H4V8h16v9h-3M7 14h10v7H7z" />,
  key: (
    <>
      <circle cx="8" cy="16" r="4.7" />
      <path d="m11.5 12.5 8-8M15.5 8.5 19 12" />
    </>
  ),
  search: (
    <>
      <circle cx="10.5" cy="10.5" r="6.5" />
      <path d="m15.5 15.5 5 5" />
    </>
  ),
  pen: <path d="m4 20 1-4L16.5 4.5l3 3L8 19zM14 7l3 3" />,
  tag: <path d="M12.5 4H20v7.5l-8.5 8.5L4 12.5zM16 8v.1" />,
  archive: <path d="M3.5 4.5h17V9h-17zM5 9v11h14V9M10 13h4" />,
  table: (
    <>
      <rect x="3.5" y="4.5" width="17" height="15" rx="2" />
      <path d="M3.5 9.5h17M3.5 14.5h17M9.5 4.5v15" />
    </>
  ),
  upload: (
    <path d="M7 18H6a4 4 0 0 1-.6-7.95 6.5 6.5 0 0 1 12.6-1A4.5 4.5 0 0 1 17.5 18H17M12 20.5V12M8.5 15 12 11.5l3.5 3.5" />
  ),
  never: (
    <>
      <circle cx="12" cy="12" r="8.5" />
      <path d="m6 6 12 12" />
    </>
  ),
} as const;

export type IconName = keyof typeof paths;

/** @param turn whether the icon is an arrow, which points the other way in Arabic */
export function Icon({ name, turn = false }: { readonly name: IconName; readonly turn?: boolean }): JSX.Element {
  return (
    <svg class={turn ? 'ic turn' : 'ic'} viewBox="0 0 24 24" aria-hidden="true">
      {paths[name]}
    </svg>
  );
}

/** An icon in the colour of its kind. */
export function Tile({ name, kind }: { readonly name: IconName; readonly kind?: string }): JSX.Element {
  return (
    <span class={kind ? `tile ${kind}` : 'tile'}>
      <Icon name={name} />
    </span>
  );
}

/** The mark of the site: a notebook with its margin. */
export function Mark(): JSX.Element {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <path d="M8 2v20" stroke="currentColor" stroke-width="2.5" />
      <path d="M12 6h10M12 12h7M12 18h10M2 6h2M2 12h2M2 18h2" stroke="currentColor" stroke-width="2.5" />
    </svg>
  );
}
