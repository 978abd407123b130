/**
 * leave: a page that leads on to an app by itself and by a link, because the content policy for forms stops a redirect
 * to another site.
 */
import { shown, type Answer, type Visit } from '../../http/page';
import { Only } from '../../parts/layout';

type Leaving = {
  readonly title: string;
  readonly said: string;
  /** The name of the app. */ readonly app: string;
  readonly location: string;
  /** The person may have to type this into the app, so the page stays until they go on. */ readonly verifier?: string;
};

export function leave(visit: Visit, { title, said, app, location, verifier }: Leaving): Answer {
  const { say } = visit.words;
  return shown(
    title,
    <Only title={title}>
      <p>{said}</p>
      {verifier !== undefined && (
        <>
          <p>{say('app.verifier', { app })}</p>
          <p class="code" dir="ltr">
            <b>{verifier}</b>
          </p>
        </>
      )}
      <div class="buttons">
        <a class="button first" href={location} rel="noreferrer">
          {say('app.go-on', { app })}
        </a>
      </div>
    </Only>,
    verifier === undefined ? { headers: { refresh: `0; url=${location}` } } : {},
  );
}

/** Leads back to an app that got a no. @param location the address at which it waits for the answer */
export function leaveKeptOut(visit: Visit, app: string, location: string): Answer {
  const { say } = visit.words;
  const title = say('authorize.kept-out-title', { app });
  return leave(visit, { title, said: say('authorize.kept-out', { app }), app, location });
}
