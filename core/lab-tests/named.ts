/**
 * named: which tests a name without a code may mean. It is a proposal, which the person confirms; only a name that says
 * its specimen and stands in one row is sure (pure).
 */
import type { LabTest, LabTests } from './tests';

/** A name as it is compared: no stems, no abbreviations, no likeness. */
export function plainTestName(title: string): string {
  return title.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();
}

const known = new WeakMap<LabTests, ReadonlyMap<string, readonly LabTest[]>>();

function testsByName(tests: LabTests): ReadonlyMap<string, readonly LabTest[]> {
  const found = known.get(tests) ?? new Map<string, LabTest[]>();
  if (!known.has(tests)) {
    const byName = found as Map<string, LabTest[]>;
    for (const test of tests.tests) {
      for (const name of new Set([...Object.values(test.names), ...test.aliases].map(plainTestName))) {
        byName.set(name, [...(byName.get(name) ?? []), test]);
      }
    }
    known.set(tests, found);
  }
  return found;
}

/** The tests that a name may mean, in the order of their file. */
export function testsCalled(tests: LabTests, title: string): readonly LabTest[] {
  return testsByName(tests).get(plainTestName(title)) ?? [];
}

/** Words for what is taken: a name with one of them says of which specimen it is. */
const SPECIMEN = /(^|[^\p{L}])(serum|plasma|suero|urine?|orina|المصل|البول)($|[^\p{L}])/u;

/** The test that a name can only mean; undefined where the person has to say it. */
export function testSurely(tests: LabTests, title: string): LabTest | undefined {
  const [only, ...others] = testsCalled(tests, title);
  return others.length === 0 && SPECIMEN.test(plainTestName(title)) ? only : undefined;
}

/** What the person says with `is-test`: that a name means a test, or with this before its id that it does not. */
const NOT = 'not:';

export function notTest(id: string): string {
  return `${NOT}${id}`;
}

/** The test that a word of the person names; undefined where there is none of this id. */
export function testSaid(
  tests: LabTests,
  said: string,
): { readonly test: LabTest; readonly isMeant: boolean } | undefined {
  const isMeant = !said.startsWith(NOT);
  const test = tests.find(isMeant ? said : said.slice(NOT.length));
  return test && { test, isMeant };
}
