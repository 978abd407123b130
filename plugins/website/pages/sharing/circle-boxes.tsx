/** circle-boxes: tables of boxes, a row for each kind and a column for each circle. */
import type { JSX } from 'preact';
import type { PersonVisit } from '../../http/page';

/** How many circles have room next to each other on a telephone. */
const COLUMNS = 3;

/** A text that may be broken after a slash. */
function Breakable({ text }: { readonly text: string }): JSX.Element {
  return (
    <bdi>
      {text.split('/').map((part, index) => (
        <>
          {index > 0 && (
            <>
              /<wbr />
            </>
          )}
          {part}
        </>
      ))}
    </bdi>
  );
}

type Boxes<Circle, Kind> = {
  readonly visit: PersonVisit;
  readonly carenets: readonly Circle[];
  readonly kinds: readonly Kind[];
  readonly nameOf: (kind: Kind) => string;
  readonly boxOf: (kind: Kind, carenet: Circle) => JSX.Element;
};

function Table<Circle extends { readonly name: string }, Kind>(boxes: Boxes<Circle, Kind>): JSX.Element {
  const { visit, carenets, kinds, nameOf, boxOf } = boxes;
  return (
    <table class="fit grid">
      <thead>
        <tr>
          <th scope="col">{visit.words.say('sharing.kind')}</th>
          {carenets.map(({ name }) => (
            <th scope="col">
              <Breakable text={name} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {kinds.map((kind) => (
          <tr>
            <th scope="row">{nameOf(kind)}</th>
            {carenets.map((carenet) => (
              <td>{boxOf(kind, carenet)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The boxes in tables of a few circles each, so that nothing scrolls sideways. */
export function CircleBoxes<Circle extends { readonly name: string }, Kind>(boxes: Boxes<Circle, Kind>): JSX.Element {
  const { carenets } = boxes;
  const groups = Array.from({ length: Math.ceil(carenets.length / COLUMNS) }, (_, index) =>
    carenets.slice(index * COLUMNS, (index + 1) * COLUMNS),
  );
  return (
    <div class="stack">
      {groups.map((some) => (
        <Table {...boxes} carenets={some} />
      ))}
    </div>
  );
}
