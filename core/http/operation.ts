/**
 * operation: performs one operation of an area for whichever door it was asked through: checks the access rule, checks
 * the input, runs the handler.
 */
import type Joi from 'joi';
import { permits } from '../access/rules';
import { stillPermits } from '../access/still-permits';
import { writeCall } from './audit-call';
import { effectiveId, type Principal } from '../auth/principal';
import { AppError, errors } from '../base/errors';
import { networkOf } from '../base/networks';
import type { Asker } from '../base/turns/turns';
import type { Id, PrincipalId } from '../base/types';
import { traced } from '../base/tracing';
import type { Services } from '../services';
import { translate } from '../db/db-errors';
import { foldedParams, type Query } from './read-request';
import type { Call, FormFacts, RequestFacts, RouteSpec, ValueOf } from './route';
import { auditFailure } from './to-app-error';

export type Fields = Readonly<Record<string, string>>;

/** What is noted for the audit row while an operation runs. */
export type Noted = {
  readonly documentId?: string;
  readonly recordId?: string;
  readonly carenetId?: string;
  /** The app that the call is about, where its path does not name one. */ readonly appId?: PrincipalId;
  /** A wrong secret was tried at something that stops taking tries. */ readonly guessed?: boolean;
  /** Who fetched something by a link, as they called themselves. */ readonly recipient?: string;
  /** Nothing was asked for that could be answered, so there is no row. */ readonly unrecorded?: boolean;
  /** Records of which something was read beside the one that is named: each gets a row of its own. */
  readonly recordIds?: readonly Id[];
};

type Operation = {
  readonly principal: Principal;
  /** Decoded path parameters; ids of accounts are folded to lower case here. */
  readonly params: Fields;
  readonly query: Query;
  /**
   * The fields of a form, or the bytes of another body. It is read only after the access rule has let the call pass.
   */
  readonly body: () => Fields | Buffer | undefined;
  readonly request: RequestFacts;
  /** Settles when the credentials are accepted for this one call. A call that only reads is worked on meanwhile. */
  readonly claimed: Promise<void>;
  readonly note: Call['note'];
};

function check<T>(schema: Joi.ObjectSchema<T> | undefined, value: unknown): T {
  if (!schema) {
    return value as T;
  }
  const { value: checked, error } = schema.validate(value, { convert: true, errors: { wrap: { label: false } } });
  if (error) {
    const detail = error.details[0]!;
    const name = detail.path.join('.') || 'input';
    throw ['any.required', 'string.empty'].includes(detail.type)
      ? errors.missingParameter(name)
      : errors.invalidParameter(name, detail.message.replace(`${name} `, ''));
  }
  return checked as T;
}

function checkedBody(spec: RouteSpec, body: Operation['body']): unknown {
  if (!spec.body) {
    return undefined;
  }
  return spec.body.kind === 'form' ? check(spec.body.schema, body() ?? {}) : (body() ?? Buffer.alloc(0));
}

type Performed<V> = { readonly value: V; /** The query as it was checked. */ readonly query: unknown };

/** Whose long reads those of an operation are: the principal's, or those of a stranger's network. */
function askerOf(principal: Principal, { ipAddress, onGone }: RequestFacts): Asker {
  return {
    owner: effectiveId(principal) ?? networkOf(ipAddress),
    ...(onGone ? { onGone } : {}),
  };
}

/**
 * Tests the access rule, checks the input and runs the handler. It writes no audit row: only the door knows the final
 * status.
 * @throws AppError permission_denied, an error of the input, or what the handler throws
 */
export function perform<S extends RouteSpec>(
  spec: S,
  operation: Operation,
  services: Services,
): Promise<Performed<ValueOf<S>>> {
  return traced(`operation ${spec.name}`, { 'svc.operation': spec.name }, () => performOne(spec, operation, services));
}

