/**
 * search-places: the number under which the rows of one search parameter of one record stand, in the place of both
 * names, which every row and every index would repeat (pure).
 */
import { hash } from 'node:crypto';
import type { Id } from '../base/types';

const HIGH_BITS = 0x1f_ff_ff;
const LOW_RANGE = 0x1_00_00_00_00;

/** 53 bits of a hash, which both databases and JavaScript hold exactly. */
function searchPlace(recordId: Id, name: string): number {
  const bytes = hash('sha256', `${recordId} ${name}`, 'buffer');
  return (bytes.readUInt32BE(0) & HIGH_BITS) * LOW_RANGE + bytes.readUInt32BE(4);
}

/** @param names such as `Observation.code` */
export function placesOf(recordId: Id, names: readonly string[]): readonly number[] {
  return names.map((name) => searchPlace(recordId, name));
}

/** Finds the places of a record, each computed once. */
export function placesIn(recordId: Id): (name: string) => number {
  const known = new Map<string, number>();
  return (name) => {
    const place = known.get(name) ?? searchPlace(recordId, name);
    known.set(name, place);
    return place;
  };
}
