/**
 * shown-before: a field by which a form proves that its page was shown to this session. The first press of its button
 * may have deleted what the form is about. The second press then gets the same answer as the first, and somebody to
 * whom the page was not shown learns nothing.
 */
import type { JSX } from 'preact';
import { sha256 } from '../../../core/base/ids';
import type { PersonVisit } from './page';

/**
 * Proves that this session was shown the page: only the service knows the hash of the session.
 * @param id names what the form is about
 */
function proofOf({ person }: PersonVisit, id: string): string {
  return sha256(JSON.stringify(['shown', person.principal.sessionHash, id]));
}

export function ShownBefore({ visit, id }: { readonly visit: PersonVisit; readonly id: string }): JSX.Element {
  return <input type="hidden" name="shown" value={proofOf(visit, id)} />;
}

export function wasShown(visit: PersonVisit, id: string): boolean {
  return visit.form.text('shown') === proofOf(visit, id);
}
