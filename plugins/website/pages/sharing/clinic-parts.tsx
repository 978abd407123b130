/** clinic-parts: what several pages say about a link for clinics: what it shows, until when, and who fetched it. */
import type { ValueOf } from '../../../../core/http/route';
import type { JSX } from 'preact';
import type { operations } from '../../http/operations';
import type { PersonVisit } from '../../http/page';
import { Form, What } from '../../parts/form';
import { Pairs, Tag } from '../../parts/layout';
import { commaSeparated } from '../../words/words';
import { circleName } from '../../words/circle-names';

type ClinicLink = ValueOf<typeof operations.links.recordClinic>['links'][number];

/** The paths of the pages, below those of a record or carenet. */
export const CLINIC_PATHS = { choose: '/clinic', code: '/clinic/{LINK_ID}' } as const;

/** A time of today as the time alone, another one with its day. */
export function timeWords({ words: { date }, now }: PersonVisit, at: string): string {
  return date(at) === date(now) ? date(at, 'clock') : date(at, 'time');
}

/** "Verona Health System fetched it at 10:42" */
export function FetchedBy({ visit, by, at }: { visit: PersonVisit; by: string; at: string }): JSX.Element {
  const isToday = visit.words.date(at) === visit.words.date(visit.now);
  const values = { by: <bdi>{by}</bdi>, when: timeWords(visit, at) };
  return <>{visit.words.rich(isToday ? 'clinic.fetched' : 'clinic.fetched-before', values)}</>;
}

export function End({ visit, base, link }: { visit: PersonVisit; base: string; link: ClinicLink }): JSX.Element {
  return (
    <Form visit={visit} action={`${base}clinic`}>
      <What name="end" />
      <input type="hidden" name="link" value={link.id} />
      <button class="button little end">
        {visit.words.say('clinic.end')}
        <span class="unseen"> {clinicName(visit, link)}</span>
      </button>
    </Form>
  );
}

function clinicName(visit: PersonVisit, { createdAt }: Pick<ClinicLink, 'createdAt'>): string {
  return visit.words.say('clinic.name', { when: timeWords(visit, createdAt) });
}

function Ends({ visit, link }: { visit: PersonVisit; link: ClinicLink }): JSX.Element {
  const { say } = visit.words;
  const when = timeWords(visit, link.expiresAt);
  if (link.over === 'used') {
    return <Tag tone="off">{say('clinic.over-used')}</Tag>;
  }
  return link.over === 'expired' ? <Tag tone="off">{say('links.over-expired', { date: when })}</Tag> : <>{when}</>;
}

/** What the link shows, until when, how often it was opened and by whom. */
export function AboutClinic({ visit, link }: { visit: PersonVisit; link: ClinicLink }): JSX.Element {
  const { say, rich } = visit.words;
  const kinds = link.terms.kinds.map((kind) => say(`clinic.kind-${kind as 'problems'}`));
  return (
    <>
      <Pairs
        pairs={[
          [
            say('links.shows'),
            link.carenetName === null
              ? say('clinic.whole')
              : rich('links.in-carenet', { carenet: <bdi>{circleName(link.carenetName, visit.words)}</bdi> }),
          ],
          [say('clinic.kinds'), commaSeparated(kinds, visit.words)],
          [say('links.ends'), <Ends visit={visit} link={link} />],
          [say('links.openings'), say('clinic.opened', { count: link.openings, most: link.terms.most })],
        ]}
      />
      {link.opened.map(({ at, by }) => (
        <p>
          <FetchedBy visit={visit} by={by} at={at} />
        </p>
      ))}
    </>
  );
}

export function ClinicRow({ visit, base, link }: { visit: PersonVisit; base: string; link: ClinicLink }) {
  return (
    <li>
      <div>
        {link.over === null ? (
          <a class="name" href={`${base}clinic/${encodeURIComponent(link.id)}`}>
            {clinicName(visit, link)}
          </a>
        ) : (
          <span class="name">{clinicName(visit, link)}</span>
        )}
        <AboutClinic visit={visit} link={link} />
      </div>
      {link.over === null && <End visit={visit} base={base} link={link} />}
    </li>
  );
}
