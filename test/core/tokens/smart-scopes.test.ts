/** smart-scopes: what scopes mean in both versions, and which scopes another one covers. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { allows, covers, parseScope, parseScopes, type ScopeLetter } from '../../../core/tokens/smart-scopes';

export const lab = Lab.script();
const { describe, it } = lab;

const lettersOf = (scope: string): string => [...(parseScope(scope)?.letters ?? [])].join('');

describe('the scopes of SMART', () => {
  it('are read in version 2 and version 1', () => {
    expect(lettersOf('patient/Observation.rs')).to.equal('rs');
    expect(lettersOf('patient/*.cruds')).to.equal('cruds');
    expect(lettersOf('patient/Observation.read')).to.equal('rs');
    expect(lettersOf('patient/Observation.write')).to.equal('cud');
    expect(lettersOf('patient/*.*')).to.equal('cruds');
    expect(parseScope('patient/*.read')).to.include({ type: '*', text: 'patient/*.read' });
  });

  it('say nothing when they are not written as the guide says', () => {
    for (const text of [
      'patient/Observation.',
      'patient/Observation.sr',
      'patient/Observation.dus',
      'patient/Observation.rr',
      'patient/observation.rs',
      'patient/.rs',
      'patient/Observation',
      'user/Observation.rs',
      'system/*.rs',
      'patient/Observation.rs?code=718-7',
      'PATIENT/Observation.rs',
      'patient/Observation.rs\n',
      'patient/__proto__.rs',
      'openid',
      '',
    ]) {
      expect(parseScope(text), text).to.be.undefined();
    }
  });

  it('let do what one of them says, and no more', () => {
    const scopes = parseScopes(
      'openid patient/Observation.r  patient/Condition.read patient/Observation.s launch/patient',
    );
    const can = (type: string, letter: ScopeLetter): boolean => allows(scopes, type, letter);
    expect(scopes.map(({ text }) => text)).to.equal([
      'patient/Observation.r',
      'patient/Condition.read',
      'patient/Observation.s',
    ]);
    expect([can('Observation', 'r'), can('Observation', 's'), can('Condition', 's')]).to.equal([true, true, true]);
    expect([can('Observation', 'c'), can('Procedure', 'r'), can('*', 'r'), can('Condition', 'd')]).to.equal([
      false,
      false,
      false,
      false,
    ]);
    expect(allows(parseScopes('patient/*.s'), 'Procedure', 's')).to.be.true();
    expect(allows([], 'Procedure', 's')).to.be.false();
  });

  it('are covered by others that let do the same, together if need be', () => {
    const ceiling = parseScopes('patient/*.r patient/Observation.cs');
    const covered = (text: string): boolean => covers(ceiling, parseScope(text)!);
    expect([covered('patient/Observation.crs'), covered('patient/Condition.r'), covered('patient/*.r')]).to.equal([
      true,
      true,
      true,
    ]);
    expect([covered('patient/Condition.rs'), covered('patient/*.rs'), covered('patient/*.read')]).to.equal([
      false,
      false,
      false,
    ]);
  });
});
