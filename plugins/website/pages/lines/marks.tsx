/** marks: what is not plain about a line, as tags. */
import type { JSX } from 'preact';
import type { Line } from '../../../../core/lines/lines';
import type { PersonVisit } from '../../http/page';
import { Tag } from '../../parts/layout';

/** Words for what is not plain about a line; nothing is said by a colour alone. */
export function Marks({ line, visit: { words } }: { readonly line: Line; readonly visit: PersonVisit }): JSX.Element {
  return (
    <>
      {line.standing === 'unclear' && <Tag tone="wait">{words.say('lines.unclear')}</Tag>}
      {line.isPlanned && <Tag tone="off">{words.say('lines.planned')}</Tag>}
      {line.isConflict && <Tag tone="alert">{words.say('lines.differ')}</Tag>}
      {line.perhaps.length > 0 && <Tag tone="wait">{words.say('lines.perhaps')}</Tag>}
    </>
  );
}
