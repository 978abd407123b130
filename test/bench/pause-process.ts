/** pause-process: watches for pauses of the machine in a process of its own; one runs for each processor. */
import { watchPauses } from './pauses';

process.on('message', (seconds: number) => {
  process.send?.({ measured: watchPauses(seconds) });
});
process.on('disconnect', () => process.exit(0));
