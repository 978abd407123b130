/**
 * as-itself: the operations that only apps may call and that the website calls as itself. Read this file first when you
 * review the website: before the website does any of this for a person, the page has checked that the person may do it.
 */
import { asking, operations, type Input } from './operations';
import type { CallingApp } from '../../../core/auth/principal';
import type { Page } from '../../../core/http/operation';
import type { RouteSpec, ValueOf } from '../../../core/http/route';
import { WEBSITE_APP } from '../../../core/apps/website-app';
import type { Services } from '../../../core/services';

/** The app that the website is, as its manifest names it. */
export const WEBSITE = WEBSITE_APP;

export const asItself = [
  operations.records.recordCreate,
  operations.records.recordSetOwner,
  operations.accounts.accountCreate,
  operations.accounts.accountInitialize,
  operations.accounts.accountCheckSecrets,
  operations.accounts.accountAuthsystemAdd,
  operations.accounts.accountPasswordSet,
  operations.accounts.accountForgotten,
  operations.accounts.accountSignUp,
  operations.oauth.sessionCreate,
  operations.messaging.recordSendMessage,
] as const;

type AsItself = (typeof asItself)[number];

export type AskAsItself = <S extends AsItself>(operation: S, input?: Input) => Promise<ValueOf<S>>;

const website: CallingApp = { id: WEBSITE, kind: 'ui', autonomous: false };

export function askingAsItself(page: Page, services: Services): AskAsItself {
  const ask = asking({ kind: 'app', app: website }, page, services);
  return (operation, input) => {
    if (!(asItself as readonly RouteSpec[]).includes(operation)) {
      throw new Error(`the website does not call ${operation.name} as itself`);
    }
    return ask(operation, input);
  };
}
