/** looks: what somebody with weak eyes or without a mouse would trip over in a page, as expressions for the browser. */

/** Texts that are too faint on what is behind them (WCAG 2.1 AA: 4.5 to 1, large ones 3 to 1), each with its ratio. */
export const faintTexts = `(() => {
  const numbers = (colour) => { const [r, g, b, a = 1] = colour.match(/[\\d.]+/g).map(Number); return { r, g, b, a }; };
  const over = (top, below) => ({ r: top.r * top.a + below.r * (1 - top.a), g: top.g * top.a + below.g * (1 - top.a), b: top.b * top.a + below.b * (1 - top.a), a: 1 });
  const light = ({ r, g, b }) => [[r, 0.2126], [g, 0.7152], [b, 0.0722]].reduce((sum, [value, weight]) => { const v = value / 255; return sum + weight * (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); }, 0);
  const canvas = matchMedia('(prefers-color-scheme: dark)').matches && getComputedStyle(document.documentElement).colorScheme.includes('dark') ? { r: 18, g: 18, b: 18, a: 1 } : { r: 255, g: 255, b: 255, a: 1 };
  const behind = (element) => element ? over(numbers(getComputedStyle(element).backgroundColor), behind(element.parentElement)) : canvas;
  const opacity = (element) => element ? Number(getComputedStyle(element).opacity) * opacity(element.parentElement) : 1;
  const faint = [];
  for (const element of document.body.querySelectorAll('*')) {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== '');
    if (!own || ['SCRIPT', 'STYLE', 'OPTION'].includes(element.tagName) || !element.checkVisibility({ visibilityProperty: true })) { continue; }
    const style = getComputedStyle(element);
    const back = behind(element);
    const colour = numbers(style.color);
    const front = over({ ...colour, a: colour.a * opacity(element) }, back);
    const [high, low] = [light(front), light(back)].sort((one, other) => other - one);
    const ratio = (high + 0.05) / (low + 0.05);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    if (ratio < (large ? 3 : 4.5)) { faint.push(ratio.toFixed(1) + ' ' + element.tagName.toLowerCase() + '.' + element.className + ': ' + element.textContent.trim().slice(0, 30)); }
  }
  return [...new Set(faint)];
})()`;

/** Fields and buttons that a screen reader has no name for. */
export const namelessControls =
  `[...document.querySelectorAll('input, select, textarea, button, a[href]')].filter((one) => ` +
  `one.checkVisibility()).filter((one) => !(one.labels && one.labels.length) && !one.getAttribute('aria-label') && ` +
  `!one.title && !one.placeholder && (one.matches('select') || one.textContent.trim() === '') && ` +
  `!one.getAttribute('aria-labelledby') && !one.closest('label')).map((one) => one.outerHTML.slice(0, 120))`;

/** How many points the page is wider than the window. */
export const tooWide = 'Math.max(0, document.documentElement.scrollWidth - innerWidth)';

/** Does the focused element show that it is focused. */
export const focusShows =
  '(() => { const style = getComputedStyle(document.activeElement); return document.activeElement !== document.body ' +
  `&& (style.outlineStyle !== 'none' || style.boxShadow !== 'none'); })()`;
