/** operator: the principal that acts from the command line, as documents, records and audits name it. */
import type { AppPrincipal } from '../auth/principal';
import { toTimestamp } from '../base/clock';
import type { Services } from '../services';
import { isDuplicate } from '../db/db-errors';
import { insertPrincipal } from './principals-store';

/**
 * No account or app can have this id, because theirs are shaped like e-mail addresses; and nobody can sign requests
 * with it.
 */
export const OPERATOR = 'operator';

export const operator: AppPrincipal = { kind: 'app', app: { id: OPERATOR, kind: 'admin', autonomous: false } };

/** Stores the operator as a principal, to which rows of other tables refer. */
export async function ensureOperator({ database, clock }: Pick<Services, 'database' | 'clock'>): Promise<void> {
  if (await database.reads('principal').where({ id: OPERATOR }).first('id')) {
    return;
  }
  try {
    await database.transaction((trx) =>
      insertPrincipal(trx, {
        id: OPERATOR,
        kind: 'adminapp',
        name: 'Operator (command line)',
        createdAt: toTimestamp(clock.now()),
        createdBy: null,
      }),
    );
  } catch (error) {
    // Another command has stored it first.
    if (!isDuplicate(error)) {
      throw error;
    }
  }
}
