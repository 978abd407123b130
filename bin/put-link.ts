/** put-link: fetches a health link or card for `svc put --link`, and asks whether it may be stored. */
import { AppError, SetupError } from '../core/base/errors';
import { mediaTypeOf } from '../core/documents/media-type';
import { operator } from '../core/accounts/operator';
import { otherPerson } from '../core/records/other-person';
import { findDemographics } from '../core/records/store';
import { receive, type ReceivedFile } from '../core/received/receive';
import type { Services } from '../core/services';

export type LinkOptions = { readonly link?: string; readonly passcode?: string; readonly yes?: boolean };

type Linking = { readonly services: Services; readonly recordId: string; readonly options: LinkOptions };

/** @returns whether it was stored */
type Store = (file: string, bytes: Buffer, cameFrom: string) => Promise<boolean>;

/** @throws SetupError with the step at which it went wrong */
async function fetchLink({ services, options }: Linking): Promise<readonly ReceivedFile[]> {
  const { clock, config } = services;
  try {
    return await receive({
      text: options.link ?? '',
      passcode: options.passcode ?? '',
      recipient: config.name,
      now: clock.now(),
      allowPrivate: config.callbackAllowPrivate,
    });
  } catch (error) {
    throw error instanceof AppError ? new SetupError([error.message]) : error;
  }
}

/** What has to be confirmed by `--yes`. */
async function doubtsOf({ services, recordId }: Linking, { bytes, signature, from }: ReceivedFile) {
  const { read } = await services.pipeline.read({ bytes, mediaType: mediaTypeOf(bytes), principal: operator });
  const person = (await findDemographics(services.database.reads, recordId))?.values ?? {};
  const isOther = read.about !== undefined && otherPerson(read.about, person) !== undefined;
  return [
    ...(isOther ? ['it is about somebody else than the person of the record'] : []),
    ...(signature === 'wrong' ? [`it says that ${from} signed it, but the signature is wrong`] : []),
  ];
}

/** Fetches all, and stores either all of it or nothing. @throws SetupError */
export async function putLink(linking: Linking, store: Store): Promise<{ stored: number; refused: number }> {
  const files = await fetchLink(linking);
  if (linking.options.yes !== true) {
    const doubts: string[] = [];
    for (const file of files) {
      doubts.push(...(await doubtsOf(linking, file)));
    }
    if (doubts.length > 0) {
      throw new SetupError([...new Set(doubts), 'store it nevertheless with --yes']);
    }
  }
  const count = { stored: 0, refused: 0 };
  for (const { name, bytes, from } of files) {
    count[(await store(name, bytes, from)) ? 'stored' : 'refused'] += 1;
  }
  return count;
}
