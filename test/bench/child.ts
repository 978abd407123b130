/** child: a process of the benchmark that answers one message at a time. */
import { fork } from 'node:child_process';
import { join } from 'node:path';

export type Child<Question, Answer> = {
  readonly ask: (question: Question) => Promise<Answer>;
  readonly pid: number;
  readonly stop: () => void;
};

type Reply<Answer> = { readonly measured: Answer } | { readonly failed: string };

/** Starts a compiled file of this folder. */
export const startChild = <Question, Answer>(name: string): Child<Question, Answer> => {
  const child = fork(join(__dirname, `${name}.js`), [], { serialization: 'advanced' });
  return {
    pid: child.pid ?? 0,
    ask: (question) =>
      new Promise((resolve, reject) => {
        const ended = (code: number | null): void => reject(new Error(`${name} ended with ${code}`));
        child.once('exit', ended);
        child.once('message', (reply: Reply<Answer>) => {
          child.off('exit', ended);
          if ('failed' in reply) {
            reject(new Error(reply.failed));
          } else {
            resolve(reply.measured);
          }
        });
        child.send(question as object);
      }),
    stop: () => {
      child.disconnect();
    },
  };
};
