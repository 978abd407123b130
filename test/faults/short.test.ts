/** short: the fault harness for every day: ten kills on each database. `npm run test:faults` goes on for hours. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { findMariadb } from '../support/mariadb';
import { mysqlRun, sqliteRun, type Report } from './campaign';

export const lab = Lab.script();
const { describe, it } = lab;

const survived = (report: Report): void => {
  expect(report.faults).to.equal([]);
  expect(report.kills.service + report.kills.database).to.be.at.least(10);
  expect(report.writesAcknowledged).to.be.above(100);
  expect(report.answersChecked).to.be.above(100);
  expect(report.mails.owed).to.be.above(5);
  expect(report.pings.owed).to.be.above(50);
};

describe('ten kills', () => {
  it('lose nothing on SQLite', { timeout: 900_000 }, async () => {
    survived(await sqliteRun({ kills: 10, callers: 2 }));
  });

  if (findMariadb()) {
    it('lose nothing on MariaDB', { timeout: 900_000 }, async () => {
      survived(await mysqlRun({ kills: 10, callers: 2 }));
    });
  }
});
