/** A file that may be read, as it was when it was looked at. */
export interface FoundFile {
  /** Real path: no link is left in it. */
  readonly path: string
  readonly sizeBytes: number
  /** Changes whenever the file does: size, time of change in nanoseconds, and which file it is. */
  readonly version: string
}

/** Text that differs whenever the list of files, or one of them, does. */
export function versionOf(files: readonly FoundFile[]): string {
  return files.map((file) => `${file.path}\0${file.version}`).join('\0\0')
}
