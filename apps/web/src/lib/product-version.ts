/** Of the build that this page is of; undefined where nothing was built. */
export const productVersion = (): string | undefined =>
  typeof __NIMO_VERSION__ === 'undefined' ? undefined : __NIMO_VERSION__;
