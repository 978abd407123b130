/** app-parts: the text about an app before it is let in: its own words, and what it will and will not be able to do. */
import type { JSX } from 'preact';
import type { Visit } from '../../http/page';
import { Icon } from '../../parts/icons';
import { Part } from '../../parts/layout';

/** What a manifest says about an app. */
type AppWords = {
  readonly name: string;
  readonly description: string;
  readonly author: string;
  readonly autonomous: boolean;
  readonly autonomousReason: string | null;
};

/** The host on which an app runs; empty for a text that is not an address. */
export function hostOf(address: string | null): string {
  return address !== null && URL.canParse(address) ? new URL(address).host : '';
}

/** Who makes an app and where it runs. */
export function MadeBy({
  visit,
  app,
  host,
}: {
  readonly visit: Visit;
  readonly app: AppWords;
  readonly host: string;
}): JSX.Element {
  const text = `app.${app.author === '' ? 'unsigned' : 'made'}-${host === '' ? 'nowhere' : 'at'}`;
  return (
    <>
      {visit.words.rich(text, {
        author: <bdi>{app.author}</bdi>,
        b: () => (
          <b class="together" dir="ltr">
            {host}
          </b>
        ),
      })}
    </>
  );
}

/** Why the app wants access, in the words of its maker. */
export function AppReason({ visit, app }: { readonly visit: Visit; readonly app: AppWords }): JSX.Element {
  const { say, rich } = visit.words;
  const quoted = (text: string) => <p>{rich('app.quoted', { words: <bdi>{text}</bdi> })}</p>;
  return (
    <>
      {app.description !== '' && quoted(app.description)}
      {app.autonomous && (
        <>
          <p>
            <b>{say('app.alone')}</b>
          </p>
          {app.autonomousReason && quoted(app.autonomousReason)}
        </>
      )}
      <p class="soft small">{say('app.makers-words')}</p>
    </>
  );
}

export function Signs({ off, texts }: { readonly off?: boolean; readonly texts: readonly string[] }): JSX.Element {
  return (
    <ul class={off ? 'signs off' : 'signs'}>
      {texts.map((text) => (
        <li>
          <Icon name={off ? 'never' : 'done'} />
          <span>{text}</span>
        </li>
      ))}
    </ul>
  );
}

/** @param parts whether a carenet can be chosen instead of a whole record */
export function AppRights({
  visit,
  app,
  parts,
}: {
  readonly visit: Visit;
  readonly app: AppWords;
  readonly parts: boolean;
}): JSX.Element {
  const { say } = visit.words;
  const can = app.autonomous
    ? ['app.can-read-always', 'app.can-add-always']
    : [parts ? 'app.can-read-chosen' : 'app.can-read-all', parts ? 'app.can-add-chosen' : 'app.can-add'];
  return (
    <>
      <Part title={say('app.can')}>
        <Signs texts={can.map((text) => say(text))} />
      </Part>
      <Part title={say('app.cannot')}>
        <Signs off texts={['share', 'delete', 'password'].map((text) => say(`app.cannot-${text}`))} />
      </Part>
    </>
  );
}
