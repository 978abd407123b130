/** errors: the catalogue of failures, as XML and as JSON. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import type { AppError } from '../../core/base/errors';
import { errors } from '../../core/base/errors';
import { errorReply, toAppError } from '../../core/server/error-reply';

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
    // The last one is the driver's word for a connection that was closed before the statement was sent: it has no code.
    for (const fields of [
      { code: 'ECONNREFUSED' },
      { code: 'ER_CONNECTION_KILLED' },
      { code: 'SQLITE_FULL' },
      { code: 'SQLITE_IOERR_FSYNC' },
      { fatal: true },
    ]) {
      expect(toAppError(Object.assign(new Error('x'), fields)).status, JSON.stringify(fields)).to.equal(503);
    }
  });
});
