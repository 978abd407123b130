/** overview-vaccines: the vaccinations of the overview: a row for each disease, with the newest dose and how many. */
import type { JSX } from 'preact';
import type { Model } from '../../../../core/facts/model/model';
import type { PersonVisit } from '../../http/page';
import { EndLines, Line, Tag } from '../../parts/layout';
import { againstOf } from '../../words/diseases';
import { factDate, factLine, factTitle, text } from '../../words/facts';
import { missingWords } from '../../words/said-once';
import { statusWords, withoutStatus } from '../../words/standing';
import type { Entry } from './overview-lines';

/** The doses against one disease, or of one vaccine that no disease is known of, the newest first. */
type Doses = { readonly name: string; readonly given: readonly [Entry, ...Entry[]] };

/** The doses by disease, in the order of the entries. @param entries the newest first */
export function dosesOf(entries: readonly Entry[], { words }: PersonVisit): readonly Doses[] {
  const doses = new Map<string, [Entry, ...Entry[]]>();
  for (const entry of entries) {
    for (const name of againstOf(entry.fact, words)) {
      const known = doses.get(name);
      if (known) {
        known.push(entry);
      } else {
        doses.set(name, [entry]);
      }
    }
  }
  return [...doses].map(([name, given]) => ({ name, given }));
}

type Props = {
  readonly visit: PersonVisit;
  readonly model: Model;
  readonly doses: Doses;
  /** Where the newest dose is said. */ readonly to: string | undefined;
};

/** "Influenza, 9 October 2023, 3 doses", with the vaccine of the newest dose; of a single one, in how many documents. */
export function DosesRow({ visit: { words }, model, doses: { name, given }, to }: Props): JSX.Element {
  const [{ fact, missingSince, line: newest }] = given;
  const vaccine = factTitle(model, fact, words);
  const status = statusWords(model, fact, words);
  const line = factLine(model, withoutStatus(fact), words);
  const undated = text(fact['date_in_words']) === '' ? words.say('diseases.undated') : '';
  const missing = missingWords(missingSince, words);
  return (
    <li data-kind={model.name} data-id={fact.__id__}>
      <div>
        <a class="name" href={to}>
          <bdi>{name}</bdi>
        </a>
        {vaccine !== name && text(vaccine) !== '' && (
          <p class="by">
            <bdi>{vaccine}</bdi>
          </p>
        )}
        <Line text={line} />
        {missing !== '' && <p class="by">{missing}</p>}
        {given.some(({ line }) => line.conflict) && <Tag tone="alert">{words.say('lines.differ')}</Tag>}
      </div>
      <EndLines
        texts={[
          factDate(model, fact, words, 'day') || undated,
          status === '' ? '' : words.say('overview.status', { status }),
          given.length > 1 ? words.say('diseases.doses', { count: given.length }) : '',
          given.length === 1 && newest.sources > 1 ? words.say('overview.said-in', { count: newest.sources }) : '',
        ]}
      />
    </li>
  );
}
