/** intake: makes a document for each resource in a file of a Bulk Data export. */
import { unpacked } from '../common/gunzip.mjs';
import { Resources } from '../common/ndjson.mjs';

/**
 * At most this many resources, or characters of them, are read before the first document is returned. Most files about
 * several people are recognized by then.
 */
const AHEAD_RESOURCES = 1000;
const AHEAD_CHARACTERS = 20_000_000;

async function* itemsOf(resources, chunks) {
  yield* resources.documentsIn(chunks);
  yield* resources.rest();
}

/** @param input `chunks` are those of a file with one resource a line, packed by gzip or not */
export default async function* ({ chunks, options }) {
  const ahead = [];
  let characters = 0;
  let waits = true;
  for await (const item of itemsOf(new Resources(options.maxDocumentBytes), unpacked(chunks))) {
    characters += item.json?.length ?? 0;
    if (waits) {
      ahead.push(item);
      waits = ahead.length < AHEAD_RESOURCES && characters < AHEAD_CHARACTERS;
      yield* waits ? [] : ahead.splice(0);
    } else {
      yield item;
    }
  }
  yield* ahead;
}
