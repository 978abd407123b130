/**
 * as-itself: the operations that only apps may call and that the website calls as itself. Read this file first when you
 * review the website: before the website does any of this for a person, the page has checked that the person may do it.
 */
import { asking, type Input, type ValueOfOperation } from './operations';
import type { CallingApp } from '../../../core/auth/principal';
import type { Page } from '../../../core/http/operation';
import { WEBSITE_APP } from '../../../core/apps/website-app';
import type { Services } from '../../../core/services';

/** The app that the website is, as its manifest names it. */
export const WEBSITE = WEBSITE_APP;

export const asItself = [
  'record_create',
  'record_set_owner',
  'account_create',
  'account_initialize',
  'account_check_secrets',
  'account_authsystem_add',
  'account_password_set',
  'account_forgotten',
  'account_sign_up',
  'session_create',
  'record_send_message',
] as const;

type AsItself = (typeof asItself)[number];

export type AskAsItself = <N extends AsItself>(name: N, input?: Input) => Promise<ValueOfOperation<N>>;

const website: CallingApp = { id: WEBSITE, kind: 'ui', autonomous: false };

export function askingAsItself(page: Page, services: Services): AskAsItself {
  const ask = asking({ kind: 'app', app: website }, page, services);
  return ((name: AsItself, input?: Input) => {
    if (!asItself.includes(name)) {
      throw new Error(`the website does not call ${name} as itself`);
    }
    return ask.any(name, input);
  }) as AskAsItself;
}
