/** take-resources: everything in a record as the text of one Bundle, the same that `$everything` answers. */
import { WEBSITE_APP } from '../../../core/apps/website-app';
import type { AccountPrincipal, SmartPrincipal } from '../../../core/auth/principal';
import type { InRecord } from '../../../core/http/inputs';
import type { Call } from '../../../core/http/route';
import { parseScopes } from '../../../core/tokens/smart-scopes';
import { askingOf, atLengthIfLarge, fhirBase } from '../asking';
import { bundlePieces } from '../bundle-pieces';
import { everything } from '../read/everything';
import { readShown } from '../search/search-query';

/** The person, as the FHIR door knows those who may see a whole record. */
function eyesOf(accountId: string, recordId: string): SmartPrincipal {
  return {
    kind: 'access_token',
    app: { id: WEBSITE_APP, kind: 'ui', autonomous: false },
    accountId,
    recordId,
    carenetId: null,
    tokenHash: '',
    accountInControl: true,
    scopes: parseScopes('patient/*.rs'),
  };
}

async function* piecesFor({ services, principal, params, request }: Call<InRecord>): AsyncGenerator<string> {
  const { RECORD_ID: recordId } = params;
  const eyes = eyesOf((principal as AccountPrincipal).accountId, recordId);
  const own = await askingOf({ services, principal: eyes, request });
  const asking = await atLengthIfLarge(own);
  const base = fhirBase(services);
  const told = { self: `${base}/Patient/${recordId}/$everything`, shown: readShown(new URLSearchParams()), unused: [] };
  yield* bundlePieces(base, 'json', told, everything(asking, { types: [], since: '' }));
}

/** The Bundle as JSON, read portion by portion while it is taken. */
export function takeResources(call: Call<InRecord>): Promise<AsyncGenerator<string>> {
  return Promise.resolve(piecesFor(call));
}
