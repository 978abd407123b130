/**
 * parameters-xml: the resources inside of Parameters in XML as one Bundle (pure), as bundle-inside does it for JSON. It
 * runs where documents are parsed.
 */
import { fromRoot, textAtStart } from './sniff';

const BEGINNING = /^<Parameters\s[^>]*xmlns="http:\/\/hl7\.org\/fhir"/;
/** A tag, or something in which tags mean nothing. */
const TAG = /<!--[^]*?-->|<!\[CDATA\[[^]*?\]\]>|<\?[^]*?\?>|<(\/?)([A-Za-z][\w.-]*)(?:"[^"]*"|'[^']*'|[^>"'])*?(\/?)>/g;

/** Paths at which resources stand, and those of Bundles in them. */
const HOLDING = /^Parameters(?: parameter(?: part){0,20} resource(?: Bundle entry resource)?)$/;
const IN_BUNDLE = /Bundle entry resource$/;

/** Whether a text is Parameters in XML. */
export function isParametersXml(bytes: Buffer): boolean {
  return BEGINNING.test(fromRoot(textAtStart(bytes)));
}

type Held = { readonly path: string; readonly text: string };

/** What stands in each `resource`, a Bundle before what stands in it. */
function heldIn(text: string): readonly Held[] {
  const open: { name: string; behind: number }[] = [];
  const held: Held[] = [];
  for (const { 0: tag, 1: closes, 2: name, 3: alone, index } of text.matchAll(TAG)) {
    if (name === undefined || alone === '/') {
      continue;
    }
    if (closes !== '/') {
      open.push({ name, behind: index + tag.length });
      continue;
    }
    const path = open.map((one) => one.name).join(' ');
    const last = open.pop();
    if (last?.name !== name) {
      return [];
    }
    if (HOLDING.test(path)) {
      held.push({ path, text: text.slice(last.behind, index).trim() });
    }
  }
  return held;
}

/** @returns undefined for any other text, and where nothing stands in it */
export function parametersXml(bytes: Buffer): Buffer | undefined {
  if (!isParametersXml(bytes)) {
    return undefined;
  }
  const all = heldIn(bytes.toString('utf8'));
  const direct = all.filter(({ path }) => !IN_BUNDLE.test(path));
  if (direct.length === 1 && direct[0]!.text.startsWith('<Bundle')) {
    return Buffer.from(direct[0]!.text.replace(/^<Bundle(?![^>]*xmlns=)/, '<Bundle xmlns="http://hl7.org/fhir"'));
  }
  const entries = all
    .filter((one) => IN_BUNDLE.test(one.path) || !one.text.startsWith('<Bundle'))
    .map((one) => `<entry><resource>${one.text}</resource></entry>`);
  return entries.length === 0
    ? undefined
    : Buffer.from(`<Bundle xmlns="http://hl7.org/fhir"><type value="collection"/>${entries.join('')}</Bundle>`);
}
