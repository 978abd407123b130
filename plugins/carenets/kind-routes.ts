/** kind-routes: the kinds of facts that a carenet sees, whatever document they came in. */
import { carenetFullControl } from '../../core/access/rules';
import { inCarenet, inPath, rawQuery } from '../../core/http/inputs';
import { ok } from '../../core/http/replies';
import { route } from '../../core/http/route';
import { listKinds, setKind, unsetKind } from './kinds';
import { kindList } from './serialize';

const inKind = inPath('CARENET_ID', 'KIND');

export const operations = {
  carenetKinds: route({
    name: 'carenet_kinds',
    method: 'GET',
    path: '/carenets/{CARENET_ID}/kinds/',
    summary: 'List the kinds of facts that a carenet sees, whatever document they came in',
    access: carenetFullControl,
    params: inCarenet,
    query: rawQuery,
    reply: kindList,
    handle: listKinds,
  }),
  carenetKindSet: route({
    name: 'carenet_kind_set',
    method: 'PUT',
    path: '/carenets/{CARENET_ID}/kinds/{KIND}',
    summary: 'Give a carenet all facts of a kind, present and future; their documents stay closed',
    access: carenetFullControl,
    params: inKind,
    reply: ok,
    handle: setKind,
  }),
  carenetKindUnset: route({
    name: 'carenet_kind_unset',
    method: 'DELETE',
    path: '/carenets/{CARENET_ID}/kinds/{KIND}',
    summary: 'End that; documents that the carenet contains stay in it',
    access: carenetFullControl,
    params: inKind,
    reply: ok,
    handle: unsetKind,
  }),
};

export const kindRoutes = Object.values(operations);
