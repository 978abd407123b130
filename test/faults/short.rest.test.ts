/**
 * short: a short run of the fault harness for every day: ten kills on each database. `npm run test:faults` makes any
 * number.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { findMariadb } from '../support/mariadb';
import { mysqlRun, sqliteRun } from './campaign';
import { fakeTimeLibrary } from './processes';
import { table, type Report } from './report';

export const lab = Lab.script();
const { describe, it } = lab;

/** What even the slowest machine achieves. */
const survived = (report: Report): void => {
  expect(report.faults, table([report])).to.equal([]);
  expect(report.rounds).to.equal(10);
  expect(report.kills.service + report.kills.database).to.be.at.least(10);
  expect(
    Object.entries(report.faultsMade).filter(([, times]) => times === 0),
    'faults that were never made',
  ).to.equal([]);
  expect(report.figures!.writesAcknowledged).to.be.above(30);
  expect(report.figures!.answersChecked).to.be.above(30);
  expect(report.figures!.mails.arrived).to.be.above(2);
  expect(report.figures!.pings.arrived).to.be.above(30);
};

const options = { kills: 10, callers: 3 };

describe('ten kills', () => {
  it('lose nothing, on SQLite and on MariaDB at the same time', async () => {
    const runs = [sqliteRun(options), ...(findMariadb() ? [mysqlRun(options)] : [])];
    // When one ends early, the other still removes what it made before the test fails.
    await Promise.allSettled(runs);
    const reports = await Promise.all(runs);
    reports.forEach(survived);
    reports
      .flatMap(({ impossible }) => impossible)
      .forEach((what) => process.stdout.write(`\nskipped: ${what}, which is not possible on this machine\n`));
    process.stdout.write(`${table(reports)}\n`);
  });

  it('are made where they are required, and the clock is stopped', () => {
    if (process.env['SVC_REQUIRE_MYSQL'] === '1') {
      expect(findMariadb(), 'mariadbd, of the package mariadb-server').to.not.be.undefined();
      expect(fakeTimeLibrary, 'libfaketime.so.1, of the package libfaketime').to.not.be.undefined();
    }
  });
});
