/** What a browser calls itself, the more particular first: most of them also claim to be those further down. */
const BROWSERS: readonly (readonly [name: string, sign: RegExp])[] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\b(?:OPR|Opera)\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bSafari\//],
];
const SYSTEMS: readonly (readonly [name: string, sign: RegExp])[] = [
  ['iPadOS', /\biPad\b/],
  ['iOS', /\biPhone\b/],
  ['Android', /\bAndroid\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
];

export interface Device {
  /** Null where it says nothing that is known. */
  readonly browser: string | null;
  readonly system: string | null;
}

/** Enough to recognise one's own devices by. */
export const deviceOf = (userAgent: string): Device => ({
  browser: BROWSERS.find(([, sign]) => sign.test(userAgent))?.[0] ?? null,
  system: SYSTEMS.find(([, sign]) => sign.test(userAgent))?.[0] ?? null,
});
