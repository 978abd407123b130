/** patient-search: tells whether the Patient of a record meets the parameters of a search (pure). */
import { toTimestamp } from '../../../core/base/clock';
import type { Versioned } from '../../../core/fhir/resource';
import { readSoughtDate, type SoughtDate } from '../../../core/fhir/search-dates';
import { readToken, unescaped, wantsMissing, type Filter } from './search-query';
import { impliedSystem, wantsOf, type Edge } from './sought';

type Name = Readonly<Record<string, string | readonly string[] | undefined>>;

/** A string as searches compare it: without case and accents. */
function foldedName(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

function namesInPatient(patient: Versioned, ...parts: readonly string[]): readonly string[] {
  return ((patient['name'] ?? []) as readonly Name[]).flatMap((name) => parts.flatMap((part) => name[part] ?? []));
}

function meetsText(texts: readonly string[], modifier: string, value: string): boolean {
  const sought = unescaped(value);
  return texts.some((text) => {
    switch (modifier) {
      case 'exact':
        return text === sought;
      case 'contains':
        return foldedName(text).includes(foldedName(sought));
      default:
        return foldedName(text).startsWith(foldedName(sought));
    }
  });
}

/** The conditions that a search can set on the start and the end of an interval. */
const edges: Readonly<Record<Edge, (from: string, until: string, stamp: string) => boolean>> = {
  startsFrom: (from, _until, stamp) => from >= stamp,
  startsBefore: (from, _until, stamp) => from < stamp,
  endsBy: (_from, until, stamp) => until <= stamp,
  endsAfter: (_from, until, stamp) => until > stamp,
};

function meetsInterval(sought: SoughtDate, from: string, until: string): boolean {
  return (
    wantsOf(sought).some((wants) => wants.every(({ edge, stamp }) => edges[edge](from, until, stamp))) !==
    (sought.prefix === 'ne')
  );
}

const DAY = 86_400_000;

function meetsDay(day: string | undefined, value: string, now: number): boolean {
  const sought = readSoughtDate('birthdate', value, now);
  const from = day === undefined ? NaN : Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(from) && meetsInterval(sought, toTimestamp(from), toTimestamp(from + DAY));
}

function meetsIdentifier(patient: Versioned, value: string): boolean {
  const { system, code } = readToken(value);
  return ((patient['identifier'] ?? []) as readonly { system: string; value: string }[]).some(
    (one) => (system === undefined || one.system === system) && (code === '' || one.value === code),
  );
}

const elementOf: Readonly<Record<string, string>> = { birthdate: 'birthDate' };

function isPresent(patient: Versioned, name: string): boolean {
  return name === 'family' || name === 'given'
    ? namesInPatient(patient, name).length > 0
    : patient[elementOf[name] ?? name] !== undefined;
}

/** @throws errors.invalidParameter */
export function meetsPatient(patient: Versioned, filter: Filter, now: number): boolean {
  const { name, modifier, values } = filter;
  const missing = wantsMissing(filter);
  if (missing !== undefined) {
    return isPresent(patient, name) !== missing;
  }
  if (modifier === 'text') {
    return false;
  }
  const anyValue = (meets: (value: string) => boolean): boolean => values.some(meets);
  switch (name) {
    case '_id':
      return anyValue((value) => value === patient.id);
    case '_lastUpdated': {
      const from = Date.parse(patient.meta.lastUpdated ?? '');
      return anyValue((value) =>
        meetsInterval(readSoughtDate(name, value, now), toTimestamp(from), toTimestamp(from + 1)),
      );
    }
    case 'identifier':
      return anyValue((value) => meetsIdentifier(patient, value));
    case 'name':
      return anyValue((value) =>
        meetsText(namesInPatient(patient, 'text', 'family', 'given', 'prefix', 'suffix'), modifier, value),
      );
    case 'family':
    case 'given':
      return anyValue((value) => meetsText(namesInPatient(patient, name), modifier, value));
    case 'birthdate':
      return anyValue((value) => meetsDay(patient['birthDate'] as string | undefined, value, now));
    case 'gender':
      return anyValue((value) => {
        const { system, code } = readToken(value);
        return impliedSystem(system) && code === patient['gender'];
      });
    default:
      return false;
  }
}
