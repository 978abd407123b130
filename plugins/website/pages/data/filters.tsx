/** filters: the form above a data page. It sends the parameters of the report; its days become a date range. */
import type { JSX } from 'preact';
import type { Model } from '../../../../core/facts/model/model';
import type { Charted } from './chart';
import { seriesChoice, type DataQuery } from './query';
import { dateField, fieldLabel, measuredWords, modelTitle } from '../../words/facts';
import type { Visit } from '../../http/page';
import { Field, Select, type Option } from '../../parts/form';
import { seriesOf, type Series } from './series';

/** One entry for each series; numbers that are counted can be summed, too. */
function seriesOptions(all: readonly Series[], visit: Visit): readonly Option[] {
  return all.flatMap((one) => [
    { value: seriesChoice('avg', one), text: one.label },
    ...(one.measured
      ? []
      : [{ value: seriesChoice('sum', one), text: visit.words.say('data.sums', { name: one.label }) }]),
  ]);
}

function Kept({ fields }: { fields: Readonly<Record<string, string>> }): JSX.Element {
  return (
    <>
      {Object.entries(fields)
        .filter(([, value]) => value !== '')
        .map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
    </>
  );
}

/** A choice of the values of a column, with those in use first. */
function FilterChoices({
  visit,
  charted,
  query,
}: {
  visit: Visit;
  charted: Charted;
  query: DataQuery;
}): JSX.Element | null {
  const { series, view, model } = charted;
  const { choice } = series;
  if (choice === undefined || view.choices.length < 2) {
    return null;
  }
  return (
    <Select
      label={fieldLabel(model, choice, visit.words)}
      name={choice}
      value={query.filters[choice] ?? ''}
      options={[
        { value: '', text: visit.words.say('data.any') },
        ...view.choices.map(({ value, count }) => ({
          value,
          text: visit.words.say('data.choice', {
            name: measuredWords(model, choice, value, visit.words),
            count,
          }),
        })),
      ]}
    />
  );
}

export function DataFilters({
  visit,
  model,
  query,
  drawn,
}: {
  readonly visit: Visit;
  readonly model: Model;
  readonly query: DataQuery;
  readonly drawn: Charted | undefined;
}): JSX.Element | null {
  const { say } = visit.words;
  const date = dateField(model);
  const all = seriesOf(model, visit.words).filter(({ numeric }) => numeric);
  const options = seriesOptions(all, visit);
  const choice = drawn?.series.choice;
  const selects = drawn !== undefined && choice !== undefined && drawn.view.choices.length > 1;
  const others = Object.fromEntries(Object.entries(query.filters).filter(([name]) => !selects || name !== choice));
  const chosen = drawn?.series.numeric ? seriesChoice(query.operator, drawn.series) : '';
  if (date === undefined) {
    return null;
  }
  return (
    <form
      class="filters no-print"
      method="get"
      action={visit.path}
      aria-label={say('data.filters', { name: modelTitle(model, visit.words) })}
    >
      <Kept fields={{ ...others, status: query.status, order_by: query.orderBy }} />
      <div class="side">
        <Field label={say('data.from')} name="from" type="date" value={query.from} />
        <Field label={say('data.to')} name="to" type="date" value={query.to} />
        {options.length > 1 && drawn?.series.numeric && (
          <Select label={say('data.what')} name="aggregate_by" value={chosen} options={options} />
        )}
        {drawn && <FilterChoices visit={visit} charted={drawn} query={query} />}
        {drawn?.series.numeric && (
          <Select
            label={say('data.by')}
            name="date_group"
            value={`${date}*${query.increment}`}
            options={[
              { value: `${date}*year`, text: say('data.year') },
              { value: `${date}*month`, text: say('data.month') },
            ]}
          />
        )}
        <button class="button">{say('data.show')}</button>
      </div>
    </form>
  );
}
