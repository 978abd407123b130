/** dates-asked: what the table by date is asked for: a time, units, only what is out of its range; and the links to it. */
import type { JSX } from 'preact';
import type { PersonVisit } from '../../http/page';
import type { Whose } from '../../parts/whose';
import { queryAddress } from '../data/query';
import { timeAsked } from './asked';
import { Choice } from './period';

const ONLY_OUT = 'out';
/** The units as they are written, in moles, in mass: how the address says it, and the account. */
const units = { written: '', moles: 'moles', mass: 'mass' } as const;
type Units = keyof typeof units;

type Of = { readonly visit: PersonVisit; readonly whose: Whose };

/** Whether the address asks for the table by days. */
export function isByDate({ query }: PersonVisit): boolean {
  return query['by'] === 'date';
}

/** Whether only tests are asked for of which a result is marked or out of its range. */
export function isOnlyOut({ query }: PersonVisit): boolean {
  return query['only'] === ONLY_OUT;
}

function unitsAsked({ query, person }: PersonVisit): Units {
  const all = Object.keys(units) as readonly Units[];
  return all.find((one) => one === query['units']) ?? all.find((one) => units[one] === person.units) ?? 'written';
}

/** The kind of units in which results are shown, as the account says it. */
export function unitsWanted(visit: PersonVisit): string {
  return units[unitsAsked(visit)];
}

type Asked = { readonly place?: string; readonly period?: string; readonly units?: string; readonly only?: string };

/** The table as it is asked for, but for what changes; another time begins with the newest days. */
export function datesAddress({ visit: { query }, whose }: Of, change: Asked): string {
  const { period = '', units: wanted = '', only = '' } = query;
  return queryAddress(`${whose.base}tests`, { by: 'date', period, units: wanted, only, ...change });
}

/** Links to the times, the units, and to what is out of its range. */
export function DatesChoices({ hasUnits, ...of }: Of & { readonly hasUnits: boolean }): JSX.Element {
  const { say } = of.visit.words;
  const [period, wanted, isOnly] = [timeAsked(of.visit).period, unitsAsked(of.visit), isOnlyOut(of.visit)];
  const unitTexts = { written: 'tests.as-written', moles: 'account.units-moles', mass: 'account.units-mass' } as const;
  return (
    <div class="line gap no-print">
      <Choice
        label={say('tests.period')}
        choices={['1y', '5y', 'all'].map((one) => ({
          text: say(`tests.period-${one}`),
          to: datesAddress(of, { period: one }),
          chosen: one === period,
        }))}
      />
      {hasUnits && (
        <Choice
          label={say('tests.unit')}
          choices={(Object.keys(units) as readonly Units[]).map((one) => ({
            text: say(unitTexts[one]),
            to: datesAddress(of, { units: one }),
            chosen: one === wanted,
          }))}
        />
      )}
      <a
        class="chip"
        href={datesAddress(of, { only: isOnly ? '' : ONLY_OUT })}
        aria-current={isOnly ? 'true' : undefined}
      >
        {say('tests.only-out')}
      </a>
    </div>
  );
}
