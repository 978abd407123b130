/** whose-file: warns if a file is about somebody other than the person of the record. */
import type { ValueOf } from '../../../../core/http/route';
import { dateWords } from '../../words/facts';
import type { operations } from '../../http/operations';
import type { PersonVisit } from '../../http/page';
import type { RecordFrame } from '../../parts/record-frame';
import { Say } from '../../parts/layout';

type ShownPerson = { readonly name: string; readonly born: string | null };

/** "Myra Jones, born 1 May 1947". */
function PersonWords({ visit, person: { name, born } }: { readonly visit: PersonVisit; readonly person: ShownPerson }) {
  const { say, rich } = visit.words;
  const shownName = (
    <b>
      <bdi>{name === '' ? say('add.somebody') : name}</bdi>
    </b>
  );
  return born === null ? (
    shownName
  ) : (
    <>{rich('add.person-born', { name: shownName, born: dateWords(born, visit.words) })}</>
  );
}

/** A warning if the file is about somebody other than the person of the record. */
export function WhoseFile({
  visit,
  record,
  otherPerson,
  documents = 1,
  ofOthers = 1,
}: {
  readonly visit: PersonVisit;
  readonly record: RecordFrame;
  readonly otherPerson: ValueOf<typeof operations.documents.documentPreview>['otherPerson'];
  /** How many documents the file holds. */ readonly documents?: number;
  /** How many of them are not about the person of the record. */ readonly ofOthers?: number;
}) {
  const { say, rich } = visit.words;
  if (!otherPerson) {
    return null;
  }
  const { subject, born, recordBorn } = otherPerson;
  return (
    <Say tone="wait" title={say('add.other-person')}>
      {rich(documents > 1 ? 'add-file.of-others' : 'add.other-person-why', {
        count: ofOthers,
        documents,
        theirs: <PersonWords visit={visit} person={{ name: subject ?? '', born }} />,
        own: <PersonWords visit={visit} person={{ name: record.name, born: recordBorn }} />,
      })}
    </Say>
  );
}
