/** How something is brought into view: at once for who wants things to stand still, which style sheets cannot say for scripts. */
export const scrollMotion = (): ScrollBehavior =>
  matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth';
