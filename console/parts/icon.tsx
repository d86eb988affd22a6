// The icons of the menu, drawn with lines.
import type { PageName } from '../data/paths.ts';

const PATHS: Readonly<Record<PageName | 'menu' | 'close' | 'all', string>> = {
  overview: 'M3 13h3l3-9 4 12 3-7h2',
  logs: 'M4 5h12M4 10h12M4 15h7',
  neurons:
    'M10 2.500l6.500 3.750v7.500L10 17.500l-6.500-3.750v-7.500zM10 7.500a2.500 2.500 0 1 0 0 5 2.500 2.500 0 0 0 0-5z',
  keys: 'M12.5 7.5a3.5 3.5 0 1 1-2.2 3.3L4 17m2-2 2 2',
  limits: 'M4 15a7 7 0 1 1 12 0M10 12l3-4',
  access: 'M10 3l6 2v5c0 4-3 6-6 7-3-1-6-3-6-7V5zM8 10l2 2 3-4',
  guards: 'M10 3l6 2v5c0 4-3 6-6 7-3-1-6-3-6-7V5zM10 7v4M10 13v.5',
  people:
    'M7.500 4a2.500 2.500 0 1 0 0 5 2.500 2.500 0 0 0 0-5zM2.500 16v-1a3.500 3.500 0 0 1 3.500-3.500h3a3.500 3.500 0 0 1 3.500 3.500v1M13 4.300a2.500 2.500 0 0 1 0 4.400M14.800 11.700a3.500 3.500 0 0 1 2.700 3.300v1',
  rollouts: 'M4 16V4M4 10h5l7-5M9 10l7 5M13 4h3.500v3.500M13 16h3.500v-3.500',
  playground: 'M6 4l10 6-10 6z',
  changes: 'M10 5v5l3 2M4 10a6 6 0 1 1 2 4.5M4 16v-3h3',
  health:
    'M10 16S3.500 12 3.500 7.500A3.500 3.500 0 0 1 10 6a3.500 3.500 0 0 1 6.500 1.500C16.500 12 10 16 10 16z',
  all: 'M4 4h5v5H4zM11 4h5v5h-5zM4 11h5v5H4zM11 11h5v5h-5z',
  menu: 'M3 6h14M3 10h14M3 14h14',
  close: 'M5 5l10 10M15 5L5 15',
};

export function Icon({ name }: { readonly name: keyof typeof PATHS }) {
  return (
    <svg class="icon" viewBox="0 0 20 20" width="18" height="18" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
