/**
 * load-process: the load generator in a process of its own, so that it never waits for the service that it measures.
 */
import { measure, type Load } from './load';

process.on('message', (load: Load) => {
  measure(load).then(
    (measured) => process.send?.({ measured }),
    (error: unknown) => process.send?.({ failed: String((error as Error).stack ?? error) }),
  );
});
process.on('disconnect', () => process.exit(0));
