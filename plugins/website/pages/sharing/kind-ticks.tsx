/** kind-ticks: ticks for the kinds of facts that one person sees, whatever paper they came in. */
import type { ValueOf } from '../../../../core/http/route';
import type { JSX } from 'preact';
import type { operations } from '../../http/operations';
import type { PersonVisit } from '../../http/page';
import type { Words } from '../../words/words';

export type Seers = ValueOf<typeof operations.carenets.recordWhoSees>;
type Kind = PersonVisit['models']['kinds']['all'][number];
type Tick = { readonly name: string; readonly text: string; readonly ask: boolean; readonly kinds: readonly string[] };

/** Kinds that are one tick, because to people they are one thing. */
const TOGETHER: Readonly<Record<string, string>> = { 'vital-signs': 'measurements' };
/** The kind of all results, whose own words say more than its tick, which stands before its parts. */
const LABS = 'labs';

function kindLabel({ name, words: said }: Kind, { say, language }: Words): string {
  return name === LABS ? say('person.labs') : said[language];
}

/** The ticks in the order of the kinds: whole kinds with the parts that are asked for by name, then other parts. */
function ticksOf({ models, words }: PersonVisit): { readonly main: readonly Tick[]; readonly parts: readonly Tick[] } {
  const kinds = models.kinds.all;
  const known = new Set(kinds.map(({ name }) => name));
  const headOf = (name: string): string => (known.has(TOGETHER[name] ?? '') ? TOGETHER[name]! : name);
  const ticks = kinds
    .filter(({ name }) => headOf(name) === name)
    .map((kind) => ({
      name: kind.name,
      text: kindLabel(kind, words),
      ask: kind.ask,
      isPart: kind.partOf !== undefined && !kind.ask,
      kinds: kinds.filter(({ name }) => headOf(name) === kind.name).map(({ name }) => name),
    }));
  return { main: ticks.filter(({ isPart }) => !isPart), parts: ticks.filter(({ isPart }) => isPart) };
}

/** What kinds are called in a sentence: each tick that they make up, in the order of the ticks. */
export function namedKinds(visit: PersonVisit, given: readonly string[]): readonly string[] {
  const { main, parts } = ticksOf(visit);
  return [...main, ...parts].filter(({ kinds }) => kinds.some((name) => given.includes(name))).map(({ text }) => text);
}

type TickProps = {
  readonly visit: PersonVisit;
  readonly tick: Tick;
  readonly given: readonly string[];
  readonly hint: string;
};

function OneTick({ visit, tick, given, hint }: TickProps): JSX.Element {
  return (
    <label class="choice" data-kind={tick.name}>
      <input type="checkbox" name="kind" value={tick.name} checked={tick.kinds.some((name) => given.includes(name))} />
      <span>
        {tick.text}
        {hint !== '' && <span class="hint">{hint}</span>}
        {tick.ask && <span class="hint">{visit.words.say('person.ask')}</span>}
      </span>
    </label>
  );
}

type TicksProps = {
  readonly visit: PersonVisit;
  readonly given: readonly string[];
  readonly legend: string;
  /** What a kind opens today, by its name. */ readonly opens?: (kinds: readonly string[]) => string;
};

export function KindTicks({ visit, given, legend, opens = () => '' }: TicksProps): JSX.Element {
  const { say } = visit.words;
  const { main, parts } = ticksOf(visit);
  const rows = (ticks: readonly Tick[]) =>
    ticks.map((tick) => <OneTick visit={visit} tick={tick} given={given} hint={opens(tick.kinds)} />);
  const isOpen = parts.some(({ kinds }) => kinds.some((name) => given.includes(name)));
  return (
    <fieldset>
      <legend>{legend}</legend>
      <p class="hint">{say('person.kinds-about')}</p>
      <div class="ticks gap">{rows(main)}</div>
      {parts.length > 0 && (
        <details class="more" open={isOpen}>
          <summary>{say('person.parts')}</summary>
          <div class="ticks">{rows(parts)}</div>
        </details>
      )}
    </fieldset>
  );
}

/** The names of the kinds that were ticked. */
export function tickedKinds(visit: PersonVisit): readonly string[] {
  const ticked = new Set(visit.form.all('kind'));
  const { main, parts } = ticksOf(visit);
  return [...main, ...parts].filter(({ name }) => ticked.has(name)).flatMap(({ kinds }) => kinds);
}
