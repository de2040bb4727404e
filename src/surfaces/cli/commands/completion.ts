import { Argument, type Command } from 'commander'
import type { CommandContext } from '../command-context.js'
import { completionScript, completionShells, type CompletionShell } from '../completion/completion-script.js'
import { write } from '../output.js'

/** `querent completion`: a script that a shell reads. */
export function addCompletion(program: Command, { output }: CommandContext): void {
  program
    .command('completion')
    .addArgument(new Argument('<shell>', 'the shell to write for').choices(completionShells))
    .description('print a completion script')
    .addHelpText(
      'after',
      `
Examples:
  eval "$(querent completion bash)"         in ~/.bashrc; zsh the same
  querent completion fish | source          in ~/.config/fish/config.fish
`,
    )
    .action(async (shell: CompletionShell) => {
      await write(output.out, completionScript(program, shell))
    })
}
