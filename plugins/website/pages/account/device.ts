/** device: turns the name that a browser gives itself into two words that a person knows. */

const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(HeadlessChrome|Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

const systems: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b/, 'Mac'],
  [/\bLinux\b/, 'Linux'],
];

function first(names: typeof browsers, text: string): string {
  return names.find(([pattern]) => pattern.test(text))?.[1] ?? '';
}

/** A word is empty if the browser does not tell it. */
export function deviceOf(userAgent: string): { readonly browser: string; readonly system: string } {
  return {
    browser: first(browsers, userAgent),
    system: first(systems, userAgent),
  };
}
