/** errors: the catalogue of failures, as XML and as JSON. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import type { AppError } from '../../core/base/errors';
import { errors } from '../../core/base/errors';
import { auditFailure, toAppError } from '../../core/http/to-app-error';
import { errorReply } from '../../core/server/error-reply';

export const lab = Lab.script();
const { describe, it } = lab;

const made = (Object.values(errors) as ((...args: unknown[]) => AppError)[]).map((make) => make(['sample'], [], 400));

describe('the error catalogue', () => {
  it('gives each failure a status, a code of its own and a sentence', () => {
    for (const failure of made) {
      expect(failure.status).to.be.between(399, 504);
      expect(failure.code).to.match(/^[a-z_]+$/);
      expect(failure.message).to.match(/\.$/);
    }
    const codes = made.map((failure) => failure.code);
    expect(codes.filter((code, index) => codes.indexOf(code) !== index)).to.equal([]);
  });

  it('is XML by default and JSON when Accept prefers it, without what only pages need', () => {
    const failure = errors.invalidDocument('wrong', [
      { line: 3, column: 4, message: 'a < b', kind: 'value', name: 'a' },
    ]);
    const xml = errorReply(failure, '*/*');
    expect(xml.type).to.equal('application/xml; charset=utf-8');
    expect(xml.body).to.equal(
      '<?xml version="1.0" encoding="UTF-8"?>\n<error status="400" code="invalid_document"><message>The document ' +
        'was refused: wrong.</message><detail line="3" column="4">a &lt; b</detail></error>',
    );
    const json = errorReply(failure, 'application/json');
    expect(JSON.parse(json.body)).to.equal({
      status: 400,
      code: 'invalid_document',
      message: 'The document was refused: wrong.',
      details: [{ line: 3, column: 4, message: 'a < b' }],
    });
    expect(errorReply(failure, 'application/xml, application/json;q=0.5').type).to.contain('xml');
    expect(errorReply(failure, 'application/json;q=0.9, application/xml;q=0.5').type).to.equal('application/json');
    expect(errorReply(failure, 'json, ,;;q').type).to.contain('xml');
  });

  it('shows at most twenty details', () => {
    const failure = errors.invalidDocument(
      'wrong',
      Array.from({ length: 50 }, () => ({ message: 'again' })),
    );
    expect(failure.details.length).to.equal(20);
  });

  it('says nothing of what it did not foresee', () => {
    const hidden = toAppError(new Error('the password is swordfish'));
    expect(hidden.status).to.equal(500);
    expect(hidden.message).to.not.contain('swordfish');
  });

  it('answers 503 for a database that is away', () => {
    // The last one is the driver's error for a connection that was closed before the statement was sent; it has no
    // code.
    const codes = ['ECONNREFUSED', 'ER_CONNECTION_KILLED', 'ER_ERROR_DURING_COMMIT', 'ER_QUERY_INTERRUPTED'];
    for (const fields of [...codes.map((code) => ({ code })), { fatal: true }]) {
      const { status, code, message } = toAppError(Object.assign(new Error('x'), fields));
      expect([status, code], JSON.stringify(fields)).to.equal([503, 'unavailable']);
      expect(message).to.match(/: the database is busy or out of reach\. Try again soon\.$/);
    }
  });

  it('sends to those who run the service where waiting does not help', () => {
    for (const code of ['SQLITE_FULL', 'SQLITE_IOERR_FSYNC', 'ER_DISK_FULL']) {
      const failure = toAppError(Object.assign(new Error('x'), { code }));
      expect([failure.status, failure.code, failure.headers], code).to.equal([
        503,
        'out_of_order',
        { 'retry-after': '60' },
      ]);
      expect(failure.message).to.match(/^The service cannot answer now: the database .*\. Tell those who run it\.$/);
    }
  });

  it('says of a reply without its audit row whether waiting helps', () => {
    const coded = (code: string): Error => Object.assign(new Error('x'), { code });
    expect([coded('SQLITE_FULL'), coded('ER_LOCK_WAIT_TIMEOUT')].map(auditFailure)).to.equal([
      errors.outOfOrder('the audit log cannot be written'),
      errors.unavailable('the audit log cannot be written'),
    ]);
  });
});
