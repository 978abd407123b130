/** offer: offers to put what the person has said into circles that see everything it is about. */
import type { JSX } from 'preact';
import { operations } from '../../http/operations';
import { go, type Answer, type PersonVisit } from '../../http/page';
import { Buttons, Form, What } from '../../parts/form';
import { Part, Say } from '../../parts/layout';
import { inRecord } from '../../parts/record-frame';
import { circleName } from '../../words/circle-names';

/** What was said, and the circles that could hear it; undefined where none could. */
export type Offer = {
  readonly word: string;
  readonly circles: readonly { readonly id: string; readonly name: string }[];
};

const HEARD = 'heard';

/** The address of a page that offers it. */
export function offering(path: string, word: string | undefined): string {
  return word === undefined ? path : `${path}?word=${encodeURIComponent(word)}`;
}

function readCircles(visit: PersonVisit, word: string): Promise<Offer['circles']> {
  return visit.ask(operations.carenets.recordWordCircles, { params: { ...inRecord(visit), DOCUMENT_ID: word } });
}

/** @throws AppError not_found for a document that the record does not have */
export async function readOffer(visit: PersonVisit): Promise<Offer | undefined> {
  const { word = '' } = visit.query;
  const circles = word === '' || visit.params['RECORD_ID'] === undefined ? [] : await readCircles(visit, word);
  return circles.length === 0 ? undefined : { word, circles };
}

type OfferedProps = { readonly visit: PersonVisit; readonly offer: Offer | undefined };

export function Offered({ visit, offer }: OfferedProps): JSX.Element {
  const { say } = visit.words;
  return (
    <>
      {visit.query['note'] === HEARD && <Say tone="good" role="status" title={say('lines.heard')} />}
      {offer && (
        <Part title={say('lines.hear-title')} hint={say('lines.hear-about')}>
          <Form visit={visit}>
            <What name="hear" />
            <input type="hidden" name="word" value={offer.word} />
            {offer.circles.map(({ id, name }) => (
              <label class="choice">
                <input type="checkbox" name="circle" value={id} />
                <span>
                  <bdi>{circleName(name, visit.words)}</bdi>
                </span>
              </label>
            ))}
            <Buttons text={say('lines.hear')} />
          </Form>
        </Part>
      )}
    </>
  );
}

/** Puts the word into the circles that were ticked, as far as it could be offered to them; undefined for another form. */
export async function hearIt(visit: PersonVisit): Promise<Answer | undefined> {
  const { form } = visit;
  if (form.text('what') !== 'hear') {
    return undefined;
  }
  const word = form.text('word') || '-';
  const chosen = (await readCircles(visit, word)).filter(({ id }) => form.all('circle').includes(id));
  for (const { id } of chosen) {
    await visit.ask(operations.carenets.carenetDocumentPlacement, {
      params: { ...inRecord(visit), DOCUMENT_ID: word, CARENET_ID: id },
    });
  }
  return go(chosen.length === 0 ? visit.path : `${visit.path}?note=${HEARD}`);
}
