/**
 * steps: what a conversion of a FHIR resource between versions is made of (pure): each step changes a draft and says
 * whether it found something of the other version.
 */

export type Members = Readonly<Record<string, unknown>>;
export type Draft = Record<string, unknown>;
/** @returns whether it found something of the other version */
export type Step = (draft: Draft) => boolean;

export function isPlainObject(value: unknown): value is Members {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.getPrototypeOf(value) === Object.prototype
  );
}

/** A value as a list: none for undefined. */
export function asValues(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) {
    return value as readonly unknown[];
  }
  return value === undefined ? [] : [value];
}

export function take(draft: Draft, name: string): unknown {
  const value = draft[name];
  delete draft[name];
  return value;
}

/** The element has another name. An element that has both names keeps the old one, and is refused. */
export function rename(from: string, to: string): Step {
  return (draft) => {
    if (draft[from] === undefined || draft[to] !== undefined) {
      return false;
    }
    draft[to] = take(draft, from);
    if (draft[`_${from}`] !== undefined) {
      draft[`_${to}`] = take(draft, `_${from}`);
    }
    return true;
  };
}

/** One value became a list. */
export function asList(name: string): Step {
  return (draft) => {
    if (!isPlainObject(draft[name]) && typeof draft[name] !== 'string') {
      return false;
    }
    draft[name] = [draft[name]];
    return true;
  };
}

export function both(...steps: readonly Step[]): Step {
  return (draft) => steps.map((step) => step(draft)).includes(true);
}

/**
 * A value in words: the text, display or code of a concept, the display or address of a reference, the text of a
 * remark; the first and the last day of a time; of anything else all that stands in it.
 */
export function spokenValue(value: unknown): string {
  if (Array.isArray(value)) {
    return (value as readonly unknown[])
      .map(spokenValue)
      .filter((words) => words !== '')
      .join('; ');
  }
  if (!isPlainObject(value)) {
    return value === undefined || value === null ? '' : String(value as string | number | boolean);
  }
  const own = value['text'] ?? value['display'] ?? value['reference'];
  if (typeof own === 'string') {
    return own;
  }
  const { start, end } = value;
  if (typeof start === 'string' || typeof end === 'string') {
    const bounds = [
      ['from', start],
      ['until', end],
    ] as const;
    return bounds.flatMap(([word, day]) => (typeof day === 'string' ? [`${word} ${day}`] : [])).join(' ');
  }
  const { system, ...rest } = value;
  return Object.values(rest)
    .map(spokenValue)
    .filter((words) => words !== '')
    .join(' ');
}

export function addNote(draft: Draft, text: string): void {
  draft['note'] = [...asValues(draft['note']), { text }];
}

/** A text, or a list of them, became a note. */
export function textToNote(name: string): Step {
  return (draft) => {
    if (typeof draft[name] !== 'string') {
      return false;
    }
    addNote(draft, take(draft, name) as string);
    return true;
  };
}

/** R4 has no place for it: a note says it with its name. */
export function toNote(name: string, words: string): Step {
  return (draft) => {
    const said = spokenValue(draft[name]);
    if (said === '') {
      return false;
    }
    delete draft[name];
    addNote(draft, `${words}: ${said}`);
    return true;
  };
}

/** Of a list R4 has the first; a note says the others with the name of the element. */
export function keepFirst(name: string, words: string): Step {
  return (draft) => {
    if (!Array.isArray(draft[name])) {
      return false;
    }
    const [first, ...others] = draft[name] as readonly unknown[];
    draft[name] = first;
    for (const other of others) {
      addNote(draft, `${words}: ${spokenValue(other)}`);
    }
    return true;
  };
}

/** A code became a concept. A code that the system of R4 does not have stays as a text. */
export function codeToConcept(name: string, system: string, codes: readonly string[]): Step {
  return (draft) => {
    const code = draft[name];
    if (typeof code !== 'string') {
      return false;
    }
    draft[name] = codes.includes(code)
      ? { coding: [{ system: `http://terminology.hl7.org/CodeSystem/${system}`, code }] }
      : { text: code };
    return true;
  };
}

/** A text became a concept. */
export function textToConcept(name: string): Step {
  return (draft) => {
    if (typeof draft[name] !== 'string') {
      return false;
    }
    draft[name] = { text: draft[name] };
    return true;
  };
}

/** Codes have other names; an unknown one stays and is refused. */
export function recode(name: string, codes: Readonly<Record<string, string>>): Step {
  return (draft) => {
    const code = draft[name];
    if (typeof code !== 'string' || !Object.hasOwn(codes, code)) {
      return false;
    }
    draft[name] = codes[code];
    return true;
  };
}

export function inEach(name: string, step: Step): Step {
  return (draft) => {
    const list = draft[name];
    if (!Array.isArray(list)) {
      return false;
    }
    const copies = (list as readonly unknown[]).map((one) => (isPlainObject(one) ? { ...one } : one));
    draft[name] = copies;
    return copies.map((one) => isPlainObject(one) && step(one)).includes(true);
  };
}

export function inOne(name: string, step: Step): Step {
  return (draft) => {
    const given = draft[name];
    if (!isPlainObject(given)) {
      return false;
    }
    const copy = { ...given };
    draft[name] = copy;
    return step(copy);
  };
}

/** Something that was said not to have happened has a status for it. A record that is an error stays one. */
export function notDone(name: string, status: string): Step {
  return (draft) => {
    const isNot = draft[name];
    if (typeof isNot !== 'boolean') {
      return false;
    }
    delete draft[name];
    if (isNot && draft['status'] !== 'entered-in-error') {
      draft['status'] = status;
    }
    return true;
  };
}

/**
 * The resource after its steps. @returns undefined when no step found anything of the other version
 */
export function stepped(steps: readonly Step[], resource: Members): Draft | undefined {
  const draft: Draft = { ...resource };
  return steps.map((step) => step(draft)).includes(true) ? draft : undefined;
}

/** A draft without the members that have no value. */
export function withValues(draft: Draft): Members {
  return Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== undefined));
}
