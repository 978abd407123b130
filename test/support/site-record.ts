/**
 * site-record: a record with documents of several kinds, its owner and a member of one of its carenets in their
 * browsers.
 */
import { readFileSync } from 'node:fs';
import { inProject } from '../../core/base/paths';
import { makeSite, readable, type Site } from './site';
import type { TestService } from './server';
import { attribute, createAccount, createRecord, PASSWORD, signIn, succeeded } from './world';
import type { Credentials } from './client';

export const OWNER = 'olga@people.example';
export const MEMBER = 'anna@people.example';
export const STRANGER = 'paul@people.example';

export type SiteRecord = {
  readonly recordId: string;
  readonly carenetId: string;
  readonly owner: Site;
  readonly member: Site;
  readonly stranger: Site;
  /** Credentials of the owner. */ readonly credentials: Exclude<Credentials, null>;
  /** Stores a document and resolves to its id. */
  readonly store: (body: string) => Promise<string>;
};

export const enterSite = async ({ running }: TestService, id: string, language = 'en'): Promise<Site> => {
  const site = makeSite(running.server, language);
  const page = await site.submit(await site.open('/my/sign-in'), { username: id, password: PASSWORD });
  if (!site.cookies.has('svc_session')) {
    throw new Error(readable(page));
  }
  return site;
};

/** A sample of a bundled format. */
export const sample = ({ services }: TestService, path: string): string =>
  readFileSync(inProject('pipeline-config', path), 'utf8').replaceAll('{vocab_base}', services.config.vocabBase);

/** One fact with its fields, as SDMX. */
export const factOf = (model: string, fields: Readonly<Record<string, string>>): string =>
  `<Model name="${model}">${Object.entries(fields)
    .map(([name, value]) => `<Field name="${name}">${value}</Field>`)
    .join('')}</Model>`;

export const factsDocument = ({ services }: TestService, ...facts: readonly string[]): string =>
  `<Models xmlns="${services.config.vocabBase}/xml/documents#">${facts.join('')}</Models>`;

export const makeSiteRecord = async (service: TestService): Promise<SiteRecord> => {
  const { call } = service;
  await createAccount(call, OWNER, 'Olga Openshaw');
  await createAccount(call, MEMBER, 'Anna Berg');
  await createAccount(call, STRANGER, 'Paul Other');
  const recordId = await createRecord(call, OWNER, 'Mira', 'Halvorsen');
  const credentials = await signIn(call, OWNER);
  const carenets = succeeded(await call(credentials, 'GET', `/records/${recordId}/carenets/`)).text;
  const carenetId = attribute(/<Carenet\b[^>]*name="Family"[^>]*>/.exec(carenets)![0], 'Carenet', 'id');
  succeeded(
    await call(credentials, 'POST', `/carenets/${carenetId}/accounts/`, {
      form: { account_id: MEMBER, write: 'false' },
    }),
  );
  return {
    recordId,
    carenetId,
    credentials,
    owner: await enterSite(service, OWNER),
    member: await enterSite(service, MEMBER),
    stranger: await enterSite(service, STRANGER),
    store: async (body) =>
      attribute(
        succeeded(await call(credentials, 'POST', `/records/${recordId}/documents/`, { body })).text,
        'Document',
        'id',
      ),
  };
};
