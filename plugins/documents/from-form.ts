/** from-form: what a form of a door says beside its document, done in the transaction that stores it: once, or not at all. */
import { toTimestamp } from '../../core/base/clock';
import { errors } from '../../core/base/errors';
import type { Call } from '../../core/http/route';
import type { CreateInput } from '../../core/pipeline/document-pipeline';
import { formHash } from './kept-files';
import { requireLabel } from './lineage';

/** @throws errors.duplicate in the transaction when the form was used before; errors.invalidBody for a label that is too long */
export const fromForm = ({ request: { form }, principal, services }: Call): Pick<CreateInput, 'within'> => {
  if (!form) {
    return {};
  }
  const { stores, clock, config } = services;
  const label = form.label === undefined ? undefined : requireLabel(form.label);
  return {
    within: async (trx, stored) => {
      const used = await stores.forms.useForm(trx, {
        formHash: formHash(principal, stored.recordId, form.token),
        documentId: stored.id,
        // Its crumb is good for no longer.
        expiresAt: toTimestamp(clock.now() + config.sessionMaxSeconds * 1000),
      });
      if (!used) {
        throw errors.duplicate('The form');
      }
      if (label !== undefined) {
        await stores.documents.setLabel(trx, stored.lineageId, label);
      }
      if (form.nevershare) {
        await stores.documents.setNevershare(trx, stored.lineageId, true);
      }
    },
  };
};
