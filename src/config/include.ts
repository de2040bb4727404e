import { QuerentError } from '../errors/querent-error.js'
import type { FaultList } from './fault-list.js'
import { type FilePattern, filePattern, matchingFiles } from './file-pattern.js'
import { isRecord } from './record.js'
import { readWorkspaceFile, type WorkspaceFile } from './workspace-file.js'

/** The workspace file and what it includes, in the order of reading: the workspace file is the first. */
export interface WorkspaceFiles {
  readonly files: readonly [WorkspaceFile, ...WorkspaceFile[]]
  /** Every pattern of `include:`, for watching: a new file may match. */
  readonly patterns: readonly FilePattern[]
  /** Facts a person should hear, such as a pattern that matches nothing. */
  readonly notices: readonly string[]
}

const maxFiles = 1000

/** Reads all included files; faults of the files and of `include:` itself go to `faults`. */
export async function readIncludes(main: WorkspaceFile, faults: FaultList): Promise<WorkspaceFiles> {
  const reading = new IncludeReading(faults)
  await reading.add(main, [])
  return { files: [main, ...reading.files.slice(1)], patterns: reading.patterns, notices: reading.notices }
}

class IncludeReading {
  readonly files: WorkspaceFile[] = []
  readonly patterns: FilePattern[] = []
  readonly notices: string[] = []
  private readonly faults: FaultList

  constructor(faults: FaultList) {
    this.faults = faults
  }

  /** `chain`: the files that lead here, outermost first. */
  async add(file: WorkspaceFile, chain: readonly WorkspaceFile[]): Promise<void> {
    this.files.push(file)
    for (const fault of file.faults) this.faults.add(file.path, fault, fault)
    const include = isRecord(file.value) ? file.value['include'] : undefined
    if (!Array.isArray(include)) return
    for (const [index, text] of include.entries()) {
      if (typeof text === 'string') await this.follow(file, text, index, [...chain, file])
    }
  }

  private async follow(
    file: WorkspaceFile,
    text: string,
    index: number,
    chain: readonly WorkspaceFile[],
  ): Promise<void> {
    const pattern = filePattern(text, file.folder)
    this.patterns.push(pattern)
    const paths = await matchingFiles(pattern)
    if (paths.length === 0) this.notices.push(`include: ${text} matches no file`)
    for (const path of paths) {
      const fault = await this.read(path, pattern.glob !== undefined, chain)
      if (fault !== undefined) this.faults.at(file, ['include', index], { message: fault })
    }
  }

  private async read(path: string, byGlob: boolean, chain: readonly WorkspaceFile[]): Promise<string | undefined> {
    if (this.files.length >= maxFiles) return `more than ${maxFiles} files are included`
    let file
    try {
      file = await readWorkspaceFile(path)
    } catch (error) {
      if (error instanceof QuerentError) return `cannot include: ${error.message.replace(/\.$/, '')}`
      throw error
    }
    const { realPath } = file
    const from = chain.findIndex((other) => other.realPath === realPath)
    if (from >= 0) {
      // A glob may well match the file that it stands in.
      if (byGlob) return undefined
      return `files include each other in a circle: ${[...chain.slice(from), file].map((one) => one.path).join(' → ')}`
    }
    if (!this.files.some((other) => other.realPath === realPath)) await this.add(file, chain)
    return undefined
  }
}
