/**
 * received-links: fetches what a person was given as a link or code. It comes back as files, which are looked at like
 * those that are sent; nothing is stored.
 */
import { effectiveId } from '../../core/auth/principal';
import type { InRecord } from '../../core/http/inputs';
import type { Call } from '../../core/http/route';
import { LinkRefused } from '../../core/received/failures';
import { receive, type ReceivedFile } from '../../core/received/receive';

export type LinkToFetch = { link: string; passcode: string };
export type Received = { readonly files: readonly ReceivedFile[] };

/** Who is fetching now: one link per person at a time. */
const fetching = new Set<string>();

/** @throws LinkRefused */
export async function receiveLink(call: Call<InRecord, unknown, LinkToFetch>): Promise<Received> {
  const { body, principal, services } = call;
  const { clock, config } = services;
  const person = effectiveId(principal) ?? '';
  if (fetching.has(person)) {
    throw new LinkRefused('busy');
  }
  fetching.add(person);
  try {
    const files = await receive({
      text: body.link,
      passcode: body.passcode,
      recipient: config.name,
      now: clock.now(),
      allowPrivate: config.callbackAllowPrivate,
    });
    return { files };
  } finally {
    fetching.delete(person);
  }
}
