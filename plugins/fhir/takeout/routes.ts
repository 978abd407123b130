/** routes: what a person takes along as FHIR. Only doors call it. */
import { fullControl } from '../../../core/access/rules';
import { inRecord } from '../../../core/http/inputs';
import { behindDoors } from '../../../core/http/replies';
import { route } from '../../../core/http/route';
import { takeResources } from './take-resources';

export const operations = {
  recordResources: route({
    name: 'record_resources',
    method: 'GET',
    path: '/records/{RECORD_ID}/resources',
    summary: 'Take everything in a record along as a Bundle of FHIR; for those who have the whole record',
    access: fullControl,
    params: inRecord,
    reply: behindDoors<AsyncGenerator<string>>(),
    handle: takeResources,
  }),
};
