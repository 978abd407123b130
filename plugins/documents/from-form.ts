/**
 * from-form: what a form of a door says of the document that it adds. A form can be used once: the transaction that
 * stores the document notes its use.
 */
import { toTimestamp } from '../../core/base/clock';
import { errors } from '../../core/base/errors';
import type { Call } from '../../core/http/route';
import type { CreateInput } from '../../core/pipeline/document-pipeline';
import { deviceFormHash, formHash } from '../../core/files/form-hash';
import * as documentStore from '../../core/documents/store';
import * as formStore from '../../core/records/forms-store';

/** How long it is known what a device has sent. */
const DEVICE_SECONDS = 400 * 86_400;

/**
 * @throws errors.duplicate in the transaction when the form was used before; errors.invalidBody for a label that is too
 * long
 */
export function fromForm({
  request: { form },
  principal,
  services,
}: Call): Pick<CreateInput, 'within' | 'label' | 'nevershare' | 'leaving'> {
  if (!form) {
    return {};
  }
  const { clock, config } = services;
  return {
    ...(form.label === undefined ? {} : { label: requireLabel(form.label) }),
    ...(form.nevershare ? { nevershare: true } : {}),
    ...(form.leavesOut ? { leaving: form.leavesOut } : {}),
    within: async (trx, stored) => {
      const used = await formStore.useForm(trx, {
        formHash: (form.device ? deviceFormHash : formHash)(principal, stored.recordId, form.token),
        madeId: stored.id,
        kept: form.kept ?? false,
        // After this time the form's own token has expired, too, and no device has kept anything as long.
        expiresAt: toTimestamp(clock.now() + (form.device ? DEVICE_SECONDS : config.sessionMaxSeconds) * 1000),
      });
      if (!used) {
        throw errors.duplicate('The form');
      }
      if (form.cameFrom !== undefined) {
        await documentStore.setCameFrom(trx, stored.id, form.cameFrom);
      }
    },
  };
}
const LONGEST_LABEL = 100;
/** @throws errors.invalidBody for one that is too long */
export function requireLabel(text: string): string | null {
  const label = text.trim();
  if ([...label].length > LONGEST_LABEL) {
    throw errors.invalidBody(`a label can have ${LONGEST_LABEL} characters`);
  }
  return label === '' ? null : label;
}
