/**
 * amount: what is tried by the thousand is tried some times in `npm test`, and all times in `npm run test:rest`, which
 * runs such a file again.
 */

/** @returns `all` in `npm run test:rest`, and wherever SVC_TEST_ALL=1 is set; else `some` */
export const amount = <T>(some: T, all: T): T => (process.env['SVC_TEST_ALL'] === '1' ? all : some);
