import { createHash } from 'node:crypto'
import { realpath } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { QuerentError } from '../errors/querent-error.js'
import { readFailure, readRegularFile } from './regular-file.js'
import { type Path, parseYaml, type Position, type YamlFault } from './yaml-document.js'

/** One YAML file of a workspace, read once: what is checked, hashed and used are the same bytes. */
export interface WorkspaceFile {
  /** Absolute; its folder is a real path. */
  readonly path: string
  /** With a last symbolic link followed: what tells two files apart. */
  readonly realPath: string
  /** Relative paths in the file count from here. */
  readonly folder: string
  /** undefined when the text has faults. */
  readonly value: unknown
  readonly faults: readonly YamlFault[]
  /** Given as an object: nothing was read. */
  readonly isObject: boolean
  /** SHA-256 of the bytes, in hex; empty for an object. */
  readonly digest: string
  /** Numeric owner; undefined where the system has none. */
  readonly ownerId: number | undefined
  readonly positionOf: (path: Path, part: 'key' | 'value') => Position | undefined
}

const maxBytes = 8_000_000

/** Rejects with `config.unreadable`. */
export async function readWorkspaceFile(path: string): Promise<WorkspaceFile> {
  try {
    const folder = await realpath(dirname(resolve(path)))
    const full = join(folder, basename(path))
    const { bytes, ownerId } = await readRegularFile(full, maxBytes)
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    const document = parseYaml(text)
    const digest = createHash('sha256').update(bytes).digest('hex')
    const { value, faults, positionOf } = document
    const realPath = await realpath(full)
    return { path: full, realPath, folder, value, faults, isObject: false, digest, ownerId, positionOf }
  } catch (error) {
    throw new QuerentError('config.unreadable', { path, reason: readFailure(error) }, { cause: error })
  }
}

/** A workspace given as an object: it has no text, so its faults have no line. */
export function workspaceFileOf(value: unknown, folder: string): WorkspaceFile {
  const path = join(folder, 'config')
  return {
    path,
    realPath: path,
    folder,
    value,
    faults: [],
    isObject: true,
    digest: '',
    ownerId: undefined,
    positionOf: () => undefined,
  }
}
