/** faults: collects the faults that libxml2 reports during one call. */
import { plainFileName, type Pointer, type Sandbox } from './sandbox';

/** One fault that libxml2 reports. `message` may hold text of the document: never show it to anybody. */
export type Fault = {
  readonly code: number;
  readonly level: number;
  readonly line: number;
  readonly column: number;
  readonly message: string;
  readonly file: string | null;
};

/** An element with a value that does not match its type, in its content or in the named attribute. */
export type Mistyped = { readonly element: Pointer; readonly attribute: string | undefined };

/** At most this many faults are kept per call; libxml2 may find a million of them. */
const FAULTS_KEPT = 20;
/** cvc-datatype-valid: the value does not match its atomic type, its list or its union. */
const MISTYPED = new Set([1824, 1825, 1826]);
/** If there are more of them, the document is left as it is, because nobody waits for a million. */
export const MISTYPED_KEPT = 100_000;
/** The attribute that a fault is about, as `{namespace}name` or `name`. */
const ATTRIBUTE = /^Element '[^']*', attribute '([^']*)': /;
/** The level from which libxml2's report is a fault and not a remark. */
const LEVEL_ERROR = 2;
/** The fault of a namespace that is no URI, which is odd but permitted. */
const NOT_A_URI = 99;

export type FaultCollector = {
  /** The error handler to give to libxml2. */
  readonly handler: Pointer;
  /** Forgets the faults of earlier calls. */
  readonly begin: () => void;
  readonly faults: () => readonly Fault[];
  readonly mistyped: () => readonly Mistyped[];
};

/** Makes the handler once. libxml2 runs one call at a time, so all calls share it. */
export function collectFaults({ raw }: Sandbox): FaultCollector {
  let faults: Fault[] = [];
  let mistyped: Mistyped[] = [];
  const read = (fault: Pointer, code: number, level: number): Fault => {
    const file = raw.XmlErrorStruct.file(fault);
    return {
      code,
      level,
      line: raw.XmlErrorStruct.line(fault),
      column: raw.XmlErrorStruct.col(fault),
      message: raw.XmlErrorStruct.message(fault),
      file: file === null ? null : plainFileName(file),
    };
  };
  const handler = raw.addFunction((_context: number, fault: Pointer) => {
    const level = raw.XmlErrorStruct.level(fault);
    // The code is the second word of the error, where a tree node has its type.
    const code = raw.XmlTreeCommonStruct.type(fault);
    if (MISTYPED.has(code) && mistyped.length < MISTYPED_KEPT) {
      mistyped.push({
        element: raw.XmlErrorStruct.node(fault),
        attribute: ATTRIBUTE.exec(raw.XmlErrorStruct.message(fault))?.[1],
      });
    }
    if (level >= LEVEL_ERROR && code !== NOT_A_URI && faults.length < FAULTS_KEPT) {
      faults.push(read(fault, code, level));
    }
  }, 'vii');
  return {
    handler,
    begin: () => {
      faults = [];
      mistyped = [];
    },
    faults: () => faults,
    mistyped: () => mistyped,
  };
}
