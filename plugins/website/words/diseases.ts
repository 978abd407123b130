/**
 * diseases: against what a vaccine is, as far as its code or its name says it. Each pattern is for a vaccine whose name
 * is known; what none meets is left under its own name.
 */
import { text, type Fact } from './facts';
import type { Words } from './words';

/** A disease: the end of its text, codes of CVX, beginnings of ATC codes, and what names say. */
type Disease = readonly [name: string, cvx: readonly number[], atc: readonly string[], said: RegExp];

/** Vaccines against several diseases, as names shorten them. */
const combined = { dtp: /\b(?:dtap|tdap|dtp|dpt|dtwp)/, mmr: /\bmmrv?\b/ };

const diseases: readonly Disease[] = [
  [
    'influenza',
    [15, 16, 88, 111, 135, 140, 141, 144, 149, 150, 151, 153, 155, 158, 161, 166, 168, 171, 185, 186, 197, 205],
    ['J07BB'],
    /(?<!ha?emophilus )\binfluenza(?!e)|\bflu\b|grippe|gripe|إنفلونزا/,
  ],
  [
    'covid',
    [207, 208, 210, 211, 212, 213, 217, 218, 219, 221, 228, 229, 230, 300, 301, 302, 308, 309, 310, 311, 312, 313],
    ['J07BN'],
    /covid|sars-cov|كوفيد/,
  ],
  [
    'tetanus',
    [1, 9, 20, 28, 35, 50, 106, 107, 110, 113, 115, 120, 130, 138, 139, 146, 196],
    ['J07AM', 'J07CA'],
    /tetan|tétano|wundstarrkrampf|كزاز/,
  ],
  [
    'diphtheria',
    [1, 9, 20, 28, 50, 106, 107, 110, 113, 115, 120, 130, 138, 139, 146, 196],
    ['J07AF', 'J07AM51'],
    /diphth|dipth|difteri|خناق/,
  ],
  [
    'pertussis',
    [1, 20, 50, 106, 107, 110, 115, 120, 130, 146],
    ['J07AJ'],
    /pertussis|whooping|keuchhusten|tos ?ferina|شاهوق/,
  ],
  ['polio', [2, 10, 89, 110, 120, 130, 146, 178, 179, 182], ['J07BF'], /polio|kinderlähmung|\bipv\b|شلل الأطفال/],
  ['hib', [46, 47, 48, 49, 17, 50, 51, 120, 146], ['J07AG'], /haemophilus|hemophilus|\bhib\b/],
  ['hepatitis-a', [31, 52, 83, 84, 85, 104], ['J07BC02', 'J07BC20'], /hep(?:atitis|atite)? ?-?a\b/],
  [
    'hepatitis-b',
    [8, 42, 43, 44, 45, 51, 104, 110, 146, 189, 220],
    ['J07BC01', 'J07BC20'],
    /hep(?:atitis|atite)? ?-?b\b|hepatitis a ?(?:and|und|y|\/|-) ?b\b/,
  ],
  ['pneumococcus', [33, 100, 109, 133, 152, 215, 216], ['J07AL'], /pneumoco|pneumok|neumoco|المكورات الرئوية/],
  [
    'meningococcus',
    [32, 103, 108, 114, 136, 147, 162, 163, 164, 203],
    ['J07AH'],
    /meningoco|meningok|المكورات السحائية/,
  ],
  ['rotavirus', [116, 119, 122], ['J07BH'], /rotavir/],
  ['measles', [3, 4, 5, 94], ['J07BD'], /(?<!german )measles|(?<!vacuna[^|]*)rubeola|masern|sarampi/],
  ['mumps', [3, 7, 38, 94], ['J07BE', 'J07BD52', 'J07BD54'], /mumps|paperas|parotiditis|نكاف/],
  [
    'rubella',
    [3, 4, 6, 38, 94],
    ['J07BJ', 'J07BD52', 'J07BD54'],
    /rubella|röteln|rubéola|vacuna[^|]*rubeola|الحصبة الألمانية/,
  ],
  ['varicella', [21, 94], ['J07BK01', 'J07BD54'], /varicella|varizellen|chickenpox|windpocken|varicela|جدري الماء/],
  ['zoster', [121, 187, 188], ['J07BK02', 'J07BK03'], /(?<!varicella[- ])zoster|shingles|gürtelrose/],
  ['hpv', [62, 118, 137, 165], ['J07BM'], /papilloma|papiloma|\bhpv\b/],
  ['tbe', [], ['J07BA01'], /tick-borne|\bfsme\b|\btbe\b/],
  ['yellow-fever', [37, 183, 184], ['J07BL'], /yellow fever|gelbfieber|fiebre amarilla|الحمى الصفراء/],
  ['rabies', [18, 40, 90, 175, 176], ['J07BG'], /rabies|tollwut|\brabia\b|داء الكلب/],
  ['typhoid', [25, 41, 53, 91, 101, 190], ['J07AP'], /typhoid|tifoidea|التيفوئيد/],
  ['rsv', [], ['J07BX05'], /respiratory syncytial|\brsv\b/],
  ['tuberculosis', [19], ['J07AN'], /\bbcg\b|tuberculosis vaccine/],
];

function isCombined(name: string, said: string): boolean {
  return (
    (['tetanus', 'diphtheria', 'pertussis'].includes(name) && combined.dtp.test(said)) ||
    (['tetanus', 'diphtheria'].includes(name) && /\btd\b/.test(said)) ||
    (['measles', 'mumps', 'rubella'].includes(name) && combined.mmr.test(said)) ||
    (name === 'varicella' && /\bmmrv\b/.test(said))
  );
}

/** An antibody or serum is no vaccine, though it names the same disease. */
const NO_VACCINE = /globulin|tuberculin|skin test|antibody|antikörper|anticuerpo|antitoxin|serum\b/;

/** The names of the diseases that a dose is against, in the order of the list; none where nothing says it. */
export function diseasesOf(fact: Fact): readonly string[] {
  const codes = ['product_name_identifier', 'product_class_identifier'].map((column) => text(fact[column]));
  const system = text(fact['product_name_system']);
  const said = ['product_name_title', 'product_class_title', 'target_disease']
    .map((column) => text(fact[column]).toLowerCase())
    .join(' | ');
  if (NO_VACCINE.test(said)) {
    return [];
  }
  const isCvx = /cvx|\b12\.292$/i.test(system);
  return diseases
    .filter(
      ([name, cvx, atc, pattern]) =>
        pattern.test(said) ||
        isCombined(name, said) ||
        (isCvx && cvx.includes(Number(codes[0]))) ||
        codes.some((code) => atc.some((begin) => code.startsWith(begin))),
    )
    .map(([name]) => name);
}

/** The fields of a vaccination that say the disease. */
export const DISEASE_FIELDS = ['product_name', 'product_class', 'target_disease'] as const;

/** What a dose is against, in the person's language; the name of the vaccine where nothing says it. */
export function againstOf(fact: Fact, words: Words): readonly string[] {
  const against = diseasesOf(fact).map((name) => diseaseName(name, words));
  return against.length > 0 ? against : [text(fact['product_name_title'])];
}

function diseaseName(name: string, { say }: Words): string {
  return say(`diseases.${name}`);
}
