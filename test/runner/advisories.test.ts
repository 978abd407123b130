/** advisories: high severities fail, low ones are listed, and a missing answer is no failure. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { answerOf } from './advisories';

export const lab = Lab.script();
const { describe, it } = lab;

const report = (...severities: readonly string[]): string =>
  JSON.stringify({
    auditReportVersion: 2,
    vulnerabilities: Object.fromEntries(
      severities.map((severity, index) => [`p${index}`, { name: `p${index}`, severity, range: '<2' }]),
    ),
  });

describe('advisories', () => {
  it('fail when they are high or critical, and are told when they are not', () => {
    expect(answerOf(report('low', 'high')).bad).to.be.true();
    expect(answerOf(report('critical')).bad).to.be.true();
    expect(answerOf(report('low', 'moderate'))).to.equal({
      lines: [
        'low: p0 <2; see npm audit, then npm update p0',
        'moderate: p1 <2; see npm audit, then npm update p1',
        '2 packages with advisories',
      ],
      bad: false,
    });
    expect(answerOf(report())).to.equal({ lines: ['0 packages with advisories'], bad: false });
  });

  it('are no failure where nobody answers', () => {
    for (const output of [
      '',
      'npm error',
      '{"message":"405 Method Not Allowed","statusCode":405}',
      '{"vulnerabilities":null}',
    ]) {
      const { lines, bad } = answerOf(output);
      expect([bad, lines.length, lines[0]!.startsWith('skipped: ')], output).to.equal([false, 1, true]);
    }
  });
});
