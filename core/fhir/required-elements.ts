/**
 * required-elements: the elements that R4 requires of resources, so that a refusal names their paths (pure). `required-elements.json`
 * was made from HL7's definitions; a star stands for the types of a choice.
 */
import words from './required-elements.json';

/** What is needed of an element tree. */
type Tree = {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly elements: readonly Tree[];
};

const lines: Readonly<Record<string, string>> = words;

/** Whether an element says anything. */
function hasContent({ attributes, elements }: Tree): boolean {
  return [...attributes.values()].some((value) => value !== '') || elements.some(hasContent);
}

function isPresent({ elements }: Tree, required: string): boolean {
  const start = required.replace('*', '');
  const isNamed = (name: string): boolean =>
    required === start ? name === required : name.startsWith(start) && /^[A-Z]/.test(name.slice(start.length));
  return elements.some((element) => isNamed(element.name) && hasContent(element));
}

/** The required elements that a resource lacks; of a choice its name. */
export function missingIn(resource: Tree): readonly string[] {
  return (Object.hasOwn(lines, resource.name) ? lines[resource.name]!.split(' ') : [])
    .filter((required) => !isPresent(resource, required))
    .map((required) => required.replace('*', '[x]'));
}
