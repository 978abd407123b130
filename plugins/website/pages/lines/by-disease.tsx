/**
 * by-disease: the vaccinations that are written down, under each disease that they are against. Nothing is said to be
 * due, and a source without a status does not say that it was given.
 */
import type { JSX } from 'preact';
import type { Model } from '../../../../core/facts/model/model';
import type { Line } from '../../../../core/lines/lines';
import type { PersonVisit } from '../../http/page';
import { EndLines, Part } from '../../parts/layout';
import { againstOf } from '../../words/diseases';
import { text } from '../../words/facts';
import { lineDay, shownFact } from './line-words';

type Props = {
  readonly visit: PersonVisit;
  readonly base: string;
  readonly model: Model;
  readonly lines: readonly Line[];
};

type Dose = {
  readonly line: Line;
  readonly title: string;
  /** When it was, in the words of a source that has no date: "as a child". */ readonly dateInWords: string;
};

/** The doses that nobody refused, plans or disputes, by disease; under the name of the vaccine where nothing says the disease. */
function dosesByDisease({ visit, model, lines }: Props): ReadonlyMap<string, readonly Dose[]> {
  const { words } = visit;
  const doses = new Map<string, Dose[]>();
  for (const line of lines.filter(({ standing, isPlanned }) => standing === 'open' && !isPlanned)) {
    const fact = shownFact(model, line.shown);
    const title = String(fact['product_name_title'] ?? '');
    const dose = { line, title, dateInWords: text(fact['date_in_words']) };
    for (const name of againstOf(fact, words)) {
      doses.set(name, [...(doses.get(name) ?? []), dose]);
    }
  }
  return new Map([...doses].sort(([one], [other]) => one.localeCompare(other, words.locale)));
}

function DoseLink({ visit, base, model, dose: { line, title, dateInWords } }: Props & { readonly dose: Dose }) {
  const said = lineDay(model, line, visit) || dateInWords || visit.words.say('diseases.undated');
  return (
    <a href={`${base}list/${model.name}/${line.id}`} title={title}>
      {said}
    </a>
  );
}

/** A row for each disease with the days of its doses, the newest first. */
export function ByDisease(props: Props): JSX.Element | null {
  const { say } = props.visit.words;
  const doses = dosesByDisease(props);
  return doses.size === 0 ? null : (
    <Part title={say('diseases.title')} hint={say('diseases.hint')}>
      <ul class="list">
        {[...doses].map(([name, given]) => (
          <li>
            <div>
              <span class="name">
                <bdi>{name}</bdi>
              </span>
              <p class="line-links">
                {[...given]
                  .sort((one, other) => (one.line.first < other.line.first ? 1 : -1))
                  .map((dose) => (
                    <DoseLink {...props} dose={dose} />
                  ))}
              </p>
            </div>
            <EndLines texts={[say('diseases.doses', { count: given.length })]} />
          </li>
        ))}
      </ul>
    </Part>
  );
}
