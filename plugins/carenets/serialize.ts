/** serialize: members, permissions and autoshares as XML. */
import { xml } from '../../core/http/replies';
import type { Serializer } from '../../core/http/route';
import { carenetElement } from '../../core/sharing/carenet-element';
import type { Autoshare, CarenetMember } from '../../core/sharing/store';
import { element } from '../../core/xml/write';
import type { ShownKind } from './kinds';

export const memberList: Serializer<readonly CarenetMember[]> = xml('CarenetAccounts', (members) =>
  element(
    'CarenetAccounts',
    {},
    members.map(({ accountId, fullName, canWrite }) =>
      element('CarenetAccount', { id: accountId, fullName, write: canWrite }),
    ),
  ),
);

/** `Permissions`: on documents of all types alike. */
export const permissionsReply: Serializer<{ readonly write: boolean }> = xml('Permissions', ({ write }) =>
  element('Permissions', {}, [element('DocumentType', { type: '*', write })]),
);

/** `DocumentSchemas`: the carenets of each autoshared type. */
export const autoshareList: Serializer<readonly Autoshare[]> = xml('DocumentSchemas', (autoshares) => {
  const types = [...new Set(autoshares.map(({ type }) => type))];
  return element(
    'DocumentSchemas',
    {},
    types.map((type) =>
      element(
        'DocumentSchema',
        { type },
        autoshares.filter((autoshare) => autoshare.type === type).map(({ carenet }) => carenetElement(carenet)),
      ),
    ),
  );
});

/** `Kinds`: those that the carenet was given. */
export const kindList: Serializer<readonly ShownKind[]> = xml('Kinds', (kinds) =>
  element(
    'Kinds',
    {},
    kinds.map(({ name, ask }) => element('Kind', { name, ask })),
  ),
);
