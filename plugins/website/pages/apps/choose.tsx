/** choose: the choice of the record, or the part of one, into which an app is let. */
import type { JSX } from 'preact';
import { errors } from '../../../../core/base/errors';
import { givenIn, type Holds } from '../../words/holds';
import type { PersonVisit, Visit } from '../../http/page';
import { idOf, type Wrong } from '../../parts/form';
import { circleName } from '../../words/circle-names';

/** A whole record, or one carenet of it. */
type Givable = {
  readonly recordId: string;
  readonly label: string;
  readonly carenet: { readonly id: string; readonly name: string } | null;
  readonly holds: Holds | null;
};

/** The value of its radio button. */
function chosenId({ recordId, carenet }: Givable): string {
  return carenet?.id ?? recordId;
}

function Radio({
  visit,
  choice,
  checked,
  first,
  wrong,
}: {
  readonly visit: PersonVisit;
  readonly choice: Givable;
  readonly checked: boolean;
  readonly first: boolean;
  readonly wrong: boolean;
}) {
  const { rich } = visit.words;
  const record = <bdi>{choice.label}</bdi>;
  return (
    <label class="choice">
      <input
        type="radio"
        name="what"
        value={chosenId(choice)}
        checked={checked}
        id={first ? idOf('what') : undefined}
        aria-describedby={wrong ? `${idOf('what')}-why` : undefined}
      />
      <span>
        {choice.carenet
          ? rich('authorize.part', { record, carenet: <bdi>{circleName(choice.carenet.name, visit.words)}</bdi> })
          : rich('authorize.everything', { record })}
        {choice.holds && (
          <span class="hint">
            <bdi>{givenIn(choice.holds, choice.carenet !== null, visit)}</bdi>
          </span>
        )}
      </span>
    </label>
  );
}

/** One radio button for each record or carenet that the person may give an app. */
export function Which({
  visit,
  givable,
  bound,
  wrong,
}: {
  readonly visit: PersonVisit;
  readonly givable: readonly Givable[];
  /** Whether the app asks for a certain record or carenet. */
  readonly bound: boolean;
  readonly wrong: Wrong | undefined;
}) {
  const { say } = visit.words;
  if (givable.length === 0) {
    return (
      <>
        <p>{say(bound ? 'authorize.not-yours' : 'authorize.nothing')}</p>
        <p class="more">
          {bound ? (
            <a href={`${visit.site}/account`}>{say('authorize.who-am-i')}</a>
          ) : (
            <a href={`${visit.site}/start`}>{say('records.start')}</a>
          )}
        </p>
      </>
    );
  }
  const why = wrong?.['what'];
  return (
    <fieldset class={why ? 'bad' : undefined}>
      <legend class="unseen">{say('authorize.which-legend')}</legend>
      {why && (
        <p class="why" id={`${idOf('what')}-why`}>
          {why}
        </p>
      )}
      {givable.map((choice, index) => (
        <Radio
          visit={visit}
          choice={choice}
          checked={givable.length === 1 || visit.form.text('what') === chosenId(choice)}
          first={index === 0}
          wrong={why !== undefined}
        />
      ))}
    </fieldset>
  );
}

/** The buttons for yes and no. There is no yes if there is nothing to give. */
export function AnswerButtons({
  visit,
  app,
  possible = true,
}: {
  readonly visit: Visit;
  readonly app: string;
  readonly possible?: boolean;
}): JSX.Element {
  const { say } = visit.words;
  return (
    <div class="aside buttons answer">
      {possible && (
        <button class="button first" name="answer" value="yes">
          {say('authorize.yes', { app })}
        </button>
      )}
      <button class="button" name="answer" value="no">
        {say('authorize.no')}
      </button>
    </div>
  );
}

/**
 * The answer in the form: no, the chosen record or carenet, or nothing yet.
 * @throws errors.permissionDenied for a record or carenet that cannot be given
 */
export function answerIn<C extends Givable>({ form }: Visit, givable: readonly C[]): 'no' | C | undefined {
  const [answer, id] = [form.text('answer'), form.text('what')];
  if (answer === 'no') {
    return 'no';
  }
  if (answer !== 'yes' || id === '') {
    return undefined;
  }
  const choice = givable.find((one) => chosenId(one) === id);
  if (!choice) {
    throw errors.permissionDenied();
  }
  return choice;
}
