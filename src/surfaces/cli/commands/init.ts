import type { Command } from 'commander'
import type { CommandContext } from '../command-context.js'
import { writeWorkspace } from '../init/write-workspace.js'
import { say } from '../output.js'
import { terminalText } from '../render/terminal-text.js'

/** `querent init`: a workspace file to begin with. */
export function addInit(program: Command, { output }: CommandContext): void {
  program
    .command('init')
    .argument('[dir]', 'folder for the workspace file', '.')
    .description('write a commented querent.yaml and snippets for MCP clients')
    .addHelpText('after', '\nExamples:\n  querent init\n  querent init ~/work/numbers\n')
    .action(async (folder: string) => {
      for (const file of await writeWorkspace(folder)) await say(output, `wrote ${terminalText(file)}`)
      await say(output, 'Next: name your sources in querent.yaml, then run querent check and querent tables.')
    })
}
