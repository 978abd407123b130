/** completion: `svc completion bash|zsh`: a script that lets the shell complete commands and options. */
import { Argument, type Command } from 'commander';

function optionsOf(command: Command): readonly string[] {
  return [
    ...command.options.flatMap(({ short, long }) => [long, short]).filter((flag) => flag !== undefined),
    '--help',
  ];
}

function commandNames(commands: readonly Command[]): readonly string[] {
  return commands.flatMap((command) => [command.name(), ...command.aliases()]);
}

/** Every command by the words that lead to it, with the words that may follow. */
function branches(command: Command, words: readonly string[]): readonly (readonly [string, readonly string[]])[] {
  const choices = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);
  const own = [...commandNames(command.commands), ...choices, ...optionsOf(command)];
  return [
    [words.join(' '), own],
    ...command.commands.flatMap((sub) =>
      [sub.name(), ...sub.aliases()].flatMap((name) => branches(sub, [...words, name])),
    ),
  ];
}

/** If nothing else fits, file names are offered. */
function bash(program: Command): string {
  return `# svc completion for bash; put it into your shell with: source <(svc completion bash)
_svc() {
  local word="\${COMP_WORDS[COMP_CWORD]}" path="" next i
  for ((i = 1; i < COMP_CWORD; i++)); do
    next="\${COMP_WORDS[i]}"
    case "$next" in -*) continue ;; esac
    case "\${path:+$path }$next" in
${branches(program, [])
  .slice(1)
  .map(([path]) => `      '${path}') path='${path}' ;;`)
  .join('\n')}
    esac
  done
  case "$path" in
${branches(program, [])
  .map(([path, words]) => `    '${path}') COMPREPLY=($(compgen -W '${words.join(' ')}' -- "$word")) ;;`)
  .join('\n')}
  esac
}
complete -o default -F _svc svc bin/svc ./bin/svc
`;
}

function zsh(program: Command): string {
  return `# svc completion for zsh; put it into your shell with: source <(svc completion zsh)
autoload -U +X compinit && compinit
autoload -U +X bashcompinit && bashcompinit
${bash(program)}`;
}

export function addCompletion(program: Command): void {
  program
    .command('completion')
    .description('print a script that completes commands and options: source <(svc completion bash)')
    .addArgument(new Argument('<shell>', 'the shell that you use').choices(['bash', 'zsh']))
    .action((shell: string) => {
      process.stdout.write(shell === 'bash' ? bash(program) : zsh(program));
    });
}
