/** beside-form: the choice of what stands below the chart of a test on the same time: another test, or one medicine. */
import type { JSX } from 'preact';
import type { LabTest } from '../../../../core/lab-tests/tests';
import type { PersonVisit } from '../../http/page';
import { medicineMeant, type Medicine } from './beside';
import { testName } from './results';

type Props = {
  readonly visit: PersonVisit;
  readonly test: LabTest;
  readonly medicines: readonly Medicine[];
  readonly asked: Readonly<Record<string, string>> & { readonly with: string };
};

export function BesideForm({ visit, test, medicines, asked }: Props): JSX.Element {
  const { say, language } = visit.words;
  const others = visit.models.labTests.tests.filter((one) => one.group === test.group && one !== test);
  const kept = Object.entries(asked).filter(([name, value]) => name !== 'with' && value !== '');
  const meant = medicineMeant(medicines, asked.with);
  return (
    <form method="get" class="line gap no-print">
      {kept.map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      <label>
        {say('tests.with')}{' '}
        <select name="with">
          <option value="">{say('tests.with-none')}</option>
          <optgroup label={say(`tests.group-${test.group}`)}>
            {others.map((one) => (
              <option value={one.id} selected={one.id === asked.with}>
                {testName(one, language)}
              </option>
            ))}
          </optgroup>
          {medicines.length > 0 && (
            <optgroup label={say('tests.bars')}>
              {medicines.map((one) => (
                <option value={one.lines[0]!.id} selected={one === meant}>
                  {one.name}
                </option>
              ))}
            </optgroup>
          )}
        </select>
      </label>
      <button class="button">{say('tests.with-show')}</button>
    </form>
  );
}
