/** tags: the tags of a document, each a link to the documents that have it. */
import type { JSX } from 'preact';
import type { Whose } from '../../parts/whose';

type Tagged = { readonly whose: Whose; readonly tags: readonly string[] };

/** Nothing for a document without tags, and in a circle, which shows none. */
export function Tags({ whose, tags }: Tagged): JSX.Element | null {
  return tags.length === 0 ? null : (
    <p class="tags">
      {tags.map((tag) => (
        <a class="tag" href={`${whose.base}documents/?tag=${encodeURIComponent(tag)}`}>
          <bdi>{tag}</bdi>
        </a>
      ))}
    </p>
  );
}
