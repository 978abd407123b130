/**
 * host-watch: which hosts of a cluster are worth asking. A machine that lost its power or its network breaks no
 * connection: what waits for it would wait for a quarter of an hour. So each host in use is asked for a sign of life
 * every second on a connection of its own, and when none comes for five seconds, its connections are cut and new ones
 * go elsewhere until it answers again.
 */
export type Host = { readonly host: string; readonly port: number };

export type Watched = {
  readonly stream: {
    readonly destroy: (error?: Error) => unknown;
    readonly once: (event: 'close', listener: () => void) => unknown;
  };
};

export type HostWatchParts<C extends Watched> = {
  readonly hosts: readonly Host[];
  /** False where there is only one: waiting for it is all that can be done. */
  readonly watched: boolean;
  readonly connect: (host: Host) => Promise<C>;
  /** Whether the host says that it takes work. */
  readonly ask: (connection: C) => Promise<boolean>;
};

export type HostWatch<C> = {
  /**
   * The hosts in the order in which to try them: of the setting, but those that were silent when last asked come last.
   */
  readonly order: () => readonly Host[];
  /** A connection that is to be cut when its host falls silent. */
  readonly add: (host: Host, connection: C) => void;
  /** A connection to it could not be made. */
  readonly failed: (host: Host) => void;
  readonly close: () => void;
};

const EVERY_MILLISECONDS = 1000;
const SILENT_ROUNDS = 5;

/** Of a connection that could not be made in time, too. */
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

const cut = (connections: Iterable<Watched>): void => {
  for (const { stream } of connections) {
    stream.destroy(new HostSilent('the database host has given no sign of life'));
  }
};

// eslint-disable-next-line max-lines-per-function -- its inner functions share the state at its top
export const watchHosts = <C extends Watched>({ hosts, watched, connect, ask }: HostWatchParts<C>): HostWatch<C> => {
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
    cut([...state.open, ...(state.own ? [state.own] : [])]);
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
      // Refused or broken is no silence: what breaks says so by itself, and a host may just have too many connections.
      if ((error as { code?: string }).code === SILENT) {
        leave(state);
      }
    }
    state.asking = false;
  };

  // Rounds are counted and not the time, so that a process that was held up itself does not blame its hosts.
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
};
