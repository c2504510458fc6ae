/**
 * The choices of the editor's toolbar. A body stores them as classes `nimo-<group>-<value>`, never as style: the
 * content security policy allows no inline style, and the api's sanitiser keeps exactly these classes.
 */
export const palette = {
  font: ['sans', 'serif', 'mono'],
  size: ['small', 'normal', 'large', 'huge'],
  color: ['gray', 'red', 'orange', 'green', 'teal', 'blue', 'violet', 'pink'],
  align: ['left', 'center', 'right', 'justify'],
} as const;

export type PaletteGroup = keyof typeof palette;
export type PaletteValue<G extends PaletteGroup> = (typeof palette)[G][number];

export function paletteClass<G extends PaletteGroup>(group: G, value: PaletteValue<G>): string {
  return `nimo-${group}-${value}`;
}

/** The value that an element's classes choose in a group, or null. */
export function paletteValueOf<G extends PaletteGroup>(group: G, element: Element): PaletteValue<G> | null {
  const values: readonly PaletteValue<G>[] = palette[group];
  return values.find((value) => element.classList.contains(paletteClass(group, value))) ?? null;
}
