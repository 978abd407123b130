/**
 * amount: a test with thousands of cases tries some of them in `npm test`, and all in `npm run test:rest`, which runs
 * its file again.
 */

/** @returns `all` in `npm run test:rest`, and wherever SVC_TEST_ALL=1 is set; else `some` */
export const amount = <T>(some: T, all: T): T => (process.env['SVC_TEST_ALL'] === '1' ? all : some);
