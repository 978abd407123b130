/** shared-patients: lists the Patients of all records that were shared with an app that acts by itself. */
import * as sharedStore from '../../../core/apps/shared-records-store';
import { errors } from '../../../core/base/errors';
import type { Call } from '../../../core/http/route';
import { askingOf, type Asking } from '../asking';
import type { InType } from '../read/reading';
import { ownReaders } from '../read/own-types';
import { openPage, sealPage } from './next-pages';
import type { Found, Searched } from './searcher';
import { formOnly, readSearch, shownName } from './search-query';

/** The most Patients of a page. */
const MOST = 50;

const OF = 'shared Patients';
type NextPage = { readonly after: string };

/** @throws errors.invalidParameter for a condition: a list that left it out would name other people */
function refuseConditions(asked: URLSearchParams): void {
  const other = [...asked.keys()].find((name) => !['_count', '_page', ...formOnly].includes(name));
  if (other !== undefined) {
    throw errors.invalidParameter(shownName(other), 'the list of all Patients takes no conditions: name one by _id');
  }
}

/** A page of the Patients, and an audit row in each of their records. @throws errors.invalidParameter */
export async function listSharedPatients(call: Call<InType, Searched>, asking: Asking): Promise<Found> {
  const { services, principal } = asking;
  const asked = new URLSearchParams(call.query.search);
  refuseConditions(asked);
  const sealed = asked.get('_page');
  asked.delete('_page');
  const { after } = sealed === null ? { after: '' } : openPage<NextPage>(asking, OF, sealed);
  const query = readSearch(asked, {
    supported: new Map(),
    sortable: [],
    includes: [],
    reverseIncludes: [],
    strict: call.query.strict,
  });
  const count = Math.max(1, Math.min(query.count, MOST));
  const ids = await sharedStore.listShared(services.database.reads, principal.app.id, after, count + 1);
  const shown = ids.slice(0, count);
  const found = await Promise.all(
    shown.map(async (recordId) =>
      ownReaders['Patient']!.read(await askingOf({ ...call, principal: { ...principal, recordId } }), recordId),
    ),
  );
  call.note({ recordIds: shown });
  const last = ids.length > count ? shown.at(-1) : undefined;
  return {
    matches: found.filter((one) => one !== undefined),
    included: [],
    total: undefined,
    next: last,
    nextPage: last === undefined ? undefined : sealPage(asking, OF, { after: last } satisfies NextPage),
    query,
  };
}
