import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'

type Environment = Readonly<Record<string, string | undefined>>

/** Where Querent keeps what it must remember for a person on this machine: `$QUERENT_STATE_DIR`, else the system's place. */
export function stateFolder(env: Environment): string {
  const own = env['QUERENT_STATE_DIR']
  return own === undefined || own === '' ? join(systemFolder(env, process.platform), 'querent') : resolve(own)
}

/** XDG's state home, also on macOS where it is set; relative values are void, as XDG says. */
function systemFolder(env: Environment, platform: NodeJS.Platform): string {
  const named = platform === 'win32' ? env['LOCALAPPDATA'] : env['XDG_STATE_HOME']
  if (named !== undefined && isAbsolute(named)) return named
  if (platform === 'win32') return join(homedir(), 'AppData', 'Local')
  return platform === 'darwin' ? join(homedir(), 'Library', 'Application Support') : join(homedir(), '.local', 'state')
}