async function performOne<S extends RouteSpec>(
  spec: S,
  { principal, params: given, query: asked, body, request, claimed, note }: Operation,
  services: Services,
): Promise<Performed<ValueOf<S>>> {
  const params = foldedParams(given);
  if (!(await traced('access', {}, () => permits(spec.access, { principal, params, lookups: services.lookups })))) {
    throw errors.permissionDenied();
  }
  const query = check<unknown>(spec.query, asked);
  const asker = askerOf(principal, request);
  const value = (await spec.handle({
    params: check(spec.params, params),
    query,
    body: checkedBody(spec, body),
    principal,
    services:
      spec.method === 'GET'
        ? { ...services.after(claimed, asker), ...(services.once ? { once: services.once } : {}) }
        : services.admitting(stillPermits(spec.access, { principal, params }, services.clock), asker),
    request,
    note,
  })) as ValueOf<S>;
  return { value, query };
}

/** The page on which a person does something, from which a door performs its operations. */
export type Page = {
  /** Its address without its query, and without secrets. */
  readonly url: string;
  readonly method: string;
  readonly ipAddress: string;
  /** Calls the listener once nobody waits for the page any more. */ readonly onGone?: Asker['onGone'];
  /** When its request arrived, in milliseconds. */
  readonly received: number;
  /** The app as which the door acts; the row names it as the proxied principal of a person. */
  readonly appId: PrincipalId;
};

/** What a page sends with an operation. */
export type Asked = {
  readonly principal: Principal;
  readonly params?: Fields;
  readonly query?: Fields;
  /** The fields of a form, or bytes with their media type. */
  readonly body?: Fields | Buffer;
  readonly mediaType?: string;
  readonly ifMatch?: string;
  readonly form?: FormFacts;
  readonly invites?: boolean;
};

const FORM_TYPE = 'application/x-www-form-urlencoded';
const now = Promise.resolve();

function requestFactsOf(
  { body, mediaType, ifMatch = '', form, invites = false }: Asked,
  { url, ipAddress, onGone }: Page,
): RequestFacts {
  return {
    isHead: false,
    accept: '',
    mediaType: mediaType ?? (body === undefined || Buffer.isBuffer(body) ? '' : FORM_TYPE),
    mediaParameters: '',
    ifNoneMatch: '',
    ifMatch,
    ...(form ? { form } : {}),
    invites,
    url,
    ipAddress,
    ...(onGone ? { onGone } : {}),
    authorization: '',
  };
}

function statusOfFailure(failure: unknown): number {
  const known = translate(failure);
  return known instanceof AppError ? known.status : 500;
}

/**
 * Performs an operation for a door whose pages are made of several of them. Each operation leaves an audit row under
 * its own name, with the page's address, before its value is returned.
 * @throws AppError as `perform` does; `auditFailure` when the row cannot be written
 */
export async function operate<S extends RouteSpec>(
  spec: S,
  asked: Asked,
  page: Page,
  services: Services,
): Promise<ValueOf<S>> {
  let noted: Noted = {};
  const params = foldedParams(asked.params ?? {});
  const leaveRow = async (status: number): Promise<void> => {
    if (spec.page) {
      return;
    }
    const { recordIds = [], ...own } = noted;
    const write = (one: Noted): Promise<void> =>
      writeCall(services, {
        spec,
        params,
        noted: one,
        principal: asked.principal,
        consumerKey: page.appId,
        method: page.method,
        ipAddress: page.ipAddress,
        status,
        contentType: 'text/html',
        received: page.received,
        door: { url: page.url, appId: page.appId },
      });
    try {
      await Promise.all([own, ...recordIds.map((recordId) => ({ ...own, recordId }))].map(write));
    } catch (error) {
      services.log.error({ error: (error as Error).name, route: spec.name }, 'the audit row cannot be written');
      throw auditFailure(error);
    }
  };
  let performed: Performed<ValueOf<S>>;
  try {
    performed = await perform(
      spec,
      {
        principal: asked.principal,
        params,
        query: asked.query ?? {},
        body: () => asked.body,
        request: requestFactsOf(asked, page),
        claimed: now,
        note: (more) => {
          noted = { ...noted, ...more };
        },
      },
      services,
    );
  } catch (error) {
    await leaveRow(statusOfFailure(error));
    throw error;
  }
  await leaveRow(200);
  return performed.value;
}
