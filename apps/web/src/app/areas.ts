import type { AreaSection } from '../features/areas/area-sidebar';

/** What the sidebar of the areas leads to, in its order. */
export const areaSections: readonly AreaSection[] = [];
