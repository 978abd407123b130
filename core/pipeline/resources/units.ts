/**
 * units: checks whether a unit is written in UCUM. Units come as the source wrote them, and only UCUM units may be
 * called so.
 */

/** Atoms that occur in records, those with prefixes first. Annotations in braces may be anything. */
const metric =
  "m s g rad K Cel L l mol eq osm Pa J W V N Hz bar cal kat U [IU] [iU] [arb'U] Gy Sv Bq Ci m[Hg] m[H2O] eV Ohm lm lx B Np";
const others =
  '10* 10^ % [ppth] [ppm] min h d wk mo a [in_i] [ft_i] [yd_i] [mi_i] [lb_av] [oz_av] [gr] [stone_av] [degF] [pH] [drp] [cup_us] [tsp_us] [tbs_us] [foz_us] [hpf] [lpf] [CFU] [PFU] [diop] [Ch] [HP_X] ' +
  "[TCID_50] [GPL'U] [MPL'U] [APL'U] [tb'U] [CCID_50] [AU] deg bit By";
const prefixes = 'Y Z E P T G M k h da d c m u n p f a z y';

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}
const metricAtoms = words(metric);
const otherAtoms = words(others);
const prefixList = prefixes.split(' ');

function isAtom(text: string): boolean {
  return (
    otherAtoms.has(text) ||
    metricAtoms.has(text) ||
    prefixList.some((prefix) => text.startsWith(prefix) && metricAtoms.has(text.slice(prefix.length)))
  );
}

/** One factor: a number, an atom with an exponent, an annotation, or an atom with one. */
function isFactor(factor: string): boolean {
  const plain = factor.replace(/\{[!-z|~]*\}$/, '');
  if (plain === '' || /^\d+$/.test(plain)) {
    return factor !== '';
  }
  return isAtom(plain) || isAtom(plain.replace(/[+-]?\d+$/, ''));
}

/** Whether a text is a UCUM unit. Terms in brackets are checked by themselves. */
export function isUcum(unit: string): boolean {
  if (!/^[!-~]{1,60}$/.test(unit)) {
    return false;
  }
  const annotations = unit.replace(/\{[^{}]*\}/g, (found) => found.replace(/[./()]/g, '_'));
  const flat = annotations.replace(/\(([^()]*)\)/g, '$1');
  return !/[()]/.test(flat) && flat.replace(/^\//, '').split(/[./]/).every(isFactor);
}
