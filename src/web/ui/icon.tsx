/** The icons, as lines of 24 by 24. They say nothing to a screen reader: what they stand on has a name. */
const paths = {
  plus: 'M12 5v14M5 12h14',
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14M16.2 16.2 20.5 20.5',
  back: 'M19 12H5m6-7-7 7 7 7',
  close: 'M6 6l12 12M18 6 6 18',
  send: 'M12 19V5m-6.5 6.5L12 5l6.5 6.5',
  stop: 'M7 7h10v10H7z',
  copy: 'M9 9h11v11H9zM15 9V4H4v11h5',
  check: 'M4.5 12.5 10 18 19.5 7',
  up: 'M7 11v9H4v-9zm0 0 4-7.5c1.4 0 2.2 1 2 2.4L12.5 9H18c1.3 0 2.2 1.2 1.9 2.5l-1.5 6.6A2.4 2.4 0 0 1 16 20H7',
  down: 'M17 13V4h3v9zm0 0-4 7.5c-1.4 0-2.2-1-2-2.4l.5-3.1H6c-1.3 0-2.2-1.2-1.9-2.5l1.5-6.6A2.4 2.4 0 0 1 8 4h9',
  attach: 'M20 11.5 12.3 19a5 5 0 0 1-7.1-7l8-7.8a3.3 3.3 0 0 1 4.7 4.7l-7.9 7.7a1.7 1.7 0 0 1-2.4-2.4l7-6.9',
  file: 'M6 3h8l5 5v13H6zM14 3v5h5',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  lock: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3',
  archive: 'M4 8h16v12H4zM3 4h18v4H3zM10 12h4',
  edit: 'M4 20h4L19 9l-4-4L4 16zM13 7l4 4',
  settings: 'M4 7h10M18 7h2M4 17h2M10 17h10M14 7a2 2 0 1 0 4 0 2 2 0 0 0-4 0M6 17a2 2 0 1 0 4 0 2 2 0 0 0-4 0',
  people:
    'M9 5a3.2 3.2 0 1 0 0 6.4A3.2 3.2 0 0 0 9 5M3 19c.4-3.4 2.8-5 6-5s5.600 1.600 6 5M16 5.500a3 3 0 0 1 0 5.500M18 14.500c1.800.700 2.800 2.200 3 4.500',
  key: 'M8 11a4 4 0 1 0 0 8 4 4 0 0 0 0-8M11 12l8-8M16 7l3 3',
  down_arrow: 'M12 5v14m-6.500-6.500L12 19l6.500-6.500',
  link: 'M10 14a4 4 0 0 0 6 .500l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6-.500l-3 3a4 4 0 0 0 6 6l1-1',
  alert: 'M12 4 2.500 20h19zM12 10v4M12 17.200v.010',
  theme: 'M12 4a8 8 0 1 0 0 16zM12 4a8 8 0 0 1 0 16',
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg
      viewBox="0 0 24 24"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth={name === 'more' ? 2.6 : 1.7}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={paths[name]} />
    </svg>
  );
}
