/** failures: why nothing came of a link that a person was given: at which step, and what is known of it (pure). */
import { AppError } from '../base/errors';

/** The steps, in their order, and what is said of each. */
const sentences = {
  none: 'This is not a link or code with health data.',
  flags: 'This is not a link that can be read: what it says of itself cannot be.',
  expired: 'The link expired on {detail}.',
  passcode: 'The link asks for its passcode.',
  wrong: 'The passcode is wrong. Tries that remain: {detail}.',
  closed: 'The link leads to an address that is not public.',
  gone: 'What the link leads to is gone.',
  unreachable: 'What the link leads to did not answer as it should.',
  large: 'What the link leads to is too large.',
  sealed: 'What the link leads to cannot be decrypted.',
  empty: 'There is no health data behind the link.',
  busy: 'Another link is being fetched.',
} as const;

type LinkStep = keyof typeof sentences;

export class LinkRefused extends AppError {
  constructor(
    readonly step: LinkStep,
    /** A day, or a number of tries. */ readonly detail = '',
  ) {
    super(step === 'busy' ? 409 : 400, `link_${step}`, sentences[step].replace('{detail}', detail));
  }
}
