/**
 * whose-account: shows whose account a typed name leads to, and asks once more before anything is shared with it or
 * handed over to it.
 */
import type { ValueOf } from '../../../../core/http/route';
import type { JSX } from 'preact';
import { operations } from '../../http/operations';
import { shown, type PersonVisit, type Shown } from '../../http/page';
import { Form } from '../../parts/form';
import { Only } from '../../parts/layout';
import { inRecord } from '../../parts/record-frame';

type NamedPerson = NonNullable<ValueOf<typeof operations.records.recordPersonNamed>>;

/** The field with the id of the account that the page has shown. */
const SURE = 'sure';

/** The longest name that is looked up, in characters. */
const MOST = 300;

/** The person whom a form names. */
export async function personNamed(visit: PersonVisit, name: string): Promise<NamedPerson | undefined> {
  return name === '' || [...name].length > MOST
    ? undefined
    : ((await visit.ask(operations.records.recordPersonNamed, { params: inRecord(visit), query: { name } })) ??
        undefined);
}

/** Whether the page has shown this account, and the person has said yes to it. */
export function isSure({ form }: PersonVisit, { id }: NamedPerson): boolean {
  return form.text(SURE) === id;
}

type Question = {
  /** What was typed. */ readonly typed: string;
  readonly person: NamedPerson;
  /** The fields of the form that was sent, which are sent again. */ readonly fields:
    Readonly<Record<string, string>> | readonly (readonly [string, string])[];
  readonly button: JSX.Element;
};

/** The question whether this is the right person. Nothing is stored before the answer. */
export function askWhetherRight(visit: PersonVisit, { typed, person, fields, button }: Question): Shown {
  const { say, rich } = visit.words;
  const title = say('whose-account.title');
  return shown(
    title,
    <Only title={title}>
      <p>
        {rich('whose-account.is', {
          typed: <bdi>{typed}</bdi>,
          name: <bdi>{person.name}</bdi>,
          id: <bdi>{person.id}</bdi>,
          b: (chunks) => <b>{chunks}</b>,
        })}
      </p>
      <p>{say('whose-account.check')}</p>
      <Form visit={visit}>
        {[...(Array.isArray(fields) ? fields : Object.entries(fields)), [SURE, person.id]].map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
        <div class="buttons">
          {button}
          <a href={visit.path}>{say('form.cancel')}</a>
        </div>
      </Form>
    </Only>,
  );
}
