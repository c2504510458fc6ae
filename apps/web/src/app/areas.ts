import type { Icon } from '@tabler/icons-react';
import type { ParseKeys } from 'i18next';
import type { Area } from '../features/areas/own-areas';

export interface AreaSection {
  area: Area;
  /** One of `paths`. */
  to: string;
  label: ParseKeys<'areas'>;
  icon: Icon;
  /** Lit at this very address only, not below it. */
  exact?: true;
}

/** What the sidebar of the areas leads to, in its order. */
export const areaSections: readonly AreaSection[] = [];
