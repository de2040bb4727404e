import type { Command } from 'commander'

export const completionShells = ['bash', 'zsh', 'fish'] as const
export type CompletionShell = (typeof completionShells)[number]

interface CommandFacts {
  readonly name: string
  readonly summary: string
  readonly options: readonly OptionFacts[]
  /** Words that an argument takes. */
  readonly choices: readonly string[]
}

interface OptionFacts {
  /** `--format`. */
  readonly long: string
  readonly summary: string
  readonly takesValue: boolean
  readonly choices: readonly string[]
}

/** A script that completes commands, their options with the values they take, and file names. */
export function completionScript(program: Command, shell: CompletionShell): string {
  const commands = program.commands.map(factsOf)
  return shell === 'fish' ? fishScript(commands) : posixScript(commands, shell)
}

function factsOf(command: Command): CommandFacts {
  return {
    name: command.name(),
    summary: command.description(),
    choices: command.registeredArguments.flatMap((argument) => argument.argChoices ?? []),
    options: command.options.flatMap((option) =>
      option.long === undefined
        ? []
        : [
            {
              long: option.long,
              summary: option.description,
              takesValue: option.required,
              choices: option.argChoices ?? [],
            },
          ],
    ),
  }
}

function posixScript(commands: readonly CommandFacts[], shell: 'bash' | 'zsh'): string {
  const names = commands.map((command) => command.name).join(' ')
  const words = commands.map(
    ({ name, options, choices }) =>
      `    ${name}) words="${[...options.map((option) => option.long), '--help', ...choices].join(' ')}" ;;`,
  )
  const values = commands.flatMap(({ name, options }) =>
    options
      .filter((option) => option.choices.length > 0)
      .map((option) => `    "${name} ${option.long}") words="${option.choices.join(' ')}"; files=0 ;;`),
  )
  return `${shell === 'zsh' ? 'autoload -U +X bashcompinit && bashcompinit\n' : ''}_querent() {
  local current="\${COMP_WORDS[COMP_CWORD]}" command="\${COMP_WORDS[1]}" words="" files=1
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${names}" -- "$current"))
    return
  fi
  case "$command" in
${words.join('\n')}
  esac
  case "$command \${COMP_WORDS[COMP_CWORD-1]}" in
${values.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  if [ "$files" -eq 1 ] && [ "\${current#-}" = "$current" ]; then
    COMPREPLY+=($(compgen -f -- "$current"))
  fi
}
complete -o filenames -F _querent querent
`
}

function fishScript(commands: readonly CommandFacts[]): string {
  const lines = commands.flatMap(({ name, summary, options, choices }) => {
    const inside = `complete -c querent -n '__fish_seen_subcommand_from ${name}'`
    return [
      `complete -c querent -f -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`,
      ...choices.map((choice) => `${inside} -f -a ${choice}`),
      ...options.map(({ long, summary: text, takesValue, choices: taken }) => {
        const value = taken.length > 0 ? ` -x -a ${quoted(taken.join(' '))}` : takesValue ? ' -r' : ''
        return `${inside} -l ${long.slice(2)}${value} -d ${quoted(text)}`
      }),
    ]
  })
  return `${lines.join('\n')}\n`
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
