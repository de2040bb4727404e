import { closeSync, fdatasync, fstatSync, openSync, readSync, statSync, writeSync, type Stats } from 'node:fs'
import { setAside } from './audit-segments.js'

export interface AuditFileOptions {
  /** The log's current file; its folder exists. */
  readonly path: string
  /** A file that has grown to this is put aside. */
  readonly maxBytes: number
  /** Files put aside that are kept. */
  readonly maxFiles: number
  /** Told when a full file could not be put aside; it then grows on. */
  readonly onRotationFailed: (error: unknown) => void
}

/**
 * The file that records are appended to. Several processes may append: each record is one write with O_APPEND, and a
 * process notices after each write whether another one has put the file aside.
 *
 * A record survives a crash of the process at once, since the write has reached the system. For a crash of the system
 * the file is synced within a second of a write.
 */
export class AuditFile {
  private fd: number | undefined
  private syncTimer: NodeJS.Timeout | undefined

  constructor(private readonly options: AuditFileOptions) {}

  /** Returns when the line has reached the file. Throws the file system's error. */
  append(line: string): void {
    const bytes = Buffer.from(`${line}\n`)
    for (;;) {
      const fd = (this.fd ??= openForAppend(this.options.path))
      this.write(fd, bytes)
      const current = statSync(this.options.path, { throwIfNoEntry: false })
      const own = fstatSync(fd)
      if (isSameFile(current, own)) {
        this.syncSoon()
        if (own.isFile() && own.size >= this.options.maxBytes) this.rotate(own)
        return
      }
      this.close()
      // Put aside, the file keeps the record; removed, it does not.
      if (own.nlink > 0) return
    }
  }

  close(): void {
    clearTimeout(this.syncTimer)
    this.syncTimer = undefined
    if (this.fd === undefined) return
    const fd = this.fd
    this.fd = undefined
    fdatasync(fd, () => {
      closeSync(fd)
    })
  }

  private write(fd: number, bytes: Buffer): void {
    const written = writeSync(fd, bytes)
    if (written === bytes.length) return
    // A disk that has just become full takes a part. The next record must not stand on the torn line: open anew.
    this.close()
    throw Object.assign(new Error('short write'), { code: 'ENOSPC' })
  }

  private rotate(own: Stats): void {
    this.close()
    try {
      setAside(this.options.path, own, this.options.maxFiles)
    } catch (error) {
      this.options.onRotationFailed(error)
    }
  }

  private syncSoon(): void {
    this.syncTimer ??= setTimeout(() => {
      this.syncTimer = undefined
      if (this.fd !== undefined) fdatasync(this.fd, () => undefined)
    }, 1000).unref()
  }
}

/** Opens the file and ends a line that a crash has left torn. */
function openForAppend(path: string): number {
  const fd = openSync(path, 'a+', 0o600)
  const stats = fstatSync(fd)
  if (stats.isFile() && stats.size > 0) {
    const last = Buffer.alloc(1)
    readSync(fd, last, 0, 1, stats.size - 1)
    if (last[0] !== 0x0a) writeSync(fd, '\n')
  }
  return fd
}

function isSameFile(a: Stats | undefined, b: Stats): boolean {
  return a !== undefined && a.ino === b.ino && a.dev === b.dev
}
