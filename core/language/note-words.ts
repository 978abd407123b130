/**
 * note-words: the words that formats of this service write into notes, in the person's language: "Site: left arm." is
 * "Stelle: left arm." In English, and for all that is of a source, a note is shown as it is written.
 */
import type { Language } from '../base/languages';
import { dosageTexts } from '../facts/model/dosage-words';

/** Words before a colon. */
const labels = [
  'In the words of the source',
  'Another of its codes',
  'Its code is that of',
  'Date as it is written',
  'Estimated date of delivery',
  'Site',
  'Side',
  'Stage',
  'Kind of stage',
  'Stage by',
  'Status',
  'Severity',
  'Evidence',
  'Method',
  'Interpretation',
  'Specimen',
  'Value',
  'Result',
  'Why there is no value',
  'From',
  'Until',
  'When',
  'Performed',
  'Onset',
  'Ended',
  'Last time',
  'For',
  'Reason',
  'Reason of the status',
  'Priority',
  'Route',
  'Dose',
  'Quantity',
  'Amount',
  'Number of times',
  'Repeats allowed',
  'Type',
  'Also of the kind',
  'Also',
  'Also at',
  'Outcome',
  'Complication',
  'Follow-up',
  'Device',
  'Used',
  'Made by',
  'Reaction',
  'Reaction to',
  'No such reaction',
  'Exposure',
  'Told by',
  'Replaced by',
  'Replaces',
  'As reported by',
  'Asked for by',
  'It is said that this relative does not have',
  'Went to',
  'Came from',
  'Also there',
  'About',
  'With',
  'Where',
  'Treated with',
  'Supply for',
  'Service',
  'Safety',
  'Needs',
  'May be replaced',
  'Less than a full dose',
  'Length',
  'In',
  'Handed out every',
  'First quantity',
  'First for',
  'Each day',
  'Detail',
  'Course',
  'Again',
  'Diagnosis',
  'Taken',
  'The status of this activity by itself',
  'Severity of the allergy as a whole',
];

/** Whole sentences, or their beginnings. */
const sentences = [
  'Onset not stated; the start is when the problem was recorded.',
  'Onset not stated; the start is when the problem was first tracked.',
  'This dose does not count as a full one (subpotent).',
  'Not told by those who gave it.',
  'Not to be replaced by another product.',
  'The sender’s status says: Confirmed.',
  'The sender’s entry has the status active.',
  'The sender does not follow this any more',
  'The sender does not follow this for the time being',
];

/** Words before a date. */
const beforeDates = [
  'Medicine to be used by',
  'Vaccine to be used by',
  'Written down on',
  'Reaction on',
  'Asked for on',
  'Handed out',
  'Delivered by',
];

function keyOf(english: string): string {
  return `notes.${english
    .toLowerCase()
    .replace('\u2019', '')
    .replace(/[^a-z]+/g, '-')
    .replace(/-$/, '')}`;
}

const labelled = new RegExp(`(^|[.;!?)] )(${[...labels].sort((a, b) => b.length - a.length).join('|')})(?=: )`, 'g');
const handedOut = /(^|[.;!?)] )Can be handed out (\d{1,9}) times?\./g;
const told = new RegExp(sentences.map((one) => one.replace(/[.()]/g, '\\$&')).join('|'), 'g');

/** Labels whose text is a source's own, letter by letter. */
const LITERAL: readonly string[] = ['In the words of the source', 'Date as it is written'];
const dateLabels = labels.filter((label) => !LITERAL.includes(label)).map((label) => `${label}:`);
const dateStarts = [...dateLabels, ...beforeDates];
const DATE = '\\d{4}-\\d\\d(?:-\\d\\d(?:T\\d\\d:\\d\\d(?::\\d\\d(?:\\.\\d+)?)?(?:Z|[+-]\\d\\d:\\d\\d)?)?)?';
const dated = new RegExp(`(^|[.;!?)] )(${dateStarts.join('|')}) (${DATE})(?=[.;,:)]?(?: |$))`, 'g');

/**
 * A note with the words of this service in a language, and the dates behind these words as the person reads dates.
 * @param dateOf a date or time of a document (`2024-05-03T10:00:00Z`) in words
 */
export function noteWords(text: string, language: Language, dateOf: (date: string) => string): string {
  const say = (key: string, count = 0): string => String(dosageTexts.formatOf(language, key).format({ count }));
  const note = text.replace(dated, (_, before: string, label: string, date: string) => {
    const said = beforeDates.includes(label) && language !== 'en' ? say(keyOf(label)) : label;
    return `${before}${said} ${dateOf(date) || date}`;
  });
  return language === 'en'
    ? note
    : note
        .replace(told, (sentence) => say(keyOf(sentence)))
        .replace(
          handedOut,
          (_, before: string, count: string) => before + say('notes.can-be-handed-out', Number(count)),
        )
        .replace(labelled, (_, before: string, label: string) => `${before}${say(keyOf(label))}`);
}
