/**
 * host-watch: finds out which hosts of a cluster respond. A machine that lost its power or its network closes no
 * connection, and a statement would wait for it for a quarter of an hour. So each host in use is asked for a sign of
 * life every second, on a connection of its own. When none comes for five seconds, the host's connections are cut, and
 * new ones go to other hosts until it answers again.
 */
type Host = { readonly host: string; readonly port: number };

export type Watched = {
  readonly stream: {
    readonly destroy: (error?: Error) => unknown;
    readonly once: (event: 'close', listener: () => void) => unknown;
  };
};

type HostWatchParts<C extends Watched> = {
  readonly hosts: readonly Host[];
  /** False where there is only one host: then waiting for it is all that can be done. */
  readonly watched: boolean;
  readonly connect: (host: Host) => Promise<C>;
  /** Whether the host says that it is ready for statements. */
  readonly ask: (connection: C) => Promise<boolean>;
};

export type HostWatch<C> = {
  /**
   * The hosts in the order in which to try them. It is the order of the setting, but hosts that were silent when last
   * asked come last.
   */
  readonly order: () => readonly Host[];
  /** Adds a connection, which is cut when its host falls silent. */
  readonly add: (host: Host, connection: C) => void;
  /** Notes that a connection to the host could not be made. */
  readonly failed: (host: Host) => void;
  readonly close: () => void;
};

const EVERY_MILLISECONDS = 1000;
const SILENT_ROUNDS = 5;

/** The error code of connections that are cut, and of a connection that could not be made in time. */
const SILENT = 'ETIMEDOUT';

class HostSilent extends Error {
  readonly code = SILENT;
}

type State<C> = {
  readonly host: Host;
  readonly open: Set<C>;
  own?: C | undefined;
  silent: boolean;
  asking: boolean;
  rounds: number;
};

function cutConnections(connections: Iterable<Watched>): void {
  for (const { stream } of connections) {
    stream.destroy(new HostSilent('the database host has given no sign of life'));
  }
}

// eslint-disable-next-line max-lines-per-function -- its inner functions share the state at its top
export function watchHosts<C extends Watched>({ hosts, watched, connect, ask }: HostWatchParts<C>): HostWatch<C> {
  const states: readonly State<C>[] = hosts.map((host) => ({
    host,
    open: new Set<C>(),
    silent: false,
    asking: false,
    rounds: 0,
  }));
  const stateOf = (host: Host): State<C> => states.find((state) => state.host === host)!;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  const leave = (state: State<C>): void => {
    state.silent = true;
    cutConnections([...state.open, ...(state.own ? [state.own] : [])]);
    state.own = undefined;
  };

  const ownConnection = async (state: State<C>): Promise<C> => {
    const connection = await connect(state.host);
    connection.stream.once('close', () => {
      state.own = undefined;
    });
    return connection;
  };

  const signOfLife = async (state: State<C>): Promise<void> => {
    try {
      state.own ??= await ownConnection(state);
      state.silent = !(await ask(state.own));
      if (state.silent || closed) {
        leave(state);
      }
    } catch (error) {
      state.silent = true;
      // Only silence cuts the other connections. A connection that breaks fails by itself, and a host that refuses one
      // may just have too many.
      if ((error as { code?: string }).code === SILENT) {
        leave(state);
      }
    }
    state.asking = false;
  };

  // This counts rounds and not time, so that a process that was itself held up does not treat its hosts as silent.
  const round = (): void => {
    for (const state of states.filter(({ open, silent }) => open.size > 0 || silent)) {
      if (!state.asking) {
        Object.assign(state, { asking: true, rounds: 0 });
        void signOfLife(state);
      } else if ((state.rounds += 1) === SILENT_ROUNDS) {
        leave(state);
      }
    }
  };

  const watch = (): void => {
    timer ??= watched && !closed ? setInterval(round, EVERY_MILLISECONDS).unref() : undefined;
  };

  return {
    order: () => [...states].sort((one, other) => Number(one.silent) - Number(other.silent)).map(({ host }) => host),
    add: (host, connection) => {
      const { open } = stateOf(host);
      open.add(connection);
      connection.stream.once('close', () => open.delete(connection));
      watch();
    },
    failed: (host) => {
      stateOf(host).silent = true;
      watch();
    },
    close: () => {
      closed = true;
      clearInterval(timer);
      states.forEach(leave);
    },
  };
}
