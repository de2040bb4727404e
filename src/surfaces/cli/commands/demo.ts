import type { Command } from 'commander'
import type { CommandContext } from '../command-context.js'

/** `querent demo`: the bundled workspace, without network and set-up. */
export function addDemo(program: Command, { output, interruptible }: CommandContext): void {
  program
    .command('demo')
    .description('run the bundled workspace end to end: two files and a local API, joined in one query')
    .addHelpText('after', '\nExample:\n  querent demo\n')
    .action(() =>
      interruptible(async (signal) => {
        const { runDemo } = await import('../demo/run-demo.js')
        await runDemo(output, signal)
      }),
    )
}
