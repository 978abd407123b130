/** short: the fault harness for every day: ten kills on each database. `npm run test:faults` makes as many as one likes. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { findMariadb } from '../support/mariadb';
import { mysqlRun, sqliteRun } from './campaign';
import { table, type Report } from './report';

export const lab = Lab.script();
const { describe, it } = lab;

const survived = (report: Report): void => {
  expect(report.faults, table([report])).to.equal([]);
  expect(report.rounds).to.equal(10);
  expect(report.kills.service + report.kills.database).to.be.at.least(10);
  expect(report.figures!.writesAcknowledged).to.be.above(100);
  expect(report.figures!.answersChecked).to.be.above(100);
  expect(report.figures!.mails.arrived).to.be.above(5);
  expect(report.figures!.pings.arrived).to.be.above(50);
};

const options = { kills: 10, callers: 2 };

describe('ten kills', () => {
  it('lose nothing, on SQLite and on MariaDB at the same time', { timeout: 300_000 }, async () => {
    const reports = await Promise.all([sqliteRun(options), ...(findMariadb() ? [mysqlRun(options)] : [])]);
    reports.forEach(survived);
    process.stdout.write(`${table(reports)}\n`);
  });

  it('are made on MariaDB where it is required', () => {
    expect(findMariadb() !== undefined || process.env['SVC_REQUIRE_MYSQL'] !== '1').to.be.true();
  });
});
