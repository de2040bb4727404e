import type { Command } from 'commander'
import type { CommandContext } from '../command-context.js'
import { exitCodes } from '../exit-code.js'
import { acceptWorkspace } from '../trust/accept-workspace.js'
import { addConfigFlag, type ConfigFlags } from '../workspace-flags.js'

interface TrustFlags extends ConfigFlags {
  readonly yes?: boolean
}

/** `querent trust`: accepts a workspace that was found rather than named. */
export function addTrust(program: Command, { output, exitWith }: CommandContext): void {
  const command = program
    .command('trust')
    .description('accept the workspace file that was found here, with what it may do')
    .option('-y, --yes', 'accept without asking')
    .addHelpText('after', '\nExamples:\n  querent trust\n  querent trust --config team/querent.yaml --yes\n')
  addConfigFlag(command).action(async (flags: TrustFlags) => {
    const accepted = await acceptWorkspace({ ...flags, yes: flags.yes === true }, output)
    if (!accepted) exitWith(exitCodes.failed)
  })
}
