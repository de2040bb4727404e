import type { Command } from 'commander'
import { usage } from '../workspace-arguments.js'

export const completionShells = ['bash', 'zsh', 'fish'] as const

/** A script that completes commands, their options, and file names. */
export function completionScript(program: Command, shell: string): string {
  const commands = program.commands.map((command) => ({
    name: command.name(),
    summary: command.summary() || command.description(),
    options: command.options.flatMap((option) => option.long ?? []),
  }))
  switch (shell) {
    case 'bash':
    case 'zsh':
      return posixScript(commands, shell)
    case 'fish':
      return commands
        .flatMap(({ name, summary, options }) => [
          `complete -c querent -n __fish_use_subcommand -a ${name} -d '${summary.replaceAll("'", '')}'`,
          ...options.map(
            (option) => `complete -c querent -n '__fish_seen_subcommand_from ${name}' -l ${option.replace('--', '')}`,
          ),
        ])
        .join('\n')
    default:
      throw usage(`There is no completion for ${shell}; choose one of ${completionShells.join(', ')}.`)
  }
}

interface CommandFacts {
  readonly name: string
  readonly options: readonly string[]
}

function posixScript(commands: readonly CommandFacts[], shell: 'bash' | 'zsh'): string {
  const cases = commands.map(({ name, options }) => `    ${name}) words="${options.join(' ')}" ;;`)
  return `${shell === 'zsh' ? 'autoload -U +X bashcompinit && bashcompinit\n' : ''}_querent() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words="${commands.map((command) => command.name).join(' ')}"
  if [ "$COMP_CWORD" -gt 1 ]; then
    words=""
    case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  if [ "$COMP_CWORD" -gt 1 ] && [ "\${current#-}" = "$current" ]; then
    COMPREPLY+=($(compgen -f -- "$current"))
  fi
}
complete -o filenames -F _querent querent`
}
