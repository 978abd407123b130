/**
 * verify-header: checks the header that the website appends to an app's start address, as an app does: it signs it
 * again and compares.
 */
import { expect } from '@hapi/code';
import { createHmac } from 'node:crypto';
import type { Signer } from '../../core/auth/sign';

const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);

/** Fails unless the signature was made with the app's secret; returns the parameters of the header. */
export const verifiesAs = (address: URL, { consumer }: Signer): Readonly<Record<string, string>> => {
  const header = address.searchParams.get('oauth_header') ?? '';
  const given = Object.fromEntries(
    [...header.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name!, decodeURIComponent(value!)]),
  );
  const { oauth_signature: signature, realm: _realm, ...signed } = given;
  const pairs = Object.entries(signed)
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort();
  const base = ['GET', encode(`${address.origin}${address.pathname}`), encode(pairs.join('&'))].join('&');
  const expected = createHmac('sha1', `${encode(consumer.secret)}&`)
    .update(base)
    .digest('base64');
  expect(signature).to.equal(expected);
  return given;
};
