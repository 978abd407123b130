/** room: how many bytes several works hold at the same time, together and for each owner. */

/** What one work holds. */
export type Hold = {
  /** @throws the error of the room when it is full for everybody, or for the owner; nothing more is held then */
  readonly more: (bytes: number) => void;
  /** Gives back all of it. Calling it again changes nothing. */
  readonly end: () => void;
};

type Limits = { readonly together: number; readonly each: number; /** Both in bytes. */ readonly full: () => Error };

/** @returns begins a hold of an owner, with nothing in it */
export function newRoom({ together, each, full }: Limits): (owner: string) => Hold {
  const owners = new Map<string, number>();
  let all = 0;
  const add = (owner: string, bytes: number): void => {
    all += bytes;
    const sum = (owners.get(owner) ?? 0) + bytes;
    if (sum > 0) {
      owners.set(owner, sum);
    } else {
      owners.delete(owner);
    }
  };
  return (owner) => {
    let held = 0;
    return {
      more: (bytes) => {
        if (all + bytes > together || (owners.get(owner) ?? 0) + bytes > each) {
          throw full();
        }
        held += bytes;
        add(owner, bytes);
      },
      end: () => {
        add(owner, -held);
        held = 0;
      },
    };
  };
}
