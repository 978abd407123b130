/** add-link: the field for a link or code that a person was given, and what is said of what came by one. */
import type { JSX } from 'preact';
import type { LinkRefused } from '../../../../core/received/failures';
import type { ValueOf } from '../../../../core/http/route';
import type { operations } from '../../http/operations';
import type { PersonVisit, SentFile } from '../../http/page';
import { recordBase } from '../../parts/record-frame';
import { Buttons, Field, Form, TextArea, What, type Wrong } from '../../parts/form';
import { Part, Say } from '../../parts/layout';
import { dateWords } from '../../words/facts';
import type { Words } from '../../words/words';

/** What is known of a file that came by a link. */
export type CameFrom = Pick<
  ValueOf<typeof operations.documents.documentLinkReceive>['files'][number],
  'from' | 'signature' | 'madeWith' | 'expired'
>;

/** The name of the field that asks for each step at which it goes wrong. */
const PASSCODE = 'passcode';

export function refusedField({ step }: LinkRefused): string {
  return step === 'passcode' || step === 'wrong' ? PASSCODE : 'link';
}

/** Why nothing came of the link, in the words of the person. */
export function refusedWords({ step, detail }: LinkRefused, words: Words): string {
  const { say } = words;
  switch (step) {
    case 'expired':
      return say('received.expired', { date: dateWords(detail, words) });
    case 'wrong':
      return detail === '' ? say('received.wrong-some') : say('received.wrong', { count: Number(detail) });
    default:
      return say(`received.${step}`);
  }
}

export function LinkForm({ visit, wrong }: { visit: PersonVisit; wrong: Wrong | undefined }): JSX.Element {
  const { say } = visit.words;
  const typed = visit.form.text('link');
  return (
    <Part title={say('received.title')} hint={say('received.hint')}>
      <Form visit={visit} action={`${recordBase(visit)}add`}>
        <What name="link" />
        <TextArea label={say('received.link')} name="link" value={wrong ? typed : ''} wrong={wrong} />
        {wrong?.[PASSCODE] !== undefined && (
          <Field
            label={say('received.passcode-label')}
            name={PASSCODE}
            autocomplete="off"
            exact
            most={100}
            required
            wrong={wrong}
          />
        )}
        <Buttons text={say('received.look')} />
      </Form>
    </Part>
  );
}

/** "From a link of HOST", and whether somebody has signed it. */
export function FromLink({ visit, came }: { visit: PersonVisit; came: CameFrom }): JSX.Element {
  const { say, rich } = visit.words;
  const host = <bdi>{came.from}</bdi>;
  const { signature, madeWith, expired } = came;
  const tone = signature === 'wrong' ? 'alert' : 'plain';
  return (
    <Say tone={tone} title={say('received.from', { host: came.from })}>
      {signature !== null && <p>{rich(`received.signature-${signature}`, { host })}</p>}
      {signature === 'checked' && <p>{say('received.signature-means')}</p>}
      {madeWith !== '' && (
        <p>
          {rich('received.made-with', { host: <bdi>{madeWith}</bdi> })}. {say('received.made-with-means')}
        </p>
      )}
      {expired !== '' && <p>{say('received.card-expired', { date: dateWords(expired, visit.words) })}</p>}
    </Say>
  );
}

/** The text of a link or card that was sent as a file; undefined for every other file. */
export function linkIn({ name, bytes, incoming }: SentFile): string | undefined {
  if (incoming !== undefined || bytes.length > MOST_OF_FILE) {
    return undefined;
  }
  const text = bytes.toString('utf8').trim();
  const isOne =
    /\.(shlink|smart-health-card)$/i.test(name) || /^(shlink:\/|shc:\/|\{\s*"verifiableCredential")/.test(text);
  return isOne ? text : undefined;
}

/** The links or cards in the codes of a picture; undefined for every other file. */
export async function linkInPicture(
  { codesIn }: Pick<PersonVisit, 'codesIn'>,
  { bytes, incoming }: SentFile,
): Promise<string | undefined> {
  if (incoming !== undefined || !isPicture(bytes)) {
    return undefined;
  }
  const found = (await codesIn(bytes)).filter((text) => /shlink:\/|^shc:\//.test(text));
  return found.length === 0 ? undefined : found.join('\n');
}

function isPicture(bytes: Buffer): boolean {
  return bytes.subarray(0, 4).equals(PNG) || bytes.subarray(0, 3).equals(JPEG);
}
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47]);
const JPEG = Buffer.from([0xff, 0xd8, 0xff]);

const MOST_OF_FILE = 200_000;
